/*
 * The end of a large run, in a child of the lab.
 *
 * Findings, figures and the file of a million trials take seconds, and the keys
 * must not wait. So the lab forks. The child has a copy of the lab's state and
 * ends the run as the lab would. It hands over the findings, the kept figures
 * (memo.h), the reply, and whether the file was written. Until then the run is
 * over but still belongs to the lab. If the child dies, the lab ends the run
 * itself.
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

/* Is the completed run, with its session, too large to be finished in the lab's
 * loop? */
bool finish_child_pays(const struct lab *);
/* False: fork failed; the lab has to finish the run. */
bool finish_child_start(struct finish_child *, struct lab *);
/* Has the child ended? Then *good says whether the run now has its findings,
 * the lab its reply and the file what was measured. */
bool finish_child_step(struct finish_child *, struct lab *, bool *good);
/* Kills it. */
void finish_child_abandon(struct finish_child *);

#endif
