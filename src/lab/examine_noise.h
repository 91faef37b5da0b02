/*
 * The noise floor: a setting measured against itself, in turns, as `ab` does
 * it. The smallest change that such a pair can show is what a comparison on
 * this machine, at this moment, can show.
 */
#ifndef BENCHTOP_EXAMINE_NOISE_H
#define BENCHTOP_EXAMINE_NOISE_H

#include <stdbool.h>

struct lab;

/* Begins the next pair, or moves the present one along; what came out is put
 * into lab->examination.noise. True once all are measured. An experiment that
 * cannot be run is left out. */
bool noise_step(struct lab *);

#endif
