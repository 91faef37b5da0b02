/* Results as plain text. */
#include "print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judgement.h"
#include "print_compare.h"
#include "print_findings.h"
#include "print_published.h"
#include "wrap.h"

static void add_value(struct text *text, const char *label, enum unit unit,
	double value, double like)
{
	text_add(text, "%s ", label);
	unit_show_beside(text, unit, value, like);
}

static void add_interval(struct text *text, enum unit unit,
	const struct summary *summary)
{
	if (!summary->has_interval) {
		text_add(text, "no interval below 6 launches");
		return;
	}
	unit_show_interval(text, unit, summary->interval.low,
		summary->interval.high, summary->median);
	text_add(text, " 95 %%");
}

/* A median, with as many digits as its interval allows. */
static void add_median(struct text *text, enum unit unit,
	const struct summary *summary)
{
	double width = summary->has_interval ?
		summary->interval.high - summary->interval.low :
		0;

	unit_show_within(text, unit, summary->median, width);
}

/* ---- a single point --------------------------------------------------- */

static void print_quantiles(const struct summary *clean, enum unit unit,
	struct text *text)
{
	double scale;
	const char *prefix = unit_prefix(unit, clean->median, &scale);

	size_t shown = 0;

	for (size_t i = 0; i < SUMMARY_QUANTILES; i++) {
		if (!isfinite(clean->quantile[i]))
			continue;
		text_add(text, "%sp%g %.4g", shown++ ? "  " : "    ",
			summary_quantile[i] * 100, clean->quantile[i] / scale);
	}
	if (shown)
		text_add(text, " %s\n", prefix);
}

/* And at which frequency, where it is not that of the head: once, where there
 * are no cycles. */
static void print_cycles(const struct results *results,
	const struct digest *digest, bool headline, struct text *text)
{
	struct text cycles = { 0 };

	if (digest->has_cycles || headline)
		say_cycles(results, digest, &cycles);
	if (cycles.length)
		text_add(text, "   %s", cycles.chars);
	text_free(&cycles);
}

static void print_metric(const struct results *results,
	const struct point *point, unsigned metric, struct text *text)
{
	const struct metric_info *info = &results->metrics[metric];
	struct digest digest;

	if (!digest_of(results, point, metric, &digest))
		return;
	const struct summary *clean = &digest.clean;
	double like = clean->median;
	text_add(text, "  %-24s ", info->label);
	if (digest.published) {
		print_published(info->unit, digest.published, text);
		return;
	}
	if (!clean->trials) {
		text_add(text, "nothing clean; ~");
		unit_show(text, info->unit, digest.median_all);
		text_add(text, " with the flagged trials\n    ");
		say_flags(&digest, text);
		text_add_char(text, '\n');
		if (point->state == POINT_INVALID)
			text_add(text, "    invalid: %s\n", point->why);
		return;
	}
	add_median(text, info->unit, clean);
	text_add(text, "   ");
	add_interval(text, info->unit, clean);
	print_cycles(results, &digest, !metric, text);
	text_add(text, "\n    ");
	add_value(text, "min", info->unit, clean->min, like);
	add_value(text, "  mean", info->unit, clean->mean, like);
	add_value(text, "  max", info->unit, clean->max, like);
	text_add(text, "\n    ");
	add_value(text, "sd within", info->unit, clean->sd_within, like);
	add_value(text, "  sd between", info->unit, clean->sd_between, like);
	add_value(text, "  max deviation", info->unit, clean->max_deviation,
		like);
	text_add_char(text, '\n');
	print_quantiles(clean, info->unit, text);
	text_add(text, "    %llu ops x %zu trials, %zu launches; ",
		(unsigned long long)(digest.ops ? digest.ops : 1),
		digest.trials, clean->launches);
	say_flags(&digest, text);
	if (isfinite(digest.layout))
		text_add(text, "; layout moves it by %.3g %%",
			digest.layout * 100);
	text_add(text, "\n    ");
	say_trust(point, &digest, text);
	/* Nothing to say: take the indentation back. */
	if (!strcmp(text->chars + text->length - 5, "\n    "))
		text->chars[text->length -= 4] = '\0';
	else
		text_add_char(text, '\n');
}

static void print_metrics(const struct results *results,
	const struct point *point, struct text *text)
{
	for (unsigned m = 0; m < results->metric_count; m++)
		print_metric(results, point, m, text);
}

