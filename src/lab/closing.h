/*
 * The end of a large run, in a child of the lab.
 *
 * To derive the findings of a million trials, to print their figures and to
 * save them takes seconds, and somebody at the keys would wait. So the lab
 * forks: the child, which has all that the lab knows, ends the run as the lab
 * would and hands over what came of it: findings, figures that are kept
 * (memo.h), the reply, and whether the file was written. Until then the run is
 * over but still the lab's. If the child dies the lab does it all itself.
 */
#ifndef BENCHTOP_CLOSING_H
#define BENCHTOP_CLOSING_H

#include <stdbool.h>

#include "child.h"

struct lab;
struct text;

struct closing {
	struct child child; /* pid 0: none is at work */
	int fd;             /* what it hands over */
};

/* Is the run that is over, with the session it comes to, too large to be ended
 * while somebody waits? */
bool closing_is_worth_it(const struct lab *);
/* False: it cannot be; the lab has to do it. */
bool closing_start(struct lab *);
/* Has the child ended? Then *good says whether the run now has its findings,
 * the lab its reply and the file what was measured. */
bool closing_step(struct lab *, bool *good);
/* Kills it. */
void closing_abandon(struct closing *);

/* In lab_run.c: what the lab does, and the child in its place: findings and
 * figures of the run that is over; the session with it saved; the reply. */
void lab_conclude(struct lab *);

#endif
