/*
 * The contract between an experiment and the engine. Every file in probes/
 * includes it.
 *
 * An experiment is one constant descriptor. It states its question, its
 * parameters and metrics, how to prepare and perform one trial, what follows
 * from the results, and what a user could have expected. It never prints,
 * averages, formats or exits: it emits samples.
 *
 * Life in a worker (one forked, pinned process per launch):
 *     for each point and clone of the run, in random order
 *         setup()                 untimed
 *         trial(p, ops) ..        warm-up, then the trials that count
 *         cleanup()
 * The worker ends with _exit. Memory, descriptors and mappings need no release;
 * only what outlives a process does (files, other processes).
 *
 * A trial performs `ops` operations between probe_start() and probe_stop(),
 * which emits the ticks. A trial may time several metrics one after the other.
 * Then every trial must time all of them. HACKING.md shows an experiment in
 * forty lines.
 */
#ifndef BENCHTOP_PROBE_H
#define BENCHTOP_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "rows.h"
#include "sample.h"
#include "tick.h"
#include "unit.h"

struct counters;
struct facts;
struct findings;
struct peer;
struct prediction;
struct probe;
struct results;
struct text;

/* ---- parameters ------------------------------------------------------- */

enum param_type {
	PARAM_WHOLE,  /* int64_t, in the row's unit */
	PARAM_REAL,   /* double, in the row's unit */
	PARAM_CHOICE, /* int: index into choices */
	PARAM_TEXT,   /* const char *: a path, a host */
};

/* From these rows follow the form, the grammar of `run` and `set`, `show`, the
 * JSON, the completion, the manual and the texts of errors. A table ends with a
 * row without a name. */
struct param {
	const char *name;   /* as typed: "size" */
	const char *label;  /* as shown, a few words: "array size" */
	const char *help;   /* one sentence */
	const char *preset; /* as typed; a list or range makes a sweep */
	enum param_type type;
	enum unit unit;
	double min, max;            /* inclusive, in the stored unit */
	const char *const *choices; /* NULL-terminated, for PARAM_CHOICE */
	/* Not 0: a list does not sweep. The value is the set 1 << index of the
	 * choices. Those before this index stand alone, those from it on may be
	 * combined. Only for parameters of every run. */
	int combines;
	bool automatic;   /* accepts "auto": the value is PARAM_AUTO */
	const char *word; /* replaces the word "auto": "none" */
	/* The parameter has an effect only at points with this setting, such as
	 * "host=link", and is omitted from the description of others; NULL:
	 * always. */
	const char *only;
	/* A metric of kind METRIC_VALUE that the parameter controls. Plots have
	 * its medians on the horizontal axis instead of the values of the
	 * parameter: latency against bandwidth, not against a pause. NULL: the
	 * parameter itself. */
	const char *drawn_as;
	/* Values for "auto" as the whole setting, given the other arguments: an
	 * ascending sweep that the experiment chooses, for rows of whole
	 * numbers. Writes at most `most` values and returns their number. NULL:
	 * the experiment receives PARAM_AUTO. */
	size_t (*stands_for)(const void *args, int64_t *values, size_t most);
	/* The value of "auto" as the end of a range, on this machine. NULL: no
	 * range may end in "auto". Must return the same value throughout the
	 * process. */
	int64_t (*range_end)(void);
	size_t offset; /* into the struct of arguments */
};
/* The row with that name, or NULL. */
const struct param *param_row(const struct param *rows, const char *name);
#define PARAM_AUTO INT64_MIN
/* The word that stands for PARAM_AUTO in this row. */
static inline const char *param_word(const struct param *row)
{
	return row->word ? row->word : "auto";
}

/* Initialisers for type and offset. A field of the wrong C type does not
 * compile. */
#define FIELD_OF(args, field, ctype) \
	(offsetof(args, field) + \
		0 * sizeof(_Generic(((args *)0)->field, ctype : 1)))
#define WHOLE_FIELD(args, field) \
	.type = PARAM_WHOLE, .offset = FIELD_OF(args, field, int64_t)
#define REAL_FIELD(args, field) \
	.type = PARAM_REAL, .offset = FIELD_OF(args, field, double)
#define CHOICE_FIELD(args, field) \
	.type = PARAM_CHOICE, .offset = FIELD_OF(args, field, int)
#define TEXT_FIELD(args, field) \
	.type = PARAM_TEXT, .offset = FIELD_OF(args, field, const char *)

