/*
 * Something that takes time and ends with a reply: a run, the doctor's
 * measurements, a capture file that is read, a program on an emulated path.
 *
 * The lab has one at a time (lab->activity, its state in lab->doing), and
 * moves it along without knowing what it is. Functions never wait.
 */
#ifndef BENCHTOP_ACTIVITY_H
#define BENCHTOP_ACTIVITY_H

#include <stdbool.h>

struct lab;
struct reply;

struct activity {
	/* Moves it along; true once it is over and the reply is complete.
	 * Called when the descriptor is readable, and ten times a second. */
	bool (*step)(struct lab *, struct reply *);
	/* To poll for reading; -1: only time moves it. */
	int (*descriptor)(const struct lab *);
	/* Asks it to end soon, keeping what it has. It may end by
	 * lab_activity_over(). */
	void (*stop)(struct lab *);
	/* Asks it to end at once, after stop(); NULL: it cannot. */
	void (*cut)(struct lab *);
	/* Kills what is at work, and frees the state. Called when it is over,
	 * too. */
	void (*abandon)(struct lab *);
};

#endif
