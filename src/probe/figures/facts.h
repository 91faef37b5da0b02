/*
 * Facts that a prediction or a finding may rest on: of the machine, of its
 * clock, and of what was measured earlier in the session.
 */
#ifndef BENCHTOP_FACTS_H
#define BENCHTOP_FACTS_H

#include "results.h"

/* A run of a published session, and the session's letter. */
struct published_run {
	const char *of;
	const struct results *run;
};

struct facts {
	double core_hz; /* 0 unknown */
	double tick_hz;
	double overhead_ns; /* of a clock pair */
	bool hypervisor;
	bool page_table_isolation;
	const char *mitigations; /* in words; NULL or "" */
	unsigned cpus;
	double memory_bytes, l1d_bytes, l2_bytes, llc_bytes;
	double memory_peak; /* bytes a second, by the firmware; 0 unknown */
	double kernel_hz, cpuid_hz;           /* of the counter; 0 unknown */
	const struct results *const *earlier; /* oldest first */
	size_t earlier_count;
	/* Of other machines, in the order of their letters; none where they
	 * are not installed. Nothing that `verify` derives again may rest on
	 * them. */
	const struct published_run *published;
	size_t published_count;
};
/* The interval of a quantity, from the latest earlier run that has it, which
 * is returned; NULL: none has. `where` selects among the points that the
 * experiment provides it at: "host=nas"; NULL: the first. */
const struct results *facts_measured(const struct facts *, enum quantity,
	const char *where, struct range *);
/* The same with all figures of that point. */
const struct results *facts_digest(const struct facts *, enum quantity,
	const char *where, struct digest *);
/* Takes over what a clock says of the rates. */
void facts_use_clock(struct facts *, const struct clock_facts *);
/* Cycles to ns: at the core's frequency, else at the counter's where it may be
 * the nominal one, else at 3 GHz. */
double facts_cycles_ns(const struct facts *, double cycles);

#endif
