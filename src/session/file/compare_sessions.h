/*
 * Two sessions beside one another: what surrounds them that differs, and for
 * every metric at every point that both have, whether the second is slower.
 *
 * Points are the same where every parameter that both sides name has the same
 * value, and the level of memory that served them is the same where both say
 * it. Of a point that was measured more than once the latest counts. A
 * published figure (results.h) may leave a parameter open; it is held against
 * one point, the last that fits.
 *
 * What was measured is compared by launch medians (compare.h); ratios of
 * rates are inverted, so that above 1 is slower everywhere. A published figure
 * has no launches: the ratio of the figures is all there is, without an
 * interval and without a verdict.
 *
 * Figures of memory that follow the memory ruler are compared at the same
 * reading of it (ruled.h); the ratio as measured is kept beside.
 *
 * The threshold, below which a proven change is small, is 1 %, or by how much
 * the canary's time differs between the sessions if that is more: what moved
 * the canary moves everything. On another processor the canary is another
 * one, and says nothing. In cycles the threshold is always 1 %, and a change
 * in time that is none in cycles is explained by the clock.
 *
 * In a guest the threshold is at least 5 %. Launches of one session show
 * neither which core the host chose nor where its memory lies: sessions of an
 * unchanged guest, minutes apart, differed by up to 5 % in switches and calls
 * and by up to 20 % in loads from memory, beyond their intervals. So for
 * figures that have a memory ruler it is 20 %, and to that is added how far
 * the rulers of both sessions are apart. `ab`, which takes turns within a
 * session, keeps 1 %. For how far instances of clouds differ see Laaber et al.,
 * "Software microbenchmarking in the cloud", 2019.
 *
 * A pair borrows both sessions: they must outlive it.
 */
#ifndef BENCHTOP_COMPARE_SESSIONS_H
#define BENCHTOP_COMPARE_SESSIONS_H

#include "compare.h"
#include "json.h"
#include "pairs.h"
#include "ruled.h"
#include "session.h"

struct compare_side {
	const struct results *run;
	const struct point *point;
	unsigned metric;
	double figure; /* the headline, in the metric's unit */
	size_t launches;
	bool published;
	enum regime regime; /* of the headline */
	enum quality quality;
	double shared; /* share of the trials */
};

enum compare_basis {
	COMPARE_LAUNCHES, /* tested */
	COMPARE_FIGURES,  /* one side is published */
	/* A side's headline is of a shared core, where co-runners decide what
	 * is measured, or it has not enough data (quality.h). */
	COMPARE_UNDECIDED,
	COMPARE_TOO_FEW,  /* a side has fewer than 4 launches */
	COMPARE_NO_RATIO, /* values are not all above 0 */
};

struct compare_row {
	struct compare_side first, second;
	enum compare_basis basis;
	bool paired;        /* two points of one run that took turns */
	struct pairs pairs; /* then: in time */
	double ratio;           /* above 1: the second is slower */
	struct comparison time; /* COMPARE_LAUNCHES, as all below */
	/* At the same reading of the memory ruler, where values follow it;
	 * `measured` is what `time` was without. */
	struct ruled_fit ruled; /* `ratio` always, NaN without a ruler */
	struct comparison measured;
	double p_holm;          /* NaN where it is not tested */
	double delta;           /* its threshold */
	enum verdict verdict;
	bool holds;     /* p_holm < .05: it stands among all the others */
	size_t more;    /* launches that may decide; VERDICT_INCONCLUSIVE */
	double visible; /* the smallest change that could have been seen */
	bool has_cycles;
	struct comparison cycles;
	enum verdict cycles_verdict;
	bool by_clock; /* a change in time, equivalent in cycles */
};

struct compare_difference {
	char *what, *first, *second;
};

struct compare_pair {
	const struct session *first, *second;
	bool same_processor;
	struct compare_difference *differences;
	size_t difference_count;
	double drift; /* of the canary, a share; NaN: not known */
	bool guest;   /* one session at least is of a virtual machine */
	double delta; /* without a memory ruler */
	struct compare_row *rows; /* in the order of the second session */
	size_t row_count;
	/* Experiments without a row: of one session, or of both at points that
	 * are not the same. */
	struct text only_first, only_second, unlike;
};

struct compare_counts {
	size_t verdicts[VERDICT_INCONCLUSIVE + 1];
	size_t figures, undecided, too_few, by_clock;
};

void compare_sessions(const struct session *first, const struct session *second,
	struct compare_pair *);
/* Two points of one run that took turns, as `ab` measures them: tested in pairs
 * (pairs.h), so that a shared core does not leave them undecided. first and
 * second stay NULL. */
void compare_points(const struct results *, size_t first, size_t second,
	struct compare_pair *);
void compare_pair_free(struct compare_pair *);

void compare_count(const struct compare_pair *, struct compare_counts *);
/* Is the second proven slower, beyond the threshold and among all the tests,
 * and by its estimate at least this much (.05 for 5 %)? Metrics of which
 * neither direction is better never fail. */
bool compare_row_fails(const struct compare_row *, double slower);
/* Is it undecided because the core of a side was shared? */
bool compare_row_shared(const struct compare_row *);
/* "slower", "higher" where neither is better, "published", .. */
const char *compare_row_word(const struct compare_row *);

/* The pair as an object of JSON. */
void compare_write(const struct compare_pair *, cJSON *object);

#endif
