/*
 * The text of the status sentence. It is shown after commands whose reply is
 * empty or too short for the screen, after a run, and otherwise for the
 * selected experiment.
 */
#ifndef BENCHTOP_STATUS_TEXT_H
#define BENCHTOP_STATUS_TEXT_H

#include "screen.h"

/* State of the lab before a command changes it. */
struct before {
	size_t aside; /* length of lab->aside */
};

struct before status_before(const struct screen *);
/* Whether status_after() replaces the command's reply. */
bool status_tells(const struct words *);
/* Sets the message after a successful command, where the screen adds to its
 * reply. */
void status_after(struct screen *, const struct words *, const struct before *,
	const struct text *reply);

/* Appends how a run ended. Returns the bytes to show in a row that is too
 * short; 0: as many as fit. */
size_t status_of_run(const struct results *, struct text *);
/* Appends the sentence for the selected experiment, shown without a message.
 * Returns the same as status_of_run(). */
size_t status_at_rest(const struct screen *, struct text *);

#endif
