/*
 * A limit on the memory of this process: a memory cgroup of its own, version 1
 * or 2, for as long as it wants.
 *
 * The group is made below the one that holds the process, so that no limit of
 * the system's is escaped; with version 2, where a group that holds processes
 * may have none below it, beside that one. What is read into the page cache
 * meanwhile counts against the limit. Its name says whose it is (leftover.h):
 * memory_limit_leave() moves the process back and removes it, and what a crash
 * has left behind is removed by memory_limit_sweep(), by whoever comes next.
 */
#ifndef BENCHTOP_MEMORY_LIMIT_H
#define BENCHTOP_MEMORY_LIMIT_H

#include <stdint.h>

#include "error.h"

struct memory_limit {
	int version;  /* 1 or 2; 0: none is set */
	char *home;   /* the folder of the group that the process came from */
	char *folder; /* of its own group */
};

/* 0, or -1 with a sentence: no such controller here, not permitted, what would
 * cure it. `root` goes before /proc, for tests; "" is this machine. */
int memory_limit_enter(struct memory_limit *, const char *root, uint64_t bytes,
	struct error *);
void memory_limit_leave(struct memory_limit *);
/* Removes the groups of processes that have ended. */
void memory_limit_sweep(const char *root);

#endif
