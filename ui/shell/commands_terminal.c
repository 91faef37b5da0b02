/* Verbs about the terminal itself. */
#include <string.h>

#include "commands_internal.h"
#include "terminal.h"
#include "ui.h"

static const char *const switches[] = { "on", "off", NULL };

static int check_switch(const struct call *call, struct error *error)
{
	for (size_t i = 0; switches[i]; i++)
		if (!strcmp(switches[i], call->arg[0]))
			return 0;
	error_set(error, STATUS_USAGE, "'%s': expected on or off",
		call->arg[0]);
	return call_fault(call, 0, 0, error);
}

static enum outcome exec_mouse(const struct call *call, struct reply *reply)
{
	bool on = !strcmp(call->arg[0], "on");

	(void)reply;
	terminal_mouse(on);
	return keep_choice(screen_of(call), "mouse", call->arg[0],
		on ? "clicks control the lab, with Shift they select text" :
		     "the mouse is left to the terminal");
}

const struct command terminal_commands[] = {
	{ "mouse", "on|off",
		"use clicks and the wheel in the lab, or leave the mouse to "
		"the terminal",
		"mouse off", 1, 1, ARGUMENT_WORD, switches, NULL,
		COMMAND_SCREEN, check_switch, exec_mouse },
	{ .name = NULL },
};
