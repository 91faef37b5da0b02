/*
 * The contract between an experiment and the engine: everything a file in
 * probes/ includes.
 *
 * An experiment is one constant descriptor. It says what it asks, which
 * parameters and metrics it has, how to prepare and perform one trial, what
 * follows from the results and what a person could have expected. It never
 * prints, averages, formats or exits; whatever it learns it emits.
 *
 * Life in a worker (one forked, pinned process per launch):
 *     for each point and clone of the run, in random order
 *         setup()                 untimed
 *         trial(p, ops) ..        warm-up, then the trials that count
 *         cleanup()
 * The worker ends with _exit: memory, descriptors and mappings need no
 * release, only what outlives a process does (files, other processes).
 *
 * A trial performs `ops` operations between probe_start() and probe_stop(),
 * which emits the ticks. It may do so for several metrics in a row; then it
 * must do so for all of them, in every trial. HACKING.md shows an experiment
 * in forty lines.
 */
#ifndef BENCHTOP_PROBE_H
#define BENCHTOP_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "sample.h"
#include "tick.h"
#include "unit.h"

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

/* A row makes the form, the grammar of `run` and `set`, `show`, the JSON, the
 * completion, the manual and the texts of errors. A table ends with a row
 * without a name. */
struct param {
	const char *name;   /* as typed: "size" */
	const char *label;  /* as shown, a few words: "array size" */
	const char *help;   /* one sentence */
	const char *preset; /* as typed; a list or range makes a sweep */
	enum param_type type;
	enum unit unit;
	double min, max;            /* inclusive, in the stored unit */
	const char *const *choices; /* NULL-terminated, for PARAM_CHOICE */
	bool automatic;   /* accepts "auto": the value is PARAM_AUTO */
	const char *word; /* accepted for it in place of "auto": "none" */
	/* What "auto" by itself stands for at given other arguments: a sweep
	 * of ascending values of the experiment's own choice, of a row of
	 * whole numbers. NULL: the experiment is given PARAM_AUTO. */
	size_t (*stands_for)(const void *args, int64_t *values, size_t most);
	/* What "auto" means as the end of a range, on this machine; NULL: no
	 * range ends so. Must return the same for the life of the process. */
	int64_t (*range_end)(void);
	size_t offset; /* into the struct of arguments */
};
/* The row of that name, or NULL. */
const struct param *param_row(const struct param *rows, const char *name);
#define PARAM_AUTO INT64_MIN
/* How a row has PARAM_AUTO written. */
static inline const char *param_word(const struct param *row)
{
	return row->word ? row->word : "auto";
}

/* Initialisers for type and offset; a field of the wrong C type does not
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
enum { METRICS_MAX = 12 };

/* A table ends with a row without a name; the first row is the headline and
 * decides the precision of a run. */
struct metric {
	const char *name, *label;
	enum unit unit;
	enum direction better;
	enum metric_kind kind;
	/* METRIC_DERIVED: fills in one weight per metric of the table, 0 where
	 * it has no part; the trial's value is the weighted sum of the values
	 * in ns, or its reciprocal times 1e9 where `rate` is set (an amount
	 * per second from ns per amount). False: this metric does not exist
	 * at this point. */
	bool (*derive)(const void *args, double weight[METRICS_MAX]);
	bool rate;
	/* A count, or another value that a shared core cannot change: figures
	 * of it are of all trials that were not interrupted. */
	bool steady;
	/* METRIC_TRACE: what x is, "touch", and in which unit. */
	const char *across;
	enum unit across_unit;
	/* METRIC_TRACE, optional: names of findings that are places on x, where
	 * one level ends and the next begins, ascending; the last word names
	 * what lies behind them all: "L1d L2 L3 memory". */
	const char *levels;
};
/* The row of that name, or NULL. */
const struct metric *metric_row(const struct metric *rows, const char *name);

/* ---- the plan --------------------------------------------------------- */

enum { CLONES_MAX = 16 };

/* What an experiment declares about sampling; 0 means by the general rules
 * (plan.h). Where it declares, it wins, and the plan is shown. */
