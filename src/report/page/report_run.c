/* One run: question, prediction, conditions, figures and findings. */
#include <math.h>
#include <stdlib.h>

#include "digest.h"
#include "finding_table.h"
#include "judgement.h"
#include "plot.h"
#include "print.h"
#include "print_compare.h"
#include "print_findings.h"
#include "report_internal.h"

/* ---- pictures --------------------------------------------------------- */

static void figure(struct document *document, struct text *svg,
	const struct text *plain, const struct text *caption)
{
	/* Markdown can only show the plain-text form of a picture. */
	if (svg->length && (document->form == DOCUMENT_HTML || plain->length))
		document_figure(document, svg->chars, text_chars(plain),
			text_chars(caption));
	text_clear(svg);
}

/* With fewer trials a histogram has no meaningful shape. */
enum { TRIALS_LEAST = 20 };

static void distribution(struct document *document,
	const struct results *results)
{
	struct text svg = { 0 }, plain = { 0 }, caption = { 0 };
	struct digest digest;

	if (digest_of(results, results->points, 0, &digest) &&
		digest.trials >= TRIALS_LEAST &&
		plot_histogram(results, results->points, 0, &svg)) {
		print_histogram(results, results->points, 0, true, &plain);
		text_add(&caption, "%s: all %zu trials of %zu launches, ",
			results->metrics[0].label, digest.trials,
			results->launch_count);
		say_shares(&digest, &caption);
		text_add_char(&caption, '.');
		figure(document, &svg, &plain, &caption);
	}
	text_free(&svg);
	text_free(&plain);
	text_free(&caption);
}

static bool any_excluded(const struct results *results)
{
	for (size_t p = 0; p < results->point_count; p++) {
		struct digest digest;

		if (digest_of(results, &results->points[p], 0, &digest) &&
			!isfinite(digest.headline))
			return true;
	}
	return false;
}

static void sweep(struct document *document,
	const struct experiment *experiment, const struct results *results)
{
	struct text svg = { 0 }, plain = { 0 }, caption = { 0 };

	plot_sweep(experiment, results, &svg);
	text_add(&caption, "%s at %zu points", results->metrics[0].label,
		results->point_count);
	if (results_visited(results))
		text_add(&caption,
			": medians of %zu launches with their 95 %% intervals",
			results->launch_count);
	text_add(&caption, "%s.",
		any_excluded(results) ?
			"; where every trial is excluded, the median of all "
			"trials" :
			"");
	figure(document, &svg, &plain, &caption);
	text_free(&svg);
	text_free(&plain);
	text_free(&caption);
}

/* The point with the longest trace. */
static const struct point *longest_trace(const struct results *results,
	unsigned metric)
{
	const struct point *best = results->points;

	for (size_t p = 1; p < results->point_count; p++)
		if (results->points[p].series[metric].trace.count >
			best->series[metric].trace.count)
			best = &results->points[p];
	return best;
}

static void trace(struct document *document,
	const struct experiment *experiment, const struct results *results,
	unsigned metric)
{
	const struct point *point = longest_trace(results, metric);
	struct text svg = { 0 }, plain = { 0 }, caption = { 0 };

	plot_trace(experiment, results, point, metric, &svg);
	text_add(&caption, "%s, from one launch",
		results->metrics[metric].label);
	if (results->point_count > 1) {
		text_add(&caption, " at ");
		point_describe(results, point, true, &caption);
	}
	text_add_char(&caption, '.');
	figure(document, &svg, &plain, &caption);
	text_free(&svg);
	text_free(&plain);
	text_free(&caption);
}

/* The distribution if there is one point, else the plot of the sweep. */
static void pictures(struct document *document,
	const struct experiment *experiment, const struct results *results)
{
	if (!results->point_count || !results->metric_count)
		return;
	if (results->point_count == 1)
		distribution(document, results);
	else
		sweep(document, experiment, results);
	report_rounds(document, results);
	for (unsigned m = 0; m < results->metric_count; m++)
		if (results->metrics[m].kind == METRIC_TRACE)
			trace(document, experiment, results, m);
}

/* ---- words ------------------------------------------------------------ */

/* The answer of a run that compared two settings. */
static void comparison(struct document *document, const struct results *results)
{
	struct text answer = { 0 }, text = { 0 };

	say_ab(results, true, &answer);
	if (answer.length) {
		text_add(&text, "A is ");
		point_describe(results, &results->points[0], true, &text);
		text_add(&text, ", B is ");
		point_describe(results, &results->points[1], true, &text);
		text_add(&text, ". %s", answer.chars);
		if (text.chars[text.length - 1] != '.')
			text_add_char(&text, '.');
		document_said(document, "Answer", text.chars);
	}
	text_free(&answer);
	text_free(&text);
}

