/*
 * Counters beside the time: perf_event_open(2).
 *
 * A worker opens its counters as one group, so that all count the same work or
 * none does. The group is read just before the clock starts and just after it
 * has stopped, also where the time is emitted later (probe_end()). What an
 * empty region counts is measured in each launch and subtracted: the return
 * from one call, and the begin of the other.
 *
 * Counted trials are not timed. They follow the timed trials of a launch, after
 * a new set-up, and the group is opened only then. An open counter makes every
 * task switch slower even while it is disabled, by a tenth of a microsecond,
 * and reading it leaves traces in the caches. So the time is the same with and
 * without counters.
 *
 * Reading in user mode (rdpmc) was rejected: outside the timed region it saves
 * nothing, and software events, guests and many kernels do not have it.
 *
 * A counter that the kernel had to share (multiplexing: time_running differs
 * from time_enabled) did not count all of the region. Its value is dropped,
 * never scaled. Counters are of the measured thread alone, not of other threads
 * or processes of the experiment.
 */
#ifndef BENCHTOP_COUNTERS_H
#define BENCHTOP_COUNTERS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "counter.h"
#include "error.h"
#include "text.h"

struct probe;

/* The system calls, for tests with others. Each sets errno. */
struct counter_calls {
	/* Opens a counter of this thread; group -1: as the first of a group. */
	int (*open)(const struct perf_event_attr *, int group);
	ssize_t (*read)(int fd, void *into, size_t size_bytes);
	int (*enable)(int fd, bool on);
	int (*close)(int fd);
};
extern const struct counter_calls counter_calls;

/* ---- before a run ----------------------------------------------------- */

/* Finds what can be counted, by opening it once. `asked` has the bits 1 <<
 * COUNT_NONE, COUNT_AUTO or those of named counters. `auto` takes what the
 * processor has, or if it has nothing, what the kernel has. Writes a sentence
 * to *note if less is counted than asked. Returns 0, or -1 with an error if a
 * counter that was named cannot be opened: STATUS_PERMISSION, or STATUS_USAGE
 * if the list does not fit into one group. */
int counters_choose(const struct counter_calls *, unsigned asked,
	struct counted *, struct text *note, struct error *);

/* ---- in a worker ------------------------------------------------------ */

/* The layout of read(2) for a group. */
struct counter_reading {
	uint64_t count, enabled_ns, running_ns;
	uint64_t values[COUNTERS];
};

struct counters {
	const struct counter_calls *calls;
	unsigned count; /* counters in the group; 0: nothing is counted */
	int fds[COUNTERS];
	unsigned timed; /* metric whose regions are counted */
	unsigned first; /* metric of the first counter */
	double empty[COUNTERS]; /* count of an empty region */
	struct counter_reading begin, end;
	uint64_t counts[COUNTERS]; /* of the last region */
	bool calibrating; /* emit nothing */
	bool begun, ended; /* both readings of the region succeeded */
	bool unread, shared; /* counts were dropped */
	unsigned tried, taken; /* trials; those with values */
};

/* Opens the group and counts empty regions of the probe. The values become
 * metrics `first` and following; regions of metric `timed` are counted. If a
 * counter cannot be opened, nothing is counted, and the run warns of it. */
void counters_open(struct counters *, const struct counter_calls *,
	const struct counted *, struct probe *, unsigned timed, unsigned first);
/* Around a trial: counts its first region of the metric and emits a value per
 * counter, with the flags of the region, even if the probe is quiet. */
void counters_begin(struct counters *, struct probe *);
void counters_end(struct counters *, struct probe *);
/* True if no trial had a region that could be counted: the experiment sums its
 * times by itself (probe_took()). */
bool counters_in_vain(const struct counters *);
/* Closes the group. Values that were dropped, or never taken, become a warning
 * of the run. */
void counters_close(struct counters *, struct probe *);

#endif