struct plan {
	uint64_t ops;       /* operations per trial, fixed */
	uint64_t ops_least; /* where ops is 0: the rules may take more */
	unsigned trials;    /* per visit of a point, fixed */
	unsigned clones;    /* alignment clones of the timed loop, 1 .. 16 */
	unsigned traces;    /* points of traces a visit may emit */
	int64_t budget_ns;  /* preset of the run's wall time */
	unsigned launches;  /* preset of the number of launches */
	/* So many are enough when the budget is used up; below six there are
	 * no intervals. */
	unsigned launches_least;
	unsigned trials_least; /* per visit, however short the budget */
	/* 0: every launch visits every point. Otherwise points whose visits
	 * are too dear for that are visited by fewer launches, spread evenly,
	 * but by as many as this; their figures may have no interval. */
	unsigned draws_least;
};

enum trait {
	TRAIT_COLD = 1 << 0,    /* no warm-up: the first trial is the point */
	TRAIT_BLOCKS = 1 << 1,  /* the measured thread sleeps by design: what
				  * the kernel counts is no disturbance; see
				  * probe_stop_slept() */
	TRAIT_FAULTS = 1 << 2,  /* page faults belong to what is measured */
	TRAIT_PARTIES = 1 << 3, /* has a second party; see `placement` */
	TRAIT_NOISY = 1 << 4,   /* leaves the machine busy for a moment: it is
				  * run last of a group */
	TRAIT_PEER = 1 << 5,    /* needs the far end of a network */
	TRAIT_CAPTURE = 1 << 6, /* captures packets, asked or not */
	TRAIT_THREADS = 1 << 7, /* has a parameter `threads`, whole, auto: all:
				 * so many of the row are measured on */
	TRAIT_PAIRS = 1 << 8,   /* two points may be set up at once, and their
				 * trials do not spoil each other's caches: `ab`
				 * alternates trial by trial. State is the
				 * point's own (probe->state) */
};

/* ---- what others rest on ---------------------------------------------- */

/* Physical quantities that predictions, findings and screens need from an
 * earlier run. They ask for the quantity and never name an experiment:
 * facts.h, session.h. Times are in ns, rates in bytes per second. */
enum quantity {
	QUANTITY_NONE,
	QUANTITY_PROCEDURE_CALL,  /* without arguments */
	QUANTITY_SYSTEM_CALL,     /* one that does nothing */
	QUANTITY_SWITCH,          /* between two processes on one processor */
	QUANTITY_PIPE_SWITCH,     /* the same, through a pipe */
	QUANTITY_THREAD_SWITCH,   /* between two threads */
	QUANTITY_THREAD_CREATION,
	QUANTITY_PROCESS_CREATION,
	QUANTITY_READ_RATE,       /* of memory, by one thread */
	QUANTITY_WRITE_RATE,      /* the same */
	QUANTITY_COPY_RATE,       /* the same; each byte counts twice */
	QUANTITY_LOCAL_LOAD,      /* a dependent load, without page walks */
	QUANTITY_RANDOM_LOAD,     /* a dependent load, in random order */
	QUANTITY_CACHE_SIZES,     /* findings L1d, L2, L3; no metric */
	QUANTITY_ROUND_TRIP,      /* by any protocol, to a host */
	QUANTITY_TCP_ROUND_TRIP,
	QUANTITY_FILE_READ,       /* of a block; rows of file_reading.h */
};

/* Where a run of the experiment has a quantity. */
struct provision {
	enum quantity quantity;
	const char *metric; /* NULL: of QUANTITY_CACHE_SIZES only */
	const char *where;  /* its points: "call=getppid"; NULL: all */
};

/* In a descriptor: PROVIDES({ QUANTITY_THREAD_CREATION, "time", NULL }), */
#define PROVIDES(...) \
	.provides = (const struct provision[]) \
	{ \
		__VA_ARGS__, \
		{ \
			.quantity = QUANTITY_NONE \
		} \
	}

/* ---- what distorts it ------------------------------------------------- */

/* Conditions that distort some experiments and not others. The doctor names
 * the experiments that a condition distorts, a comparison looks among them for
 * the cause of a difference. */
