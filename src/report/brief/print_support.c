/* The labelled lines below the figures. */
#include "print_support.h"

#include <math.h>

#include "columns.h"
#include "digest.h"
#include "figure.h"
#include "finding_table.h"
#include "gather.h"
#include "judgement.h"
#include "print.h"
#include "print_findings.h"
#include "print_head.h"
#include "quality.h"
#include "wrap.h"

enum { INDENT = 13 };

void print_labelled(const struct text_layout *layout, const char *label,
	const char *sentence, struct text *text)
{
	if (!*sentence)
		return;
	text_add(text, "  %-10s ", label);
	wrap(text, sentence, INDENT, layout->width);
}

/* ---- predicted -------------------------------------------------------- */

/* "40 .. 160 ns by the model: " */
static void say_whose(const struct results *results,
	const struct prediction *prediction, struct text *line)
{
	enum unit unit =
		prediction_unit(prediction, results->metrics[0].unit);
	const struct range *total = &prediction->total;
	double width = total->high - total->low;
	bool tiny = total->low > 0 && total->low < total->high / 100;

	if (tiny) /* the digits of the width would round it to 0 */
		figure_add(line, unit, total->low, total->low);
	else
		figure_add_like(line, unit, total->low, total->high, width);
	text_add(line, " .. ");
	figure_add(line, unit, total->high, width);
	text_add(line, " by %s: ",
		prediction->by == BY_USER ? "you" : "the model");
}

static void say_predicted(const struct results *results,
	const struct machine *machine, struct text *line)
{
	const struct point *point = results->points;
	struct judgement judgement = judge(results, point);
	const struct prediction *prediction = judgement.prediction;

	if (!prediction || !prediction->set || !isfinite(judgement.measured))
		return;
	say_whose(results, prediction, line);
	if (judgement.judged == JUDGED_WITHIN) {
		text_add(line, "inside");
		if (prediction->post_hoc)
			text_add(line, " (predicted after the measurement)");
	} else if (machine) {
		say_reason(results, point, machine, line);
	} else {
		say_outside(judgement.measured, &prediction->total, line);
	}
}

static void say_points(const struct results *results, struct text *line)
{
	struct tally tally = judge_points(results);
	size_t judged = tally.within + tally.below + tally.above;

	if (!judged)
		return;
	if (predicted_by_hand(results))
		say_whose(results, &results->prediction, line);
	else
		text_add(line, "by the model: ");
	if (tally.within == judged && !tally.unjudged && judged == 2)
		text_add(line, "both points inside");
	else if (tally.within == judged && !tally.unjudged)
		text_add(line, "all %zu points inside", judged);
	else
		say_tally(results, &tally, line);
	if (predicted_by_hand(results) && results->prediction.post_hoc)
		text_add(line, " (predicted after the measurement)");
}

void print_predicted(const struct results *results,
	const struct machine *machine, const struct text_layout *layout,
	struct text *text)
{
	struct text line = { 0 };

	if (!results->metric_count)
		return;
	if (results->point_count == 1)
		say_predicted(results, machine, &line);
	else
		say_points(results, &line);
	print_labelled(layout, "predicted", text_chars(&line), text);
	text_free(&line);
}

/* ---- measured --------------------------------------------------------- */

/* "; 12 % of the trials excluded, 9 % at another core frequency". Nothing for a
 * share that rounds to zero. If the core had two frequencies, a note has the
 * share of each. */
static void say_conditions(const struct digest *digest, struct text *line)
{
	bool excluded = digest->excluded >= .005;

	if (excluded) {
		text_add(line, "; ");
		figure_share(line, digest->excluded);
		text_add(line, " of the trials excluded");
	}
	if (digest->frequency < .005 || digest->stepped)
		return;
	text_add(line, excluded ? ", " : "; ");
	figure_share(line, digest->frequency);
	if (!excluded)
		text_add(line, " of the trials");
	text_add(line, " at another core frequency");
}

void print_measured(const struct results *results, const struct digest *digest,
	const struct text_layout *layout, struct text *text)
{
	size_t launches = digest->summary.launches;
	struct text line = { 0 };

	say_launches(results->launch_count, &line);
	if (launches < results->launch_count)
		text_add(&line, " (%zu in the headline)", launches);
	text_add(&line, ", ");
	figure_count(&line, (double)digest->trials);
	text_add(&line, " trial%s", digest->trials == 1 ? "" : "s");
	if (digest->ops > 1) {
		text_add(&line, " of ");
		figure_count(&line, (double)digest->ops);
		text_add(&line, " operations");
	}
	if (results->took_s > 0) {
		text_add(&line, ", ");
		figure_add(&line, UNIT_NS, results->took_s * 1e9, 0);
	}
	say_conditions(digest, &line);
	print_labelled(layout, "measured", text_chars(&line), text);
	text_free(&line);
}

/* ---- findings --------------------------------------------------------- */

