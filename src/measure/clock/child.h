/*
 * A child of the lab: forked, in a process group of its own, detached from the
 * terminal, pinned, and killed when the lab ends.
 *
 * Every measurement of the lab runs in such a child. Results return through
 * memory that was shared before the fork. The body runs with default signal
 * handlers and only the three standard descriptors, and ends with _exit(). It
 * must not return into the lab's code.
 */
#ifndef BENCHTOP_CHILD_H
#define BENCHTOP_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "error.h"

enum { CHILD_KEEPS = 2, CHILD_KEPT = 3 };

struct child {
	pid_t pid; /* 0: none; also the process group */
	int pidfd; /* readable when the child has ended; -1: the kernel or
		    * a sandbox has no pidfd_open, call child_reap() */
	/* Set before the start, reset at the end: descriptors that the child
	 * receives as CHILD_KEPT and the next one. 0: none. */
	int keeps[CHILD_KEEPS];
};

enum { CHILD_ANY_CPU = -1 };

/* Forks a child that calls the body with `context`; the result (0 .. 125) is
 * its exit code. The child is pinned to `cpu` before the body starts. If that
 * fails, it exits with CHILD_NOT_PINNED. */
enum { CHILD_NOT_PINNED = 126 };
int child_start(struct child *, int (*body)(void *context), void *context,
	int cpu, struct error *);
/* Pins the calling thread to a processor; does nothing for CHILD_ANY_CPU.
 * Returns 0, or -1 with errno. */
int child_pin(int cpu);
/* Returns true if the child has ended, with *status as of waitpid(2).
 * Everything left in its group is killed and reaped, the descriptor is closed,
 * and pid becomes 0. Other code may have reaped the child with waitpid(-1);
 * then *status has the exit code CHILD_UNKNOWN. */
enum { CHILD_UNKNOWN = 127 };
bool child_reap(struct child *, int *status);
/* Kills the whole group at once; call child_reap() afterwards. */
void child_kill(struct child *);
/* Waits until the child has ended, and kills it after timeout_ms (-1: never).
 * Returns the wait status. */
int child_wait(struct child *, int timeout_ms);
/* Kills the child, and waits for its end at most timeout_ms: a process that
 * waits for an NFS server cannot be killed. pid becomes 0. */
void child_abandon(struct child *, int timeout_ms);

/* Zeroed memory shared with children forked later; never NULL. */
void *shared_map(size_t size_bytes);
void shared_unmap(void *, size_t size_bytes);

#endif
