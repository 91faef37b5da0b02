/*
 * An activity takes time and ends with a reply: a run, the doctor's
 * measurements, the reading of a capture file, a program on an emulated path.
 *
 * The lab has one activity at a time (lab->activity, its state in lab->doing)
 * and steps it without knowing its kind. Functions never block.
 */
#ifndef BENCHTOP_ACTIVITY_H
#define BENCHTOP_ACTIVITY_H

#include <stdbool.h>

struct lab;
struct reply;

struct activity {
	/* Continues the activity. True once it is over and the reply is
	 * complete. Called when the descriptor is readable, and ten times a
	 * second. */
	bool (*step)(struct lab *, struct reply *);
	/* Descriptor to poll for reading; -1: only timed steps. */
	int (*descriptor)(const struct lab *);
	/* Asks the activity to end soon and keep its data. It may end by
	 * lab_activity_over(). */
	void (*stop)(struct lab *);
	/* Asks the activity to end at once, after stop(). NULL: it cannot. */
	void (*cut)(struct lab *);
	/* Kills the activity's children and frees its state. Also called after
	 * a normal end. */
	void (*abandon)(struct lab *);
};

#endif
