/* A lab of runs with files that never change: blocks by file size and order,
 * a file cache with its knee, readers by pattern, and what a network adds.
 * Made by hand like those of sweep_fixture.h; the knee and the ratios are
 * found in them as in real ones. */
#ifndef BENCHTOP_SCREENS_FILE_FIXTURE_H
#define BENCHTOP_SCREENS_FILE_FIXTURE_H

#include "file_knee.h"
#include "file_reading.h"
#include "sweep_fixture.h"

void filed_open(struct lab *lab, struct screen *screen);

#endif
