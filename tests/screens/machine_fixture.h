/* A constant machine with results of the doctor. */
#ifndef BENCHTOP_SCREENS_MACHINE_FIXTURE_H
#define BENCHTOP_SCREENS_MACHINE_FIXTURE_H

#include "sweep_fixture.h"
#include "view_machine.h"

/* Activity of the processors over 35 seconds; only if they were not sampled
 * since. */
void inspected_now(struct screen *screen);
void inspected_open(struct lab *lab, struct screen *screen);

#endif
