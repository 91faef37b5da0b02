/* A sweep as plain text: a row per point. */
#include "print_rows.h"

#include <math.h>
#include <string.h>

#include "digest.h"
#include "judgement.h"
#include "memory_level.h"
#include "print_published.h"
#include "quality.h"
#include "wrap.h"

/* The words for the quality of a row, with their explanations for the legend.
 * In the order of the bits below. */
static const struct trust {
	const char *word, *says; /* NULL: depends on the run */
} trusts[] = {
	{ "below", "less than the clock resolves, at most the figure" },
	{ "rough", "wide interval, or trials that never settled" },
	{ "shared core", "beside a co-runner or other tasks" },
	{ "not enough data", NULL },
	{ "unverified", NULL },
};

/* The words and conditions that occurred in the rows. */
struct legend {
	unsigned seen;          /* bits of trusts[] */
	const char *unverified; /* the first reason */
	bool apart;             /* frequency differs from the head line's */
	bool shared;            /* a row has a share of shared trials */
};

enum { TRUSTS = sizeof trusts / sizeof *trusts };

enum {
	BELOW = 1 << 0,
	ROUGH = 1 << 1,
	SHARED = 1 << 2,
	NOT_ENOUGH = 1 << 3,
	UNVERIFIED = 1 << 4,
};

static unsigned trust_of(const struct point *point, const struct digest *digest)
{
	static const unsigned of[] = {
		[QUALITY_GOOD] = 0,
		[QUALITY_ROUGH] = ROUGH,
		[QUALITY_SHARED_CORE] = SHARED,
		[QUALITY_NOT_ENOUGH] = NOT_ENOUGH,
	};
	unsigned words = point->why ? UNVERIFIED : 0;

	if (digest->below_resolution && digest->quality != QUALITY_NOT_ENOUGH)
		return words | BELOW;
	return words | of[digest->quality];
}

static void say_row_trust(const struct point *point,
	const struct digest *digest, struct legend *legend, struct text *text)
{
	unsigned words = trust_of(point, digest);

	if (point->state == POINT_INVALID) {
		text_add(text, "invalid: %s", point->why);
		return;
	}
	legend->seen |= words;
	if (!legend->unverified)
		legend->unverified = point->why;
	for (unsigned i = 0; i < TRUSTS; i++) {
		if (!(words & (1u << i)))
			continue;
		text_add(text, "%s ", trusts[i].word);
		if (1u << i == BELOW)
			unit_show(text, UNIT_NS, digest->resolution);
		text_add_char(text, ' ');
	}
}

static void explain_trust(const struct results *results,
	const struct legend *legend, unsigned i, struct text *text)
{
	if (1u << i == NOT_ENOUGH)
		text_add(text,
			"fewer than six launches, or an interval of more than "
			"+-%.3g %%",
			quality_widest(results) * 100);
	else
		text_add(text, "%s",
			trusts[i].says ? trusts[i].says : legend->unverified);
}

static void print_legend(const struct results *results,
	const struct legend *legend, struct text *text)
{
	if (legend->apart) {
		text_add(text,
			"  at: core frequency beside the trials, where it is "
			"2 %% off the calibration's ");
		unit_show(text, UNIT_HZ, results->clock.core_hz);
		text_add_char(text, '\n');
	}
	if (legend->shared)
		text_add(text,
			"  shared: part of the trials, beside a co-runner\n");
	for (unsigned i = 0; i < TRUSTS; i++) {
		if (!(legend->seen & (1u << i)))
			continue;
		text_add(text, "  %s: ", trusts[i].word);
		explain_trust(results, legend, i, text);
		text_add_char(text, '\n');
	}
}

/* The level of memory that served the point, if known. Also the number of
 * launches that included it, if fewer than all. */
static void say_origin(const struct results *results, const struct point *point,
	struct text *text)
{
	const char *level = point_level(point);
	size_t draws = point_draws(point);

	if (level)
		text_add(text, "%s  ", level);
	if (draws < results->launch_count)
		text_add(text, "%zu of %zu launches  ", draws,
			results->launch_count);
}

/* In a run of `ab`, A and B may have equal values. */
static void name_row(const struct results *results, const struct point *point,
	struct text *name)
{
	if (results->plan.abba)
		text_add(name, "%c ", point == results->points ? 'A' : 'B');
	point_describe(results, point, true, name);
}

static void say_name(const struct results *results, const struct point *point,
	int width, struct text *text)
{
	struct text name = { 0 };

	name_row(results, point, &name);
	text_add(text, "  %-*s ", width, text_chars(&name));
	text_free(&name);
}

static void say_figure(const struct digest *digest, enum unit unit,
	struct text *text)
{
	const struct summary *summary = &digest->summary;
	struct text median = { 0 };

