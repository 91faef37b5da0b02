/*
 * The doctor's visit: measures the clock where it is not known yet, watches
 * for gaps for a second, both in children, then looks at the machine.
 */
#ifndef BENCHTOP_EXAMINE_H
#define BENCHTOP_EXAMINE_H

#include "clock.h"
#include "gap.h"

struct lab;
struct reply;

struct examination {
	enum { EXAMINE_NOTHING, EXAMINE_CLOCK, EXAMINE_GAPS } stage;
	struct clock_job clock;
	struct gap_job gap;
	int cpu;
	bool json, fixes;
};

int examine_start(struct lab *, bool json, bool fixes, struct error *);
int examine_descriptor(const struct lab *);
/* True once it is over: the reply holds the findings. */
bool examine_step(struct lab *, struct reply *);
void examine_abandon(struct lab *);

#endif
