/*
 * Chance by number: what happens to a packet of the link is a function of the
 * seed, the direction and the packet's index, and of nothing else. The same
 * seed loses the same packets, however the machine was busy.
 *
 * Each draw is the counter, spread by a golden-ratio step, through the mixer
 * of splitmix64 (Steele, Lea and Flood 2014) twice: once for the key, once for
 * the index.
 */
#ifndef BENCHTOP_RELAY_DRAW_H
#define BENCHTOP_RELAY_DRAW_H

#include <stdbool.h>
#include <stdint.h>

enum relay_purpose { RELAY_LOSS, RELAY_REORDER, RELAY_PURPOSES };

/* What the draws of one purpose in one direction (0 or 1) start from. */
uint64_t relay_key(uint64_t seed, unsigned direction, enum relay_purpose);
/* True for a share of the indices, 0 .. 1. */
bool relay_draw(uint64_t key, uint64_t index, double share);

#endif
