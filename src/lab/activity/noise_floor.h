/*
 * The noise floor: a setting measured against itself, in turns, as `ab` does
 * it. The smallest change that such a pair can show is what a comparison on
 * this machine, at this moment, can show.
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
	size_t count;    /* of them */
	struct run *run; /* of A against A; NULL: none is in progress */
	size_t pair;     /* which one */
};

/* Begins the next pair, or moves the present one along. True once all are
 * measured. An experiment that cannot be run is left out. */
bool noise_floor_step(struct noise_floor *, struct lab *);
void noise_floor_abandon(struct noise_floor *);

#endif
