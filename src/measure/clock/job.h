/*
 * A child of the lab with one answer: it works in memory shared with the lab,
 * and the lab copies the answer after the child has ended.
 */
#ifndef BENCHTOP_JOB_H
#define BENCHTOP_JOB_H

#include "child.h"

struct job {
	struct child child; /* its pidfd is readable when the child has ended */
	void *answer;       /* shared; NULL: no job is running */
	size_t answer_bytes;
};

/* Forks a child that runs `body` pinned to `cpu` (CHILD_ANY_CPU: not pinned).
 * `answer` is zeroed memory of answer_bytes; `context` is passed on. The return
 * value of the body is as for child_start(). After an error job_finish() must
 * not be called. */
typedef int (*job_body)(void *answer, void *context);
int job_start(struct job *, size_t answer_bytes, job_body, void *context,
	int cpu, struct error *);
/* After the child has ended with this wait status: copies the answer and frees
 * the shared memory. A status other than 0 gives an error, which names what the
 * child does ("looks for gaps"). The answer is copied in that case too. */
int job_finish(struct job *, int status, void *answer, const char *does,
	struct error *);
/* Kills the child and frees its memory, if a job is running. */
void job_abandon(struct job *);

#endif
