/* The list of all tables of verbs. */
#include "verbs.h"

#include "many_verbs.h"

static const struct command *const tables[] = { run_commands, session_commands,
	kept_commands, machine_commands, compare_commands, history_commands,
	fleet_commands, report_commands, annotate_commands, serve_commands,
	link_commands, lab_commands };

void verbs_add(struct lab *lab)
{
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		command_add_table(lab, tables[i]);
}