enum sensitivity {
	SENSITIVE_CODE = 1 << 0,        /* compiler, flags, code layout */
	SENSITIVE_MEMORY = 1 << 1,      /* page size, NUMA, locking, swap */
	SENSITIVE_DISK = 1 << 2,        /* and its file system */
	SENSITIVE_NETWORK = 1 << 3,     /* cards, routes */
	SENSITIVE_KERNEL = 1 << 4,      /* enters it: version, mitigations */
	SENSITIVE_CALLS = 1 << 5,       /* mostly system calls: filters */
	SENSITIVE_SCHEDULER = 1 << 6,   /* preemption model */
	SENSITIVE_IDLE = 1 << 7,        /* waking a processor from idle */
	SENSITIVE_TIMER_SLACK = 1 << 8,
	SENSITIVE_CLOCKSOURCE = 1 << 9,
	SENSITIVE_COALESCING = 1 << 10, /* a card's delayed interrupts */
	SENSITIVE_CONGESTION = 1 << 11, /* control, cached metrics */
	SENSITIVE_PORTS = 1 << 12,      /* number of local ports */
	SENSITIVE_ICMP = 1 << 13,       /* permission to send it */
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
	struct plan plan;
	unsigned traits;
	unsigned sensitive_to;            /* a mask of enum sensitivity */
	const struct provision *provides; /* optional; see PROVIDES() */
	/* Optional: a point that is short and steady, "call=getppid". The
	 * doctor measures it against itself: the difference is noise. */
	const char *noise;
	/* Optional: the plan of given arguments, starting from `plan`. Of a
	 * sweep each point has its own trials; the rest is of the first. */
	void (*plan_for)(const void *args, struct plan *);
	/* Optional: is what is timed at this point a device's or a network's
	 * answer, and not work of the core? Then the canary, which watches the
	 * core, neither flags its trials nor stands beside them: a core that
	 * has just been woken seems to run at another frequency in nine trials
	 * of ten. */
	bool (*waits)(const void *args);
	/* Optional: over how many bytes a trial at this point goes; PARAM_AUTO:
	 * over more than any cache holds. Where that is more than the caches of
	 * a core hold, the memory ruler stands beside its trials. */
	int64_t (*footprint)(const void *args);
	/* Optional: do these values go together? 0, or -1 after error_set().
	 * Asked of every point before anything runs; the column is not. */
	int (*check)(const void *args, struct error *);
	/* Optional: adds a sentence that a person should read before this is
	 * run, and that is kept with the run; nothing for most arguments. */
	void (*caution)(const void *args, struct text *);
	/* Optional: 0, or -1 after probe_fail() or probe_unavailable(). */
	int (*setup)(struct probe *);
	void (*trial)(struct probe *, uint64_t ops);
	void (*cleanup)(struct probe *);
	/* Optional, in the lab, when a run has ended: removes what outlives
	 * processes and a killed worker could not remove itself. */
	void (*tidy)(void);
	/* The far end of a network, with TRAIT_PEER (peer.h): run by a child of
	 * the worker, or by `benchtop serve` on another machine. 0, or -1 when
	 * the near end is gone or does not keep to what was agreed. */
	int (*peer)(struct peer *);
	/* Optional, in the lab. */
	void (*findings)(const struct results *, const struct facts *,
		struct findings *);
	void (*predict)(const struct facts *, const void *args,
		struct prediction *);
};

/* The row of a quantity; NULL: not provided, or no experiment. */
const struct provision *provision_row(const struct experiment *, enum quantity);
/* False also where the experiment is NULL. */
bool experiment_sensitive(const struct experiment *, unsigned conditions);

/* ---- what a probe may use in a worker --------------------------------- */

/* Where a second party can run; a probe with TRAIT_PARTIES has a parameter
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
	void *state;      /* the experiment's own; NULL at each setup */
	unsigned launch;  /* number of the launch; 0 the pilot */
	unsigned clone;   /* which alignment clone to run, 0 .. clones - 1 */
	int cpu;          /* where this worker is pinned */
	int place[PLACEMENTS]; /* processor of a placement, -1: none here */
	const int *row;        /* processors of several threads: `cpu`, one of
				* each other core, then their siblings */
	unsigned row_count;
	double tick_hz;  /* of the clock that times trials */
	uint64_t random; /* state of probe_random() */
	/* The pilot only finds out how long things take: a setup() that is dear
	 * may do a part of its work there, and says here which; 1 before, more
	 * where it did what launches will not. Its time is divided by that. */
	double share;
	/* What the pilot's setup() has found out for the launches, which are
	 * given it: a number of the experiment's own; 0 in the pilot. */
	uint16_t found;
	int packets_fd; /* where a run keeps its packets; -1: it does not
			 * capture. See recorder.h */

	/* The engine's own. */
	enum tick_source source;
	uint64_t start;
	volatile uint64_t *rseq_slot; /* armed by start, cleared by a switch */
	uint64_t rseq_armed;
	struct worker *worker;
	void (*put)(struct probe *, const struct sample *);
	void (*alive)(struct probe *);
	bool quiet;       /* sizing or warming up: emit nothing */
	uint64_t spent;   /* ticks timed since the engine cleared it */
	uint64_t regions; /* how many timed regions those were */
	uint64_t turn;    /* of a pair, whose trial it is: 1, 2; else 0 */
	int outcome;      /* enum sample_text + 1 once something is wrong */
};

