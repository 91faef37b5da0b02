/*
 * The fork server: a small process from which workers are forked.
 *
 * The memory that a process inherits is part of the cost of its own forks. A
 * worker forked from a lab with a session in memory has more page tables to
 * copy than one from an empty lab: one MiB more adds about 27 us to
 * cpu.process. So the program starts the fork server before it allocates data,
 * and every worker is forked from it. A worker inherits only its job
 * (launch_parcel.h) and its tape, in the lab's first run as in its last.
 * Children that time no fork (clock, gaps, quiet) are forked from the lab.
 *
 * A worker is still the lab's child, not the fork server's (CLONE_PARENT of
 * clone(2)). It is killed when the lab ends, and the lab watches it, waits for
 * it and accounts for it. Changes that the lab makes to itself after the start,
 * such as working directory or limits, do not affect workers. Between launches
 * the fork server sleeps. It is listed under the name "fork-server", and is
 * killed when the lab ends.
 */
#ifndef BENCHTOP_FORK_SERVER_H
#define BENCHTOP_FORK_SERVER_H

#include "child.h"
#include "worker.h"

struct fork_server {
	struct child child; /* pid 0: not running */
	int fd;             /* the lab's end of the socket to the fork server */
};

/* Starts the fork server: as early as possible, in a process without other
 * threads. If that fails, workers are forked from the caller. */
void fork_server_open(struct fork_server *);
void fork_server_close(struct fork_server *);
/* False for NULL. */
bool fork_server_is_open(const struct fork_server *);

/* Starts a worker for this job, pinned to `cpu`, as child_start() does with
 * worker_launch(); child->keeps is used. If the fork server is not open, has
 * died, does not answer or cannot fork in this way (on a kernel other than
 * Linux), the worker is forked from the caller, and the fork server is not open
 * afterwards. */
int fork_server_start(struct fork_server *, struct child *, struct launch_job *,
	int cpu, struct error *);

#endif
