/*
 * Comparison of two sessions: differing conditions, and for every metric at
 * every point that both have, whether the second session is slower.
 *
 * Two points are the same if all parameters that both sides name have equal
 * values, and if the level of memory that served them is equal or not stated.
 * If a point was measured several times, the latest is used. A published figure
 * (results.h) may lack a parameter; it is compared with one point, the last
 * that matches.
 *
 * Measured figures are compared by launch medians (compare.h). Ratios of rates
 * are inverted, so that above 1 always means slower. A published figure has no
 * launches: only the ratio of the figures is given, without interval and
 * verdict. Figures of memory that follow the memory ruler are compared at the
 * same reading of it (ruled.h); the measured ratio is kept too.
 *
 * The threshold, below which a proven change is small, is 1 % plus the
 * difference of the core's frequency beside the trials of both points (of the
 * canary's time between the sessions where that is not known). On another
 * processor this difference is not added, nor is it in cycles. A change in time
 * beyond 1 % that is equivalent in cycles is explained by the clock.
 *
 * In a guest the threshold is 10 % plus that difference. The launches of one
 * session show neither which core the host chose nor where its memory is.
 * Sessions of an unchanged guest, minutes apart, differed by up to 7 % in
 * calls, beyond their intervals (190 pairs of 20 sessions at changing load),
 * and by up to 20 % where tasks wait for each other (TRAIT_BLOCKS,
 * TRAIT_PARTIES), for which the threshold is 20 %. Figures with a memory ruler
 * have 20 % plus the difference of both sessions' rulers.
 *
 * What guests share besides the core has no bound: loads from 64 MiB became 2.3
 * times as fast, a read from a file 1.6 times and a new file 5 times as slow.
 * No canary shows it, so between sessions of a guest such a change is
 * inconclusive (by_host): of figures without cycles, with a memory ruler, of
 * page faults, of several threads, and of all of files and networks. Many
 * sessions can prove it (run_history.h), and so can `ab`, which alternates
 * within a session and keeps 1 %. For the differences of cloud instances see
 * Laaber et al., "Software microbenchmarking in the cloud", 2019.
 *
 * A pair borrows both sessions, which must outlive it.
 */
#ifndef BENCHTOP_COMPARE_SESSIONS_H
#define BENCHTOP_COMPARE_SESSIONS_H

#include "compare.h"
#include "digest.h"
#include "json.h"
#include "pairs.h"
#include "ruled.h"
#include "session.h"

struct compare_side {
	const struct results *run;
	const struct point *point;
	unsigned metric;
	double figure; /* the headline, in the metric's unit */
	double half; /* of its interval, relative; NaN: no interval */
	size_t launches;
	bool published;
	enum regime regime; /* of the headline */
	enum quality quality;
	bool crowded;     /* "shared core" because of other tasks: digest.h */
	bool beside;      /* a co-runner or other tasks may have changed it,
			   * however precise it is */
	double shared;    /* shared fraction of the trials */
	double not_alone; /* fraction that was shared, mixed or interrupted */
};

/* Thresholds at one frequency: of one machine, of two sessions of a guest, and
 * of these where tasks wait for each other. */
#define COMPARE_DELTA .01
#define COMPARE_DELTA_GUEST .1
#define COMPARE_DELTA_WIDE .2

enum compare_basis {
	COMPARE_LAUNCHES, /* tested */
	COMPARE_FIGURES,  /* one side is published */
	/* The headline of a side is from a shared core, where co-runners
	 * determine the result, or has not enough data (quality.h). */
	COMPARE_UNDECIDED,
	COMPARE_TOO_FEW,  /* a side has fewer than 4 launches */
	COMPARE_NO_RATIO, /* values are not all above 0 */
};

struct compare_row {
	struct compare_side first, second;
	enum compare_basis basis;
	bool paired;        /* two points of one run, measured alternately */
	struct pairs pairs; /* valid then; in time */
	double ratio;           /* above 1: the second is slower */
	struct comparison time; /* with COMPARE_LAUNCHES, as all below */
	/* At the same reading of the memory ruler, if values follow it.
	 * `measured` is the uncorrected `time`. */
	struct ruled_fit ruled; /* `ratio` is always set; NaN without a ruler */
	struct comparison measured;
	double p_holm;          /* NaN if not tested */
	double delta;           /* the threshold */
	enum verdict verdict;
	bool holds;     /* p_holm < .05: significant among all tests */
	size_t more;    /* launches that may decide, for VERDICT_INCONCLUSIVE */
	double visible; /* the smallest detectable change, from the threshold */
	bool has_cycles;
	struct comparison cycles;
	double cycles_delta; /* the threshold in cycles */
	enum verdict cycles_verdict;
	bool by_clock; /* a change in time at one frequency, none in cycles */
	/* Other guests of the host may change the figure. A change is then
	 * `by_host`, and the verdict is inconclusive. */
	bool of_host, by_host;
};

struct compare_difference {
	char *what, *first, *second;
};

struct compare_pair {
	const struct session *first, *second;
	bool same_processor;
	struct compare_difference *differences;
	size_t difference_count;
	double drift; /* of the canary, a fraction; NaN: unknown */
	bool guest;   /* at least one session is from a virtual machine */
	double delta; /* threshold at one frequency, without a memory ruler */
	struct compare_row *rows; /* in the order of the second session */
	size_t row_count;
	/* Experiments without a row: in one session only, or in both at
	 * different points. */
	struct text only_first, only_second, unlike;
};

struct compare_counts {
	size_t verdicts[VERDICT_INCONCLUSIVE + 1];
	size_t figures, undecided, too_few, by_clock, by_host;
};

void compare_sessions(const struct session *first, const struct session *second,
	struct compare_pair *);
/* Compares two points of one run that were measured alternately by `ab`. They
 * are tested in pairs (pairs.h), so that a shared core does not leave them
 * undecided. first and second stay NULL. */
void compare_points(const struct results *, size_t first, size_t second,
	struct compare_pair *);
void compare_pair_free(struct compare_pair *);

void compare_count(const struct compare_pair *, struct compare_counts *);
/* The thresholds of the tested rows; that of the pair if there are none. */
struct range compare_thresholds(const struct compare_pair *);
/* True if the second side is proven slower, beyond the threshold and among all
 * tests, and its estimate is at least `slower` (.05 for 5 %). Metrics without a
 * better direction never fail. */
bool compare_row_fails(const struct compare_row *, double slower);
/* The same of a change that other guests may have made. */
bool compare_row_may_fail(const struct compare_row *, double slower);
/* True if the row is undecided because the core of a side was shared. */
bool compare_row_shared(const struct compare_row *);

/* How much the sides shared: the fraction of their processors that other tasks
 * used, if those are the reason of a side, else of the trials that did not run
 * alone. */
struct compare_shares {
	bool others;
	double first, second;
};
struct compare_shares compare_shares_of(const struct compare_side *first,
	const struct compare_side *second);
/* "slower", "higher" if no direction is better, "published", .. */
const char *compare_row_word(const struct compare_row *);

/* Adds the members of the pair to a JSON object. */
void compare_write(const struct compare_pair *, cJSON *object);

#endif