/* Starts the clock. Between this and probe_stop() there must be nothing but
 * the operations. */
static inline void probe_start(struct probe *probe)
{
	*probe->rseq_slot = probe->rseq_armed;
	probe->start = tick_start(probe->source);
}

/* Keeps what probe_stop() read; not for experiments. */
void probe_keep(struct probe *, unsigned metric, uint64_t ops, uint64_t stop,
	uint32_t cpu, bool preempted);

/* Stops the clock and emits `ops` operations of a timed metric. */
static inline void probe_stop(struct probe *probe, unsigned metric,
	uint64_t ops)
{
	uint32_t cpu;
	uint64_t stop = tick_stop(probe->source, &cpu);
	bool preempted = *probe->rseq_slot == 0;

	probe_keep(probe, metric, ops, stop, cpu, preempted);
}

/* Like probe_stop(), after a region that sleeps by design: a switch in it is
 * no disturbance. */
void probe_stop_slept(struct probe *, unsigned metric, uint64_t ops);

/* The clock, for a second party that stamps the end itself. */
static inline uint64_t probe_now(const struct probe *probe)
{
	uint32_t cpu;

	return tick_stop(probe->source, &cpu);
}

/* Like probe_stop() with an end that was stamped elsewhere by probe_now(). */
void probe_stop_at(struct probe *, unsigned metric, uint64_t ops,
	uint64_t stop);

/* Has the kernel run something else here since probe_start()? False where it
 * cannot be told. */
static inline bool probe_preempted(const struct probe *probe)
{
	return *probe->rseq_slot == 0;
}
/* The same where the experiment has looked for itself whether the region was
 * interrupted: of several parties, or because emitting would disturb what it
 * counts first. */
void probe_stop_judged(struct probe *, unsigned metric, uint64_t ops,
	uint64_t stop, bool preempted);

/* Emits operations whose ticks were summed up, one by one, by the probe. */
void probe_took(struct probe *, unsigned metric, uint64_t ops, uint64_t ticks);

/* Emits a value of a METRIC_VALUE in the metric's unit. */
void probe_value(struct probe *, unsigned metric, double value);
/* Emits a point of a METRIC_TRACE. */
void probe_trace(struct probe *, unsigned metric, double x, double y);
/* Shows that the worker lives, from set-up or trials that take seconds: one
 * that shows nothing for ten is taken for stuck and ended. Not within what is
 * timed. */
void probe_alive(struct probe *);
/* Records a fact about the point: kept in the session, shown beside it. */
void probe_note(struct probe *, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* This point cannot be measured on this machine: say why and what would cure
 * it. The other points go on. Returns -1. */
int probe_unavailable(struct probe *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The processor of a placement; -1 after probe_unavailable(). */
int probe_placed(struct probe *, int placement);
/* The self-verification of this visit failed: its trials are kept, flagged and
 * left out of every figure. A point is invalid when a quarter of its visits
 * failed, or the pilot did. */
int probe_invalid(struct probe *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The run cannot go on: it ends, keeping what was measured. Returns -1. */
int probe_fail(struct probe *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The same where the far end or the network is to blame: the program's exit
 * code says so. Returns -1. */
int probe_lost(struct probe *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A random number (splitmix64: Steele, Lea and Flood 2014), reproducible from
 * the run's seed; below() is uniform in 0 .. limit - 1. */
uint64_t probe_random(struct probe *);
uint64_t probe_random_below(struct probe *, uint64_t limit);

/* Hides a value from the optimiser: it must be computed, and might change. */
#define probe_opaque(value) __asm__ volatile("" : "+r"(value) : : "memory")

#endif
