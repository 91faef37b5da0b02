/*
 * The packets of a file or an interface in the order of their timestamps.
 *
 * Several capture queues or interfaces write a packet behind later ones, with
 * the time at which it passed: up to 1 ms was seen. So packets are held back
 * until one is 2 ms later, and at most 4096 of them. A timestamp that is even
 * earlier is of a clock that was set back, or of another clock, and the order
 * stays. So does that of equal timestamps, and of a packet that comes too late.
 * A packet without a valid timestamp follows its predecessor in the file.
 */
#ifndef BENCHTOP_CAPTURE_ORDER_H
#define BENCHTOP_CAPTURE_ORDER_H

#include "output.h"

/* Writes the packet now or later. */
void order_packet(const struct captured *);
/* Writes all that are held back. */
void order_release(void);

#endif
