/* Figures, computed when they must be. */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bins.h"
#include "grid.h"
#include "memory.h"
#include "print_compare.h"
#include "quantile.h"
#include "regime.h"
#include "tick.h"

enum {
	CURVE_VALUES = 5000,   /* of a cumulative curve */
	LAYOUT_VALUES = 20000, /* tell where bins lie, however many there are */
	LIVE_TRIALS = 4000,   /* of a point are looked at while a run goes on */
	FEW = 8,              /* values have no quartiles worth it */
	MOMENT_NS = 10000000, /* for the points of a live sweep, in one go */
	REST_NS = 200000000,  /* between two updates of a live run */
	REST_FACTOR = 500,    /* times the processor time of an update */
};

/* Values of trials, in their order, with their flags; owned. */
struct drawn {
	double *values;
	uint16_t *flags;
	size_t count;
	bool part; /* one in so many of those that are looked at */
};

/* The values that are shown no further than `last`; all values where so few
 * are that they have no quartiles to lay out bins by. Room for two more. */
static double *shown_values(enum regime regime, enum shown last,
	const struct drawn *drawn, size_t *kept)
{
	const double *values = drawn->values;
	size_t n = drawn->count;

	double *shown = xmalloc((n + 3) * sizeof *shown);

	*kept = 0;
	for (size_t i = 0; i < n; i++)
		if (regime_shows(regime, SCALE_UNIT, drawn->flags[i]) <= last)
			shown[(*kept)++] = values[i];
	if (*kept < FEW) {
		memcpy(shown, values, n * sizeof *shown);
		*kept = n;
	}
	return shown;
}

/* Keeps so many of the sorted values, the first and the last among them, that
 * a curve of them is right to less than a dot. */
static void keep_curve(struct figures *figures, const double *sorted, size_t n)
{
	size_t count = n < CURVE_VALUES ? n : CURVE_VALUES;

	free(figures->curve);
	figures->curve = xcalloc(count + 1, sizeof *figures->curve);
	figures->curve_count = count;
	for (size_t i = 0; i < count; i++)
		figures->curve[i] =
			sorted[count < 2 ? 0 : i * (n - 1) / (count - 1)];
}

static size_t trials_of(const struct point *point)
{
	size_t trials = 0;

	for (size_t v = 0; v < point->visit_count; v++)
		trials += point->visits[v].trials;
	return trials;
}

/* What happens at every so many trials, as canaries do, must not meet each or
 * none of those that are looked at. */
static size_t prime_from(size_t n)
{
	for (size_t i = 2; i * i <= n; i++)
		if (n % i == 0)
			return prime_from(n + 1);
	return n;
}

/* The results as they are looked at: for the moment, not owned. */
static struct results look_at(const struct figures *figures, size_t point)
{
	struct results results = *figures->results;
	size_t trials = trials_of(&results.points[point]);

	if (figures->live)
		results.each =
			prime_from((trials + LIVE_TRIALS - 1) / LIVE_TRIALS);
	return results;
}

static struct drawn draw_values(const struct results *results,
	const struct point *point)
{
	struct drawn drawn = { 0 };

	drawn.count = results_values(results, point, 0, SCALE_UNIT,
		&drawn.values, &drawn.flags);
	return drawn;
}

static void drawn_free(struct drawn *drawn)
{
	free(drawn->values);
	free(drawn->flags);
}

/* An even part of the values; where hardly any of these is of the headline,
 * all of them. */
static struct drawn layout_values(const struct figures *figures,
	const struct results *looked)
{
	const struct digest *digest = &figures->digest;
	const struct point *point = &looked->points[figures->point];
	struct results thin = *looked;
	size_t each = looked->each > 1 ? looked->each : 1, headline = 0;

	if (digest->trials > LAYOUT_VALUES)
		thin.each = prime_from(each * digest->trials / LAYOUT_VALUES);
	struct drawn drawn = draw_values(&thin, point);
	drawn.part = thin.each != looked->each;
	for (size_t i = 0; i < drawn.count; i++)
		headline += regime_shows(digest->regime, SCALE_UNIT,
				    drawn.flags[i]) == SHOWN_HEADLINE;
	if (headline >= FEW || digest->summary.trials < FEW)
		return drawn;
	drawn_free(&drawn);
	return draw_values(looked, point);
}

/* Those shown no further than `last`, sorted; of a part with the least and the
 * largest of all the headline's. */
