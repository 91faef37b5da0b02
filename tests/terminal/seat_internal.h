/* Shared by the parts of a seat; private to them. */
#ifndef BENCHTOP_SEAT_INTERNAL_H
#define BENCHTOP_SEAT_INTERNAL_H

#include "seat.h"

void seat_make_screen(struct seat *);
/* Renders pending output up to the next mark and processes the mark. False if
 * there is none yet. So even a slow test sees every frame. */
bool seat_advance(struct seat *);
/* Records that the program stopped or ended. */
void seat_became(struct seat *, int status);
/* Receives available output, or waits for it until the timeout; false: none. */
bool seat_pump(struct seat *, int timeout_ms);

#endif
