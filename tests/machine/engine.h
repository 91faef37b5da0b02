/* Runs of the real engine in this process, on the processor that the gate
 * watches. */
#ifndef BENCHTOP_ENGINE_H
#define BENCHTOP_ENGINE_H

#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "digest.h"
#include "facts.h"
#include "quality.h"
#include "quiet.h"
#include "run.h"
#include "unit/measure/tape_folder.h"

extern const struct experiment probe_selftest_adds;
extern const struct experiment probe_selftest_padded;
extern const struct experiment probe_cpu_syscall;
extern const struct experiment probe_cpu_loop;
/* Facts for findings: nothing about the machine except what a test adds. */
extern struct facts facts;

void give_up(const char *why);
/* One run. Parameters are "name=value name=value". One parameter has two
 * values, or the same value twice, if they are measured alternately
 * (`in_turns`). The caller owns the results. */
struct results *measured_as(const struct experiment *experiment,
	const char *words, int64_t launches, int64_t trials, bool in_turns);
struct results *measured(const struct experiment *experiment, const char *words,
	int64_t launches, int64_t trials);
/* The digest of a point's metric. Signs of noise in it are added to the
 * attempt. */
struct digest figures(const struct results *results, const struct point *point,
	unsigned metric, struct attempt *attempt);
/* The shortest and the longest usual canary of runs: their ratio shows whether
 * the core's frequency moved. 0: none. */
struct canary_range {
	double least, most;
};
void canary_range_add(struct canary_range *, const struct results *);
/* It is noise if the frequency moved by more than 1 %. */
void expect_one_frequency(const struct canary_range *, struct attempt *);
int run_engine_checks(const struct check *checks, size_t count);

#endif
