/* Computes figures when needed. */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bins.h"
#include "digest.h"
#include "grid.h"
#include "memory.h"
#include "print_compare.h"
#include "quantile.h"
#include "regime.h"
#include "tick.h"

enum {
	CURVE_VALUES = 5000,   /* values in a cumulative curve */
	LAYOUT_VALUES = 20000, /* values that determine the bins, at most */
	LIVE_TRIALS = 4000,   /* trials per point used during a run */
	FEW = 8,              /* fewer values have no useful quartiles */
	MOMENT_NS = 10000000, /* per update, for the points of a live sweep */
	REST_NS = 200000000,  /* least time between updates of a live run */
	REST_FACTOR = 500,    /* pause, in multiples of an update's processor
			       * time */
};

/* Values of trials in order, with their flags; owned. */
struct drawn {
	double *values;
	uint16_t *flags;
	size_t count;
	bool part; /* a further subset of the trials in use */
};

/* The values of the classes up to `last`; all values if fewer than FEW, since
 * they have no quartiles for a layout. Has room for two more values. */
static double *shown_values(enum regime regime, enum shown last,
	const struct drawn *drawn, size_t *kept)
{
	const double *values = drawn->values;
	size_t n = drawn->count;

	double *shown = xmalloc((n + 3) * sizeof *shown);

	*kept = 0;
	for (size_t i = 0; i < n; i++)
		if (regime_shows(regime, drawn->flags[i]) <= last)
			shown[(*kept)++] = values[i];
	if (*kept < FEW) {
		memcpy(shown, values, n * sizeof *shown);
		*kept = n;
	}
	return shown;
}

/* Keeps evenly spaced sorted values including the first and the last: enough
 * for a curve accurate to less than a dot. */
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

/* The smallest prime from `n` on. Periodic trials, such as canaries, must not
 * coincide with all or none of the sampled trials. */
static size_t prime_from(size_t n)
{
	for (size_t i = 2; i * i <= n; i++)
		if (n % i == 0)
			return prime_from(n + 1);
	return n;
}

/* A temporary copy of the results with the sampling step; nothing in it is
 * owned. */
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

/* An evenly spaced subset of the values; all values if the subset has too few
 * of the headline. */
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
		headline += regime_shows(digest->regime,
				    drawn.flags[i]) == SHOWN_HEADLINE;
	if (headline >= FEW || digest->summary.trials < FEW)
		return drawn;
	drawn_free(&drawn);
	return draw_values(looked, point);
}

/* The values of the classes up to `last`, sorted. A subset also has the
 * minimum and maximum of the headline. */
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

/* Lays out bins by the values of both regimes, counts all trials, and keeps a
 * curve of the headline's values. */
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
	bins_count(&figures->histogram, &looked, point, 0,
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
	row->half = digest_half(&digest);
	row->by_cycles = digest.by_cycles;
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

static void refresh_point(struct figures *figures, size_t i)
{
	const struct point *point = &figures->results->points[i];
	struct point_figures *row = &figures->points[i];

	if (row->visits && !has_grown(point, row))
		return;
	summarise_point(figures, i, row);
	figures->summed++;
	row->visits = point->visit_count;
	row->looked = trials_of(point);
}

/* Updates all points of a sweep that have new trials. During a run, it updates
 * the selected point, then others in turn for MOMENT_NS: a key must not wait
 * for a large sweep. */
static void summarise_sweep(struct figures *figures)
{
	size_t count = figures->results->point_count;
	uint64_t began_ns = tick_raw_ns();

	if (!figures->points)
		begin_points(figures, count);
	refresh_point(figures, figures->point);
	for (size_t k = 0, first = figures->next; k < count; k++) {
		size_t i = (first + k) % count;

		refresh_point(figures, i);
		figures->next = (i + 1) % count;
		if (figures->live && tick_raw_ns() - began_ns > MOMENT_NS)
			break;
	}
	figures->most = 0;
	for (size_t i = 0; i < count; i++) {
		const struct point_figures *row = &figures->points[i];

		/* fmax() ignores NaN. */
		figures->most =
			fmax(figures->most, row->any ? row->median : row->all);
	}
}

/* ---- caching ---------------------------------------------------------- */

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

/* Whether the figures must be computed now, at any cost. */
static bool is_other(const struct figures *figures,
	const struct figures *wanted)
{
	return figures->serial != wanted->serial ||
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

/* Whether an update is due. All figures are updated together, so that the
 * median and the histogram cover the same trials. */
static bool is_due(const struct figures *figures)
{
	if (figures->version == figures->results->version)
		return false;
	return !figures->live ||
		tick_raw_ns() - figures->made_ns >
		REST_NS + REST_FACTOR * figures->took_ns;
}

/* Which launches have visited the point; launches of a sweep may skip
 * points. */
static bool *launches_at(const struct results *results,
	const struct point *point)
{
	bool *there = xcalloc(results->launch_count + 1, sizeof *there);

	for (size_t v = 0; v < point->visit_count; v++)
		if (point->visits[v].launch < results->launch_count)
			there[point->visits[v].launch] = true;
	return there;
}

/* Lists the medians of all launches that visited the point. Launches without a
 * clean trial are included: leaving them out would hide that they were
 * disturbed. */
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
		say_ab(&results, false, &figures->verdict);
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
	const struct figures wanted = { .serial = results->serial,
		.point = point,
		.columns = columns,
		.options = *options,
		.live = live };
	bool other = is_other(figures, &wanted);
	bool plot = other || is_other_plot(figures, &wanted);

	/* When a run ends, the flags of its last launch become final. */
	if (figures->serial != results->serial || figures->live != live ||
		figures->point_count != results->point_count)
		forget_points(figures);
	figures->results = results;
	figures->serial = results->serial;
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