/* ---- a sweep ---------------------------------------------------------- */

/* What a row says of its trust in one word, explained once below the rows; in
 * the order of the bits below. */
static const struct trust {
	const char *word, *says;
} trusts[] = {
	{ "unusable",
		"more than a quarter of the trials are flagged, run it again" },
	{ "below", "less than the clock can tell, at most what is named" },
	{ "disturbed", "flagged trials are many or move the median" },
	{ "unsteady", "a quarter of the launches never settled" },
	{ "unverified", NULL },
};

/* What the rows have said. */
struct legend {
	unsigned seen;          /* bits of trusts[] */
	const char *unverified; /* the first reason */
	bool apart;             /* in frequency from the head */
};

enum { TRUSTS = sizeof trusts / sizeof *trusts };

enum {
	UNUSABLE = 1 << 0,
	BELOW = 1 << 1,
	DISTURBED = 1 << 2,
	UNSTEADY = 1 << 3,
	UNVERIFIED = 1 << 4,
};

static unsigned trust_of(const struct point *point, const struct digest *digest)
{
	unsigned words = point->why ? UNVERIFIED : 0;

	if (digest->unusable)
		return words | UNUSABLE;
	if (digest->below_resolution)
		return words | BELOW;
	if (digest->disturbed)
		return words | DISTURBED;
	return digest->unsteady ? words | UNSTEADY : words;
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

static void print_legend(const struct results *results,
	const struct legend *legend, struct text *text)
{
	if (legend->apart) {
		text_add(text,
			"  at: the core's frequency beside the trials, where "
			"it is 2 %% off ");
		unit_show(text, UNIT_HZ, results->clock.core_hz);
		text_add_char(text, '\n');
	}
	for (unsigned i = 0; i < TRUSTS; i++)
		if (legend->seen & (1u << i))
			text_add(text, "  %s: %s\n", trusts[i].word,
				trusts[i].says ? trusts[i].says :
						 legend->unverified);
}

/* Which level of memory served the point, where it knows; and how many
 * launches drew it, where that is not all of them. */
static void say_origin(const struct results *results, const struct point *point,
	struct text *text)
{
	const char *level = point_note(point, "level");
	size_t draws = point_draws(point);

	if (level)
		text_add(text, "%s  ", level);
	if (draws < results->launch_count)
		text_add(text, "%zu of %zu launches  ", draws,
			results->launch_count);
}

/* The two of `ab` may be the same point. */
static void name_row(const struct results *results, const struct point *point,
	struct text *name)
{
	if (results->plan.abba)
		text_add(name, "%c ", point == results->points ? 'A' : 'B');
	point_describe(results, point, true, name);
}

static void print_row(const struct results *results, const struct point *point,
	int width, struct legend *legend, struct text *text)
{
	enum unit unit = results->metrics[0].unit;
	struct text name = { 0 };
	struct digest digest;

	name_row(results, point, &name);
	text_add(text, "  %-*s ", width, text_chars(&name));
	text_free(&name);
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
	struct text median = { 0 };
	/* Better than nothing, and marked as such. */
	if (!digest.clean.trials)
		text_add_char(&median, '~');
	unit_show(&median, unit,
		digest.clean.trials ? digest.clean.median : digest.median_all);
	text_add(text, "%12s  ", text_chars(&median));
	text_free(&median);
	if (digest.clean.has_interval)
		text_add(text, "+- %5.2f %%  ",
			summary_half(&digest.clean) * 100);
	else
		text_add(text, "            ");
	if (digest.has_cycles)
		text_add(text, "%9.1f cyc  ", digest.cycles.median);
	if (results_core_apart(results, digest.core_hz)) {
		legend->apart = true;
		say_core(results, &digest, text);
		text_add(text, "  ");
	}
	say_origin(results, point, text);
	text_add(text, "flagged %.3g %%  ", digest.flagged * 100);
	say_row_trust(point, &digest, legend, text);
	while (text->length && text->chars[text->length - 1] == ' ')
		text->chars[--text->length] = '\0';
	text_add_char(text, '\n');
}

/* Why no point of a sweep could be run, where that is the same for all. */
static const char *none_runs(const struct results *results)
{
	const char *why = results->points[0].why;

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

static void print_sweep(const struct results *results, struct text *text)
{
	int width = 8;
	struct legend legend = { 0 };
	const char *why = none_runs(results);

	if (why) {
		text_add(text, "  all %zu points are unavailable: %s\n",
			results->point_count, why);
		return;
	}
	if (!results_visited(results) && !results_published(results) &&
		!any_reason(results)) {
		text_add(text, "  none of the %zu points was measured\n",
			results->point_count);
		return;
	}
	for (size_t i = 0; i < results->point_count; i++) {
		struct text name = { 0 };

		name_row(results, &results->points[i], &name);
		if ((int)name.length > width)
			width = (int)name.length;
		text_free(&name);
	}
	text_add(text, "  %-*s %12s  %s\n", width, "",
		results->metrics[0].label,
		results_published(results) ? "" : "95 % interval");
	for (size_t i = 0; i < results->point_count; i++)
		print_row(results, &results->points[i], width, &legend, text);
	print_legend(results, &legend, text);
}

/* ---- a run ------------------------------------------------------------ */

static void print_head(const struct results *results, struct text *text)
{
	const struct clock_facts *clock = &results->clock;

	text_add(text, "%s  %s", results->experiment, results->title);
	if (results->place.cpu >= 0)
		text_add(text, "   cpu %d, clock ", results->place.cpu);
	else
		text_add(text, "   clock ");
	unit_show(text, UNIT_HZ, clock->hz);
	if (clock->cycles_trusted) {
		text_add(text, ", core ");
		unit_show(text, UNIT_HZ, clock->core_hz);
	}
	text_add_char(text, '\n');
	if (results->point_count == 1) {
		struct text name = { 0 };

		point_describe(results, &results->points[0], false, &name);
		if (name.length)
			text_add(text, "  %s\n", name.chars);
		text_free(&name);
	}
}

/* A worker knows of caches what the kernel says. */
static void print_whose_levels(const struct results *results, struct text *text)
{
	bool any = false;

	for (size_t i = 0; i < results->point_count && !any; i++)
		any = results->points[i].visit_count &&
			point_note(&results->points[i], "level");
	if (any)
		text_add(text,
			"  levels are by the kernel's sizes of caches; "
			"mem.hierarchy measures them\n");
}

/* A person's is held against every point; the model has one for each, and that
 * of the first stands for them. */
static void print_predicted(const struct results *results, struct text *text)
{
	const struct point *first = results->points;
	bool sweep = results->point_count > 1;
	struct text line = { 0 };

	if (sweep && predicted_by_hand(results))
		say_points_predicted(results, &line);
	else if (first)
		say_prediction(results, first, &results->prediction, &line);
	if (line.length && sweep && !predicted_by_hand(results)) {
		text_add(text, "  ");
		point_describe(results, first, true, text);
		text_add(text, ": %s\n", line.chars);
	} else if (line.length) {
		text_add(text, "  %s\n", line.chars);
	}
	text_free(&line);
}

static void print_rest(const struct results *results, struct text *text)
{
	print_whose_levels(results, text);
	print_findings(results, text);
	print_predicted(results, text);
	for (size_t i = 0; i < results->warning_count; i++)
		text_add(text, "  note: %s\n", results->warnings[i]);
	text_add(text, "  ");
	say_ending(results, text);
	text_add_char(text, '\n');
}

static void print_all(const struct results *results, bool histogram,
	struct text *text)
{
	const struct metric_info *first = results->metrics;

	print_head(results, text);
	if (results->point_count == 1) {
		const struct point *point = &results->points[0];

		if (point->state == POINT_UNAVAILABLE)
			text_add(text, "  unavailable: %s\n", point->why);
		else if (point->why && !point->visit_count)
			text_add(text, "  invalid: %s\n", point->why);
		print_metrics(results, point, text);
		if (histogram && results->metric_count && point->visit_count &&
			first->kind != METRIC_TRACE)
			print_histogram(results, point, 0, text);
	} else {
		print_sweep(results, text);
	}
	print_ab(results, text);
	print_rest(results, text);
}

void print_results(const struct results *results, struct text *text)
{
	struct text lines = { 0 };

	print_all(results, true, &lines);
	wrap_lines(text, text_chars(&lines), WRAP_PLAIN);
	text_free(&lines);
}

void print_figures(const struct results *results, struct text *text)
{
	print_all(results, false, text);
}
