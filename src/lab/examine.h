/*
 * The doctor's visit: measures the clock where it is not known yet, looks for
 * SMT siblings, watches for gaps for a second, measures two short loops each
 * against itself in turns, asks the machines that were measured with whether
 * they answer, all in children, then looks at this machine. What is measured
 * here is kept nowhere: the session has the doctor's words of it.
 */
#ifndef BENCHTOP_EXAMINE_H
#define BENCHTOP_EXAMINE_H

#include "clock.h"
#include "doctor.h"
#include "gap.h"
#include "param.h"
#include "reach.h"
#include "siblings.h"
#include "text.h"

struct lab;
struct reply;
struct run;

enum { EXAMINE_NOISES = 2 };

struct examination {
	enum {
		EXAMINE_NOTHING,
		EXAMINE_CLOCK,
		EXAMINE_SIBLINGS,
		EXAMINE_GAPS,
		EXAMINE_NOISE,
		EXAMINE_REACH
	} stage;
	struct job job; /* of all stages but the noise */
	struct gap_facts gaps;
	struct run *run; /* of A against A; NULL: none is going */
	size_t pair;     /* which one */
	struct noise_facts noise[EXAMINE_NOISES];
	size_t noise_count;
	size_t reach_count;
	uint64_t reach_began_ns;
	struct reach_facts reach[REACH_MOST];
	int cpu;
	bool json, fixes;
	bool quiet;   /* the reply is one line: a screen shows the rows */
	bool machine; /* siblings are all that is looked for */
};

int examine_start(struct lab *, bool json, bool fixes, struct error *);
/* Looks for SMT siblings and replies with the machine's description. */
int examine_machine(struct lab *, bool json, struct error *);
/* Adds that description. */
void examine_say_machine(struct lab *, bool json, struct text *);
/* The same for a screen that shows lab->doctor. */
int examine_quietly(struct lab *, struct error *);
/* Fills in lab->doctor with what is seen at once, without measuring: some
 * milliseconds, a hundred more on a loaded machine. */
void examine_glance(struct lab *);
/* The gap probe's histogram in lines, each indented so far. */
void examine_say_gaps(const struct gap_facts *, int indent, struct text *);
int examine_descriptor(const struct lab *);
/* True once it is over: the reply holds the findings. */
bool examine_step(struct lab *, struct reply *);
void examine_abandon(struct lab *);

#endif
