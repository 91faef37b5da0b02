/*
 * Facts on which predictions and findings may be based: the machine, its clock,
 * and earlier results of the session.
 */
#ifndef BENCHTOP_FACTS_H
#define BENCHTOP_FACTS_H

#include "digest.h"
#include "results.h"

/* A run of a published session, and the letter of the session. */
struct published_run {
	const char *of;
	const struct results *run;
};
struct published_runs {
	const struct published_run *list;
	size_t count;
};

struct facts {
	double core_hz; /* 0: unknown */
	double tick_hz;
	bool hypervisor;
	bool page_table_isolation;
	bool realtime; /* the priority of the run */
	const char *mitigations; /* as text; NULL or "" */
	unsigned cpus; /* that a run may use */
	double memory_bytes, l1d_bytes, l2_bytes, llc_bytes;
	double memory_peak; /* bytes per second, by the firmware; 0: unknown */
	double kernel_hz, cpuid_hz;           /* of the counter; 0: unknown */
	const struct results *const *earlier; /* oldest first */
	size_t earlier_count;
	/* Reads what facts_published() returns. NULL: there are none. */
	struct published_runs (*read_published)(void *reader);
	void *reader;
};
/* Runs of other machines, ordered by letter; none if they are not installed.
 * Few need them, so they are read on first use, which takes tens of
 * milliseconds. Findings that `verify` recomputes must not depend on them. */
struct published_runs facts_published(const struct facts *);
/* The interval of a quantity, from the latest earlier run that has it. Returns
 * that run, or NULL. `where` selects among the points at which the experiment
 * provides the quantity: "host=nas"; NULL: the first. */
const struct results *facts_measured(const struct facts *, enum quantity,
	const char *where, struct range *);
/* The same with all figures of that point. */
const struct results *facts_digest(const struct facts *, enum quantity,
	const char *where, struct digest *);
/* Copies the rates of a calibrated clock. */
void facts_use_clock(struct facts *, const struct clock_facts *);
/* Converts cycles to ns: at the core's frequency, else at the counter's if it
 * may be the nominal one, else at 3 GHz. */
double facts_cycles_ns(const struct facts *, double cycles);
/* The most that an interrupt to another processor and that processor's exit
 * from idle usually take, ns. */
double facts_wake_ns(const struct facts *);

#endif
