/*
 * The lab without a screen: scripts, single lines and a prompt. Results go to
 * standard output, everything else to standard error. Progress is shown only if
 * standard error is a terminal.
 */
#ifndef BENCHTOP_HEADLESS_H
#define BENCHTOP_HEADLESS_H

#include "loop.h"
#include "script.h"

/* Executes every statement. Returns the program's exit code: the status of the
 * first failure, or of the interrupt. After an interrupt no further run is
 * started, but the rest of the script (save, export) is still executed. A
 * second interrupt ends the program at once. */
enum status headless_run(struct loop *, const struct script *);
/* Does the script open the screen on its result? For words of a shell without
 * options, if the verb has a view and a terminal can show it. */
bool headless_shows(const struct lab *, const struct script *);
/* Executes such a script without output. On success the lab has the reply for
 * the screen; otherwise the error has been reported. */
enum status headless_prepare(struct loop *, const struct script *);
/* Shows a `benchtop>` prompt for the same language. It ends with `quit`, the
 * end of the input, or a signal (an interrupt during a run only stops the run).
 * The cursor is never moved: progress is a sentence every few seconds. */
enum status headless_prompt(struct loop *);

/* Writes an error of a script to standard error: a terminal's lines end at
 * blanks. `caret`: with the line of the script below, and a caret. */
void headless_say_error(const struct script *, const struct error *,
	bool caret);
/* For the exit, on standard error. Reports where unsaved runs are kept, if that
 * is a terminal. Always reports lost runs (STATUS_OUTPUT). */
enum status headless_say_kept(const struct lab *);

#endif
