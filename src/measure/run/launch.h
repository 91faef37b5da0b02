/*
 * Starting a worker: a child of the lab that executes the program again.
 *
 * Processes that are forked from one program have the same addresses. A loop
 * whose branches collide in the branch predictor at these addresses would be
 * slow in every launch of a session and fast in the next session, and no
 * interval of launches would cover that. A program that is executed has new
 * addresses (address space layout randomization), so that each launch is a draw
 * of its own. It also inherits no memory of the lab: the memory that a process
 * inherits is part of the cost of its own forks, about 27 us per MiB in
 * cpu.process.
 *
 * A worker receives its job (launch_parcel.h) and its tape as descriptors.
 * Where the program cannot be executed again, as in an emulator, the worker is
 * the forked child, and its launch warns.
 */
#ifndef BENCHTOP_LAUNCH_H
#define BENCHTOP_LAUNCH_H

#include "child.h"
#include "worker.h"

/* The order of child->keeps for a worker. */
enum { KEPT_TAPE, KEPT_EXTRA };

/* Starts a worker for this job, pinned to `cpu`, as child_start() does with
 * worker_launch(). child->keeps[KEPT_EXTRA] is used. With `executes` the worker
 * executes the program, whose main() must call launch_if_worker(). */
int launch_start(struct child *, struct launch_job *, bool executes, int cpu,
	struct error *);

/* For main(), before it does anything else that allocates memory: if these are
 * the words of a worker, makes the launch and exits, else returns. */
void launch_if_worker(int count, char **words);

#endif
