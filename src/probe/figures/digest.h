/*
 * The figures of a run, computed from its trials on request, so that a figure
 * read from a file is the figure that was printed. memo.h caches some of them.
 * tests/cli/recompute.py defines the same figures in another language.
 */
#ifndef BENCHTOP_DIGEST_H
#define BENCHTOP_DIGEST_H

#include "results.h"
#include "slope.h"

enum scale {
	SCALE_UNIT,   /* the metric's unit; ns for times */
	SCALE_CYCLES, /* core cycles, only for timed and derived metrics */
	SCALES,
};

/* The value per operation of trial `i` of a visit, without overhead, and its
 * flags. False if there is no such trial. */
bool results_trial(const struct results *, const struct point *,
	unsigned metric, size_t visit, size_t i, enum scale, double *value,
	unsigned *flags);

/* The condition of trials; regime.h. */
enum regime {
	REGIME_POOLED, /* any: it has no effect, or is unknown */
	REGIME_ALONE,  /* on an unshared core */
	REGIME_SHARED, /* beside a co-runner on the core */
	REGIMES,
};
const char *regime_name(enum regime);
/* REGIMES if there is none of that name, or no name (NULL). */
enum regime regime_named(const char *name);

/* How reliable a headline is; quality.h. */
enum quality {
	QUALITY_GOOD,
	QUALITY_ROUGH,
	QUALITY_SHARED_CORE,
	QUALITY_NOT_ENOUGH,
	QUALITIES,
};

/* Figures of the launches in one regime. */
struct regime_figures {
	size_t trials, launches; /* launches with enough such trials */
	double median;           /* of their medians; NaN: none */
	bool has_interval;
	struct interval interval;
};

/* Slowdown by a co-runner: shared over alone, within launches with both. */
struct slowdown {
	size_t launches;
	double factor; /* median; NaN: no launch has both */
	bool has_interval;
	struct range interval;
};

/* Figures at one of two frequencies; frequency_steps.h. */
struct frequency_step {
	double hz;     /* of the core */
	double share;  /* fraction of the trials of both, 0 .. 1 */
	double median; /* of launches; NaN: none */
	size_t launches;
};

struct digest {
	size_t trials; /* total number */
	/* Each trial is counted under its first flag. Two exceptions: a warm-up
	 * trial is counted as warm-up, and an interrupted or mixed trial is not
	 * counted as shared or at another frequency. With the trials without
	 * flags they sum to `trials`. */
	size_t by_flag[FLAG_COUNT];
	/* Fractions of the trials after the warm-up, 0 .. 1. */
	double excluded;    /* not in the figure: interrupted, and mixed unless
			     * the regime is pooled */
	double mixed;       /* in a pooled figure, else excluded: 0 */
	double frequency;   /* at another frequency, and not excluded */
	double shared;      /* beside a co-runner, and not excluded */
	bool unsteady;      /* a quarter of the visits found no steady state */
	enum regime regime; /* of the headline */
	enum quality quality;
	bool crowded; /* "shared core" because of other tasks; quality.h */
	struct regime_figures by_regime[REGIMES];
	struct slowdown slowdown;
	struct summary summary; /* of the headline, in the metric's unit */
	double median_all;      /* of all trials except FLAGS_NO_FIGURE */
	double resolution;      /* 3 jitters / ops; a smaller value is not a
				 * figure */
	bool below_resolution;
	bool has_cycles;
	struct summary cycles; /* of the same regime */
	bool by_cycles;        /* their interval is judged; quality.h */
	double core_hz;        /* beside the trials; NaN: unknown */
	bool stepped;          /* the core changed between two frequencies: */
	struct frequency_step steps[2];
	uint64_t ops;
	double layout; /* (p90 - p10) / p50 over clones; NaN for one clone */
	double floor;  /* smallest clone median */
	/* The main figure: the median, or the published figure. */
	double headline;
	const struct published *published; /* without trials; NULL: measured */
};
/* Returns false if the metric has neither a trial nor a published figure at
 * this point. For a published figure, `summary` has the printed values, else
 * NaN, and 0 trials; it is not used as a basis like a measured figure. */
bool digest_of(const struct results *, const struct point *, unsigned metric,
	struct digest *);
/* Fraction of the trials that are neither excluded nor shared, 0 .. 1. */
double digest_alone(const struct digest *);
/* Sets the fractions of the trials, from their counts by flag and the regime:
 * only a pooled figure contains mixed trials. */
void digest_share(struct digest *);
/* summary_half() of the interval that is judged: in the metric's unit, or in
 * cycles. */
double digest_half(const struct digest *);

/* The unit of a prediction's ranges; the measured figure to compare, NaN if its
 * cycles are not known. */
enum unit prediction_unit(const struct prediction *, enum unit headline);
double prediction_measured(const struct prediction *, const struct digest *);
/* In the headline's unit, for axes: at that point's rate. False: unknown. */
bool prediction_range(const struct prediction *, const struct digest *,
	struct range *);

/* The core's frequency beside a point's trials, from the canaries: the median
 * over launches of the usual value in each (sharing.h). NaN without canaries,
 * or if cycles are not trusted. It can differ from the clock's core_hz, because
 * wide vectors and more busy cores slow a core down. */
double results_core_hz(const struct results *, const struct point *);
/* True if that differs from the clock's by more than 2 %. */
bool results_core_apart(const struct results *, double hz);
/* Its median over the points of a run; without any, the clock's; 0: unknown.
 * Reads all canaries: not for each row or frame. */
double results_usual_hz(const struct results *);

/* Values of a metric at a point in the order of measurement, for histograms;
 * the caller frees them. Flags may be NULL. The warm-up is excluded, so that a
 * histogram counts the same trials as the digest's fractions. */
size_t results_values(const struct results *, const struct point *,
	unsigned metric, enum scale, double **values, uint16_t **flags);
/* Medians per launch in the headline's regime, and the launches' times; the
 * caller frees both. */
size_t results_launch_medians(const struct results *, const struct point *,
	unsigned metric, enum scale, double **medians, double **at_s);
/* The smallest clone median of one launch in the headline's regime; NaN without
 * such trials. */
double results_launch_floor(const struct results *, const struct point *,
	unsigned metric, unsigned launch, enum scale);
/* The headline of a metric at a point, for findings. False if there is none, or
 * no valid trial. */
bool results_median(const struct results *, const struct point *,
	unsigned metric, double *median);
/* The same, for ratios and differences of headlines. False also with not enough
 * data, below the resolution, or not above 0. */
bool results_comparable(const struct results *, const struct point *,
	unsigned metric, double *median);
/* The line through those headlines over the values of across() for a point's
 * arguments; NaN excludes the point. `first` has the arguments of the first
 * point that is included: in a wider sweep, across() should accept only points
 * like it. False with fewer than three points. */
bool results_slope(const struct results *, unsigned metric,
	double (*across)(const void *args, const void *first), struct slope *);
/* Call when the run is over: computes the headline's figures, and caches all
 * figures that are computed from then on (memo.h). */
void results_keep_figures(struct results *);
/* Ticks of the clock per operation, weighted like the metric. */
double results_ticks_per_operation(const struct results *, const struct point *,
	unsigned metric, double ticks);
/* The smallest difference that one trial can show, in the metric's unit. */
double results_quantum(const struct results *, const struct point *,
	unsigned metric);

#endif
