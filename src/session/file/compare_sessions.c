/* Compares two sessions, or two points, row by row. */
#include "compare_sessions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_row.h"
#include "compare_surroundings.h"
#include "digest.h"
#include "memory_level.h"
#include "quality.h"

static const double alpha = .05;

/* ---- matching sides --------------------------------------------------- */

static bool levels_agree(const struct point *a, const struct point *b)
{
	struct serving one, other;

	return !point_serving(a, &one) || !point_serving(b, &other) ||
		serving_same(&one, &other);
}

/* Every parameter that both points have must have the same value. */
static bool same_point(const struct compare_side *a,
	const struct compare_side *b)
{
	for (size_t i = 0; i < b->run->param_count; i++) {
		const char *is = b->point->values[i];
		const char *was =
			point_value(a->run, a->point, b->run->param_names[i]);

		if (was && *was && *is && strcmp(was, is))
			return false;
	}
	return levels_agree(a->point, b->point);
}

static bool same_metric(const struct compare_side *a,
	const struct compare_side *b)
{
	const struct metric_info *was = &a->run->metrics[a->metric];
	const struct metric_info *is = &b->run->metrics[b->metric];

	return !strcmp(a->run->experiment, b->run->experiment) &&
		!strcmp(was->name, is->name) && was->unit == is->unit &&
		was->user_only == is->user_only;
}

static bool is_same(const struct compare_side *a, const struct compare_side *b)
{
	return a->point == b->point && a->metric == b->metric;
}

/* Fills in a side; false if it has no figure. */
static bool side_of(const struct results *run, const struct point *point,
	unsigned metric, struct compare_side *side)
{
	struct digest digest;

	if (run->metrics[metric].kind == METRIC_TRACE ||
		point->state != POINT_OK ||
		!digest_of(run, point, metric, &digest) ||
		!isfinite(digest.headline))
		return false;
	*side = (struct compare_side){
		.run = run,
		.point = point,
		.metric = metric,
		.figure = digest.headline,
		.half = summary_half(&digest.summary),
		.launches = digest.summary.launches,
		.published = digest.published != NULL,
		.regime = digest.regime,
		.quality = digest.quality,
		.shared = digest.shared,
		.crowded = digest.crowded,
		.beside = !run->metrics[metric].steady &&
			!quality_settles(run, point, metric, &digest),
		.not_alone = 1 - digest_alone(&digest),
	};
	return true;
}

struct sides {
	struct compare_side *list; /* latest run first, last point first */
	size_t count;
};

/* Makes each digest once, because a digest reads all trials. */
static void list_sides(const struct session *session, struct sides *sides)
{
	*sides = (struct sides){ 0 };
	for (size_t r = session->run_count; r-- > 0;) {
		const struct results *run = session->runs[r];

		for (size_t p = run->point_count; p-- > 0;)
			for (size_t m = run->metric_count; m-- > 0;) {
				struct compare_side side;

				if (!side_of(run, &run->points[p], (unsigned)m,
					    &side))
					continue;
				ARRAY_GROW(sides->list, sides->count);
				sides->list[sides->count++] = side;
			}
	}
}

/* Is a side already used in a row? A published figure that leaves parameters
 * open fits many points, but is compared with only one. If a point was measured
 * twice, the later measurement counts. */
static bool is_taken(const struct compare_pair *pair,
	const struct compare_side *first, const struct compare_side *second)
{
	for (size_t i = 0; i < pair->row_count; i++) {
		const struct compare_row *row = &pair->rows[i];

		if (first && (first->published || second->published) &&
			is_same(&row->first, first))
			return true;
		if (!first && !second->published && !row->second.published &&
			same_metric(&row->second, second) &&
			row->second.run->param_count ==
				second->run->param_count &&
			same_point(&row->second, second))
			return true;
	}
	return false;
}

static const struct compare_side *partner_of(const struct compare_pair *pair,
	const struct sides *firsts, const struct compare_side *second)
{
	for (size_t i = 0; i < firsts->count; i++) {
		const struct compare_side *first = &firsts->list[i];

		if (same_metric(first, second) && same_point(first, second) &&
			!is_taken(pair, first, second))
			return first;
	}
	return NULL;
}

/* ---- rows ------------------------------------------------------------- */

static void add_row(struct compare_pair *pair, const struct compare_side *first,
	const struct compare_side *second, bool paired)
{
	ARRAY_GROW(pair->rows, pair->row_count);
	struct compare_row *row = &pair->rows[pair->row_count++];

	*row = (struct compare_row){
		.first = *first,
		.second = *second,
		.paired = paired,
	};
	compare_row_fill(row, pair);
}

static void adjust(struct compare_pair *pair)
{
	double *p = xmalloc((pair->row_count + 1) * sizeof *p);

	for (size_t i = 0; i < pair->row_count; i++)
		p[i] = pair->rows[i].p_holm;
	holm_adjust(p, pair->row_count);
	for (size_t i = 0; i < pair->row_count; i++) {
		pair->rows[i].p_holm = p[i];
		pair->rows[i].holds = p[i] < alpha;
	}
	free(p);
}

/* ---- pairs ------------------------------------------------------------ */

/* Rows are found from the last to the first, but shown in the order of the
 * second session. */
static void reverse(struct compare_pair *pair)
{
	for (size_t i = 0; i < pair->row_count / 2; i++) {
		size_t k = pair->row_count - 1 - i;
		struct compare_row row = pair->rows[i];

		pair->rows[i] = pair->rows[k];
		pair->rows[k] = row;
	}
}

