/* The lab of the inputs. */
#include <stdlib.h>

#include "inputs.h"
#include "lab.h"
#include "probe_list.h"
#include "ui.h"
#include "verbs.h"

struct lab *the_lab(void)
{
	static struct lab lab;

	if (lab.registry.count)
		return &lab;
	unsetenv("XDG_STATE_HOME");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("BENCHTOP_TOKEN_FILE");
	unsetenv("HOME");
	lab_init(&lab, probe_list);
	verbs_add(&lab);
	ui_add_commands(&lab);
	return &lab;
}
