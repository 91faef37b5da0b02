/*
 * The lab without a screen: scripts, single lines and a prompt. Results go to
 * standard output, everything else to standard error; progress is shown there
 * when it is a terminal.
 */
#ifndef BENCHTOP_HEADLESS_H
#define BENCHTOP_HEADLESS_H

#include "loop.h"
#include "script.h"

/* Executes every statement; the status is the program's exit code: of the first
 * failure, or of the interrupt. After an interrupt no further run is started,
 * but the rest of the script (save, export) is still executed. A second
 * interrupt ends the program at once. */
enum status headless_run(struct loop *, const struct script *);
/* A `benchtop>` prompt for the same language, until `quit`, the end of the
 * input, or a signal, such as an interrupt without a run. Never moves the
 * cursor: progress is a sentence every few seconds. */
enum status headless_prompt(struct loop *);

/* On leaving, on standard error: where unsaved runs are kept (if it is a
 * terminal), or that they are lost (STATUS_OUTPUT, always). */
enum status headless_say_kept(const struct lab *);

#endif