static bool has_row(const struct compare_pair *pair, const char *experiment)
{
	for (size_t i = 0; i < pair->row_count; i++)
		if (!strcmp(pair->rows[i].second.run->experiment, experiment))
			return true;
	return false;
}

/* Lists the experiments of a session that have no row. With `both` those that
 * the other session has, too; otherwise those that it lacks. */
static void list_alone(const struct compare_pair *pair,
	const struct session *session, const struct session *other, bool both,
	struct text *text)
{
	for (size_t i = 0; i < session->run_count; i++) {
		const char *name = session->runs[i]->experiment;
		bool last = session_last(session, name) == session->runs[i];

		if (last && !has_row(pair, name) &&
			both == (session_last(other, name) != NULL))
			text_add(text, "%s%s", text->length ? ", " : "", name);
	}
}

void compare_sessions(const struct session *first, const struct session *second,
	struct compare_pair *pair)
{
	struct sides firsts, seconds;

	*pair = (struct compare_pair){ .first = first, .second = second };
	pair->same_processor = !strcmp(first->machine.cpu, second->machine.cpu);
	compare_surroundings(pair);
	pair->drift = canary_drift(first, second);
	pair->guest = *first->machine.hypervisor || *second->machine.hypervisor;
	pair->delta = pair->guest ? COMPARE_DELTA_GUEST : COMPARE_DELTA;
	list_sides(first, &firsts);
	list_sides(second, &seconds);
	for (size_t i = 0; i < seconds.count; i++) {
		const struct compare_side *side = &seconds.list[i];
		const struct compare_side *partner =
			is_taken(pair, NULL, side) ?
			NULL :
			partner_of(pair, &firsts, side);

		if (partner)
			add_row(pair, partner, side, false);
	}
	free(firsts.list);
	free(seconds.list);
	reverse(pair);
	adjust(pair);
	list_alone(pair, first, second, false, &pair->only_first);
	list_alone(pair, second, first, false, &pair->only_second);
	list_alone(pair, second, first, true, &pair->unlike);
}

void compare_points(const struct results *results, size_t first, size_t second,
	struct compare_pair *pair)
{
	/* Pairs are made of trials; without them launches are compared. */
	bool paired = results->plan.abba && !results_stored(results);

	*pair = (struct compare_pair){ .same_processor = true,
		.drift = NAN,
		.delta = COMPARE_DELTA };
	for (unsigned m = 0; m < results->metric_count; m++) {
		struct compare_side a, b;

		if (side_of(results, &results->points[first], m, &a) &&
			side_of(results, &results->points[second], m, &b))
			add_row(pair, &a, &b, paired);
	}
	adjust(pair);
}

void compare_pair_free(struct compare_pair *pair)
{
	for (size_t i = 0; i < pair->difference_count; i++) {
		free(pair->differences[i].what);
		free(pair->differences[i].first);
		free(pair->differences[i].second);
	}
	free(pair->differences);
	free(pair->rows);
	text_free(&pair->only_first);
	text_free(&pair->only_second);
	text_free(&pair->unlike);
	*pair = (struct compare_pair){ 0 };
}

/* ---- summary ---------------------------------------------------------- */

void compare_count(const struct compare_pair *pair,
	struct compare_counts *counts)
{
	*counts = (struct compare_counts){ 0 };
	for (size_t i = 0; i < pair->row_count; i++) {
		const struct compare_row *row = &pair->rows[i];

		if (row->basis == COMPARE_LAUNCHES)
			counts->verdicts[row->verdict]++;
		else if (row->basis == COMPARE_FIGURES)
			counts->figures++;
		else if (row->basis == COMPARE_UNDECIDED)
			counts->undecided++;
		else
			counts->too_few++;
		counts->by_clock += row->by_clock;
		counts->by_host += row->by_host;
	}
}

struct range compare_thresholds(const struct compare_pair *pair)
{
	struct range range = { INFINITY, -INFINITY };

	for (size_t i = 0; i < pair->row_count; i++) {
		const struct compare_row *row = &pair->rows[i];

		if (row->basis != COMPARE_LAUNCHES)
			continue;
		range.low = fmin(range.low, row->delta);
		range.high = fmax(range.high, row->delta);
	}
	return range.low <= range.high ?
		range :
		(struct range){ pair->delta, pair->delta };
}

bool compare_row_fails(const struct compare_row *row, double slower)
{
	return row->basis == COMPARE_LAUNCHES &&
		row->verdict == VERDICT_SLOWER && row->holds &&
		row->ratio >= 1 + slower &&
		compare_row_metric(row)->better != NEITHER_IS_BETTER;
}

bool compare_row_may_fail(const struct compare_row *row, double slower)
{
	return row->by_host && row->holds && row->ratio >= 1 + slower &&
		compare_row_metric(row)->better != NEITHER_IS_BETTER;
}

const char *compare_row_word(const struct compare_row *row)
{
	bool neutral = compare_row_metric(row)->better == NEITHER_IS_BETTER;

	switch (row->basis) {
	case COMPARE_FIGURES:
		return "published";
	case COMPARE_UNDECIDED:
		return "undecided";
	case COMPARE_TOO_FEW:
		return "too few";
	case COMPARE_NO_RATIO:
		return "no ratio";
	case COMPARE_LAUNCHES:
		break;
	}
	return neutral ? verdict_word_neutral(row->verdict) :
			 verdict_word(row->verdict);
}
