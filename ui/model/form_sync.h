/*
 * Updates forms from measurements, so that r repeats the displayed run. A typed
 * `run` of one experiment sets that experiment's form. An opened session sets
 * the forms that the user has not edited.
 */
#ifndef BENCHTOP_FORM_SYNC_H
#define BENCHTOP_FORM_SYNC_H

#include "screen.h"
#include "words.h"

/* Call this when a `run` has begun. If it runs one experiment, its form takes
 * the settings of the run. Then r repeats it and no setting counts as changed.
 * A run of several experiments uses presets and does not change the forms,
 * which may contain edits. */
void form_sync_from_run(struct screen *, const struct words *);
/* Copies the settings of the session's last runs into forms that the user has
 * not edited. So an opened session shows its own settings. */
void form_sync_from_session(struct screen *);
/* Call this after a `set` of options for all runs: every form shows them. */
void form_sync_from_set(struct screen *, const struct words *);

#endif
