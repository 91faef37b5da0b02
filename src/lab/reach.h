/*
 * Do the other machines that were measured with answer? A child connects to
 * the last few of them (hosts.h), says nothing, and closes: `benchtop serve`
 * logs a guest that did not speak, and nothing else changes anywhere.
 */
#ifndef BENCHTOP_REACH_H
#define BENCHTOP_REACH_H

#include "doctor.h"
#include "job.h"

/* How many hosts are asked. 0: no host is known, or no child could be made;
 * nothing has begun. */
size_t reach_start(struct job *);
/* True once the job is over, after four seconds at the latest: *facts are those
 * of the hosts, of what was not asked in time with the reason. */
bool reach_step(struct job *, uint64_t began_ns,
	struct reach_facts facts[REACH_MOST]);

#endif
