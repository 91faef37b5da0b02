/*
 * The end of a large run, in a child of the lab.
 *
 * The lab answers a key within 50 ms. For 1.5 million trials the digest takes
 * 200 ms of processor time and writing the file takes 100 ms. So the lab forks.
 * The child has a copy of the lab's state and finishes the run as the lab
 * would. It hands over the findings, the kept figures (memo.h), the notes at
 * the points, the reply, and whether the file was written. Until then the run
 * is over but still belongs to the lab. If the child dies, the lab finishes the
 * run itself. A child that takes FINISH_MOST_MS waits for the folder of the
 * sessions, such as one on an NFS server that does not answer. It is abandoned,
 * and the lab must not touch that folder, since the lab would wait too.
 */
#ifndef BENCHTOP_FINISH_CHILD_H
#define BENCHTOP_FINISH_CHILD_H

#include <stdbool.h>
#include <stdint.h>

#include "child.h"

struct lab;

struct finish_child {
	struct child child; /* pid 0: no child is running */
	int fd;             /* the child's results arrive here */
	int64_t until_ms;   /* of the monotonic clock: then it is abandoned */
};
enum { FINISH_MOST_MS = 120000 };

/* Are the completed run and its session too large to be finished in the lab's
 * loop? */
bool finish_child_pays(const struct lab *);
/* False: fork failed; the lab has to finish the run. */
bool finish_child_start(struct finish_child *, struct lab *);
/* FINISH_GOOD: the run has its findings, the lab its reply, and the file the
 * new data. */
enum finish_end { FINISH_NOT_YET, FINISH_GOOD, FINISH_DIED, FINISH_LATE };
enum finish_end finish_child_step(struct finish_child *, struct lab *);
/* Kills the child, and waits for its end at most a second (child_abandon()). */
void finish_child_abandon(struct finish_child *);

#endif