static double *sorted_values(const struct figures *figures, enum shown last,
	const struct drawn *drawn, size_t *kept)
{
	const struct digest *digest = &figures->digest;
	double *sorted = shown_values(digest->regime, last, drawn, kept);

	if (drawn->part && digest->summary.trials >= FEW) {
		sorted[(*kept)++] = digest->summary.min;
		sorted[(*kept)++] = digest->summary.max;
	}
	values_sort(sorted, *kept);
	return sorted;
}

/* Bins by the values of both regimes, counts of all; the curve is of the
 * headline's. */
static void make_histogram(struct figures *figures)
{
	const struct results looked = look_at(figures, figures->point);
	const struct point *point = &looked.points[figures->point];
	int columns = figures->columns >> figures->options.coarser;
	struct drawn drawn = layout_values(figures, &looked);
	size_t kept;
	double *sorted = sorted_values(figures, SHOWN_OTHER, &drawn, &kept);

	histogram_free(&figures->histogram);
	histogram_layout(&figures->histogram, sorted, kept,
		results_quantum(&looked, point, 0),
		(size_t)(columns < 1 ? 1 : columns), figures->options.scale);
	bins_count(&figures->histogram, &looked, point,
		figures->digest.regime);
	free(sorted);
	sorted = sorted_values(figures, SHOWN_HEADLINE, &drawn, &kept);
	keep_curve(figures, sorted, kept);
	free(sorted);
	drawn_free(&drawn);
}

static const struct point_figures nothing_known = { .median = NAN,
	.all = NAN,
	.half = NAN,
	.low = NAN,
	.high = NAN };

static void summarise_point(const struct figures *figures, size_t i,
	struct point_figures *row)
{
	const struct results results = look_at(figures, i);
	const struct point *point = &results.points[i];
	struct digest digest;

	*row = nothing_known;
	row->doubtful = point->state != POINT_OK;
	if (!digest_of(&results, point, 0, &digest))
		return;
	/* A derived metric has no samples of its own to count. */
	row->trials = results.each > 1 ? trials_of(point) : digest.trials;
	row->draws = point_draws(point);
	row->shared = digest.shared;
	row->quality = digest.quality;
	row->all = digest.median_all;
	row->doubtful |=
		digest.quality != QUALITY_GOOD || digest.below_resolution;
	row->any = isfinite(digest.headline);
	row->median = digest.headline;
	if (!digest.summary.has_interval)
		return;
	row->low = digest.summary.interval.low;
	row->high = digest.summary.interval.high;
	row->half = summary_half(&digest.summary);
}

static bool has_grown(const struct point *point,
	const struct point_figures *row)
{
	return row->visits != point->visit_count ||
		row->looked != trials_of(point);
}

static void begin_points(struct figures *figures, size_t count)
{
	figures->points = xcalloc(count, sizeof *figures->points);
	figures->point_count = count;
	figures->next = 0;
	figures->name_columns = 0;
	for (size_t i = 0; i < count; i++) {
		struct text name = { 0 };

		figures->points[i] = nothing_known;
		point_describe(figures->results, &figures->results->points[i],
			true, &name);
		int columns = text_columns(text_chars(&name));
		if (columns > figures->name_columns)
			figures->name_columns = columns;
		text_free(&name);
	}
}

/* All points of a sweep that have grown; while the run goes on in turn and for
 * a moment: a large sweep must not keep a key waiting. */
static void summarise_sweep(struct figures *figures)
{
	const struct results *results = figures->results;
	size_t count = results->point_count;
	uint64_t began_ns = tick_raw_ns();

	if (!figures->points)
		begin_points(figures, count);
	for (size_t k = 0, first = figures->next; k < count; k++) {
		size_t i = (first + k) % count;
		const struct point *point = &results->points[i];
		struct point_figures *row = &figures->points[i];

		if (row->visits && !has_grown(point, row))
			continue;
		summarise_point(figures, i, row);
		figures->summed++;
		row->visits = point->visit_count;
		row->looked = trials_of(point);
		figures->next = (i + 1) % count;
		if (figures->live && tick_raw_ns() - began_ns > MOMENT_NS)
			break;
	}
	figures->most = 0;
	for (size_t i = 0; i < count; i++) {
		const struct point_figures *row = &figures->points[i];

		/* A NaN is never the larger one. */
		figures->most =
			fmax(figures->most, row->any ? row->median : row->all);
	}
}

/* ---- keeping ---------------------------------------------------------- */

