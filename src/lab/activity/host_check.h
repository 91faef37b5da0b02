/*
 * Do the other machines that were measured with answer? A child connects to
 * the last few of them (hosts.h), says nothing, and closes: `benchtop serve`
 * logs a guest that did not speak, and nothing else changes anywhere.
 */
#ifndef BENCHTOP_HOST_CHECK_H
#define BENCHTOP_HOST_CHECK_H

#include "doctor.h"
#include "job.h"

struct host_check {
	struct job job;
	size_t count;
	uint64_t began_ns;
};

/* False: nobody to ask, or no child could be made; nothing has begun. */
bool host_check_start(struct host_check *);
/* True once it is over, after four seconds at the latest: *facts are those of
 * `count` hosts, of what was not asked in time with the reason. */
bool host_check_step(struct host_check *,
	struct host_facts facts[HOSTS_ASKED]);

#endif
