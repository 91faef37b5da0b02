/*
 * What the benchmarks share: the clock on the wall, memory of this process,
 * processor time of another, and figures that are taken in rounds.
 *
 * A benchmark prints and does not judge: its targets are printed as met or
 * missed, and only what must always hold (every sample arrived) ends it with
 * 1. Figures of one invocation may be compared with each other, those of two
 * hardly: the machine has other guests.
 */
#ifndef BENCHTOP_BENCH_H
#define BENCHTOP_BENCH_H

#include <stddef.h>
#include <sys/types.h>

enum { ROUNDS = 5 };

/* One figure, taken again and again. */
struct rounds {
	const char *what, *unit;
	double value[ROUNDS];
	size_t count;
};
enum target { NO_TARGET, AT_MOST, AT_LEAST };

double bench_seconds(void); /* CLOCK_MONOTONIC */
/* A field of /proc/self/status, "VmHWM" or "RssAnon", in MB of 10^6 bytes;
 * 0 where it is not told. */
double bench_memory_mb(const char *field);
/* Processor time that another process has taken so far. */
double bench_used_s(pid_t);
/* Ends the program with the sentence. */
_Noreturn void bench_fail(const char *sentence);

void rounds_add(struct rounds *, double value);
double rounds_median(const struct rounds *);
/* One line: median, least, most, and the target against the median. */
void rounds_print(const struct rounds *, enum target, double limit);

#endif
