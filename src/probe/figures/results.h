/*
 * The results of one run: the request, every trial with its flags, and the
 * derived figures.
 *
 * One structure is used for the live run, the session file and the tape. A run
 * adds samples, a session reads and writes it, a screen draws it, an experiment
 * derives its findings from it. digest.h computes the figures.
 *
 * Shapes: results -> points (one combination of parameter values) -> series
 * (one metric at one point) -> slices (the trials of one visit: one launch, one
 * clone). All slices of a point are parallel: trial i of a visit is the same
 * call of trial() in every timed metric.
 */
#ifndef BENCHTOP_RESULTS_H
#define BENCHTOP_RESULTS_H

#include "memory.h"
#include "probe.h"
#include "stop.h"
#include "summary.h"

struct counted;
struct memo_point;
struct point;
struct range {
	double low, high;
};

/* ---- conditions of the trials ----------------------------------------- */

/* The kind of the canary's throughput half; canary.h. */
enum canary_kind {
	CANARY_LOOP,
	CANARY_ADDS, /* of sessions before version 1.8 */
	CANARY_NOPS,
	CANARY_KINDS,
};

/* The clock of a run; clock.h describes how each value is obtained. */
struct clock_facts {
	enum tick_source source;
	char why[96];           /* why the counter is not used; "" if it is */
	double hz;              /* ticks per second */
	double hz_error_ppm;    /* of hz relative to CLOCK_MONOTONIC_RAW */
	double quantum;         /* ticks: every reading is a multiple */
	double overhead;        /* ticks of an empty pair, median */
	double jitter;          /* its p99 - p1 */
	double residual;        /* worst of the linearity self-test, ticks */
	double core_hz;         /* 0: unknown */
	double multiply_cycles; /* latency of a multiplication */
	bool cycles_trusted;
	/* Additions and multiplications never agreed, because a co-runner
	 * slowed the additions; the latency of a multiplication was assumed. */
	bool cycles_assumed;
	unsigned
		canary_multiplies; /* in the canary's latency half; canary.h */
	double canary_cycles;      /* cycles that this half measures; clock.h */
	enum canary_kind canary_kind;
	double canary_alone; /* throughput / latency half on an unshared core,
			      * as known before the run */
	double timer_hz;     /* of the kernel's timer interrupt */
	double kernel_hz; /* of the counter, from the kernel; 0: unknown */
};

/* How the canaries of a run separate an unshared core from a shared one; see
 * sharing.h. All values are ratios of the canary's halves. */
struct sharing {
	double cut;           /* above it the core is shared; 0: no canary */
	double alone, shared; /* medians of the modes; NaN: not observed */
};

/* Gaps seen by a busy loop on the measured processor: time used by others. */
struct gap_facts {
	double watched_s; /* duration of the loop */
	double lost;      /* fraction of the time in gaps > 0.5 us, 0 .. 1 */
	double longest_ns;
	/* gaps by decade: < 1 us, 1..10, 10..100 us, 0.1..1, 1..10, > 10 ms */
	size_t decade[6];
};

/* The SMT sibling of a processor, by experiment, else from the kernel. */
enum sibling_answer { SIBLING_UNKNOWN, SIBLING_NONE, SIBLING_FOUND };
struct sibling {
	enum sibling_answer answer;
	int cpu; /* SIBLING_FOUND */
};

/* The processors of the tasks. */
struct place_facts {
	int cpu;         /* measured processor */
	int second;      /* second party; -1: none */
	bool lab_shares; /* the lab had to use the measured processor */
	bool lab_beside; /* the lab had to use its SMT sibling */
	struct sibling sibling;
	/* Fraction of the time of the measured processors that other tasks
	 * used, if trials may sleep or have several threads (others.h); 0:
	 * none, or unknown. */
	double others;
	char why[160]; /* how it was chosen, as text */
};

enum predictor { BY_MODEL, BY_USER, PREDICTORS };
/* Names in files, NULL-terminated. */
extern const char *const predictor_names[];

struct prediction {
	bool set;
	enum predictor by;
	char locked_at[32]; /* start of the run; "" before */
	bool post_hoc;      /* typed after a result was available */
	bool in_cycles;     /* of the core; else in the headline's unit */
	struct range hardware, software, total;
	char why[320]; /* the formula in words, and its sources */
};
void prediction_sum(struct prediction *); /* total = hardware + software */

