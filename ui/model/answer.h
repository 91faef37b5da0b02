/*
 * Shows answers to the user: the reply to a typed line or a key's line. Later
 * also the end of a run, of the doctor, or of reading a capture.
 *
 * A reply of one line becomes the status sentence; a longer reply becomes a
 * page. An empty reply keeps the previous message. A command that only starts
 * an activity has no reply; screen_take_ended() shows the result. An answer
 * that arrives while the user reads another page waits in screen->examined
 * until that page is closed.
 *
 * Each of these functions may replace the session. Only this file then discards
 * everything computed from the old session.
 */
#ifndef BENCHTOP_ANSWER_H
#define BENCHTOP_ANSWER_H

#include "screen.h"

/* Executes a line as if typed, statement by statement, like a script
 * (script.h). A refused statement ends the line; its error becomes the status
 * sentence. A failed gate does not end the line; its error is shown at the end.
 * Before a statement measures, all statements after it are checked. Statements
 * after a run wait in screen->rest until the run ends. Exceptions are other
 * runs, which queue up, and the screen's own verbs. */
void screen_execute(struct screen *, const char *line);
/* Call this after each step of the lab. It shows the reply of an activity that
 * has ended and selects the next run, unless the user looks at another
 * experiment. Marked experiments whose run did not start stay marked, and a
 * message reports them. */
void screen_take_ended(struct screen *);
/* Shows how a run ended as the status sentence. */
void screen_say_outcome(struct screen *, const struct results *);
/* Closes the open page, then shows the doctor's findings if they arrived
 * meanwhile. */
void screen_leave_page(struct screen *);

#endif
