/* Judges a figure by a bound. */
#include "print_bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "print.h"
#include "quality.h"
#include "wrap.h"

enum { INDENT = 5 };

bool bound_is_share(const struct bound *bound)
{
	return !strcmp(bound->stat, "shared") ||
		!strcmp(bound->stat, "excluded");
}

static double quantile_named(const struct summary *summary, const char *stat)
{
	double p = strtod(stat + 1, NULL) / 100;

	for (size_t i = 0; i < SUMMARY_QUANTILES; i++)
		if (fabs(summary_quantile[i] - p) < 1e-9)
			return summary->quantile[i];
	return NAN;
}

static double figure(const struct digest *digest, const struct summary *summary,
	const char *stat)
{
	const struct {
		const char *name;
		double value;
	} figures[] = {
		{ "median", summary->median },
		{ "mean", summary->mean },
		{ "min", summary->min },
		{ "max", summary->max },
		{ "ci_low",
			summary->has_interval ? summary->interval.low : NAN },
		{ "ci_high",
			summary->has_interval ? summary->interval.high : NAN },
		{ "sd_within", summary->sd_within },
		{ "sd_between", summary->sd_between },
		{ "max_deviation", summary->max_deviation },
		{ "shared", digest->shared },
		{ "excluded", digest->excluded },
	};

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		if (!strcmp(stat, figures[i].name))
			return figures[i].value;
	return quantile_named(summary, stat);
}

static const struct summary *summary_for(const struct bound *bound,
	const struct digest *digest)
{
	return bound->in_cycles ? &digest->cycles : &digest->summary;
}

static bool meets(const struct bound *bound, double value)
{
	if (!strcmp(bound->operator, "<"))
		return value < bound->value;
	if (!strcmp(bound->operator, "<="))
		return value <= bound->value;
	if (!strcmp(bound->operator, ">"))
		return value > bound->value;
	return value >= bound->value;
}

static int ends_met(const struct bound *bound, const struct summary *summary)
{
	return meets(bound, summary->interval.low) +
		meets(bound, summary->interval.high);
}

/* How many ends of the median's interval meet the bound; -1: the statistic has
 * no interval. */
static int ends_meeting(const struct bound *bound, const struct digest *digest)
{
	const struct summary *summary = summary_for(bound, digest);

	if ((strcmp(bound->stat, "median") && strcmp(bound->stat, "p50")) ||
		!summary->has_interval)
		return -1;
	return ends_met(bound, summary);
}

/* A co-runner makes figures only worse. So if a figure beside a co-runner meets
 * a bound on good values, it also does on a core of its own. If it misses a
 * bound that asks for bad values, it also does on a core of its own. Other
 * tasks on the same processors change figures in either direction, by up to a
 * factor of two. */
static bool is_beyond_sharing(const struct bound *bound,
	const struct results *results, const struct point *point, double value)
{
	static const double factor = 2;
	enum direction direction = results->metrics[bound->metric].better;
	bool upper = *bound->operator == '<', met = meets(bound, value);

	if (quality_blames_others(results, point, bound->metric))
		return meets(bound, value * factor) == met &&
			meets(bound, value / factor) == met;
	if (direction == NEITHER_IS_BETTER)
		return false;
	return met == (upper == (direction == LESS_IS_BETTER));
}

/* Would more trials or launches give the figure? There are trials, but too few
 * for a quantile or an interval, or the point was not reached. If the metric
 * has no values at this point, or the core's cycles are unknown, measuring
 * again does not help. */
static bool awaits_data(const struct bound *bound, const struct point *point,
	const struct digest *digest, double value)
{
	if (point->state != POINT_OK || isfinite(value))
		return false;
	if (!digest->trials)
		return !point->visit_count;
	return !bound->in_cycles || digest->has_cycles;
}

/* The end of a wide interval decides, unless it misses a bound within the
 * interval: with more data it may meet it. */
