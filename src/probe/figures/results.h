/*
 * The results of one run: what was asked, every trial with its flags, and the
 * figures that follow.
 *
 * One structure serves the live run, the session file and the tape: a run
 * feeds it sample by sample, a session reads and writes it, a screen draws
 * it, an experiment derives its findings from it. Figures are computed from
 * the trials by digest_of() whenever they are asked for, so a figure read back
 * from a file is the figure that was printed; memo.h keeps some of them.
 * tests/cli/recompute.py defines the same figures in another language.
 *
 * Shapes: results -> points (one combination of parameter values) -> series
 * (one metric at one point) -> slices (the trials of one visit: one launch,
 * one clone). All slices of a point are parallel: trial i of a visit is the
 * same call of trial() in every timed metric.
 */
#ifndef BENCHTOP_RESULTS_H
#define BENCHTOP_RESULTS_H

#include "memory.h"
#include "probe.h"
#include "slope.h"
#include "stop.h"
#include "summary.h"

struct point;
struct range {
	double low, high;
};

/* ---- what surrounds the trials ---------------------------------------- */

/* What the canary's throughput half is made of; canary.h. */
enum canary_kind { CANARY_LOOP, CANARY_ADDS, CANARY_KINDS };

/* The clock of a run; see clock.h for how each figure is obtained. */
struct clock_facts {
	enum tick_source source;
	char why[96];           /* why not the counter; "" when it is */
	double hz;              /* ticks per second */
	double hz_error_ppm;    /* of hz against CLOCK_MONOTONIC_RAW */
	double quantum;         /* ticks: every reading is a multiple */
	double overhead;        /* ticks of an empty pair, median */
	double jitter;          /* its p99 - p1 */
	double residual;        /* worst of the linearity self-test, ticks */
	double core_hz;         /* 0 unknown */
	double multiply_cycles; /* latency of one */
	bool cycles_trusted;
	/* Additions and multiplications never agreed: a co-runner slowed the
	 * additions, and the latency of a multiplication was assumed. */
	bool cycles_assumed;
	unsigned
		canary_multiplies; /* in the canary's latency half; disturb.h */
	double canary_cycles;      /* as which that half reads; clock.h */
	enum canary_kind canary_kind;
	double canary_alone; /* throughput / latency half of a core of its
			      * own, as known before the run */
	double timer_hz;     /* of the kernel's tick */
	double kernel_hz; /* of the counter as the kernel has it; 0 unknown */
};

/* How the canaries of a run tell a core of its own from a shared one; see
 * sharing.h. All are ratios of the canary's halves. */
struct sharing {
	double cut;           /* above it a core is shared; 0: no canary */
	double alone, shared; /* medians of the modes; NaN: not seen */
};

/* Gaps a busy loop saw on the measuring processor: time that was not its
 * own. */
struct gap_facts {
	double watched_s; /* how long it ran */
	double lost;      /* share of the time in gaps > 0.5 us, 0 .. 1 */
	double longest_ns;
	/* gaps by decade: < 1 us, 1..10, 10..100 us, 0.1..1, 1..10, > 10 ms */
	size_t decade[6];
};

/* The SMT sibling of a processor, by experiment, or else from the kernel. */
enum sibling_answer { SIBLING_UNKNOWN, SIBLING_NONE, SIBLING_FOUND };
struct sibling {
	enum sibling_answer answer;
	int cpu; /* SIBLING_FOUND */
};

/* Who runs where. */
struct place_facts {
	int cpu;         /* measures */
	int second;      /* second party; -1 none */
	bool lab_shares; /* the lab had to share the measured cpu */
	bool lab_beside; /* the lab had to run on its sibling */
	struct sibling sibling;
	char why[160]; /* how it was chosen, in words */
};

enum predictor { BY_MODEL, BY_USER, PREDICTORS };
/* As files have them, NULL-terminated. */
extern const char *const predictor_names[];

struct prediction {
	bool set;
	enum predictor by;
	char locked_at[32]; /* when the run began; "" before */
	bool post_hoc;      /* typed after a result was there */
	struct range hardware, software, total; /* in the headline's unit */
	char why[320]; /* the formula in words, and what it rests on */
};
void prediction_sum(struct prediction *); /* total = hardware + software */

