/* What the parts of a seat share with each other only. */
#ifndef BENCHTOP_SEAT_OWN_H
#define BENCHTOP_SEAT_OWN_H

#include "seat.h"

void seat_make_screen(struct seat *);
/* Bytes of the program: marks are taken, the rest is logged and painted. */
void seat_feed(struct seat *, const char *bytes, size_t count);
/* It stopped or ended. */
void seat_became(struct seat *, int status);
/* Takes what is there or comes in time; false: nothing. */
bool seat_pump(struct seat *, int timeout_ms);

#endif
