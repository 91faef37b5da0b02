/* What the parts of a seat share with each other only. */
#ifndef BENCHTOP_SEAT_INTERNAL_H
#define BENCHTOP_SEAT_INTERNAL_H

#include "seat.h"

void seat_make_screen(struct seat *);
/* Paints what is pending up to the next mark and takes that: true. False when
 * there is none yet. A test that is late sees every frame all the same. */
bool seat_advance(struct seat *);
/* It stopped or ended. */
void seat_became(struct seat *, int status);
/* Takes what is there or comes in time; false: nothing. */
bool seat_pump(struct seat *, int timeout_ms);

#endif