	/* The median of all trials, marked with "~". */
	if (!summary->trials)
		text_add_char(&median, '~');
	unit_show(&median, unit,
		summary->trials ? summary->median : digest->median_all);
	text_add(text, "%12s  ", text_chars(&median));
	text_free(&median);
	if (isfinite(summary_half(summary)))
		text_add(text, "+- %5.2f %%  ", summary_half(summary) * 100);
	else
		text_add(text, "            ");
	if (digest->has_cycles)
		text_add(text, "%9.1f cyc  ", digest->cycles.median);
	if (digest->by_cycles)
		text_add(text, "+- %.2f %% in cycles  ",
			digest_half(digest) * 100);
}

/* The conditions of a point are those of its headline. */
static void say_conditions(const struct results *results,
	const struct point *point, const struct digest *digest,
	struct legend *legend, struct text *text)
{
	if (results_core_apart(results, digest->core_hz)) {
		legend->apart = true;
		say_core(results, digest, text);
		text_add(text, "  ");
	}
	say_origin(results, point, text);
	legend->shared |= digest->shared >= .0005;
	if (digest->shared >= .0005)
		text_add(text, "shared %.3g %%  ", digest->shared * 100);
}

static void print_row(const struct results *results, const struct point *point,
	int width, struct legend *legend, struct text *text)
{
	struct digest digest;

	say_name(results, point, width, text);
	if (point->state == POINT_UNAVAILABLE) {
		text_add(text, "unavailable: %s\n", point->why);
		return;
	}
	if (!digest_of(results, point, 0, &digest)) {
		text_add(text, "%s\n",
			point->why ? point->why : "not measured");
		return;
	}
	if (digest.published) {
		print_published_row(results, point, &digest, text);
		return;
	}
	say_figure(&digest, results->metrics[0].unit, text);
	say_conditions(results, point, &digest, legend, text);
	say_row_trust(point, &digest, legend, text);
	text_trim(text);
	text_add_char(text, '\n');
}

/* A metric beside the headline, at the points that have it. */
static void print_also(const struct results *results, unsigned metric,
	int width, struct legend *legend, struct text *text)
{
	const struct metric_info *info = &results->metrics[metric];
	struct digest digest;
	bool any = false;

	if (info->kind == METRIC_TRACE)
		return;
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];

		if (point->state == POINT_UNAVAILABLE ||
			!digest_of(results, point, metric, &digest) ||
			digest.published)
			continue;
		if (!any)
			text_add(text, "  %-*s %12s\n", width, "",
				*info->label ? info->label : info->name);
		any = true;
		say_name(results, point, width, text);
		say_figure(&digest, info->unit, text);
		say_row_trust(point, &digest, legend, text);
		text_trim(text);
		text_add_char(text, '\n');
	}
}

/* The reason why no point of a sweep could run, if it is the same for all; else
 * NULL. */
static const char *none_runs(const struct results *results)
{
	const char *why = results->point_count ? results->points[0].why : NULL;

	for (size_t i = 0; i < results->point_count; i++)
		if (results->points[i].state != POINT_UNAVAILABLE || !why ||
			strcmp(results->points[i].why, why) != 0)
			return NULL;
	return why;
}

static bool any_reason(const struct results *results)
{
	for (size_t i = 0; i < results->point_count; i++)
		if (results->points[i].why)
			return true;
	return false;
}

bool print_no_rows(const struct results *results,
	const struct text_layout *layout, struct text *text)
{
	const char *why = none_runs(results);
	struct text line = { 0 };

	if (why)
		text_add(&line, "  all %zu points are unavailable: %s\n",
			results->point_count, why);
	else if (!results_visited(results) && !results_published(results) &&
		!any_reason(results))
		text_add(&line, "  none of the %zu points was measured\n",
			results->point_count);
	bool none = line.length > 0;
	wrap_lines(text, text_chars(&line), layout->width);
	text_free(&line);
	return none;
}

void print_rows(const struct results *results, struct text *text)
{
	const struct text_layout unbroken = { .width = WRAP_NEVER };
	struct legend legend = { 0 };
	int width = 8;

	if (print_no_rows(results, &unbroken, text))
		return;
	for (size_t i = 0; i < results->point_count; i++) {
		struct text name = { 0 };

		name_row(results, &results->points[i], &name);
		if ((int)name.length > width)
			width = (int)name.length;
		text_free(&name);
	}
	text_add(text, "  %-*s %12s%s\n", width, "",
		results->metrics[0].label,
		results_published(results) ? "" : "  95 % interval");
	for (size_t i = 0; i < results->point_count; i++)
		print_row(results, &results->points[i], width, &legend, text);
	for (unsigned m = 1; m < results->metric_count; m++)
		print_also(results, m, width, &legend, text);
	print_legend(results, &legend, text);
}
