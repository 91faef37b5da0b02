/* One run: what was asked, what was expected, what came out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judgement.h"
#include "plot.h"
#include "print.h"
#include "report_own.h"

/* A number with its unit, and where in the session file it comes from. */
static void number(struct document *document, const char *of,
	const char *figure, enum unit unit, double value, double like)
{
	struct text text = { 0 }, where = { 0 };

	if (isfinite(value)) {
		unit_show_like(&text, unit, value, like);
		text_add(&where, "%s/%s", of, figure);
	}
	document_number(document, text.length ? text.chars : "-",
		text_chars(&where));
	text_free(&text);
	text_free(&where);
}

static const struct column_head heads[] = {
	{ "", false, false },
	{ "median", true, false },
	{ "95 % low", true, false },
	{ "high", true, false },
	{ "mean", true, false },
	{ "sd within", true, false },
	{ "sd between", true, false },
	{ "min", true, false },
	{ "max", true, false },
	{ "max dev.", true, false },
	{ "cycles", true, false },
	{ "flagged", true, false },
};
enum { HEADS = sizeof heads / sizeof *heads };

static void empty_cells(struct document *document, size_t count)
{
	while (count--)
		document_cell(document, "-");
}

static void figures(struct document *document, const char *of, enum unit unit,
	const struct digest *digest)
{
	const struct summary *clean = &digest->clean;
	bool sure = clean->has_interval;
	double like = isfinite(digest->headline) ? digest->headline :
						   digest->median_all;
	const struct {
		const char *name;
		double value;
	} list[] = {
		{ "median", digest->headline },
		{ "low", sure ? clean->interval.low : NAN },
		{ "high", sure ? clean->interval.high : NAN },
		{ "mean", clean->mean },
		{ "sd_within", clean->sd_within },
		{ "sd_between", clean->sd_between },
		{ "min", clean->min },
		{ "max", clean->max },
		{ "max_deviation", clean->max_deviation },
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		number(document, of, list[i].name, unit, list[i].value, like);
	number(document, of, "cycles", UNIT_CYCLES,
		digest->has_cycles ? digest->cycles.median : NAN,
		digest->has_cycles ? digest->cycles.median : NAN);
	if (digest->published)
		document_cell(document, "-");
	else
		number(document, of, "flagged", UNIT_PERCENT, digest->flagged,
			digest->flagged);
}

static void table_row(struct document *document, const struct results *results,
	size_t r, size_t p, unsigned metric)
{
	const struct point *point = &results->points[p];
	struct text name = { 0 }, of = { 0 };
	struct digest digest;

	point_describe(results, point, true, &name);
	if (!name.length)
		text_add(&name, "%s", results->metrics[metric].label);
	if (point->state == POINT_UNAVAILABLE)
		text_add(&name, " (unavailable: %s)", point->why);
	document_cell(document, name.chars);
	text_add(&of, "%zu/%zu/%s", r, p, results->metrics[metric].name);
	if (digest_of(results, point, metric, &digest))
		figures(document, of.chars, results->metrics[metric].unit,
			&digest);
	else
		empty_cells(document, HEADS - 1);
	text_free(&name);
	text_free(&of);
}

static bool has_figures(const struct results *results, unsigned metric)
{
	struct digest digest;

	for (size_t p = 0; p < results->point_count; p++)
		if (digest_of(results, &results->points[p], metric, &digest))
			return true;
	return false;
}

static void tables(struct document *document, const struct results *results,
	size_t r)
{
	for (unsigned m = 0; m < results->metric_count; m++) {
		if (results->metrics[m].kind == METRIC_TRACE ||
			!has_figures(results, m))
			continue;
		document_heading(document, 3, NULL, results->metrics[m].label);
		document_table_begin(document, heads, HEADS);
		for (size_t p = 0; p < results->point_count; p++)
			table_row(document, results, r, p, m);
		document_table_end(document);
	}
}

/* ---- pictures --------------------------------------------------------- */

static void figure(struct document *document, struct text *svg,
	const struct text *plain, const char *caption)
{
	if (svg->length)
		document_figure(document, svg->chars, text_chars(plain),
			caption);
	text_clear(svg);
}

/* The distribution at the only point, or how the points compare. */
static void pictures(struct document *document,
	const struct experiment *experiment, const struct results *results)
{
	struct text svg = { 0 }, plain = { 0 };

	if (results->point_count == 1) {
		plot_histogram(results, results->points, 0, &svg);
		if (svg.length)
			print_histogram(results, results->points, 0, &plain);
		figure(document, &svg, &plain,
			"The distribution of all trials.");
	} else if (document->form == DOCUMENT_HTML) {
		plot_sweep(experiment, results, &svg);
		figure(document, &svg, &plain,
			"Medians with their 95 % intervals.");
	}
	for (unsigned m = 0; m < results->metric_count; m++)
		if (results->metrics[m].kind == METRIC_TRACE &&
			document->form == DOCUMENT_HTML &&
			plot_trace(results, results->points, m, &svg))
			figure(document, &svg, &plain,
				results->metrics[m].label);
	text_free(&svg);
	text_free(&plain);
}

/* ---- words ------------------------------------------------------------ */

static void add_range(struct text *text, const char *what, enum unit unit,
	const struct range *range)
{
	text_add(text, "%s ", what);
	unit_show_like(text, unit, range->low, range->high);
	text_add(text, " to ");
	unit_show(text, unit, range->high);
}

static void prediction(struct document *document, const struct results *results)
{
	const struct point *first = results->points;
	struct judgement judgement;
	struct text text = { 0 };

	if (!results->point_count || !results->metric_count)
		return;
	judgement = judge(results, first);
	if (!judgement.prediction)
		return;
	const struct prediction *predicted = judgement.prediction;
	enum unit unit = results->metrics[0].unit;
	if (results->point_count > 1) {
		point_describe(results, first, true, &text);
		text_add(&text, ": ");
	}
	add_range(&text, "hardware", unit, &predicted->hardware);
	add_range(&text, ", software", unit, &predicted->software);
	add_range(&text, ", in all", unit, &predicted->total);
	if (*predicted->why)
		text_add(&text, " (%s)", predicted->why);
	text_add(&text, ". ");
	if (*predicted->locked_at)
		text_add(&text, "Locked at %s. ", predicted->locked_at);
	say_prediction(results, first, predicted, &text);
	text_add_char(&text, '.');
	document_said(document, "Prediction", text.chars);
	text_free(&text);
}

static void findings(struct document *document, const struct results *results)
{
	if (!results->findings.count)
		return;
	document_heading(document, 3, NULL, "Findings");
	document_list_begin(document);
	for (size_t i = 0; i < results->findings.count; i++)
		document_item(document, NULL,
			results->findings.list[i].sentence);
	document_list_end(document);
}

static void conditions(struct document *document, const struct results *results)
{
	struct text text = { 0 };

	text_add(&text, "%s; started %s; ",
		results->asked ? results->asked : results->experiment,
		results->started);
	say_ending(results, &text);
	if (results->place.cpu >= 0 && *results->place.why)
		text_add(&text, "; processor %d, %s", results->place.cpu,
			results->place.why);
	text_add_char(&text, '.');
	document_said(document, "Run", text.chars);
	text_free(&text);
	for (size_t i = 0; i < results->warning_count; i++)
		document_said(document, "Note", results->warnings[i]);
}

void report_run(struct document *document, const struct report_input *input,
	size_t r)
{
	const struct results *results = input->session->runs[r];
	const struct experiment *experiment =
		report_experiment(input, results->experiment);
	struct text anchor = { 0 }, title = { 0 };

	text_add(&anchor, "run-%zu", r);
	text_add(&title, "%s (%s)", results->title, results->experiment);
	document_heading(document, 2, anchor.chars, title.chars);
	if (experiment) {
		document_said(document, "Question", experiment->question);
		document_said(document, "Method", experiment->method);
	}
	prediction(document, results);
	conditions(document, results);
	pictures(document, experiment, results);
	tables(document, results, r);
	findings(document, results);
	text_free(&anchor);
	text_free(&title);
}
