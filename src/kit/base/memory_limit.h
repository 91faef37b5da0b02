/*
 * A temporary limit on the memory of this process: a memory cgroup of its own,
 * version 1 or 2.
 *
 * The group is created below the group of the process, so that limits of the
 * system still apply. In version 2, a group that contains processes may have no
 * child with controllers, so the group is created beside it. Pages read into
 * the page cache meanwhile count against the limit. The name of the group
 * identifies its process (leftover.h). memory_limit_leave() moves the process
 * back and removes the group. memory_limit_sweep() removes groups that a crash
 * left behind.
 */
#ifndef BENCHTOP_MEMORY_LIMIT_H
#define BENCHTOP_MEMORY_LIMIT_H

#include <stdint.h>

#include "error.h"

struct memory_limit {
	int version;  /* 1 or 2; 0: no limit is set */
	char *home;   /* the folder of the process's original group */
	char *folder; /* the folder of the limiting group */
};

/* Returns 0, or -1 with an error: no such controller, or not permitted, and the
 * cure. `root` is a prefix of /proc, for tests; "" is this machine. */
int memory_limit_enter(struct memory_limit *, const char *root, uint64_t bytes,
	struct error *);
void memory_limit_leave(struct memory_limit *);
/* Removes the groups of processes that have ended. */
void memory_limit_sweep(const char *root);

#endif
