/*
 * Placement: which task runs on which processor, planned before each run, shown
 * and stored.
 *
 * The measured task has its processor for itself. A second party runs where the
 * experiment's `placement` puts it: on the same processor, its SMT sibling, a
 * core under the same last-level cache, or under another cache. All other
 * tasks, the lab first, use the remaining processors without the sibling of the
 * measured one. If no other processor remains, the plan records it and the lab
 * does nothing while trials run. Topology is from hwloc. SMT siblings are also
 * found by experiment, which in a guest is the only way.
 */
#ifndef BENCHTOP_PLACE_H
#define BENCHTOP_PLACE_H

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

#include "cpu_times.h"
#include "error.h"
#include "results.h"

/* Data about the processors, read once per lab before the lab moves itself. */
struct places {
	cpu_set_t allowed;      /* for this process, when the lab started */
	int chosen;             /* by `cpu=auto`, constant for the lab's
				 * lifetime; -1: none yet */
	struct cpu_times since; /* when the lab started */
	/* Results of sibling experiments (siblings.h) and their times, ns; 0:
	 * never. */
	struct sibling siblings[CPUS_MAX];
	uint64_t siblings_ns[CPUS_MAX];
};
void places_read(struct places *);

struct place {
	int cpu;              /* measured processor */
	int at[PLACEMENTS];   /* processor of each placement, -1: not
			       * available */
	int row[CPUS_MAX]; /* all usable processors: `cpu`, then one of each
			       * other core, then their siblings */
	unsigned row_count;
	unsigned threads; /* in use of the row */
	cpu_set_t lab; /* processors of the lab during the run */
	struct place_facts facts;
};

/* Checks that `cpu` may be measured on (PARAM_AUTO always may). Returns 0, or
 * -1 with an error that lists the allowed processors. */
int place_check(const struct places *, int64_t cpu, struct error *);
/* The highest allowed processor. */
int places_last(const struct places *);
/* Plans for `cpu` (PARAM_AUTO: choose). `parties` is a bit mask of the
 * placements that the run uses (1 << PLACEMENT_OTHER ..). Fails like
 * place_check(). */
int place_plan(struct places *, int64_t cpu, unsigned parties, struct place *,
	struct error *);
/* Adapts the plan to a run on the first `threads` processors of the row. */
void place_threads(struct place *, unsigned threads);
/* The candidates for the sibling of `cpu`: in a guest all other processors,
 * else those that the kernel lists as siblings. Returns false if there are
 * none, or the answer is less than ten minutes old. */
bool place_asks(const struct places *, int cpu, bool guest, cpu_set_t *others);
/* Moves the lab to other processors for a run, and back. */
void place_apply(const struct place *);
void place_restore(const struct places *);

/* Locks measurement on a processor. Returns a descriptor to close, or -1 with
 * the holder's process in *holder. That is 0 if no lock could be created, which
 * needs no warning. The lock ends with its holder. */
int place_lock(int cpu, pid_t *holder);

/* Adds a set as "0-3,6". */
void cpus_describe(const cpu_set_t *, struct text *);

#endif
