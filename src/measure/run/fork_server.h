/*
 * The fork server: a small process that workers are forked from.
 *
 * What a process inherits is part of what its own forks cost: a worker that
 * is forked from a lab with a session in its memory has more page tables to
 * copy than one from an empty lab. One MiB more adds some 27 us to cpu.process.
 * So the program starts a process before it has anything, and every worker of
 * every run is forked from that one, with its job (launch_parcel.h) and its
 * tape as its only inheritance. It is the same at the lab's first run and at
 * its last. Children that time no fork (clock, gaps, quiet) are the lab's own.
 *
 * A worker is nevertheless the lab's child, not the fork server's (CLONE_PARENT
 * of clone(2)): it dies with the lab, and is watched, waited for and accounted
 * for by it. What the lab changes of itself after the start, working directory
 * or limits, a worker does not see. Between launches the fork server sleeps,
 * and is listed by that name ("fork-server"); it dies with the lab.
 */
#ifndef BENCHTOP_FORK_SERVER_H
#define BENCHTOP_FORK_SERVER_H

#include "child.h"
#include "worker.h"

struct fork_server {
	struct child child; /* pid 0: there is none */
	int fd;             /* the lab's end of the socket between them */
};

/* Starts it: as early as can be, in a process without other threads. Where it
 * cannot be, workers are forked from the caller. */
void fork_server_open(struct fork_server *);
void fork_server_close(struct fork_server *);
/* NULL is a fork server that is not open. */
bool fork_server_is_open(const struct fork_server *);

/* Starts a worker for this job, pinned to `cpu`, as child_start() would with
 * worker_launch(); child->keeps is heeded. That is also what happens where the
 * fork server is not open, has died, does not answer or cannot fork so (a
 * kernel that is not Linux's may not): then it is not open afterwards. */
int fork_server_start(struct fork_server *, struct child *, struct launch_job *,
	int cpu, struct error *);

#endif
