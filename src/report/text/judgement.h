/*
 * Predicted and measured, held against each other.
 *
 * The ratio is measured over the middle of what was predicted, low .. high:
 * the geometric middle, since predictions are wrong by factors, or the
 * arithmetic one where an end is not above 0. The score of a session is the
 * geometric mean of max(r, 1/r) over its experiments, each by the median of
 * its points: 1 is perfect, 2 is "within a factor of two".
 */
#ifndef BENCHTOP_JUDGEMENT_H
#define BENCHTOP_JUDGEMENT_H

#include "print.h"
#include "session.h"

enum judged { JUDGED_NOT, JUDGED_BELOW, JUDGED_WITHIN, JUDGED_ABOVE };

struct judgement {
	enum judged judged;
	const struct prediction *prediction; /* that was judged; NULL: none */
	double measured, ratio; /* NaN where there is nothing to judge */
};

/* The user's prediction speaks of every point of the run, and is held against
 * each; where there is none, the model's of that point. */
struct judgement judge(const struct results *, const struct point *);

/* How the points of a run came out: so many of each. */
struct tally {
	size_t within, below, above;
	size_t unjudged;              /* no figure, or nothing predicted */
	const struct point *farthest; /* outside by the largest factor; NULL */
};
struct tally judge_points(const struct results *);
/* Did a person predict it? */
bool predicted_by_hand(const struct results *);

/* The point that stands for a run: of those that can be judged the one whose
 * distance is the median. NULL: none can be judged. */
const struct point *judged_point(const struct results *);

/* One line: why it came out so, as far as results and machine can tell, or why
 * there is nothing to judge. Always says something. */
void say_reason(const struct results *, const struct point *,
	const struct machine *, struct text *);

/* "1 within it, 2 above; farthest: call=read, 2.4 times the most of it". */
void say_tally(const struct results *, const struct tally *, struct text *);
/* "you predicted 80 ns to 120 ns for each of the 3 points: " and that. Nothing
 * where nobody did, or there is one point. */
void say_points_predicted(const struct results *, struct text *);
/* ", 1 of 3 points within your 80 ns to 120 ns", where that would say
 * something. */
void say_points_held(const struct results *, struct text *);

/* What is said of a run when it has ended, where it has one point and that was
 * predicted: the ratio and the reason, in lines of 80 columns. */
void print_judgement(const struct results *, const struct machine *,
	struct text *);

/* Every experiment of the session: predicted, measured, ratio, reason; and the
 * score. As text, or as an object of JSON. */
void print_score(const struct session *, struct text *);
void write_score(const struct session *, struct text *);

/* False where no experiment of the session can be judged. */
bool session_score(const struct session *, double *score, size_t *experiments);

#endif
