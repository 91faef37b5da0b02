/*
 * A fleet as plain text: the machines that differ from the others and what
 * differs around them, then a row per series.
 */
#ifndef BENCHTOP_PRINT_FLEET_H
#define BENCHTOP_PRINT_FLEET_H

#include "fleet_sessions.h"
#include "text_layout.h"

/* `layout->verbose`: every series of an outlier, and all series. */
void print_fleet(const struct fleet_sessions *, const struct text_layout *,
	struct text *);

#endif