/* ---- metrics ---------------------------------------------------------- */

enum metric_kind {
	METRIC_TIMED,   /* ticks of probe_stop(); shown in ns and cycles */
	METRIC_VALUE,   /* probe_value(), in the metric's unit */
	METRIC_DERIVED, /* computed from timed metrics, trial by trial */
	METRIC_TRACE,   /* an ordered series x, y */
};
enum direction { LESS_IS_BETTER, MORE_IS_BETTER, NEITHER_IS_BETTER };
enum { METRICS_MAX = 19 }; /* of a run: twelve, and counter.h */

/* A table ends with a row without a name. The first row is the headline; its
 * interval decides whether a run is precise enough. */
struct metric {
	const char *name, *label;
	enum unit unit;
	enum direction better;
	enum metric_kind kind;
	/* METRIC_DERIVED: fills in one weight per metric of the table, 0 for a
	 * metric that is not used. The trial's value is the weighted sum of the
	 * values in ns. If `rate` is set, it is 1e9 divided by that sum (an
	 * amount per second from ns per amount). False: this metric does not
	 * exist at this point. */
	bool (*derive)(const void *args, double weight[METRICS_MAX]);
	bool rate;
	/* A count, or another value that a shared core cannot change: its
	 * figures use all trials that were not interrupted. */
	bool steady;
	bool part; /* of the headline, which is the sum of all parts */
	/* METRIC_TRACE: the meaning of x, "touch", and its unit. */
	const char *across;
	enum unit across_unit;
	bool events; /* METRIC_TRACE: nothing is known between its points */
	/* METRIC_TRACE, optional: names of findings that are places on x,
	 * ascending, where one level ends and the next begins. The last word
	 * names the level after all of them: "L1d L2 L3 memory". */
	const char *levels;
};
/* The row with that name, or NULL. */
const struct metric *metric_row(const struct metric *rows, const char *name);

/* ---- the plan --------------------------------------------------------- */

enum { CLONES_MAX = 16 };

/* What an experiment declares about sampling; 0: by the general rules (plan.h).
 * A declared value has priority. The plan is shown to the user. */
struct plan {
	uint64_t ops;       /* operations per trial, fixed */
	uint64_t ops_least; /* with ops 0: a minimum for the rules */
	unsigned trials;    /* per visit of a point, fixed */
	unsigned clones;    /* alignment clones of the timed loop, 1 .. 16 */
	unsigned traces;    /* points of traces a visit may emit */
	int64_t trial_ns;   /* of a trial, if it is known before the run */
	int64_t budget_ns;  /* default of the run's wall time */
	unsigned launches;  /* default number of launches */
	/* Launches that suffice when the budget is used up. Fewer than six give
	 * no intervals. */
	unsigned launches_least;
	unsigned trials_least; /* per visit, however short the budget */
	/* 0: every launch visits every point. Otherwise an expensive point is
	 * visited by fewer launches, spread evenly, but by at least this many.
	 * Its figures may then have no interval. */
	unsigned draws_least;
};

enum trait {
	TRAIT_COLD = 1 << 0,    /* no warm-up: the first trial counts */
	TRAIT_BLOCKS = 1 << 1,  /* the measured thread sleeps by design, so the
				 * kernel's counts show no disturbance; see
				 * probe_stop_slept() */
	TRAIT_FAULTS = 1 << 2,  /* page faults are part of the measurement */
	TRAIT_PARTIES = 1 << 3, /* has a second party; see `placement` */
	TRAIT_NOISY = 1 << 4,   /* leaves the machine busy for a moment, so it
				 * runs last in a group */
	TRAIT_PEER = 1 << 5,    /* needs the remote end of a network */
	TRAIT_CAPTURE = 1 << 6, /* captures packets, even if not requested */
	TRAIT_THREADS = 1 << 7, /* has a whole parameter `threads` (auto: all):
				 * the number of processors of the row to
				 * measure on */
	TRAIT_PAIRS = 1 << 8,   /* two points may be set up at once, and their
				 * trials do not spoil each other's caches, so
				 * `ab` alternates trial by trial. State is per
				 * point (probe->state) */
	TRAIT_FIRST = 1 << 9,   /* the screen opens at it: short, and understood
				 * by beginners; of one experiment */
	TRAIT_TAIL = 1 << 10,   /* late trials are the result: no warm-up is
				 * searched for among those recorded */
};

