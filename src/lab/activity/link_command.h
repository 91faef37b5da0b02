/*
 * An activity of the lab: the programs of the verb `link`. One program runs at
 * the near end of an emulated path, with the lab's terminal. A second one at
 * the far end is optional.
 *
 * Keys of the terminal reach the near program directly. On stop the lab first
 * waits a moment, since the program may have received the same signal. Then it
 * sends SIGTERM, then SIGKILL. When the near program has ended, the lab sends
 * SIGTERM to the far program.
 */
#ifndef BENCHTOP_LINK_COMMAND_H
#define BENCHTOP_LINK_COMMAND_H

#include "lab.h"
#include "link_rows.h"

struct link_request {
	struct link_settings settings;
	char *const *words; /* the program, NULL-terminated */
	const char *far;    /* a shell command for the far end; NULL: none */
	enum { LINK_SILENT, LINK_COUNTERS, LINK_JSON } report;
};

/* Starts the program; the strings are copied. The reply has the counters. Its
 * error has no sentence, and its status is the program's exit code (128 +
 * signal). */
int link_command(struct lab *, const struct link_request *, struct error *);

#endif
