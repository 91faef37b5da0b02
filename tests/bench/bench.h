/*
 * Shared by the benchmarks: wall clock, memory of this process, processor time
 * of another process, and figures measured in rounds.
 *
 * A benchmark prints and does not judge: targets are printed as met or missed.
 * It only ends with 1 if something that must always hold fails (every sample
 * arrived). Figures of one invocation may be compared with each other. Figures
 * of two invocations hardly can, because the machine has other guests.
 */
#ifndef BENCHTOP_BENCH_H
#define BENCHTOP_BENCH_H

#include <stddef.h>
#include <sys/types.h>

enum { ROUNDS = 5 };

/* One figure, measured repeatedly. */
struct rounds {
	const char *what, *unit;
	double value[ROUNDS];
	size_t count;
};
enum target { NO_TARGET, AT_MOST, AT_LEAST };

double bench_seconds(void); /* CLOCK_MONOTONIC */
/* A field of /proc/self/status, "VmHWM" or "RssAnon", in MB of 10^6 bytes; 0 if
 * it is not reported. */
double bench_memory_mb(const char *field);
/* Processor time that another process has used so far. */
double bench_used_s(pid_t);
/* Ends the program with a sentence. */
_Noreturn void bench_fail(const char *sentence);

void rounds_add(struct rounds *, double value);
double rounds_median(const struct rounds *);
/* Prints one line: median, minimum, maximum, and the median compared with the
 * target. */
void rounds_print(const struct rounds *, enum target, double limit);

#endif
