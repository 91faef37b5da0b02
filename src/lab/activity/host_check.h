/*
 * Do the remote hosts of earlier runs answer? A child connects to the last few
 * hosts (hosts.h), sends nothing, and closes. `benchtop serve` only logs a
 * silent client.
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

/* Starts the child. False: no known host, or fork failed. */
bool host_check_start(struct host_check *);
/* True once the check is over, after four seconds at the latest. *facts has
 * `count` hosts. A host that was not tested in time has a reason instead. */
bool host_check_step(struct host_check *,
	struct host_facts facts[HOSTS_ASKED]);

#endif
