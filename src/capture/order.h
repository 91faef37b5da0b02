/*
 * The packets of a file in the order of their timestamps.
 *
 * Several capture queues or interfaces write a packet behind later ones, with
 * the time at which it passed. So packets are held back until one is 100 ms
 * later, and at most 4096 of them. A timestamp that is even earlier is of a
 * clock that was set back, and the order stays: errors of less than 128 ms are
 * not stepped but slewed (RFC 5905, 11.3, STEPT). The order of equal timestamps
 * stays too. A packet without a valid timestamp follows its predecessor.
 */
#ifndef BENCHTOP_CAPTURE_ORDER_H
#define BENCHTOP_CAPTURE_ORDER_H

#include "output.h"

/* Writes the packet now or later. */
void order_packet(const struct captured *);
/* Writes all that are held back. */
void order_release(void);

#endif
