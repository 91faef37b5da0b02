/* The verbs of the lab: a table in each commands_*.c. Those of the screen are
 * in ui/. */
#ifndef BENCHTOP_VERBS_H
#define BENCHTOP_VERBS_H

#include "command.h"

extern const struct command run_commands[], session_commands[],
	kept_commands[], machine_commands[], compare_commands[],
	report_commands[], annotate_commands[], serve_commands[],
	link_commands[], lab_commands[];

/* Adds all of them, in the order of `help`. */
void verbs_add(struct lab *);

#endif
