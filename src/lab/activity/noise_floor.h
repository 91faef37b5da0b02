/*
 * The noise floor: an A/A control, which compares one setting with itself as
 * `ab` does. The smallest change that it can detect is the smallest change that
 * a comparison can detect on this machine at this moment.
 */
#ifndef BENCHTOP_NOISE_FLOOR_H
#define BENCHTOP_NOISE_FLOOR_H

#include <stdbool.h>

#include "doctor.h"

struct lab;
struct run;

enum { NOISE_PAIRS = 2 }; /* at most */

struct noise_floor {
	struct noise_facts facts[NOISE_PAIRS];
	size_t count;    /* of facts */
	struct run *run; /* the A/A run; NULL: none is in progress */
	size_t pair;     /* index of the present pair */
};

/* Begins the next pair, or continues the present pair. True once all are
 * measured. An experiment that cannot run is skipped. */
bool noise_floor_step(struct noise_floor *, struct lab *);
void noise_floor_abandon(struct noise_floor *);

#endif
