/*
 * How long each processor has been busy and idle since boot, as the kernel
 * counts it (/proc/stat, by its manual), and what share of the time between
 * two looks it was busy.
 *
 * Busy are user, nice, system, irq, softirq and what the host took (steal).
 * The time of guests is part of user and nice already. Waiting for a disk
 * (iowait) counts as idle: the processor does not wait, a task does, and the
 * counter is known to go back now and then.
 */
#ifndef BENCHTOP_CPU_TIMES_H
#define BENCHTOP_CPU_TIMES_H

#include <stdbool.h>
#include <stddef.h>

enum { CPU_TIMES = 1024 }; /* as many as a cpu_set_t has */

struct cpu_times {
	double busy_s[CPU_TIMES];
	double idle_s[CPU_TIMES];
};

/* From a file like /proc/stat; nothing is known where there is none. */
void cpu_times_read(const char *path, struct cpu_times *);
/* Is there such a processor? */
bool cpu_times_have(const struct cpu_times *, size_t cpu);
/* Between two looks: the seconds that a processor was counted, 0 where either
 * look does not have it. */
double cpu_times_span_s(const struct cpu_times *before,
	const struct cpu_times *now, size_t cpu);
/* The share of them that it was busy, 0 .. 1; NaN where they are too short for
 * a clock of 10 ms to tell. */
double cpu_times_busy(const struct cpu_times *before,
	const struct cpu_times *now, size_t cpu);

#endif
