/* The shell between a test and the program it drives. */
#ifndef BENCHTOP_SHELL_H
#define BENCHTOP_SHELL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What it says about the program, on `reports`. */
struct report {
	pid_t program;
	int status;  /* of waitpid(2); -1: it has been started */
	uint64_t ns; /* CLOCK_MONOTONIC */
};

struct shell {
	const char *tty;
	const char *program;
	char *const *words;  /* with its name */
	int reports, orders; /* its ends of two pipes */
	int out;             /* the program's standard output; 0: the tty */
	bool hangup_ignored; /* the program is started so */
	bool hangup_untold;  /* else the shell passes it on */
};

/* Becomes the shell: takes the terminal, starts the program, reports each
 * stop and the end, obeys orders ('f': continue it in the foreground) until
 * the orders' pipe is closed. Does not return. */
_Noreturn void shell_be(const struct shell *);

#endif
