/*
 * Thin environments: each is entered by a child before it executes the program.
 */
#ifndef BENCHTOP_CLI_THIN_H
#define BENCHTOP_CLI_THIN_H

#include "run.h"

/* A short run. */
#define THIN_QUICK " launches=6 trials=3 budget=100ms"

enum { THIN_BYTES = 64 << 20 };

enum thin {
	THIN_MEMORY,    /* a cgroup of THIN_BYTES */
	THIN_SPACE,     /* THIN_BYTES of address space */
	THIN_PROCESSOR, /* one */
	THIN_PROC,      /* none mounted; needs root, as the next */
	THIN_SYS,
	THIN_FILTER,    /* of a container: many calls fail with EPERM, clone3
			 * with ENOSYS */
	THINS,
};

/* A line, and the status and sentence where it does not work. A run without a
 * good trial, on a busy machine, works too. */
struct thin_row {
	const char *line;
	bool is_shell; /* not the program, but a shell executes the line */
	bool is_large; /* only for environments of little memory */
	struct {
		int status;
		const char *says;
	} in[THINS];
};
/* Runs each line in each environment that is permitted. Prints what differs
 * from the rows, and returns its count. */
unsigned thin_differing(const struct thin_row *, size_t count);

/* Without the memory nodes of /sys. Needs root. */
int thin_nodes(void);
/* Nothing can execute /bin/true. Needs root. */
int thin_true(void);
/* Runs one line of the program, or of a shell, where `enter` leads. Returns -1
 * as its status if that is not permitted. */
struct ran run_thin(int (*enter)(void), const char *program, const char *line);
/* Opens the screen on a terminal, where the keys are typed. */
struct ran run_thin_screen(enum thin in, const char *typed);
const char *thin_name(enum thin);

#endif