struct finding {
	char *name;     /* "per-argument" */
	char *sentence; /* what a person reads; "" of a cell */
	bool has_value, has_interval;
	bool uncertain; /* its value is no ground for anything */
	double value;
	struct range interval;
	enum unit unit;
	int point; /* its index, of a finding about one; -1 */
};
struct findings {
	struct finding *list;
	size_t count;
};
/* Adds a finding without, with a value, or with a value and its interval. */
void finding_add(struct findings *, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
struct finding *finding_value(struct findings *, const char *name, double,
	enum unit, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
void finding_interval(struct finding *, double low, double high);
/* Says which point it is about: such findings are a table (finding_table.h),
 * a column for each name. */
void finding_at(struct finding *, const struct results *, const struct point *);
/* A figure of that table, which needs no sentence. */
struct finding *finding_cell(struct findings *, const struct results *,
	const struct point *, const char *name, double, enum unit);
void findings_free(struct findings *);

/* ---- the data --------------------------------------------------------- */

/* The memory ruler beside the trials of a visit; memory_ruler.h. */
struct ruler_reading {
	uint32_t trial; /* behind so many trials */
	uint32_t ticks; /* gross */
};

struct launch {
	unsigned number;
	uint64_t seed;
	double at_s;     /* since the run began */
	double overhead; /* ticks, mean of before and after */
	double jitter;
	double canary; /* median latency half, net ticks; 0 none */
	bool complete;
};

struct visit {
	unsigned launch; /* index into launches */
	unsigned clone;
	unsigned canary_every; /* trials between two canaries; 0 none */
	size_t canary_first, canary_count; /* in the point's canaries */
	size_t ruler_first, ruler_count;   /* in the point's readings */
	unsigned trials; /* calls of trial(), for parallel slices */
	unsigned warmup; /* of them flagged as warm-up */
	bool unsteady;   /* no steady state was found */
	bool unverified; /* live runs only: a file has it as flags */
	double usual;    /* latency half of a canary, net ticks; 0: no canary.
			  * Not in files: sharing_recall() */
};

struct slice {
	size_t first, count; /* in the series */
};

/* A figure that somebody printed, without the trials it came from: the
 * sessions in sessions/ have nothing else. */
enum published_figure {
	PUBLISHED_MEAN,
	PUBLISHED_MEDIAN,
	PUBLISHED_LEAST,
	PUBLISHED_MOST,
	PUBLISHED_VALUE, /* the source does not say which */
	PUBLISHED_FIGURES,
};
const char *published_figure_name(enum published_figure);

struct published {
	enum published_figure figure;
	double value; /* all in the metric's unit; NaN: not printed */
	double sd_within, sd_between, min, max, max_deviation;
	char *printed; /* as it stands there, with its unit */
	char *source;  /* where: section, table */
};

struct series {
	uint64_t ops;         /* operations per trial */
	struct column raw;    /* uint64_t ticks, or double of METRIC_VALUE */
	struct column flags;  /* uint16_t, final once the launch has ended */
	struct column trace;  /* struct trace_point, METRIC_TRACE only */
	struct slice *slices; /* one per visit */
	bool derived;         /* weights apply */
	double weight[METRICS_MAX];
	struct published *published; /* owned; NULL: it was measured */
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
	char **values; /* text of each parameter, as param_names */
	void *args;    /* the experiment's struct; NULL if it is unknown */
	enum point_state state;
	char *why;       /* the sentence: unavailable, invalid, or the last
			  * visit that was not verified; else NULL */
	double trial_ns; /* a trial takes, all included */
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
	uint32_t latency, throughput; /* ticks, gross */
};

struct metric_info {
	char *name, *label;
	enum unit unit;
	enum direction better;
	enum metric_kind kind;
	bool rate;
	bool steady; /* probe.h */
};

enum run_state { RUN_GOING, RUN_DONE, RUN_STOPPED, RUN_FAILED };

struct results {
	char *experiment, *title;
	/* NULL: unknown to this program. Not in files: see lab_attach(). */
	const struct experiment *descriptor;
	enum run_state state;
	struct stop stopped;
	char *error;      /* RUN_FAILED: the sentence */
	char started[32]; /* ISO 8601 with zone */
	double took_s;
	uint64_t seed;
	bool recovered; /* rebuilt from an orphaned tape */
	char *asked;    /* the command line that would repeat it */

	struct clock_facts clock;
	struct place_facts place;
	struct sharing sharing;
	struct {                  /* the common parameters as they were */
		int64_t launches; /* PARAM_AUTO: by precision */
		double precision;
		int64_t budget_ns;
		int64_t trials;
		bool fifo;
		unsigned clones;
		unsigned traits;
		bool abba;   /* two points, in the order A B, B A, A B, .. */
		bool paired; /* in turns trial by trial: trial i of a visit of
			      * the one is beside trial i of the other */
	} plan;

	char **param_names;
	size_t param_count;
	struct metric_info *metrics;
	size_t metric_count;
	struct launch *launches;
	size_t launch_count;
	struct point *points;
	size_t point_count;
	/* The user's, which speaks of every point, else the model's of the
	 * first. */
	struct prediction prediction;
	struct findings findings;
	char *annotation; /* of the run's packets, as `annotate --json` has it:
			   * JSON text; NULL: none were captured */
	char **warnings;  /* sentences about the whole run */
	size_t warning_count;

	struct memo *memo; /* figures kept by memo.h, owned; NULL: none */
	unsigned version;  /* grows with every change */
	/* Figures look at one trial of so many; 0 and 1: at all. For screens
	 * that draw a large run while it goes on, in a copy of this struct. */
	size_t each;
};

struct results *results_new(const char *experiment);
void results_free(struct results *);
/* Describes parameters and metrics after an experiment's tables. */
void results_describe(struct results *, const struct experiment *);
struct point *results_add_point(struct results *);
/* Lets the texts among the point's arguments point to the point's own values,
 * which last as long as the arguments. */
void results_own_texts(const struct results *, const struct param *,
	struct point *);
void results_add_metric(struct results *, const char *name, const char *label,
	enum unit, enum direction, enum metric_kind, bool rate);
struct launch *results_add_launch(struct results *);
/* Begins a visit: a slice, still empty, in every series. */
struct visit *point_add_visit(struct results *, struct point *);
void point_add_note(struct point *, const char *key, const char *value);
/* From now on forked children get the trials too, or no longer. */
void results_inherit(const struct results *, bool);
void results_warn(struct results *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Looks: by name, -1 / NULL where there is none. */
int results_metric(const struct results *, const char *name);
int results_param(const struct results *, const char *name);
const char *point_value(const struct results *, const struct point *,
	const char *param);
const char *point_note(const struct point *, const char *key);
/* The note `capture` of a point without packets: this, then the reason. */
#define CAPTURE_OFF "off: "
/* That reason; NULL: the packets were captured, or were not wanted. */
const char *point_capture_off(const struct point *);
/* Does a parameter differ among the points? */
bool results_changes(const struct results *, size_t param);
/* Gives a metric a figure without trials, every number of it NaN at first. */
struct published *point_publish(struct point *, unsigned metric);
/* How many launches have visited it, each on a layout drawn anew? */
size_t point_draws(const struct point *);
/* How many trials, of all metrics at all points? */
size_t results_trials(const struct results *);
/* Has any point been visited? Without, findings have nothing to go by. */
bool results_visited(const struct results *);
/* How many figures are there without trials? */
size_t results_published(const struct results *);
/* Does a point have every "name=value" of `where`? NULL: yes. */
bool point_matches(const struct results *, const struct point *,
	const char *where);
/* The first point that has, or NULL. */
const struct point *results_where(const struct results *, const char *where);
/* "call=getppid via=raw"; with `changing` only what differs among points. A
 * value that is "", as a published figure may have it, is left out. */
void point_describe(const struct results *, const struct point *, bool changing,
	struct text *);
/* "4M random args=5": what differs among points, in few words; a value that is
 * no bare number says by itself of what it is. */
void point_describe_short(const struct results *, const struct point *,
	struct text *);

/* ---- figures ---------------------------------------------------------- */

enum scale {
	SCALE_UNIT,   /* the metric's unit: ns for times */
	SCALE_CYCLES, /* core cycles, timed and derived metrics only */
};

/* Value per operation of trial `i` of a visit, net of the overhead, and its
 * flags. False where there is no such trial. */
bool results_trial(const struct results *, const struct point *,
	unsigned metric, size_t visit, size_t i, enum scale, double *value,
	unsigned *flags);
/* Flags that keep a trial out of every regime in a scale: at another frequency
 * its cycles are still right. */
unsigned scale_excludes(enum scale);

/* A condition under which trials were made; regime.h. */
enum regime {
	REGIME_POOLED, /* whichever: it does not matter, or is not known */
	REGIME_ALONE,  /* the core to themselves */
	REGIME_SHARED, /* beside a co-runner on the core */
	REGIMES,
};
const char *regime_name(enum regime);

/* How far a headline can be trusted; quality.h. */
enum quality {
	QUALITY_GOOD,
	QUALITY_ROUGH,
	QUALITY_SHARED_CORE,
	QUALITY_NOT_ENOUGH,
	QUALITIES,
};

/* What the launches of one regime show. */
struct regime_figures {
	size_t trials, launches; /* launches with enough trials of it */
	double median;           /* over their medians; NaN: none */
	bool has_interval;
	struct interval interval;
};

/* What a co-runner costs: shared over alone, within launches that had both. */
struct slowdown {
	size_t launches;
	double factor; /* median; NaN: no launch had both */
	bool has_interval;
	struct range interval;
};

/* What was measured at one of two frequencies; frequency_steps.h. */
struct frequency_step {
	double hz;     /* of the core */
	double share;  /* of the trials of both, 0 .. 1 */
	double median; /* over launches; NaN: none */
	size_t launches;
};

struct digest {
	size_t trials; /* all that were made */
	/* Under their first flag, those of the warm-up under that, shared ones
	 * that have no other under that; with the trials that have no flag
	 * they sum to all. */
	size_t by_flag[FLAG_COUNT];
	/* Shares of the trials past the warm-up, 0 .. 1. */
	double excluded;    /* interrupted, mixed, at another frequency */
	double shared;      /* beside a co-runner, not excluded */
	bool unsteady;      /* a quarter of the visits found no steady state */
	enum regime regime; /* of the headline */
	enum quality quality;
	struct regime_figures by_regime[REGIMES];
	struct slowdown slowdown;
	struct summary summary; /* of the headline, in the metric's unit */
	double median_all;      /* of all trials but what shows nothing */
	double resolution;      /* 3 jitters / ops: below it, no figure */
	bool below_resolution;
	bool has_cycles;
	struct summary cycles; /* of the same regime */
	double core_hz;        /* beside its trials; NaN: not known */
	bool stepped;          /* the core moved between two frequencies: */
	struct frequency_step steps[2];
	uint64_t ops;
	double layout; /* (p90 - p10) / p50 over clones; NaN for one */
	double floor;  /* least clone median */
	/* What is shown first: the median, or what was published. */
	double headline;
	const struct published *published; /* no trials, only this; NULL */
};
/* False where the metric has neither a trial nor a published figure at this
 * point. Of a published one `summary` has what was printed and NaN else; it
 * has 0 trials, and nothing rests on it as on a measured one. */
bool digest_of(const struct results *, const struct point *, unsigned metric,
	struct digest *);

/* The core's frequency beside a point's trials, by the canaries: median over
 * the launches of what was usual in each (sharing.h). NaN where there was no
 * canary, or cycles are not trusted. It is not the clock's core_hz: wide
 * vectors and more busy cores slow a core down. */
double results_core_hz(const struct results *, const struct point *);
/* Is that more than 2 % off the clock's? */
bool results_core_apart(const struct results *, double hz);

/* Values of a metric at a point in the order they were taken, to be freed:
 * for histograms. Flags may be NULL. The warm-up is left out, so that a
 * histogram counts the trials that the digest's shares are of. */
size_t results_values(const struct results *, const struct point *,
	unsigned metric, enum scale, double **values, uint16_t **flags);
/* Medians of the headline's regime per launch with their times; both to be
 * freed. */
size_t results_launch_medians(const struct results *, const struct point *,
	unsigned metric, enum scale, double **medians, double **at_s);
/* The least clone median of one launch in the headline's regime; NaN without
 * trials of it. */
double results_launch_floor(const struct results *, const struct point *,
	unsigned metric, unsigned launch, enum scale);
/* The headline of a metric at a point: false where there is none, or nothing
 * clean to take it from. For findings. */
bool results_median(const struct results *, const struct point *,
	unsigned metric, double *median);
/* The line through those headlines over what across() makes of a point's
 * arguments; where that is NaN the point has no part in it. `first` are the
 * arguments of the first that has: of a wider sweep the others should be like
 * it. False below three points. */
bool results_slope(const struct results *, unsigned metric,
	double (*across)(const void *args, const void *first), struct slope *);
/* The run is over: computes and keeps the figures that memo.h can keep. */
void results_keep_figures(struct results *);
/* Ticks of the clock per operation, weighted as the metric is derived. */
double results_ticks_per_operation(const struct results *, const struct point *,
	unsigned metric, double ticks);
/* What is the smallest difference one trial can show, in the unit? */
double results_quantum(const struct results *, const struct point *,
	unsigned metric);

#endif