/* ---- quantities for others -------------------------------------------- */

/* Physical quantities that predictions, findings and screens need from an
 * earlier run. They request the quantity and never name an experiment: facts.h,
 * session.h. Times are in ns, rates in bytes per second. */
enum quantity {
	QUANTITY_NONE,
	QUANTITY_PROCEDURE_CALL,  /* without arguments */
	QUANTITY_SYSTEM_CALL,     /* one without work in the kernel */
	QUANTITY_SWITCH,          /* between two processes on one processor */
	QUANTITY_PIPE_SWITCH,     /* the same, through a pipe */
	QUANTITY_THREAD_SWITCH,   /* between two threads */
	QUANTITY_THREAD_CREATION,
	QUANTITY_PROCESS_CREATION,
	QUANTITY_READ_RATE,       /* of memory, by one thread */
	QUANTITY_WRITE_RATE,      /* of memory, by one thread */
	QUANTITY_COPY_RATE,       /* of memory, by one thread; each byte counts
				   * twice */
	QUANTITY_LOCAL_LOAD,      /* a dependent load, without page walks */
	QUANTITY_RANDOM_LOAD,     /* a dependent load, in random order */
	QUANTITY_CACHE_SIZES,     /* findings L1d, L2, L3; no metric */
	QUANTITY_ROUND_TRIP,      /* by any protocol, to a host */
	QUANTITY_TCP_ROUND_TRIP,
	QUANTITY_FILE_READ,       /* of a block; rows of file_reading.h */
};

/* The metric and points of an experiment that give a quantity. */
struct provision {
	enum quantity quantity;
	const char *metric; /* NULL: only for QUANTITY_CACHE_SIZES */
	const char *where;  /* its points: "call=getppid"; NULL: all */
};

/* In a descriptor: PROVIDES({ QUANTITY_THREAD_CREATION, "time", NULL }), */
#define PROVIDES(...) .provides = ROWS(provision, __VA_ARGS__)

/* ---- conditions that distort ------------------------------------------ */

/* Conditions that distort some experiments and not others. The doctor names the
 * experiments that a condition distorts. A comparison searches the conditions
 * for the cause of a difference. */
enum sensitivity {
	SENSITIVE_CODE = 1 << 0,        /* compiler, flags, code layout */
	SENSITIVE_MEMORY = 1 << 1,      /* page size, NUMA, locking, swap */
	SENSITIVE_DISK = 1 << 2,        /* disk and file system */
	SENSITIVE_NETWORK = 1 << 3,     /* cards, routes */
	SENSITIVE_KERNEL = 1 << 4,      /* enters the kernel: version,
					 * mitigations */
	SENSITIVE_CALLS = 1 << 5,       /* mostly system calls: filters */
	SENSITIVE_SCHEDULER = 1 << 6,   /* preemption model */
	SENSITIVE_IDLE = 1 << 7,        /* waking a processor from idle */
	SENSITIVE_TIMER_SLACK = 1 << 8,
	SENSITIVE_CLOCKSOURCE = 1 << 9,
	SENSITIVE_COALESCING = 1 << 10, /* delayed interrupts of network
					 * cards */
	SENSITIVE_CONGESTION = 1 << 11, /* congestion control, cached metrics */
	SENSITIVE_PORTS = 1 << 12,      /* number of local ports */
	SENSITIVE_ICMP = 1 << 13,       /* permission to send ICMP */
	SENSITIVE_LINK = 1 << 14,       /* the emulated path */
};

/* ---- the descriptor --------------------------------------------------- */

