/*
 * The program that the verb `link` runs, an activity of the lab: at the near
 * side of an emulated path, with the lab's own terminal, until it ends; and the
 * one that runs at the far side meanwhile, if any.
 *
 * Keys of the terminal reach the program by themselves. When the lab is asked
 * to stop it gives the program a moment to have received the signal as well,
 * then asks it to terminate, then kills it. The far side's program is asked to
 * terminate when the other has ended.
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
