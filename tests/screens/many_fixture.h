/* A constant fleet and a constant history for the Compare screen. */
#ifndef BENCHTOP_SCREENS_MANY_FIXTURE_H
#define BENCHTOP_SCREENS_MANY_FIXTURE_H

#include "fixture.h"
#include "fleet_sessions.h"
#include "run_history.h"

enum {
	MANY_MACHINES = 40,
	MANY_RUNS = 48,
	MANY_KERNEL = 20, /* the run with another kernel */
};

/* Machines n00 .. with figures of twelve experiments. n07 is 20 % slower in
 * all, n11 in memory only by 30 %; n19 scatters; n03 has another kernel; n30 is
 * 12 % faster in one series. */
struct fleet_sessions *many_fleet(void);
/* A figure per day, slower by 5 % from MANY_KERNEL on and by 10 % from run 40
 * on; two runs do not count. */
struct history *many_history(void);

#endif
