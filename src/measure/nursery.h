/*
 * The nursery: a small process that workers are forked from.
 *
 * What a process inherits is part of what its own forks cost: a worker that
 * is forked from a lab with a session in its memory has more page tables to
 * copy than one from an empty lab. So the program starts a process before it
 * has anything, and every worker of every run is forked from that one, with
 * its job (launch_parcel.h) and its tape as its only inheritance. It is the
 * same at the lab's first run and at its last.
 *
 * A worker is nevertheless the lab's child, not the nursery's (CLONE_PARENT
 * of clone(2)): it dies with the lab, and is watched, waited for and accounted
 * for by it. What the lab changes of itself after the start, working directory
 * or limits, a worker does not see. Between launches the nursery sleeps, and
 * is listed by that name ("nursery"); it dies with the lab.
 */
#ifndef BENCHTOP_NURSERY_H
#define BENCHTOP_NURSERY_H

#include "child.h"
#include "worker.h"

struct nursery {
	struct child child; /* pid 0: there is none */
	int fd;             /* the lab's end of the socket between them */
};

/* Starts it: as early as can be, in a process without other threads. Where it
 * cannot be, workers are forked from the caller. */
void nursery_open(struct nursery *);
void nursery_close(struct nursery *);
/* NULL is a nursery that is not open. */
bool nursery_is_open(const struct nursery *);

/* Starts a worker for this job, pinned to `cpu`, as child_start() would with
 * worker_launch(); child->keeps is heeded. That is also what happens where the
 * nursery is not open, has died or cannot fork so (a kernel that is not Linux's
 * may not): then it is not open afterwards. */
int nursery_start(struct nursery *, struct child *, struct launch_job *,
	int cpu, struct error *);

#endif
