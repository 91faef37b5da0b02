/*
 * The worker: one launch, from the fork to _exit.
 *
 * Launch number 0 is the pilot: it sizes each point (operations per trial,
 * proportionality, time of a trial) and emits no trials. Every other launch
 * visits every point and clone in random order, with the sizes of the pilot,
 * and with a random stack and heap layout.
 */
#ifndef BENCHTOP_WORKER_H
#define BENCHTOP_WORKER_H

#include "counter.h"
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
	int ruler_fd; /* memory ruler; -1: none */
	struct counted counted;
	int forked; /* not executed, with this errno; 0: as intended */
};

/* The body for child_start(), with a struct launch_job as context. The exit
 * code is 0 if the launch ended regularly, and WORKER_FAILED if the experiment
 * reported an error. */
enum { WORKER_FAILED = 3 };
int worker_launch(void *job);

#endif
