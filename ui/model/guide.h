/*
 * First steps: one line above the status line leads a newcomer through predict,
 * run and read. Each step appears when the previous step is done.
 *
 * The guide begins at a user's first start: without settings, history and kept
 * sessions. It appears at each start until it is finished or `guide off`
 * dismisses it; settings.h saves this state.
 */
#ifndef BENCHTOP_GUIDE_H
#define BENCHTOP_GUIDE_H

#include "screen.h"

/* Call this after the settings have been read. */
void guide_begin(struct screen *);
/* Marks a step as done. A later step than the current one also counts if it
 * makes the earlier one unnecessary: a run without a prediction leads to
 * reading. */
void guide_done(struct screen *, enum guide_step);
/* Starts the guide again, or dismisses it permanently. */
int guide_use(struct screen *, bool on, struct error *);
/* Appends the next step; nothing if the guide is off. */
void guide_say(const struct screen *, struct text *);

#endif
