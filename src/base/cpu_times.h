/*
 * Busy and idle time of each processor since boot, as the kernel counts it
 * (/proc/stat, proc(5)), and the busy share between two samples of these
 * counters.
 *
 * Busy time is user, nice, system, irq, softirq and steal (time used by the
 * host). Guest time is already part of user and nice. Time waiting for a disk
 * (iowait) counts as idle: a task waits, the processor does not. The kernel's
 * iowait counter can also decrease.
 */
#ifndef BENCHTOP_CPU_TIMES_H
#define BENCHTOP_CPU_TIMES_H

#include <stdbool.h>
#include <stddef.h>

/* The processors of a cpu_set_t. CPU_SETSIZE is 128 in musl, whose sets have as
 * many as those of glibc. */
enum { CPUS_MAX = 1024 };

struct cpu_times {
	double busy_s[CPUS_MAX];
	double user_s[CPUS_MAX]; /* user and nice, a part of it */
	double idle_s[CPUS_MAX];
};

/* Reads a file like /proc/stat. If it cannot be opened, all times are 0. */
void cpu_times_read(const char *path, struct cpu_times *);
/* True if the sample contains this processor. */
bool cpu_times_have(const struct cpu_times *, size_t cpu);
/* Seconds that the kernel counted for a processor between two samples; 0 if one
 * of the samples lacks the processor. */
double cpu_times_span_s(const struct cpu_times *before,
	const struct cpu_times *now, size_t cpu);
/* Busy share of those seconds, 0 .. 1; NaN if they are too few for a clock of
 * 10 ms. */
double cpu_times_busy(const struct cpu_times *before,
	const struct cpu_times *now, size_t cpu);

#endif
