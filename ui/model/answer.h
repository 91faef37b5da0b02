/*
 * What comes back to the one who looks: the reply of a line that was typed or
 * that a key stands for, and later the end of a run, of the doctor, of a
 * capture that was read.
 *
 * A reply of one line becomes the status sentence, of more lines a page, of
 * none leaves what stood there. A command that only begins something says
 * nothing; screen_take_ended() says what became of it. What is answered while
 * somebody reads another page waits in screen->examined until that is left.
 *
 * After each of these the session may be another one: whatever was computed
 * from the old one is forgotten here, nowhere else.
 */
#ifndef BENCHTOP_ANSWER_H
#define BENCHTOP_ANSWER_H

#include "screen.h"

/* Executes a line as if typed, statement by statement, as a script does
 * (script.h): one that is refused ends it and stands in the status sentence,
 * and so does, in the end, a gate that did not hold. Before something is
 * measured all that follows is checked. What follows a run waits in
 * screen->rest until it has ended, but for other runs, which queue up, and the
 * screen's own verbs. */
void screen_execute(struct screen *, const char *line);
/* To be called whenever the lab has made a step: takes the reply of what has
 * ended, and goes along with the run that follows, unless the user looks at
 * something else. What was marked and did not come to run stays marked, and
 * is said. */
void screen_take_ended(struct screen *);
/* How a run ended, as the status sentence. */
void screen_say_outcome(struct screen *, const struct results *);
/* Closes the page that is open, for what the doctor found meanwhile. */
void screen_leave_page(struct screen *);

#endif
