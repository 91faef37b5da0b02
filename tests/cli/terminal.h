/* Runs the program on a pseudo-terminal. */
#ifndef BENCHTOP_CLI_TERMINAL_H
#define BENCHTOP_CLI_TERMINAL_H

#include "run.h"

/* The descriptors of the program that are the terminal. */
enum { ON_IN = 1, ON_OUT = 2, ON_ERR = 4 };

/* Runs the program with some descriptors on a terminal, into which `typed` is
 * typed. Output to other descriptors goes to ran->out; other input is
 * /dev/null. Output to the terminal is in ran->err. */
struct ran run_on_terminal(const char *program, const char *const *words,
	unsigned on, const char *typed);
/* The same in a process that first calls enter(). If that does not return 0,
 * the status is -1. */
struct ran run_on_terminal_after(int (*enter)(void), const char *program,
	const char *const *words, unsigned on, const char *typed);

#endif