struct experiment {
	const char *name;     /* "cpu.syscall": group, dot, name */
	const char *title;    /* "System call" */
	const char *question; /* one sentence with a question mark */
	const char *method;   /* one paragraph */
	const struct param *params;
	size_t args_size;
	const struct metric *metrics;
	const char *watched; /* optional: what `history` shows by default */
	const struct heading *headings; /* optional; see heading.h */
	struct plan plan;
	unsigned traits;
	unsigned sensitive_to;            /* a mask of enum sensitivity */
	const struct provision *provides; /* optional; see PROVIDES() */
	const struct highlight *highlights; /* optional; see highlight.h */
	/* Optional: a short and steady point. The doctor compares it twice. */
	const char *noise;
	/* Optional: the plan for given arguments, starting from `plan`. Only
	 * `trials`, `trial_ns` and `ops_least` may differ between points of a
	 * sweep. */
	void (*plan_for)(const void *args, struct plan *);
	/* Optional: true if the time at this point is that of a device or a
	 * network, not of the core. Then no canary runs beside its trials and
	 * none flags them. A core that has just been woken seems to run at
	 * another frequency in nine trials of ten. */
	bool (*waits)(const void *args);
	/* Optional: bytes that a trial at this point accesses; PARAM_AUTO: more
	 * than any cache holds. If it exceeds the caches of a core, the memory
	 * ruler runs beside the trials. */
	int64_t (*footprint)(const void *args);
	/* Optional: checks that these values are compatible. Returns 0, or -1
	 * after error_set(). Called for every point before anything runs. The
	 * error's column is not used. */
	int (*check)(const void *args, struct error *);
	/* Optional: adds a sentence that a user should read before the run. It
	 * is kept with the run. Adds nothing for most arguments. */
	void (*caution)(const void *args, struct text *);
	/* Optional: 0, or -1 after probe_fail() or probe_unavailable(). */
	int (*setup)(struct probe *);
	void (*trial)(struct probe *, uint64_t ops);
	void (*cleanup)(struct probe *);
	/* Optional, in the lab, at its start, after a run and in `recover`:
	 * removes what killed workers of any lab left behind. Must be fast if
	 * there is nothing. */
	void (*tidy)(void);
	/* The far end of a network, with TRAIT_PEER (peer.h). It runs in a
	 * child of the worker, or in `benchtop serve` on another machine.
	 * Returns 0, or -1 if the near end is gone or violates the protocol. */
	int (*peer)(struct peer *);
	/* Optional, in the lab: adds findings; predicts a point. */
	void (*findings)(const struct results *, const struct facts *,
		struct findings *);
	void (*predict)(const struct facts *, const void *args,
		struct prediction *);
};

/* NULL if the experiment is NULL, or does not provide the quantity. */
const struct provision *provision_row(const struct experiment *, enum quantity);
/* False if the experiment is NULL. */
bool experiment_sensitive(const struct experiment *, unsigned conditions);
/* True: for `waits`, if the points of the experiment always wait. */
bool waits_always(const void *args);

/* ---- what a probe may use in a worker --------------------------------- */

/* Where a second party can run. A probe with TRAIT_PARTIES has a parameter
 * `placement` with these choices. */
enum placement {
	PLACEMENT_SAME_CPU,
	PLACEMENT_SMT,
	PLACEMENT_SAME_LLC,
	PLACEMENT_OTHER,
	PLACEMENTS,
};
extern const char *const placement_choices[PLACEMENTS + 1];

struct probe {
	const void *args; /* of this point */
	void *state;      /* state of the experiment; NULL at each setup */
	unsigned launch;  /* number of the launch; 0: the pilot */
	unsigned clone;   /* alignment clone to run, 0 .. clones - 1 */
	int cpu;          /* processor to which this worker is pinned */
	int place[PLACEMENTS]; /* processor of each placement; -1: not
				* available */
	const int *row;        /* processors for several threads: first `cpu`,
				* then one of each other core, then the SMT
				* siblings */
	unsigned row_count;
	double tick_hz;  /* of the clock that times trials */
	uint64_t random; /* state of probe_random() */
	/* For the pilot, which only measures how long things take. An expensive
	 * setup() may do a part of its work there and set that fraction here.
	 * Initially 1; above 1 if it did work that launches will not do. The
	 * measured time is divided by it. */
	double share;
	/* A number that the pilot's setup() found for the launches, with a
	 * meaning that the experiment defines. In the pilot it is 0. */
	uint16_t found;
	int packets_fd; /* file for the run's packets; -1: no capture. See
			 * recorder.h */

	/* Private to the engine. */
	enum tick_source source;
	uint64_t start;
	volatile uint64_t *rseq_slot; /* armed by start, cleared by a context
				       * switch */
	uint64_t rseq_armed;
	const volatile uint32_t *rseq_cpu; /* where this thread runs; NULL:
					    * unknown */
	struct worker *worker;
	void (*put)(struct probe *, const struct sample *);
	void (*alive)(struct probe *);
	bool quiet;       /* sizing or warming up: emit nothing */
	uint64_t spent;   /* ticks timed since the engine's last reset */
	uint64_t regions; /* number of those timed regions */
	uint64_t turn;    /* in a pair, the visit of this trial: 1, 2; else 0 */
	/* In a trial that is counted, see counters.h; else NULL. The sample is
	 * that of REGION_EMITTED. */
	void (*count)(struct probe *, enum region_event, const struct sample *);
	struct counters *counters;
	int outcome;      /* enum sample_text + 1 after a failure */
};

