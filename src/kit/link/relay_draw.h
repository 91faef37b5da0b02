/*
 * Random decisions by packet index: the fate of a packet is a function of only
 * the seed, the direction and the packet's index. The same seed loses the same
 * packets, however busy the machine is.
 *
 * Each draw is the counter, spread by a golden-ratio step, through the mixer of
 * splitmix64 (Steele, Lea and Flood 2014) twice: once for the key, once for the
 * index.
 */
#ifndef BENCHTOP_RELAY_DRAW_H
#define BENCHTOP_RELAY_DRAW_H

#include <stdbool.h>
#include <stdint.h>

enum relay_purpose { RELAY_LOSS, RELAY_REORDER, RELAY_PURPOSES };

/* The key for the draws of one purpose in one direction (0 or 1). */
uint64_t relay_key(uint64_t seed, unsigned direction, enum relay_purpose);
/* True for the given share of the indices, 0 .. 1. */
bool relay_draw(uint64_t key, uint64_t index, double share);

#endif
