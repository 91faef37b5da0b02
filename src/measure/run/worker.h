/*
 * The worker: one launch, from the fork to _exit.
 *
 * Launch number 0 is the pilot: it sizes each point (operations per trial,
 * proportionality, time of a trial) and emits no trials. Every other launch
 * visits every point and clone in random order with the sizes of the pilot,
 * on a random stack and heap layout of its own.
 */
#ifndef BENCHTOP_WORKER_H
#define BENCHTOP_WORKER_H

#include "place.h"
#include "plan.h"
#include "probe.h"
#include "tape.h"

struct launch_job {
	unsigned number;
	uint64_t seed;
	const struct experiment *experiment;
	const struct schedule *schedule;
	void *const *args; /* one struct of arguments per point */
	const struct place *place;
	const struct clock_facts *clock;
	struct tape *tape;
	bool fifo;
	int packets_fd;
	int ruler_fd; /* of memory; -1: none */
};

/* The body for child_start(); the context is a struct launch_job. The exit
 * code is 0 when the launch ended by itself, WORKER_FAILED after a sentence
 * of the experiment's own. */
enum { WORKER_FAILED = 3 };
int worker_launch(void *job);

#endif
