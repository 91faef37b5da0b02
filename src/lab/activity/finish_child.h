/*
 * The end of a large run, in a child of the lab.
 *
 * The lab answers a key within 50 ms. For 1.5 million trials the digest takes
 * 200 ms of processor time and writing the file takes 100 ms. So the lab forks.
 * The child has a copy of the lab's state and finishes the run as the lab
 * would. It hands over the findings, the kept figures (memo.h), the notes at
 * the points, the reply, and whether the file was written. Until then the run
 * is over but still belongs to the lab. If the child dies, the lab finishes the
 * run itself.
 */
#ifndef BENCHTOP_FINISH_CHILD_H
#define BENCHTOP_FINISH_CHILD_H

#include <stdbool.h>

#include "child.h"

struct lab;

struct finish_child {
	struct child child; /* pid 0: no child is running */
	int fd;             /* the child's results arrive here */
};

/* Are the completed run and its session too large to be finished in the lab's
 * loop? */
bool finish_child_pays(const struct lab *);
/* False: fork failed; the lab has to finish the run. */
bool finish_child_start(struct finish_child *, struct lab *);
/* True once the child has ended. Then *good is true if the run has its
 * findings, the lab its reply, and the file the new data. */
bool finish_child_step(struct finish_child *, struct lab *, bool *good);
/* Kills the child. */
void finish_child_abandon(struct finish_child *);

#endif
