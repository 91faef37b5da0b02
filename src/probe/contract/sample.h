/*
 * A sample: one record of a tape, 32 bytes, written by a worker and read by the
 * lab. Most samples are trials. The others describe their circumstances, so
 * that a run can be rebuilt from its tape alone.
 */
#ifndef BENCHTOP_SAMPLE_H
#define BENCHTOP_SAMPLE_H

#include <stdint.h>

/* Fields that are not listed for a kind are zero. */
enum sample_kind {
	SAMPLE_NONE,
	SAMPLE_LAUNCH,   /* a launch begins: n = its number, 0 the pilot;
			  * ticks = its seed */
	SAMPLE_OVERHEAD, /* of an empty pair of clock reads: value = median
			  * ticks; value2 = its p99 - p1; n = 0 before the
			  * trials, 1 after */
	SAMPLE_CLOCK,    /* at = counter, ticks = CLOCK_MONOTONIC_RAW, ns */
	SAMPLE_SIZED,    /* the pilot sized a point: n = point, at = ns of its
			  * set-up and clean-up, ticks = ops per trial, value2 =
			  * total ns per trial; flags = probe->found */
	SAMPLE_VISIT,    /* trials of a point begin: n = point, metric = clone,
			  * extra = trials between two canaries */
	SAMPLE_TRIAL,    /* n = ops, at = start, ticks = stop - start, flags */
	SAMPLE_VALUE,    /* value of a metric that was not timed by the trial's
			  * clock */
	SAMPLE_TRACE,    /* value = x, value2 = y */
	SAMPLE_CANARY,   /* ticks = latency half, extra = throughput half */
	SAMPLE_USAGE,    /* n = events counted by the kernel since the last one;
			  * flags = their flags; extra = trials since then */
	SAMPLE_TEXT,     /* metric = enum sample_text, n = length; the bytes are
			  * in the records that follow */
	SAMPLE_PAIR,     /* the trials of two visits alternate from here: n =
			  * the first point, extra = the second. Until the next
			  * visit, `extra` of each trial, value and text is 1
			  * for the first point, 2 for the second */
	SAMPLE_RULER,    /* memory ruler: ticks; n = trials of the visit so
			  * far */
	SAMPLE_COUNT,    /* counted trials of a point begin: n = point. Their
			  * values belong to its last visit */
	SAMPLE_END,      /* the launch is complete: n = its number */
	SAMPLE_KINDS,
};

enum sample_text {
	TEXT_NOTE,        /* "key=value", about the point being visited */
	TEXT_UNAVAILABLE, /* why this point cannot be measured here */
	TEXT_INVALID,     /* why the visit's figures are invalid */
	TEXT_FAILED,      /* why the run ends */
	TEXT_LOST,        /* the same, caused by the remote end or network */
	TEXT_WARNING,     /* about the whole run, which continues */
};

/* What counting learns of a region. It ends once, where the clock is read; the
 * sample may be emitted later. */
enum region_event { REGION_BEGINS, REGION_ENDS, REGION_EMITTED };

/* What happened to a trial. An interrupted trial is excluded from every figure.
 * A shared core and a different frequency are conditions, with figures of their
 * own (regime.h). A trial with several flags is counted under the first. Two
 * exceptions: a warm-up trial always counts as warm-up, and an interrupted or
 * mixed trial counts neither as shared nor as one at another frequency. */
enum sample_flag {
	FLAG_BACKWARDS = 1 << 0, /* the clock went backwards: no figure at
				  * all */
	FLAG_MIGRATED = 1 << 1,  /* ended on another processor */
	FLAG_PREEMPTED = 1 << 2, /* the kernel ran another task meanwhile */
	FLAG_SWITCHED =
		1 << 3,        /* a context switch in its batch; where rseq is
				* absent */
	FLAG_FAULTED = 1 << 4, /* an unexpected page fault in its batch */
	FLAG_SHARED = 1 << 5,  /* canary: a co-runner on the core */
	FLAG_FREQUENCY = 1 << 6,  /* canary: the core's frequency changed */
	FLAG_WARMUP = 1 << 7,     /* before the steady state */
	FLAG_UNVERIFIED = 1 << 8, /* its visit failed the experiment's own
				   * verification: no figure at all */
	FLAG_MIXED = 1 << 9,      /* canary: a co-runner arrived or left, or
				   * neither canary is readable */
};
enum { FLAG_COUNT = 10 };
/* A trial with one of these gives no figure, not even an outlier. */
enum { FLAGS_NO_FIGURE = FLAG_BACKWARDS | FLAG_UNVERIFIED };
/* Interruptions of the trial itself. */
enum {
	FLAGS_INTERRUPTED = FLAGS_NO_FIGURE | FLAG_MIGRATED | FLAG_PREEMPTED |
		FLAG_SWITCHED | FLAG_FAULTED
};
/* Excluded from the figures of every condition. */
enum { FLAGS_EXCLUDED = FLAGS_INTERRUPTED | FLAG_WARMUP };
/* The condition of a trial, determined by the canaries (sharing.h). */
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

/* The name of a flag: "preempted", "shared", .. */
const char *sample_flag_name(enum sample_flag);

#endif
