/*
 * A sample: one record of a tape, 32 bytes, written by a worker and read by
 * the lab. Trials are most of them; the rest says what surrounds the trials,
 * so that a run can be rebuilt from its tape alone.
 */
#ifndef BENCHTOP_SAMPLE_H
#define BENCHTOP_SAMPLE_H

#include <stdint.h>

/* The fields that a kind does not name are zero. */
enum sample_kind {
	SAMPLE_NONE,
	SAMPLE_LAUNCH,   /* a launch begins: n = its number, 0 the pilot;
			  * ticks = its seed */
	SAMPLE_OVERHEAD, /* of an empty pair: value = median ticks; value2 = its
			  * p99 - p1; n = 0 before the trials, 1 after */
	SAMPLE_CLOCK,    /* at = counter, ticks = CLOCK_MONOTONIC_RAW, ns */
	SAMPLE_SIZED,    /* the pilot sized a point: n = point, at = ns of its
			  * set-up, ticks = ops per trial, value2 = ns a trial
			  * takes, all included; flags = what the probe found */
	SAMPLE_VISIT,    /* trials of a point begin: n = point, metric = clone,
			  * extra = trials between two canaries */
	SAMPLE_TRIAL,    /* n = ops, at = start, ticks = stop - start, flags */
	SAMPLE_VALUE,    /* value of a metric that was timed elsewhere */
	SAMPLE_TRACE,    /* value = x, value2 = y */
	SAMPLE_CANARY,   /* ticks = latency half, extra = throughput half */
	SAMPLE_USAGE,    /* n = what the kernel counted since the last one, as
			  * flags; extra = trials since then */
	SAMPLE_TEXT,     /* metric = enum sample_text, n = length; the bytes
			  * fill the records that follow */
	SAMPLE_PAIR,     /* the trials of two visits follow in turns: n = the
			  * first point, extra = the second. Until the next
			  * visit `extra` of each trial, value and text names
			  * whose it is: 1 the first's, 2 the second's */
	SAMPLE_RULER,    /* of memory: ticks; n = trials of the visit so far */
	SAMPLE_END,      /* the launch is complete: n = its number */
	SAMPLE_KINDS,
};

enum sample_text {
	TEXT_NOTE,        /* "key=value", of the point being visited */
	TEXT_UNAVAILABLE, /* why this point cannot be measured here */
	TEXT_INVALID,     /* why the visit's figures must not be believed */
	TEXT_FAILED,      /* why the run ends */
	TEXT_LOST,        /* the same: the far end or the network is gone */
};

/* What happened to a trial. An interrupted trial is excluded from every figure;
 * a shared core and another frequency are conditions, with figures of their
 * own (regime.h). A trial with several flags is counted under the first, but
 * one of the warm-up under that, and only one without another as shared. */
enum sample_flag {
	FLAG_BACKWARDS = 1 << 0, /* the clock stepped back: no figure at all */
	FLAG_MIGRATED = 1 << 1,  /* ended on another processor */
	FLAG_PREEMPTED = 1 << 2, /* the kernel ran something else meanwhile */
	FLAG_SWITCHED =
		1 << 3,        /* a switch in its batch; where rseq is absent */
	FLAG_FAULTED = 1 << 4, /* a page fault in its batch, not expected */
	FLAG_SHARED = 1 << 5,  /* canary: a co-runner on the core */
	FLAG_FREQUENCY = 1 << 6,  /* canary: the core's frequency moved */
	FLAG_WARMUP = 1 << 7,     /* before the steady state */
	FLAG_UNVERIFIED = 1 << 8, /* its visit did not pass the experiment's
				   * own verification: no figure at all */
	FLAG_MIXED = 1 << 9,      /* canary: a co-runner came or went, or
				   * neither canary can be read */
};
enum { FLAG_COUNT = 10 };
/* A trial with one of these shows nothing, not even as an outlier. */
enum { FLAGS_NO_FIGURE = FLAG_BACKWARDS | FLAG_UNVERIFIED };
/* What interrupted the trial itself: excluded under every condition. */
enum {
	FLAGS_INTERRUPTED = FLAGS_NO_FIGURE | FLAG_MIGRATED | FLAG_PREEMPTED |
		FLAG_SWITCHED | FLAG_FAULTED
};
/* Under which condition it was made, by the canaries (sharing.h). */
enum { FLAGS_CONDITIONS = FLAG_SHARED | FLAG_MIXED | FLAG_FREQUENCY };

struct sample {
	uint8_t kind;
	uint8_t metric;
	uint16_t flags;
	uint32_t n;
	uint64_t at;
	union {
		uint64_t ticks;
		double value;
	};
	union {
		uint64_t extra;
		double value2;
	};
};
_Static_assert(sizeof(struct sample) == 32, "a sample is half a cache line");

/* The word for a flag: "preempted", "shared", .. */
const char *sample_flag_name(enum sample_flag);

#endif
