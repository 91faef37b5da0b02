/*
 * The present state of the processors: the frequency of each, and its busy
 * share between the last sample and the one before.
 *
 * The frequency is reported by cpufreq (scaling_cur_freq). Without cpufreq, as
 * in most virtual machines, it is unknown: /proc/cpuinfo ("cpu MHz") then
 * reports the rate of the time stamp counter. Some kernels interrupt the
 * processor to determine it, so do not sample during a measurement. Others
 * sleep for each processor that was idle: after a twentieth of a second the
 * remaining ones are read from /proc/cpuinfo, which sleeps only once.
 */
#ifndef BENCHTOP_CPU_NOW_H
#define BENCHTOP_CPU_NOW_H

#include "cpu_times.h"

struct cpu_now {
	double hz[CPUS_MAX];   /* 0: not reported */
	double busy[CPUS_MAX]; /* 0 .. 1; NaN: unknown */
	double span_s;          /* period of that share; 0: unknown */
	struct cpu_times times; /* at this sample */
};

/* Takes a sample below `root`. `times` has the previous sample: all 0 if there
 * was none; then no share is known. */
void cpu_now_look(const char *root, struct cpu_now *);
/* Discards everything except the time of the last sample. */
void cpu_now_forget(struct cpu_now *);

#endif
