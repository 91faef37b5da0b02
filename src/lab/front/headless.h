/*
 * The lab without a screen: scripts, single lines and a prompt. Results go to
 * standard output, everything else to standard error; progress is shown there
 * when it is a terminal.
 */
#ifndef BENCHTOP_HEADLESS_H
#define BENCHTOP_HEADLESS_H

#include "loop.h"
#include "script.h"

/* Executes every statement; the status is the program's exit code: that of
 * the first failure, or of the interrupt. After an interrupt nothing more is
 * measured, but what follows in the script (save, export) is still done; a
 * second interrupt ends everything at once. */
enum status headless_run(struct loop *, const struct script *);
/* A `benchtop>` prompt on the same language, until `quit`, the end of the
 * input, or a signal: an interrupt while nothing runs is one, as on the
 * screen. Moves no cursor: progress is a sentence every few seconds. */
enum status headless_prompt(struct loop *);

/* On leaving, on standard error: where unsaved runs are kept, to a person;
 * that they are lost (STATUS_OUTPUT), to everyone. */
enum status headless_say_kept(const struct lab *);

#endif
