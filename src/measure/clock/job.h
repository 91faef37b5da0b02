/*
 * A child of the lab with one answer: it works in memory that it shares with
 * the lab, and the lab copies what is there when the child has ended.
 */
#ifndef BENCHTOP_JOB_H
#define BENCHTOP_JOB_H

#include "child.h"

struct job {
	struct child child; /* its pidfd is readable when it has ended */
	void *answer;       /* shared; NULL: none is going */
	size_t answer_bytes;
};

/* Forks a child that runs `body` pinned to `cpu` (CHILD_ANY_CPU: to none).
 * `answer` is zeroed memory of that many bytes, `context` what the caller has
 * given; the body's return value is as of child_start(). On an error there is
 * nothing to finish. */
typedef int (*job_body)(void *answer, void *context);
int job_start(struct job *, size_t answer_bytes, job_body, void *context,
	int cpu, struct error *);
/* Once the child has ended with this wait status: copies the answer, frees the
 * shared memory. An error where it did not end with 0, which says that the
 * child that `does` ("looks for gaps") failed; the answer is copied then too. */
int job_finish(struct job *, int status, void *answer, const char *does,
	struct error *);
/* Ends it and frees its memory, if one is going. */
void job_abandon(struct job *);

#endif
