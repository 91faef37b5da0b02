/*
 * Who runs on which processor: planned before each run, shown and stored.
 *
 * The measured party has its processor for itself. A second party goes where
 * the experiment's `placement` says: the same processor, its SMT sibling, a
 * core under the same last-level cache, another cache. Everything else, the
 * lab first, shares what is left, but not the sibling of the measured
 * processor. Where nothing else is left the plan says so and the lab keeps
 * still while trials run. Topology by hwloc; SMT siblings also by experiment,
 * which in a guest is the only one to know them.
 */
#ifndef BENCHTOP_PLACE_H
#define BENCHTOP_PLACE_H

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

#include "cpu_times.h"
#include "error.h"
#include "results.h"

/* What is known of the processors, once per lab, before the lab itself is
 * moved aside. */
struct places {
	cpu_set_t allowed;      /* for this process, when the lab began */
	int chosen;             /* by `cpu=auto`, kept for the lab's life; -1 */
	struct cpu_times since; /* when the lab began */
	/* What experiments have found (siblings.h), and when, ns; 0: never. */
	struct sibling siblings[CPU_SETSIZE];
	uint64_t siblings_ns[CPU_SETSIZE];
};
void places_read(struct places *);

struct place {
	int cpu;              /* measures */
	int at[PLACEMENTS];   /* processor of each placement, -1: none here */
	int row[CPU_SETSIZE]; /* all that may be measured on: `cpu`, then one
			       * of each other core, then their siblings */
	unsigned row_count;
	cpu_set_t lab; /* where the lab goes during the run */
	struct place_facts facts;
};

/* May `cpu` be measured on (PARAM_AUTO: one will be found)? -1: no, and the
 * sentence names the allowed processors. */
int place_check(const struct places *, int64_t cpu, struct error *);
/* The last processor that is allowed. */
int places_last(const struct places *);
/* Plans for `cpu` (PARAM_AUTO: choose). `parties` is a bit mask of the
 * placements the run will use (1 << PLACEMENT_OTHER ..). Fails as
 * place_check() does. */
int place_plan(struct places *, int64_t cpu, unsigned parties, struct place *,
	struct error *);
/* The same for a run that measures on the first `threads` of the row. */
void place_threads(struct place *, unsigned threads);
/* Among which processors an experiment should look for the sibling of `cpu`: in
 * a guest all others, else those that the kernel calls its siblings. False:
 * among none, or the answer is known and less than ten minutes old. */
bool place_asks(const struct places *, int cpu, bool guest, cpu_set_t *others);
/* Moves the lab aside for a run, and back. */
void place_apply(const struct place *);
void place_restore(const struct places *);

/* Takes the lock on measuring at a processor: a descriptor to close, or -1
 * with the holder's process in *holder (0 where no lock could be made, which
 * is nothing to warn of). The lock vanishes with its holder. */
int place_lock(int cpu, pid_t *holder);

/* "0-3,6" for a set. */
void cpus_describe(const cpu_set_t *, struct text *);

#endif