void print_found_table(const struct results *results,
	const struct text_layout *layout, struct text *text)
{
	struct finding_table table;
	struct columns columns = { 0 };

	if (!finding_table_make(results, &table)) {
		finding_table_free(&table);
		return;
	}
	/* A single point has no name. Without labels its column is left out. */
	size_t first = !*finding_table_cell(&table, 1, 0);
	for (size_t c = first; c < table.columns; c++)
		columns_add(&columns, finding_table_cell(&table, 0, c),
			c ? COLUMN_RIGHT : COLUMN_LEFT, (unsigned)c);
	for (size_t row = 1; row <= table.rows; row++) {
		columns_row(&columns);
		for (size_t c = first; c < table.columns; c++)
			columns_cell(&columns, c - first, STYLE_PLAIN, "%s",
				finding_table_cell(&table, row, c));
	}
	columns_print(&columns, layout, text);
	text_add_char(text, '\n');
	columns_free(&columns);
	finding_table_free(&table);
}

void print_found(const struct results *results,
	bool (*skip)(const struct finding *), const struct text_layout *layout,
	struct text *text)
{
	const char *label = "found";

	for (size_t i = 0; i < results->findings.count; i++) {
		const struct finding *finding = &results->findings.list[i];

		if (!finding_is_said(results, finding) ||
			(skip && skip(finding)))
			continue;
		print_labelled(layout, label, finding->sentence, text);
		label = "";
	}
}

/* ---- notes ------------------------------------------------------------ */

/* The fraction of the trials whose condition changed; 0 without trials. */
static double mixed_trials(const struct results *results)
{
	const struct column *flags = &results->points->series[0].flags;
	const uint16_t *list = flags->data;
	size_t mixed = 0;

	for (size_t i = 0; i < flags->count; i++)
		mixed += (list[i] & FLAG_MIXED) != 0;
	return flags->count ? (double)mixed / (double)flags->count : 0;
}

/* If the lab itself had to use the core, the run may use no other. */
static bool is_only_core(const struct results *results)
{
	return results->place.lab_shares || results->place.lab_beside;
}

static void say_cure(const struct results *results, struct text *line)
{
	text_add(line, "Try %s--wait-quiet=60s, or `ab`.",
		is_only_core(results) ? "" : "another cpu=, ");
}

static void say_sharing(const struct results *results,
	const struct digest *digest, struct text *line)
{
	double alone = digest_alone(digest);

	if (quality_crowded(results))
		return; /* a warning says so */
	if (digest->quality == QUALITY_SHARED_CORE &&
		digest->regime == REGIME_SHARED) {
		if (alone > 0)
			figure_share(line, alone);
		else
			text_add(line, "None");
		text_add(line, " of the trials had the core alone. ");
		if (GATHER_STEADY_TIMES * mixed_trials(results) > alone)
			text_add(line, "But the co-runner comes and goes: more "
				"than a quarter as many trials saw a change, "
				"so that none is certain. ");
		text_add(line,
			"A figure alone needs 6 launches with enough of them; "
			"there are %zu. So this is the cost beside a busy "
			"co-runner. ",
			digest->by_regime[REGIME_ALONE].launches);
		say_cure(results, line);
	} else if (digest->quality == QUALITY_SHARED_CORE) {
		text_add(line,
			"Too few launches had the core alone, or shared it: "
			"the figure is of both. ");
		say_cure(results, line);
	} else if (digest->regime == REGIME_ALONE && digest->shared >= .3) {
		text_add(line, "A co-runner shared this core in ");
		figure_share(line, digest->shared);
		text_add(line, " of the trials.%s",
			digest->quality == QUALITY_GOOD ?
				" The others suffice." :
				"");
	}
}

const char *print_limit(const struct results *results)
{
	return results->stopped.reason == STOP_MAXIMUM ? "launches=" :
							 "budget=";
}

static void say_data(const struct results *results,
	const struct digest *digest, struct text *line)
{
	const struct summary *summary = &digest->summary;

	if (!summary->trials)
		text_add(line,
			"Every trial was interrupted or changed its condition: "
			"the figure is of all of them.");
	else if (digest->quality != QUALITY_NOT_ENOUGH)
		return;
	else if (!summary->has_interval)
		text_add(line,
			"An interval needs 6 launches with this condition, not "
			"%zu. Raise %s.",
			summary->launches, print_limit(results));
	else
		text_add(line,
			"The interval is wider than +-%g %%: the launches "
			"differ too much for an answer. Raise %s, or %s.",
			quality_widest(results) * 100, print_limit(results),
			is_only_core(results) ? "try --wait-quiet=60s" :
						"measure on a quieter core");
}

