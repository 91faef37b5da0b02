/*
 * What the processors do at present: how fast each runs, and how busy it was
 * between the last look and the one before.
 *
 * The frequency is the kernel's word: of cpufreq (scaling_cur_freq), else of
 * /proc/cpuinfo ("cpu MHz"). In a virtual machine that is often the nominal
 * one. Some kernels ask the processor itself, which interrupts it: nobody may
 * look while something is measured. Others sleep for each one that has been
 * idle: after a twentieth of a second the rest is asked of /proc/cpuinfo, which
 * sleeps once for all.
 */
#ifndef BENCHTOP_CPU_NOW_H
#define BENCHTOP_CPU_NOW_H

#include "cpu_times.h"

struct cpu_now {
	double hz[CPU_TIMES];   /* 0: not told */
	double busy[CPU_TIMES]; /* 0 .. 1; NaN: not known */
	double span_s;          /* of that share; 0: none is known */
	struct cpu_times times; /* at this look */
};

/* Looks below `root`. The look before is what `times` holds: all 0 where there
 * was none, and no share is known then. */
void cpu_now_look(const char *root, struct cpu_now *);
/* Knows nothing any more, but for when the last look was. */
void cpu_now_forget(struct cpu_now *);

#endif
