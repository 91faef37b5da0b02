/*
 * What took a processor away from a loop that reads the clock.
 *
 * A gap is a time between two readings that is longer than the loop needs. The
 * caller knows in which gaps the kernel switched tasks. The causes of the
 * others follow from their times and from the interrupts counted meanwhile:
 *
 *   timer      gaps at the same phase of the kernel's tick, which is found by
 *              folding their times at its period; at most as many as there
 *              were timer interrupts. Gaps of less than half the typical tick
 *              do not count: a host can fill every phase with short ones
 *   interrupt  as many of the others as there were other interrupts: the
 *              shortest, since an interrupt is shorter than a pause by the
 *              host. The interrupts within a task's gap do not count: one that
 *              woke it, and its ticks
 *   host       the rest: the host of a virtual machine, or firmware
 *
 * Linux distinguishes the same causes from inside: Documentation/trace/
 * osnoise-tracer.rst.
 */
#ifndef BENCHTOP_GAP_CAUSE_H
#define BENCHTOP_GAP_CAUSE_H

#include <stddef.h>
#include <stdint.h>

#include "interrupts.h"

enum gap_cause { GAP_TASK, GAP_TIMER, GAP_INTERRUPT, GAP_HOST, GAP_CAUSES };

struct gap {
	uint64_t at, ticks; /* begin and duration */
	enum gap_cause cause;
	double task; /* of GAP_TASK: ticks that the other task took, less than
		      * the gap, which begins with the interrupt */
};

/* Removes the interrupts that came while nothing was watched, by the share of
 * the time that was. Otherwise as many pauses by the host would seem to be
 * interrupts. *left carries fractions from one watch to the next; initially
 * 0. */
void gaps_exclude_unwatched(struct interrupts *, double watched, double *left);

/* Finds the causes of gaps whose cause is not GAP_TASK. `counts` are the
 * interrupts during the watch, `period` is that of the kernel's tick, in the
 * unit of the gaps. A watch should last a tenth of a second: over a longer one
 * the phase of the tick drifts. */
void gaps_find_causes(struct gap *, size_t count,
	const struct interrupts *counts, double period);

/* Keeps the gaps of more than `least`, and returns their number. Only after
 * their causes are found: the counted interrupts include those in shorter
 * gaps. */
size_t gaps_longer(struct gap *, size_t count, uint64_t least);

#endif