static void say_resolution(const struct results *results,
	const struct digest *digest, struct text *line)
{
	if (digest->quality == QUALITY_NOT_ENOUGH)
		return;
	if (digest->below_resolution) {
		text_add(line, "It is smaller than the clock's resolution, ");
		figure_add(line, UNIT_NS, digest->resolution, 0);
		text_add_char(line, '.');
	} else if (digest->quality == QUALITY_GOOD &&
		!results->metrics[0].steady &&
		digest_half(digest) > results->plan.precision) {
		text_add(line,
			"The interval is wider than requested, but as narrow "
			"as the clock resolves.");
	}
}

/* Prints `line` as a note and clears it. */
static void put(const struct text_layout *layout, struct text *line,
	struct text *text)
{
	print_labelled(layout, "note", text_chars(line), text);
	text_clear(line);
}

void print_conditions(const struct results *results, const struct point *point,
	const struct digest *digest, const struct text_layout *layout,
	struct text *text)
{
	enum unit unit = results->metrics[0].unit;
	const char *estimate = point_note(point, "alone-estimated");
	struct text line = { 0 };

	say_sharing(results, digest, &line);
	put(layout, &line, text);
	say_data(results, digest, &line);
	put(layout, &line, text);
	say_resolution(results, digest, &line);
	put(layout, &line, text);
	if (estimate)
		text_add(&line, "Alone, it would take about %s.", estimate);
	put(layout, &line, text);
	if (digest->stepped) {
		text_add(&line, "The core's frequency changed: ");
		say_steps(digest, unit, &line);
		text_add_char(&line, '.');
	}
	put(layout, &line, text);
	if (point->why && point->state == POINT_OK)
		text_add(&line, "partly unverified: %s", point->why);
	else if (point->why && point->state == POINT_INVALID)
		text_add(&line, "invalid: %s", point->why);
	put(layout, &line, text);
	text_free(&line);
}

void print_without(const struct results *results, enum point_state state,
	const struct text_layout *layout, struct text *text)
{
	const char *why = NULL;
	struct text line = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];

		if (point->state != state)
			continue;
		if (!count++)
			why = point->why;
	}
	if (count)
		text_add(&line, "%zu of %zu points: %s: %s", count,
			results->point_count,
			state == POINT_INVALID ? "invalid" : "unavailable",
			why ? why : "no reason is known");
	print_labelled(layout, "note", text_chars(&line), text);
	text_free(&line);
}

/* The intervals of the points that could be measured. */
struct intervals {
	size_t points, missing;
	double worst; /* the widest half, percent; NaN: none */
	bool poor;    /* not all points are good */
};

static struct intervals intervals_of(const struct results *results)
{
	struct intervals all = { .worst = NAN };

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		struct digest digest;
		double half = NAN;
		bool good = false;

		if (point->state != POINT_OK)
			continue;
		all.points++;
		if (digest_of(results, point, 0, &digest)) {
			half = digest_half(&digest) * 100;
			good = digest.quality == QUALITY_GOOD;
		}
		all.poor |= !good;
		/* A good point without an interval needs none. */
		all.missing += !good && !isfinite(half);
		all.worst = fmax(all.worst, half);
	}
	return all;
}

/* True if the conditions of the only point ask for a larger budget. */
static bool asks_for_budget(const struct results *results)
{
	struct digest digest;

	return results->point_count == 1 &&
		digest_of(results, &results->points[0], 0, &digest) &&
		digest.quality == QUALITY_NOT_ENOUGH;
}

static void say_out_of_time(const struct results *results, struct text *line)
{
	struct intervals all = intervals_of(results);

	if (!all.poor || asks_for_budget(results))
		return;
	text_add(line, "Out of time (budget=");
	unit_write(line, UNIT_NS, (double)results->plan.budget_ns);
	text_add_char(line, ')');
	if (all.missing && all.points > 1)
		text_add(line, ", %zu of %zu points %s no interval",
			all.missing, all.points,
			all.missing == 1 ? "has" : "have");
	if (isfinite(all.worst))
		text_add(line, ",%s at%s +-%.*g %%",
			all.missing ? " the rest is" : "",
			all.points - all.missing > 1 ? " worst at" : "",
			text_digits(all.worst), all.worst);
	text_add_char(line, '.');
}

/* States why a run stopped. Nothing if it reached its precision or made all
 * requested launches. */
static void say_stop(const struct results *results, struct text *line)
{
	if (results->recovered || results->error) {
		say_ending(results, line);
		return;
	}
	switch (results->stopped.reason) {
	case STOP_PRECISION:
	case STOP_MAXIMUM:
	case STOP_PUBLISHED:
	case STOP_UNAVAILABLE: /* the rows show it */
	case STOP_INVALID:
		return;
	case STOP_BUDGET:
		say_out_of_time(results, line);
		return;
	default:
		say_ending(results, line);
	}
}

void print_notes(const struct results *results,
	const struct text_layout *layout, struct text *text)
{
	struct text line = { 0 };

	for (size_t i = 0; i < results->warning_count; i++)
		print_labelled(layout, "note", results->warnings[i], text);
	say_stop(results, &line);
	print_labelled(layout, "note", text_chars(&line), text);
	text_free(&line);
}