static bool lacks_data(const struct bound *bound, const struct digest *digest,
	double value, bool met)
{
	bool end = !strcmp(bound->stat, "ci_low") ||
		!strcmp(bound->stat, "ci_high");

	if (digest->quality != QUALITY_NOT_ENOUGH || !isfinite(value))
		return false;
	return !end || (!met && ends_met(bound, summary_for(bound, digest)));
}

/* The quality is that of the cycles, and the bound of a time is within its
 * wider interval. */
static bool is_blurred(const struct bound *bound, const struct digest *digest)
{
	return digest->by_cycles && !bound->in_cycles &&
		ends_meeting(bound, digest) == 1;
}

static enum bound_judged judge_value(const struct bound *bound,
	const struct results *results, const struct point *point,
	const struct digest *digest, double value)
{
	bool met = meets(bound, value);

	if (bound_is_share(bound) || digest->published)
		return met ? BOUND_MET : BOUND_MISSED;
	if (awaits_data(bound, point, digest, value) ||
		lacks_data(bound, digest, value, met))
		return BOUND_UNDECIDED;
	if (isfinite(value) &&
		!quality_settles(results, point, bound->metric, digest) &&
		!is_beyond_sharing(bound, results, point, value))
		return quality_blames_others(results, point, bound->metric) ?
			BOUND_CROWDED :
			BOUND_UNDECIDED;
	if (is_blurred(bound, digest))
		return BOUND_BLURRED;
	return met ? BOUND_MET : BOUND_MISSED;
}

static enum unit unit_of(const struct bound *bound,
	const struct results *results)
{
	if (bound_is_share(bound))
		return UNIT_PERCENT;
	return bound->in_cycles ? UNIT_CYCLES :
				  results->metrics[bound->metric].unit;
}

/* Why there is no figure or no answer, or that the answer is close. */
static void say_doubt(const struct bound *bound, const struct point *point,
	const struct digest *digest, double value, enum bound_judged judged,
	struct text *text)
{
	if (point->state != POINT_OK) {
		text_add(text, " (%s)", point->why);
	} else if (judged == BOUND_BLURRED) {
		text_add(text,
			" (the interval contains the bound, since the core's "
			"frequency changed: state the bound in cycles)");
	} else if (awaits_data(bound, point, digest, value) &&
		digest->quality != QUALITY_NOT_ENOUGH) {
		text_add(text, " (not enough data for %s)", bound->stat);
	} else if (judged == BOUND_UNDECIDED || judged == BOUND_CROWDED) {
		text_add(text, " (");
		say_quality(digest, text);
		text_add_char(text, ')');
	} else if (!isfinite(value)) {
		text_add(text, " (no such figure)");
	} else if (ends_meeting(bound, digest) == 1) {
		text_add(text, " (the interval contains the bound)");
	}
}

enum bound_judged print_bound(const struct bound *bound,
	const struct results *results, const struct point *point,
	const struct text_layout *layout, struct text *text)
{
	static const char *const words[] = { "ok  ", "FAIL", "?   ", "?   ",
		"?   " };
	struct digest digest = { .quality = QUALITY_GOOD };
	enum unit unit = unit_of(bound, results);
	struct text line = { 0 };
	double value = NAN;

	if (point->state == POINT_OK &&
		digest_of(results, point, bound->metric, &digest) &&
		(!bound->in_cycles || digest.has_cycles))
		value = figure(&digest, summary_for(bound, &digest),
			bound->stat);
	enum bound_judged judged =
		judge_value(bound, results, point, &digest, value);
	text_add(text, "%s ", words[judged]);
	text_add(&line, "%s", results->experiment);
	if (bound->metric)
		text_add(&line, ".%s", results->metrics[bound->metric].name);
	text_add_char(&line, ' ');
	point_describe(results, point, true, &line);
	text_add(&line, " %s ", bound->stat);
	unit_show(&line, unit, value);
	text_add(&line, " %s ", bound->operator);
	unit_show(&line, unit, bound->value);
	say_doubt(bound, point, &digest, value, judged, &line);
	wrap(text, line.chars, INDENT, layout->width);
	text_free(&line);
	return judged;
}