/* Only the operations may stand between this and probe_stop(). */
static inline void probe_start(struct probe *probe)
{
	if (__builtin_expect(probe->count != NULL, 0))
		probe->count(probe, REGION_BEGINS, NULL);
	*probe->rseq_slot = probe->rseq_armed;
	probe->start = tick_now(probe->source);
}

/* Emits what probe_stop() read; not for experiments. */
void probe_keep(struct probe *, unsigned metric, uint64_t ops, uint64_t stop,
	bool preempted);

/* Stops the clock and emits `ops` operations of a timed metric. */
static inline void probe_stop(struct probe *probe, unsigned metric,
	uint64_t ops)
{
	uint64_t stop = tick_now(probe->source);
	bool preempted = *probe->rseq_slot == 0;

	probe_keep(probe, metric, ops, stop, preempted);
}

/* Like probe_stop(), after a region that sleeps by design: a context switch in
 * it is not a disturbance. */
void probe_stop_slept(struct probe *, unsigned metric, uint64_t ops);

/* Reads the clock, for a second party that records the end of a region. */
static inline uint64_t probe_now(const struct probe *probe)
{
	return tick_now(probe->source);
}

/* Ends the region in the measured thread, which emits it later: what follows is
 * not counted. Returns the time. */
static inline uint64_t probe_end(struct probe *probe)
{
	uint64_t end = probe_now(probe);

	if (__builtin_expect(probe->count != NULL, 0))
		probe->count(probe, REGION_ENDS, NULL);
	return end;
}

/* Like probe_stop() with an end that probe_end() returned, or that probe_now()
 * recorded elsewhere. */
void probe_stop_at(struct probe *, unsigned metric, uint64_t ops,
	uint64_t stop);

/* True if the kernel has run another task here since probe_start(). False if
 * that is unknown. */
static inline bool probe_preempted(const struct probe *probe)
{
	return *probe->rseq_slot == 0;
}
/* Like probe_stop_at(), if the experiment has determined itself whether the
 * region was interrupted: for several parties, or because emitting at once
 * would disturb the next measurement. */
void probe_stop_judged(struct probe *, unsigned metric, uint64_t ops,
	uint64_t stop, bool preempted);

/* Emits operations whose ticks the probe timed and summed itself. Their region
 * is unknown, so it is not counted (counters.h). */
void probe_took(struct probe *, unsigned metric, uint64_t ops, uint64_t ticks);
/* Emits a value of a METRIC_VALUE in the metric's unit. */
void probe_value(struct probe *, unsigned metric, double value);
/* Emits a point of a METRIC_TRACE. */
void probe_trace(struct probe *, unsigned metric, double x, double y);
/* Reports that the worker is alive, during set-up or trials that take seconds.
 * A worker that emits nothing for ten seconds is considered stuck and ended.
 * Never call it in a timed region. */
void probe_alive(struct probe *);
/* Records a fact about the point: kept and shown with it. */
void probe_note(struct probe *, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds a sentence about the whole run to its warnings. Equal sentences count
 * once. */
void probe_warn(struct probe *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Reports that this point cannot be measured on this machine. State the reason
 * and the cure. The other points are still measured. Returns -1. */
int probe_unavailable(struct probe *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The processor of a placement; -1 after probe_unavailable(). */
int probe_placed(struct probe *, int placement);
/* Reports that the self-verification of this visit failed. Its trials are kept,
 * flagged and excluded from every figure. A point is invalid if a quarter of
 * its visits failed, or the pilot. Returns -1. */
int probe_invalid(struct probe *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Ends the run; what was measured is kept. Returns -1. */
int probe_fail(struct probe *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The same for a failure of the remote end or the network, which has an exit
 * code of its own. Returns -1. */
int probe_lost(struct probe *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A random number (splitmix64: Steele, Lea and Flood 2014), reproducible from
 * the run's seed. probe_random_below() is uniform in 0 .. limit - 1. */
uint64_t probe_random(struct probe *);
uint64_t probe_random_below(struct probe *, uint64_t limit);

/* For the optimiser, the value must be computed, and may change. */
#define probe_opaque(value) __asm__ volatile("" : "+r"(value) : : "memory")

#endif
