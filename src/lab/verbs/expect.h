/*
 * `expect`: compares a figure of the last run with a bound.
 */
#ifndef BENCHTOP_EXPECT_H
#define BENCHTOP_EXPECT_H

#include "command.h"
#include "conditions.h"
#include "results.h"

/* A figure: EXPERIMENT[.METRIC][{NAME=VALUE,..}], the first argument of a
 * call. */
struct subject {
	const struct experiment *experiment;
	const struct metric *metric; /* the headline, if none is named */
	struct conditions conditions; /* in braces */
};

/* Reads it. The caller frees the conditions in any case. */
int subject_read(const struct call *, struct subject *, struct error *);
/* True if the point has the values in braces. */
bool subject_matches(const struct subject *, const struct results *,
	const struct point *);

int check_expect(const struct call *, struct error *);
enum outcome exec_expect(const struct call *, struct reply *);
/* Names of the statistics and comparisons, for completion; NULL-terminated. */
extern const char *const expect_stats[], *const expect_operators[];

#endif
