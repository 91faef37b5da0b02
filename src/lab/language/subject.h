/*
 * A figure by its name: EXPERIMENT[.METRIC][{NAME=VALUE,..}], such as
 * cpu.syscall.time{call=getppid}.
 */
#ifndef BENCHTOP_SUBJECT_H
#define BENCHTOP_SUBJECT_H

#include "conditions.h"
#include "results.h"

struct subject {
	const struct experiment *experiment;
	const struct metric *metric; /* the headline, if none is named */
	bool named;                  /* a metric is named */
	struct conditions conditions; /* in braces */
};

/* Reads the first argument of a call. The caller frees the conditions in any
 * case. */
int subject_read(const struct call *, struct subject *, struct error *);
/* True if the point has the values in braces. */
bool subject_matches(const struct subject *, const struct results *,
	const struct point *);

#endif
