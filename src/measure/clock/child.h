/*
 * A child of the lab: forked, in a process group of its own, cut off from the
 * terminal, pinned, and dead when the lab is.
 *
 * Whatever the lab measures, it measures in such a child; results come back
 * through memory that was shared before the fork. The body runs with default
 * signals, no open descriptors beyond the standard three, and ends with
 * _exit(); it must not return into the lab's code.
 */
#ifndef BENCHTOP_CHILD_H
#define BENCHTOP_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "error.h"

struct child {
	pid_t pid; /* 0: none; also its process group */
	int pidfd; /* readable when it has ended */
	/* Set before the start, forgotten at the end: a descriptor that it
	 * shall have as CHILD_KEPT. 0: it has none but the first three. */
	int keeps;
};
enum { CHILD_KEPT = 3 };

enum { CHILD_ANY_CPU = -1 };

/* Forks; the body is given `context`, and what it returns (0 .. 125) is the
 * exit code. It is pinned to `cpu` before the body starts; a child that cannot
 * be pinned exits with CHILD_NOT_PINNED. */
enum { CHILD_NOT_PINNED = 126 };
int child_start(struct child *, int (*body)(void *context), void *context,
	int cpu, struct error *);
/* The two halves of that, for who makes the process by other means: in the
 * child, whose parent is `parent`; and in the parent, child->pid being set. */
void child_become(pid_t parent, int cpu, int keeps);
int child_adopt(struct child *, struct error *);
/* Pins the calling thread to that processor; CHILD_ANY_CPU: leaves it. 0, or -1
 * and errno. */
int child_pin(int cpu);
/* If it has ended: true, *status as of waitpid(2); everything it left behind
 * in its group is killed and reaped, the descriptor closed, pid 0. Who waits
 * for children of any number may have been quicker: how it ended is not known
 * then, and *status is that of this exit code. */
enum { CHILD_UNKNOWN = 127 };
bool child_reap(struct child *, int *status);
/* Kills the whole group at once; child_reap() follows. */
void child_kill(struct child *);
/* Waits until it has ended, at most timeout_ms (-1: for ever), killing it
 * then. Returns the wait status. */
int child_wait(struct child *, int timeout_ms);

/* Memory shared with children forked later; zeroed; NULL never. */
void *shared_map(size_t size_bytes);
void shared_unmap(void *, size_t size_bytes);

#endif
