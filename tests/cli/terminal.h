/* The program on a pseudo-terminal. */
#ifndef BENCHTOP_CLI_TERMINAL_H
#define BENCHTOP_CLI_TERMINAL_H

#include "run.h"

/* Which of the program's descriptors are the terminal. */
enum { ON_IN = 1, ON_OUT = 2, ON_ERR = 4 };

/* Runs the program with some descriptors on a terminal that `typed` is typed
 * at; what is not on it goes to ran->out (or /dev/null for input). What
 * appears on the terminal is ran->err. */
struct ran run_on_terminal(const char *program, const char *const *words,
	unsigned on, const char *typed);

#endif
