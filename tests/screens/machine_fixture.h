/* A machine that never changes, and a doctor who has looked at it. */
#ifndef BENCHTOP_SCREENS_MACHINE_FIXTURE_H
#define BENCHTOP_SCREENS_MACHINE_FIXTURE_H

#include "sweep_fixture.h"
#include "view_machine.h"

/* What they did over 35 seconds; only where it was not looked at since. */
void inspected_now(struct screen *screen);
void inspected_open(struct lab *lab, struct screen *screen);

#endif
