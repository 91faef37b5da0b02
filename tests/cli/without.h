/* Runs a program in a process without one system call, as in a sandbox. */
#ifndef BENCHTOP_CLI_WITHOUT_H
#define BENCHTOP_CLI_WITHOUT_H

#include "run.h"

/* The call `number` fails with the errno `with`. */
struct ran run_without(unsigned number, int with, const char *program,
	const char *const *words);

#endif
