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
#ifndef BENCHTOP_FINISH_CHILD_H
#define BENCHTOP_FINISH_CHILD_H

#include <stdbool.h>

#include "child.h"

struct lab;

struct finish_child {
	struct child child; /* pid 0: none is at work */
	int fd;             /* what it hands over */
};

/* Is the run that is over, with its session, too large to be finished while a
 * person waits at the keys? */
bool finish_child_pays(const struct lab *);
/* False: it cannot be made; the lab has to finish the run. */
bool finish_child_start(struct finish_child *, struct lab *);
/* Has the child ended? Then *good says whether the run now has its findings,
 * the lab its reply and the file what was measured. */
bool finish_child_step(struct finish_child *, struct lab *, bool *good);
/* Kills it. */
void finish_child_abandon(struct finish_child *);

#endif
