/*
 * Which processors share a core, found by experiment.
 *
 * In a guest the kernel knows no more than the hypervisor declares: two
 * virtual processors may be SMT siblings although the kernel lists one thread
 * per core, and the host may move them at any time. So other processors spin
 * for three milliseconds and rest for three, six times in turn, while canaries
 * run on the measured one. Where the core is shared only while they spin, one
 * of them is its sibling; it is found by halving the set. Where the core is
 * shared all the time, another guest hides the answer.
 */
#ifndef BENCHTOP_SIBLINGS_H
#define BENCHTOP_SIBLINGS_H

#include "canary.h"
#include "job.h"
#include "place.h"

/* The sibling of the processor that this process is pinned to, among others
 * that it may use. */
struct sibling sibling_find(const struct probe *, const struct clock_facts *,
	const cpu_set_t *others);

/* The siblings of `cpus` among `others`, one after the other, in a child: 40 ms
 * for each, and as much for each doubling of the others where there is one. */
int siblings_start(struct job *, const cpu_set_t *cpus,
	const cpu_set_t *others, const struct clock_facts *, struct error *);
/* Whom a look at the whole machine asks, and among whom: in a guest all, or
 * `cpu` alone where there are more than sixteen; else the pair that the kernel
 * lists for `cpu`. False: there is nobody to ask. */
bool siblings_plan(const struct places *, int cpu, bool guest, cpu_set_t *cpus,
	cpu_set_t *others);
/* "0-1 2-3 by experiment"; nothing where no processor has an answer. */
void siblings_say(const struct places *, struct text *);
/* Call once the child has ended: fills in what was found. */
int siblings_finish(struct job *, int status, struct places *, struct error *);

#endif
