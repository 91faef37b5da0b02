/* A constant lab: three experiments, results made by hand. It uses no clock,
 * machine or random number, and forks no process. */
#ifndef BENCHTOP_LAB_FIXTURE_H
#define BENCHTOP_LAB_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "lab.h"
#include "memory.h"

extern const char *const fixture_calls[];

void fixture_trial(struct probe *probe, uint64_t ops);
extern const struct experiment fixture_syscall;
extern const struct experiment fixture_latency;
extern const struct experiment *const fixture_list[];
/* 0, 1, .. without a pattern that bins could match. */
unsigned fixture_noise(unsigned i);
/* Adds a canary before the trials of a visit and one after them. */
void fixture_canaries(struct point *point, struct visit *visit);
struct results *fixture_results(const struct experiment *experiment,
	const char *const *calls, size_t count);
/* Sets the processors 0 .. 7. */
void fixture_processors(struct lab *lab);
/* Adds one measured point of cpu.syscall and a sweep of mem.latency. */
void fixture_measure(struct lab *lab);

#endif
