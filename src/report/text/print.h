/*
 * Every figure of a result as plain text, and the sentences that text, screens
 * and reports share.
 */
#ifndef BENCHTOP_PRINT_H
#define BENCHTOP_PRINT_H

#include "digest.h"
#include "results.h"
#include "text.h"

/* Every figure without the histogram, and without line breaks, for a web
 * page. */
void print_figures(const struct results *, struct text *);
/* One metric's values as rows of [low, high) with a count per class of
 * regime_shows(). `bars` adds a bar |@@@@oo!|: @ headline, o the other regime,
 * ! excluded. */
void print_histogram(const struct results *, const struct point *,
	unsigned metric, bool bars, struct text *);

/* Sentences that screens and reports share. */

/* "done: precise to 0.6 % after 10 launches in 1.2 s". */
void say_ending(const struct results *, struct text *);
/* "you predicted 80 to 120 ns, measured 102.7 ns: inside". Adds nothing without
 * a prediction. */
void say_prediction(const struct results *, const struct point *,
	const struct prediction *, struct text *);
/* "2.3 times the upper bound", "30 % below the lower bound": how far a figure
 * lies outside a range. */
void say_outside(double measured, const struct range *, struct text *);
/* ", inside your 80 .. 120 ns", ", 2.4 times the model's max, 133.3 ns". Adds
 * nothing without a prediction. */
void say_place_in_prediction(const struct prediction *, double measured,
	enum unit, struct text *);
/* "shared 12 %, excluded 0.4 % of the trials (3 preempted, 41 mixed)". */
void say_shares(const struct digest *, struct text *);
/* "good", "rough: +-2.3 %", "shared core: 98 % of the trials ..", "not enough
 * data: interval too wide, +-7.1 %" or "..: 5 launches, 6 needed". */
void say_quality(const struct digest *, struct text *);
/* "beside a co-runner 157 ns [155, 160], x1.37". The factor is the ratio of the
 * shared figure to the headline. Adds nothing if the headline is not of the
 * unshared core, or if fewer than six launches have a shared figure. */
void say_other_regime(const struct digest *, enum unit, struct text *);
/* "at 3.70 GHz 116 ns (88 %), at 3.19 GHz 135 ns (12 % of the trials of known
 * frequency)". Adds nothing if there was only one frequency. */
void say_steps(const struct digest *, enum unit, struct text *);
/* "invalid: ..", "rough: ..", "below resolution". Adds nothing for a good
 * figure. */
void say_trust(const struct point *, const struct digest *, struct text *);

/* "at 3.39 GHz" if the core ran at another frequency than the run's head line
 * shows (results_core_apart()). Else adds nothing. */
void say_core(const struct results *, const struct digest *, struct text *);
/* "5.0 cyc at 3.39 GHz", or only the part of it that is known. */
void say_cycles(const struct results *, const struct digest *, struct text *);

/* "6 launches". */
void say_launches(size_t count, struct text *);
/* "33.3..133 ns": both ends of a prediction in the unit of the greater. */
void say_range(struct text *, enum unit, const struct range *);

#endif
