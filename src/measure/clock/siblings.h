/*
 * Finding by experiment which processors share a core.
 *
 * In a guest the kernel only knows what the hypervisor declares. Two virtual
 * processors may be SMT siblings although the kernel lists one thread per core,
 * and the host may move them at any time. So other processors alternately spin
 * and sleep for three milliseconds, six times, while canaries run on the
 * measured processor. If the core is shared only while they spin, one of them
 * is its sibling, and bisection finds it. If the core is always shared, another
 * guest hides the answer. If it is hardly ever shared, two times are enough.
 */
#ifndef BENCHTOP_SIBLINGS_H
#define BENCHTOP_SIBLINGS_H

#include "canary.h"
#include "job.h"
#include "place.h"

/* Finds the siblings of `cpus` among `others` in a child, one after the other.
 * Each takes 13 ms without a sibling, and else 40 ms for the search and for
 * each step of its bisection. */
int siblings_start(struct job *, const cpu_set_t *cpus,
	const cpu_set_t *others, const struct clock_facts *, struct error *);
/* The sets for an examination of the whole machine. In a guest: all processors,
 * or only `cpu` if there are more than sixteen. Otherwise: the pair that the
 * kernel lists for `cpu`. Returns false if there is nothing to examine. */
bool siblings_plan(const struct places *, int cpu, bool guest, cpu_set_t *cpus,
	cpu_set_t *others);
/* Adds "0-1 2-3 (measured)" or "none (measured)"; nothing if unknown. */
void siblings_say(const struct places *, struct text *);
/* Call it after the child has ended: stores the results. */
int siblings_finish(struct job *, int status, struct places *, struct error *);

#endif
