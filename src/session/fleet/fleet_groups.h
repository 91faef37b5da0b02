/*
 * Groups of alike machines: of one model, with one firmware and its settings as
 * far as Linux shows them, and one kernel. These surroundings are equal, or
 * unknown, in all machines of a group:
 *
 *     model     device, processor
 *     firmware  its version, microcode, processors, threads a core, NUMA nodes,
 *               hypervisor
 *     kernel    release and version
 *
 * Others, such as the governor and the command line, set no group apart,
 * because they are often the reason why one machine of many is slow.
 */
#ifndef BENCHTOP_FLEET_GROUPS_H
#define BENCHTOP_FLEET_GROUPS_H

#include "surroundings.h"

/* Numbers the groups from 0, the largest first, then by their first machine:
 * groups[i] becomes the group of machines[i]. */
void fleet_groups_find(const struct surroundings *const *machines, size_t count,
	size_t *groups);
/* Do alike machines share this surrounding? */
bool fleet_groups_by(enum surrounding);

#endif