struct finding {
	char *name;     /* "per-argument" */
	char *sentence; /* for the user; "" for a cell */
	bool has_value, has_interval;
	bool uncertain; /* must not be used as a basis */
	double value;
	struct range interval;
	enum unit unit;
	int point; /* index of the point it is about; -1: none */
};
struct findings {
	struct finding *list;
	size_t count;
};
/* Adds a finding: without a value, with a value; sets an interval. */
void finding_add(struct findings *, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
struct finding *finding_value(struct findings *, const char *name, double,
	enum unit, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
void finding_interval(struct finding *, double low, double high);
/* Sets the point that a finding is about. Such findings form a table
 * (finding_table.h), with a column for each name. */
void finding_at(struct finding *, const struct results *, const struct point *);
/* Adds a figure to that table, without a sentence. */
struct finding *finding_cell(struct findings *, const struct results *,
	const struct point *, const char *name, double, enum unit);
void findings_free(struct findings *);

/* ---- the data --------------------------------------------------------- */

/* A reading of the memory ruler beside the trials of a visit;
 * memory_ruler.h. */
struct ruler_reading {
	uint32_t trial; /* number of trials before it */
	uint32_t ticks; /* overhead included */
};

struct launch {
	unsigned number;
	uint64_t seed;
	double at_s;     /* since the start of the run */
	double overhead; /* ticks, mean of before and after the trials */
	double jitter;
	double canary; /* median latency half, net ticks; 0: none */
	bool complete;
};

struct visit {
	unsigned launch; /* index into launches */
	unsigned clone;
	unsigned canary_every; /* trials between two canaries; 0: none */
	size_t canary_first, canary_count; /* in the point's canaries */
	size_t ruler_first, ruler_count;   /* in the point's readings */
	unsigned trials; /* calls of trial(), for parallel slices */
	unsigned warmup; /* number of them flagged as warm-up */
	bool unsteady;   /* no steady state was found */
	bool unverified; /* only in live runs: a file has flags instead */
	double usual;    /* usual latency half of a canary, net ticks; 0: no
			  * canary. Not in files: sharing_recall() */
};

struct slice {
	size_t first, count; /* in the series */
};

/* A figure that was printed elsewhere, without its trials: the sessions in
 * sessions/ contain only such figures. */
enum published_figure {
	PUBLISHED_MEAN,
	PUBLISHED_MEDIAN,
	PUBLISHED_LEAST,
	PUBLISHED_MOST,
	PUBLISHED_VALUE, /* not stated by the source */
	PUBLISHED_FIGURES,
};
const char *published_figure_name(enum published_figure);

struct published {
	enum published_figure figure;
	double value; /* all in the metric's unit; NaN: not printed */
	double sd_within, sd_between, min, max, max_deviation;
	char *printed; /* as printed, with its unit */
	char *source;  /* section or table of the source */
};

struct series {
	uint64_t ops;         /* operations per trial */
	struct column raw;    /* uint64_t ticks, or double for METRIC_VALUE */
	struct column flags;  /* uint16_t, final after the end of the launch */
	struct column trace;  /* struct trace_point, only for METRIC_TRACE */
	struct slice *slices; /* one per visit */
	bool derived;         /* weights apply */
	double weight[METRICS_MAX];
	struct published *published; /* owned; NULL: measured */
	/* The figures of a file without trials (memo.h), owned; NULL. */
	struct memo_point *stored;
};

struct trace_point {
	double x, y;
	uint32_t visit;
};

struct note {
	char *key, *value;
};

enum point_state { POINT_OK, POINT_UNAVAILABLE, POINT_INVALID };

struct point {
	char **values; /* text of each parameter, in the order of param_names */
	void *args;    /* the experiment's struct; NULL if the experiment is
			* unknown */
	enum point_state state;
	char *why;       /* sentence: unavailable, invalid, or the last visit
			  * that was not verified; else NULL */
	double trial_ns; /* total time of a trial */
	struct prediction model;
	struct series *series; /* one per metric */
	struct column canary;  /* struct canary */
	struct column ruler;   /* struct ruler_reading */
	struct visit *visits;
	size_t visit_count;
	struct note *notes;
	size_t note_count;
};

struct canary {
	uint32_t latency, throughput; /* ticks, overhead included */
};

struct metric_info {
	char *name, *label;
	enum unit unit;
	enum direction better;
	enum metric_kind kind;
	bool rate;
	bool steady;    /* probe.h */
	bool user_only; /* a counter that excludes the kernel's work */
};

enum run_state { RUN_GOING, RUN_DONE, RUN_STOPPED, RUN_FAILED };

struct results {
	char *experiment, *title;
	/* NULL: unknown to this program. Not in files: see lab_attach(). */
	const struct experiment *descriptor;
	enum run_state state;
	struct stop stopped;
	char *error;      /* sentence, for RUN_FAILED */
	char started[32]; /* ISO 8601 with zone */
	double took_s;
	uint64_t seed;
	bool recovered; /* rebuilt from an orphaned tape */
	bool figures_only; /* its file has figures, but no trials */
	char *asked;    /* the command that repeats the run */

	struct clock_facts clock;
	struct place_facts place;
	struct sharing sharing;
	struct {                  /* the common parameters in effect */
		int64_t launches; /* PARAM_AUTO: by precision */
		double precision;
		int64_t budget_ns;
		int64_t trials;
		bool fifo;
		unsigned clones;
		unsigned traits;
		bool abba;   /* two points, in the order A B, B A, A B, .. */
		bool paired; /* alternating by trials: trial i of one visit is
			      * adjacent to trial i of the other */
	} plan;

	char **param_names;
	size_t param_count;
	struct metric_info *metrics;
	size_t metric_count;
	struct launch *launches;
	size_t launch_count;
	struct point *points;
	size_t point_count;
	/* The user's prediction for all points, else the model's for the
	 * first. */
	struct prediction prediction;
	struct findings findings;
	char *annotation; /* the run's packets in the format of
			   * `annotate --json`; NULL: none captured */
	char **warnings;  /* sentences about the whole run */
	size_t warning_count;

	struct memo *memo; /* cache of memo.h, owned; NULL: none */
	unsigned serial;   /* no other results of this program have it */
	unsigned version;  /* increases with every change */
	/* Figures use one of every `each` trials; 0 and 1: all. For screens
	 * that draw a large active run, in a copy of this struct. */
	size_t each;
};

struct results *results_new(const char *experiment);
void results_free(struct results *);
/* Sets parameters and metrics from an experiment's tables. */
void results_describe(struct results *, const struct experiment *);
/* Adds the metrics of the counters after those of the experiment. */
void results_count(struct results *, const struct counted *);
struct point *results_add_point(struct results *);
/* Makes the texts among the point's arguments point to the point's own values,
 * which exist as long as the arguments. */
void results_own_texts(const struct results *, const struct param *,
	struct point *);
void results_add_metric(struct results *, const char *name, const char *label,
	enum unit, enum direction, enum metric_kind, bool rate);
struct launch *results_add_launch(struct results *);
/* Begins a visit: adds an empty slice to every series. */
struct visit *point_add_visit(struct results *, struct point *);
void point_add_note(struct point *, const char *key, const char *value);
/* Sets whether children forked from now on inherit the trials. */
void results_inherit(const struct results *, bool);
/* Adds a sentence, unless it is there already. */
void results_warn(struct results *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void results_withdraw(struct results *, size_t warning);

/* Look up by name; -1 or NULL if there is none. */
int results_metric(const struct results *, const char *name);
int results_param(const struct results *, const char *name);
const char *point_value(const struct results *, const struct point *,
	const char *param);
const char *point_note(const struct point *, const char *key);
/* Begin of the note `capture` of a point without packets; the reason
 * follows. */
#define CAPTURE_OFF "off: "
/* That reason; NULL: the packets were captured, or not requested. */
const char *point_capture_off(const struct point *);
/* True if the parameter differs among the points. */
bool results_changes(const struct results *, size_t param);
/* Gives a metric a figure without trials; all its numbers are NaN at first. */
struct published *point_publish(struct point *, unsigned metric);
/* The number of launches that have visited the point, each with a random
 * layout. */
size_t point_draws(const struct point *);
/* The number of trials of all metrics at all points. */
size_t results_trials(const struct results *);
/* True if a point has been visited. Otherwise there are no findings. */
bool results_visited(const struct results *);
/* True if the run was read from a file without its trials. It has figures and
 * launch medians in time; each launch is one visit without trials. */
bool results_stored(const struct results *);
/* The number of published figures, which have no trials. */
size_t results_published(const struct results *);
/* True if the point has every "name=value" of `where`; NULL: true. */
bool point_matches(const struct results *, const struct point *,
	const char *where);
/* The first point that matches, or NULL. */
const struct point *results_where(const struct results *, const char *where);
/* Adds "call=getppid via=raw"; with `changing` only parameters that vary. Empty
 * values, as of a published figure, are omitted. */
void point_describe(const struct results *, const struct point *, bool changing,
	struct text *);
/* Adds "4M random args=5": the parameters that vary, in short form. The name of
 * a parameter is only shown for bare numbers. */
void point_describe_short(const struct results *, const struct point *,
	struct text *);

#endif
