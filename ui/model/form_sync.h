/*
 * The form follows what is measured: a typed `run` of one experiment and an
 * opened session bring their settings into forms that nobody has changed by
 * hand, so that r repeats what is shown.
 */
#ifndef BENCHTOP_FORM_SYNC_H
#define BENCHTOP_FORM_SYNC_H

#include "screen.h"
#include "words.h"

/* A `run` of one experiment has begun: its form says what it is run with, so
 * that r repeats it and nothing is called changed. What runs several leaves the
 * forms alone: they are measured as presets say, and a form may be work. */
void form_sync_from_run(struct screen *, const struct words *);
/* The same of what the session's last runs were measured with, for forms that
 * nobody has touched: who opens a session sees what it is of. */
void form_sync_from_session(struct screen *);

#endif
