/* The commands that the fault sweep injures, and their files. All paths are
 * relative to the folder of a process of the sweep. */
#ifndef BENCHTOP_FAULT_COMMANDS_H
#define BENCHTOP_FAULT_COMMANDS_H

#include <stdbool.h>

#include "cli/run.h"

struct command {
	const char *name;
	const char *words[20];
	/* The file that it replaces; NULL: none. Its old content is that of
	 * in.json if it is a session, else a line. */
	const char *out;
	/* The file that it makes, line by line; NULL: none. */
	const char *makes;
	bool varies;     /* output and file differ from run to run */
	bool slow;       /* it measures */
	bool finds_tape; /* a killed lab left one before */
	bool limits;     /* it makes a memory cgroup */
	bool several;    /* may end with several sentences */
	bool lists;      /* kept sessions, equally after a fault */
	bool waits;      /* for another process or the far end, which has 6 s;
			  * the watchdog ends that */
	bool talks;      /* both ends of a network experiment, in a shell */
};

/* The last has no name. */
extern const struct command commands[];

/* Makes folders (disk.h), and in one the inputs of all commands. */
int commands_begin(void **state);
/* Makes and enters a folder for this process, and removes it. If permitted, the
 * process has a network, mounts and a /dev/shm of its own. */
void command_enter(void);
void command_leave(void);
/* Servers need a loopback of their own. */
bool command_is_possible(const struct command *command);
/* Puts all files of the folder into their state before the command. */
void command_prepare(const struct command *command);
/* The program whose arguments are the words. */
const char *command_program(const struct command *command);
/* The old content of its file. */
char *command_old(const struct command *command);

#endif
