/* A lab with constant runs of file experiments: blocks by file size and order,
 * a file cache with its knee, readers by pattern, and the network's penalty.
 * Made by hand like those of sweep_fixture.h; the knee and the ratios are
 * derived as for real runs. */
#ifndef BENCHTOP_SCREENS_FILE_FIXTURE_H
#define BENCHTOP_SCREENS_FILE_FIXTURE_H

#include "file_knee.h"
#include "file_reading.h"
#include "sweep_fixture.h"

void filed_open(struct lab *lab, struct screen *screen);

#endif
