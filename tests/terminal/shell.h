/* The shell between a test and the program. */
#ifndef BENCHTOP_SHELL_H
#define BENCHTOP_SHELL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A message about the program on `reports`. */
struct report {
	pid_t program;
	int status;  /* of waitpid(2); -1: started */
	uint64_t ns; /* CLOCK_MONOTONIC */
};

struct shell {
	const char *tty;
	const char *program;
	char *const *words;  /* with its name */
	int reports, orders; /* its ends of the two pipes */
	int out;             /* the program's standard output; 0: the tty */
	bool hangup_ignored; /* the program ignores a hang-up */
	bool hangup_untold;  /* otherwise the shell forwards it */
};

/* Runs the shell: opens the terminal, starts the program, reports each stop and
 * the end, and obeys orders ('f': continue it in the foreground) until the pipe
 * for orders is closed. Does not return. */
_Noreturn void shell_be(const struct shell *);

#endif
