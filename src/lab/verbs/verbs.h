/* The tables of the lab's verbs, one in each commands_*.c. Those that read many
 * sessions are in many_verbs.h, the screen's in ui/. */
#ifndef BENCHTOP_VERBS_H
#define BENCHTOP_VERBS_H

#include "command.h"

extern const struct command run_commands[], session_commands[],
	kept_commands[], machine_commands[], compare_commands[],
	report_commands[], annotate_commands[], serve_commands[],
	link_commands[], lab_commands[];

/* Adds all tables, in the order of `help`. */
void verbs_add(struct lab *);

#endif
