/*
 * Comparison of predictions with measurements.
 *
 * The ratio is the measured figure divided by the middle of the predicted
 * range, low .. high. The middle is the geometric mean of both ends, since
 * predictions are wrong by factors. If an end is not above 0, it is the
 * arithmetic mean.
 *
 * The score of a session is the geometric mean of max(r, 1/r) over its
 * experiments. Each experiment counts with the median over its points. 1 is
 * perfect; 2 means "within a factor of two".
 */
#ifndef BENCHTOP_JUDGEMENT_H
#define BENCHTOP_JUDGEMENT_H

#include "print.h"
#include "session.h"
#include "text_layout.h"

enum judged { JUDGED_NOT, JUDGED_BELOW, JUDGED_WITHIN, JUDGED_ABOVE };

struct judgement {
	enum judged judged;
	const struct prediction *prediction; /* the compared one; NULL: none */
	double measured, ratio; /* NaN if there is nothing to compare */
	enum unit unit;         /* of `measured` */
};

/* Compares the point's figure with the user's prediction, which holds for every
 * point of the run. Without one, uses the model's prediction of that point. */
struct judgement judge(const struct results *, const struct point *);

/* How many points of a run are within, below and above their predictions. */
struct tally {
	size_t within, below, above;
	size_t unjudged;              /* no figure, or no prediction */
	const struct point *farthest; /* outside by the largest factor; NULL */
};
struct tally judge_points(const struct results *);
/* True if the run has a prediction of the user. */
bool predicted_by_hand(const struct results *);

/* The representative point of a run: the one with the median distance from its
 * prediction. NULL: no point can be compared. */
const struct point *judged_point(const struct results *);

/* One line: why the figure misses or meets the prediction, as far as results
 * and machine show, or why there is no comparison. Always adds text. */
void say_reason(const struct results *, const struct point *,
	const struct machine *, struct text *);

/* "1 inside, 2 above; farthest: call=read, 2.4 times the upper bound". */
void say_tally(const struct results *, const struct tally *, struct text *);
/* "you predicted 80 ns to 120 ns for each of the 3 points: ", then say_tally().
 * Adds nothing without a prediction of the user, or for a single point. */
void say_points_predicted(const struct results *, struct text *);
/* ", 1 of 3 points inside your 80..120 ns". Adds nothing without a prediction
 * of the user, or for a single point. */
void say_points_held(const struct results *, struct text *);

/* Prints ratio and reason at the end of a run. Only for a run with one point
 * that has a prediction. */
void print_judgement(const struct results *, const struct machine *,
	const struct text_layout *, struct text *);

/* For every experiment of the session: predicted, measured, ratio and reason;
 * then the score. Written as text, or as a JSON object. */
void print_score(const struct session *, const struct text_layout *,
	struct text *);
void write_score(const struct session *, struct text *);

/* False if no experiment of the session can be compared with a prediction. */
bool session_score(const struct session *, double *score, size_t *experiments);

#endif
