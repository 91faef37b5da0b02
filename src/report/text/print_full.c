/* Results as plain text with every figure. */
#include "print_full.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "judgement.h"
#include "memory_level.h"
#include "print.h"
#include "print_compare.h"
#include "print_findings.h"
#include "print_published.h"
#include "print_rows.h"
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

static void print_quantiles(const struct summary *summary, enum unit unit,
	struct text *text)
{
	double scale;
	const char *prefix = unit_prefix(unit, summary->median, &scale);

	size_t shown = 0;

	for (size_t i = 0; i < SUMMARY_QUANTILES; i++) {
		if (!isfinite(summary->quantile[i]))
			continue;
		text_add(text, "%sp%g %.4g", shown++ ? "  " : "    ",
			summary_quantile[i] * 100,
			summary->quantile[i] / scale);
	}
	if (shown)
		text_add(text, "%s%s\n", *prefix ? " " : "", prefix);
}

/* Adds cycles, and the frequency if it differs from the head line's. Without
 * cycles, adds the frequency only to the headline. */
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

/* Adds separate lines for the other regime and for frequency steps, and the
 * indentation of the next line. */
static void print_other_regime(const struct digest *digest, enum unit unit,
	struct text *text)
{
	size_t before = text->length;

	say_other_regime(digest, unit, text);
	if (text->length > before)
		text_add(text, "\n    ");
	before = text->length;
	say_steps(digest, unit, text);
	if (text->length > before)
		text_add(text, "\n    ");
}

static void print_estimate(const struct point *point, struct text *text)
{
	const char *estimate = point_note(point, "alone-estimated");

	if (estimate)
		text_add(text, "alone, estimated %s\n    ", estimate);
}

static void print_trust(const struct point *point, const struct digest *digest,
	struct text *text)
{
	size_t before = text->length;

	say_trust(point, digest, text);
	if (text->length == before)
		say_quality(digest, text);
	text_add_char(text, '\n');
}

/* The interval includes the uncertainty of the clock's overhead, a twelfth of
 * the resolution. Figures of single trials do not, so the interval can exceed
 * minimum and maximum. */
static void print_overhead(const struct digest *digest, struct text *text)
{
	const struct summary *summary = &digest->summary;

	if (!summary->has_interval ||
		(summary->interval.low >= summary->min &&
			summary->interval.high <= summary->max))
		return;
	text_add(text, "    the interval includes +-");
	unit_show(text, UNIT_NS, digest->resolution / 12);
	text_add(text, " for the clock's overhead; min and max do not\n");
}

static void print_metric(const struct results *results,
	const struct point *point, unsigned metric, struct text *text)
{
	const struct metric_info *info = &results->metrics[metric];
	struct digest digest;

	if (!digest_of(results, point, metric, &digest))
		return;
	const struct summary *summary = &digest.summary;
	double like = summary->median;
	text_add(text, "  %-24s ", info->label);
	if (digest.published) {
		print_published(info->unit, digest.published, text);
		return;
	}
	if (!summary->trials) {
		text_add(text, "all trials excluded; ~");
		unit_show(text, info->unit, digest.median_all);
		text_add(text, " over all trials\n    ");
		say_shares(&digest, text);
		text_add_char(text, '\n');
		if (point->state == POINT_INVALID)
			text_add(text, "    invalid: %s\n", point->why);
		return;
	}
	add_median(text, info->unit, summary);
	text_add(text, "   ");
	add_interval(text, info->unit, summary);
	print_cycles(results, &digest, !metric, text);
	text_add(text, "\n    ");
	print_other_regime(&digest, info->unit, text);
	if (!metric)
		print_estimate(point, text);
	add_value(text, "min", info->unit, summary->min, like);
	add_value(text, "  mean", info->unit, summary->mean, like);
	add_value(text, "  max", info->unit, summary->max, like);
	text_add(text, "\n    ");
	add_value(text, "sd within", info->unit, summary->sd_within, like);
	add_value(text, "  sd between", info->unit, summary->sd_between, like);
	add_value(text, "  max deviation", info->unit, summary->max_deviation,
		like);
	text_add_char(text, '\n');
	print_quantiles(summary, info->unit, text);
	if (info->kind != METRIC_VALUE && !info->rate)
		print_overhead(&digest, text);
	text_add(text, "    %llu ops x %zu trials, %zu",
		(unsigned long long)(digest.ops ? digest.ops : 1),
		digest.trials, summary->launches);
	if (summary->launches < results->launch_count)
		text_add(text, " of %zu", results->launch_count);
	text_add(text, " launches; ");
	say_shares(&digest, text);
	if (isfinite(digest.layout))
		text_add(text, "; layout changes it by %.3g %%",
			digest.layout * 100);
	text_add(text, "\n    ");
	print_trust(point, &digest, text);
}

static void print_metrics(const struct results *results,
	const struct point *point, struct text *text)
{
	for (unsigned m = 0; m < results->metric_count; m++)
		print_metric(results, point, m, text);
}

/* ---- a run ------------------------------------------------------------ */

static void print_first_line(const struct results *results, struct text *text)
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
		unit_show(text, UNIT_HZ, results_usual_hz(results));
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

/* Levels of memory in the points' notes use the kernel's cache sizes. */
static void print_whose_levels(const struct results *results, struct text *text)
{
	struct serving serving = { .level = LEVEL_UNKNOWN };
	bool any = false;

	for (size_t i = 0; i < results->point_count && !any; i++)
		any = results->points[i].visit_count &&
			point_serving(&results->points[i], &serving);
	if (any)
		text_add(text, "  %s; `run mem.hierarchy` measures them\n",
			serving.level ? "levels by the kernel's cache sizes" :
					"the kernel reports no caches");
}

/* A prediction of the user holds for every point. The model has one per point;
 * only the first point's is printed. */
static void print_prediction(const struct results *results, struct text *text)
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
	print_prediction(results, text);
	for (size_t i = 0; i < results->warning_count; i++)
		text_add(text, "  note: %s\n", results->warnings[i]);
	text_add(text, "  ");
	say_ending(results, text);
	text_add_char(text, '\n');
}

/* `layout` is NULL for a web page, which has its own histogram. */
static void print_points(const struct results *results,
	const struct text_layout *layout, struct text *text)
{
	const struct point *point = &results->points[0];

	if (results->point_count != 1) {
		print_rows(results, text);
		return;
	}
	if (point->state == POINT_UNAVAILABLE)
		text_add(text, "  unavailable: %s\n", point->why);
	else if (point->why && !point->visit_count)
		text_add(text, "  invalid: %s\n", point->why);
	print_metrics(results, point, text);
	if (layout && results->metric_count && point->visit_count &&
		!results_stored(results) &&
		results->metrics->kind != METRIC_TRACE)
		print_histogram(results, point, 0, layout->bars, text);
}

void print_full(const struct results *results, const struct machine *machine,
	const struct text_layout *layout, struct text *text)
{
	struct text lines = { 0 };

	print_ab(results, layout, text);
	print_first_line(results, &lines);
	print_points(results, layout, &lines);
	print_rest(results, &lines);
	wrap_lines(text, text_chars(&lines), layout->width);
	text_free(&lines);
	if (machine)
		print_judgement(results, machine, layout, text);
}

void print_figures(const struct results *results, struct text *text)
{
	print_ab(results, &text_layout_plain, text);
	print_first_line(results, text);
	print_points(results, NULL, text);
	print_rest(results, text);
}