static void outcome(const struct results *results, const struct point *point,
	struct text *text)
{
	struct judgement judgement = judge(results, point);

	if (!isfinite(judgement.measured)) {
		text_add(text, "All trials are excluded.");
		return;
	}
	text_add(text, "Measured: ");
	unit_show(text, judgement.unit, judgement.measured);
	if (isfinite(judgement.ratio))
		text_add(text, ", %.3g times the middle of the prediction",
			judgement.ratio);
	text_add_char(text, '.');
}

static void outcome_of_all(const struct results *results, struct text *text)
{
	struct tally tally = judge_points(results);

	text_add(text, "Measured: ");
	say_tally(results, &tally, text);
	text_add_char(text, '.');
}

static void prediction(struct document *document, const struct results *results)
{
	const struct point *first = results->points;
	struct text text = { 0 };

	if (!results->point_count || !results->metric_count)
		return;
	const struct prediction *predicted = judge(results, first).prediction;
	if (!predicted)
		return;
	enum unit unit =
		prediction_unit(predicted, results->metrics[0].unit);
	text_add(&text, "%s",
		predicted->by == BY_USER ? "By hand" : "By the model");
	bool sweep = results->point_count > 1;
	bool every = sweep && predicted_by_hand(results);
	if (every) {
		text_add(&text, ", for each of the %zu points",
			results->point_count);
	} else if (sweep) {
		text_add(&text, ", for ");
		point_describe(results, first, true, &text);
	}
	text_add(&text, ": base hardware ");
	report_range(&text, unit, &predicted->hardware);
	text_add(&text, " + software overhead ");
	report_range(&text, unit, &predicted->software);
	text_add(&text, " = ");
	report_range(&text, unit, &predicted->total);
	if (*predicted->why)
		text_add(&text, " (%s)", predicted->why);
	text_add(&text, ". ");
	if (*predicted->locked_at)
		text_add(&text, "Locked at %s%s. ", predicted->locked_at,
			predicted->post_hoc ? ", after the measurement" :
					      "");
	if (every)
		outcome_of_all(results, &text);
	else
		outcome(results, first, &text);
	if (sweep && !every)
		text_add(&text, " The table shows the other points.");
	document_said(document, "Prediction", text.chars);
	text_free(&text);
}

/* The table of findings per point. */
static void found_table(struct document *document,
	const struct results *results, const struct finding_table *found)
{
	struct column_head heads[FINDING_COLUMNS_MOST];
	struct text caption = { 0 };

	for (size_t c = 0; c < found->columns; c++)
		heads[c] = (struct column_head){
			.name = finding_table_cell(found, 0, c),
			.number = c > 0,
		};
	text_add(&caption, "%s: findings at each point.", results->title);
	document_table_begin(document, caption.chars, heads, found->columns);
	for (size_t r = 1; r <= found->rows; r++)
		for (size_t c = 0; c < found->columns; c++) {
			const char *cell = finding_table_cell(found, r, c);

			if (c)
				document_number(document, *cell ? cell : "-",
					"");
			else
				document_cell(document, cell);
		}
	document_table_end(document);
	text_free(&caption);
}

static void findings(struct document *document, const struct results *results)
{
	struct finding_table found;

	if (!results->findings.count)
		return;
	document_heading(document, 4, NULL, "Findings");
	if (finding_table_make(results, &found))
		found_table(document, results, &found);
	finding_table_free(&found);
	document_list_begin(document);
	for (size_t i = 0; i < results->findings.count; i++)
		if (finding_is_said(results, &results->findings.list[i]))
			document_item(document, NULL,
				results->findings.list[i].sentence);
	document_list_end(document);
}

static void conditions(struct document *document, const struct results *results)
{
	struct text text = { 0 };

	if (results->asked)
		text_add(&text, "%s; ", results->asked);
	if (*results->started)
		text_add(&text, "started %s; ", results->started);
	say_ending(results, &text);
	if (results_visited(results) && results->place.cpu >= 0 &&
		*results->place.why)
		text_add(&text, "; processor %d, %s", results->place.cpu,
			results->place.why);
	text_add_char(&text, '.');
	document_said(document, results_visited(results) ? "Run" : "Source",
		text.chars);
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
	document_heading(document, 3, anchor.chars, title.chars);
	if (experiment) {
		document_said(document, "Question", experiment->question);
		/* Published figures were measured with another method. */
		if (!results_published(results))
			document_said(document, "Method", experiment->method);
	}
	prediction(document, results);
	conditions(document, results);
	comparison(document, results);
	pictures(document, experiment, results);
	report_tables(document, results, r);
	findings(document, results);
	text_free(&anchor);
	text_free(&title);
}
