/*
 * Fails one system call of a program, or kills the process that makes it.
 *
 * The program runs under a seccomp filter that asks this process about every
 * call of one kind (seccomp_unotify(2)). The filter is inherited, so calls of
 * workers, of the capture process and of the C library are counted alike. Not
 * counted are calls of the dynamic linker, which ends a program before main(),
 * writes to standard error, whose failure cannot be reported, and calls of
 * programs not named benchtop.
 *
 * Allocations are no system calls, as most are served from memory that the
 * process has. A library that is loaded before the others counts and fails them
 * (shims/malloc_shim.h).
 */
#ifndef BENCHTOP_INJECT_H
#define BENCHTOP_INJECT_H

#include <stdbool.h>

#include "cli/run.h"

/* The watchdog (watch.h) ends a run after 10 s in which nothing happens. */
enum { HANG_S = 10, WATCHED_HANG_S = 15 };

struct call_kind {
	const char *name;
	int error; /* errno of the failure */
	const int *calls;
	size_t count;
	bool of_files; /* of mmap(), only maps of files; else only memory */
	bool once;     /* a lasting failure of all these calls cannot happen */
	bool library;  /* not of calls, but of malloc(); never kills */
};

/* The last has no name. */
extern const struct call_kind call_kinds[];

enum injury {
	FAIL_ONE,  /* the N-th call fails */
	FAIL_FROM, /* the N-th call and all later calls fail */
	KILL,      /* the N-th call kills its process */
	INJURIES,
};

extern const char *const injury_names[INJURIES];

struct injection {
	const struct call_kind *kind;
	enum injury injury;
	unsigned nth; /* from 1 */
	unsigned hang_s; /* the program is killed after this time */
};

struct injured {
	struct ran ran;
	bool reached;     /* the program made the N-th call */
	bool hung;        /* it was killed */
	struct text left; /* names of processes that outlived it */
};

/* False if the kernel refuses a seccomp listener. */
bool inject_permitted(void);
/* Runs a program in this process, which must be a child subreaper without other
 * children. The caller releases the result. */
struct injured inject(const char *program, const char *const *words,
	const struct injection *injection);
/* Kills the children of this process, and their orphans; adds their names. */
void kill_children(struct text *names);
void injured_free(struct injured *injured);

#endif