static void forget_points(struct figures *figures)
{
	free(figures->points);
	figures->points = NULL;
	figures->point_count = 0;
	figures->next = 0;
}

void figures_free(struct figures *figures)
{
	histogram_free(&figures->histogram);
	free(figures->medians);
	free(figures->at_s);
	free(figures->points);
	free(figures->curve);
	text_free(&figures->verdict);
	*figures = (struct figures){ 0 };
}

void figures_forget(struct figures *figures)
{
	figures->results = NULL;
}

/* Must they be made now, whatever it costs? */
static bool is_other(const struct figures *figures,
	const struct figures *wanted)
{
	return figures->results != wanted->results ||
		figures->point != wanted->point ||
		figures->live != wanted->live;
}

static bool is_other_plot(const struct figures *figures,
	const struct figures *wanted)
{
	return figures->columns != wanted->columns ||
		figures->options.scale != wanted->options.scale ||
		figures->options.coarser != wanted->options.coarser;
}

/* All at once, or the median would be of other trials than the histogram. */
static bool is_due(const struct figures *figures)
{
	if (figures->version == figures->results->version)
		return false;
	return !figures->live ||
		tick_raw_ns() - figures->made_ns >
		REST_NS + REST_FACTOR * figures->took_ns;
}

/* Which launches have visited the point: a sweep's may leave some out. */
static bool *launches_at(const struct results *results,
	const struct point *point)
{
	bool *there = xcalloc(results->launch_count + 1, sizeof *there);

	for (size_t v = 0; v < point->visit_count; v++)
		if (point->visits[v].launch < results->launch_count)
			there[point->visits[v].launch] = true;
	return there;
}

/* The medians of all launches that were at the point, also of those without a
 * clean trial: a gap would hide that they were disturbed. */
static void list_launches(struct figures *figures)
{
	const struct results looked = look_at(figures, figures->point);
	const struct results *results = &looked;
	const struct point *point = &results->points[figures->point];
	bool *there = launches_at(results, point);
	double *medians, *at_s;
	size_t n = results_launch_medians(results, point, 0, SCALE_UNIT,
		&medians, &at_s);
	size_t count = results->launch_count, next = 0;

	free(figures->medians);
	free(figures->at_s);
	figures->medians = xcalloc(count + 1, sizeof(double));
	figures->at_s = xcalloc(count + 1, sizeof(double));
	figures->launches = 0;
	for (size_t i = 0; i < count; i++) {
		size_t to = figures->launches;

		if (!there[i])
			continue;
		bool clean =
			next < n && at_s[next] == results->launches[i].at_s;

		figures->at_s[to] = results->launches[i].at_s;
		figures->medians[to] = clean ? medians[next++] : NAN;
		figures->launches++;
	}
	free(there);
	free(medians);
	free(at_s);
}

static void make_figures(struct figures *figures, const struct session *session)
{
	const struct results results = look_at(figures, figures->point);
	const struct point *point = &results.points[figures->point];
	uint64_t began_ns = tick_used_ns();

	figures->made_ns = tick_raw_ns();
	figures->any = digest_of(&results, point, 0, &figures->digest);
	figures->each = results.each;
	figures->trials =
		results.each > 1 ? trials_of(point) : figures->digest.trials;
	list_launches(figures);
	if (results.point_count > 1)
		summarise_sweep(figures);
	figures->change.any = false;
	text_clear(&figures->verdict);
	if (!figures->live)
		say_ab(&results, &figures->verdict);
	if (figures->any && !figures->live)
		change_find(figures, session);
	if (figures->any)
		make_histogram(figures);
	figures->took_ns = tick_used_ns() - began_ns;
}

void figures_update(struct figures *figures, const struct results *results,
	size_t point, int columns, const struct plot_options *options,
	const struct session *session, bool live)
{
	const struct figures wanted = { .results = results,
		.point = point,
		.columns = columns,
		.options = *options,
		.live = live };
	bool other = is_other(figures, &wanted);
	bool plot = other || is_other_plot(figures, &wanted);

	/* At its end the flags of its last launch have become final. */
	if (figures->results != results || figures->live != live ||
		figures->point_count != results->point_count)
		forget_points(figures);
	figures->results = results;
	figures->point = point;
	figures->columns = columns;
	figures->options = *options;
	figures->live = live;
	if (other || is_due(figures) || (plot && live))
		make_figures(figures, session);
	else if (plot && figures->any)
		make_histogram(figures);
	if (!live)
		figures->version = results->version;
}
