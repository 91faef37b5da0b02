/*
 * The program that the verb `link` runs at the near end of an emulated path,
 * with the lab's terminal; and the optional program at the far end. An activity
 * of the lab.
 *
 * Keys of the terminal reach the program directly. On stop the lab waits a
 * moment, since the program may have received the same signal, then sends
 * SIGTERM, then SIGKILL. The far program gets SIGTERM when the near one has
 * ended.
 */
#ifndef BENCHTOP_LINK_COMMAND_H
#define BENCHTOP_LINK_COMMAND_H

#include "lab.h"
#include "link_rows.h"

struct link_request {
	struct link_settings settings;
	char *const *words; /* the program, NULL-terminated */
	const char *far;    /* a line for the far side's shell; NULL: none */
	enum { LINK_SILENT, LINK_COUNTERS, LINK_JSON } report;
};

/* The strings are copied. The reply has the counters and, as its status without
 * a sentence, the program's exit code (128 + signal). */
int link_command(struct lab *, const struct link_request *, struct error *);

#endif
