/* The last table: predicted and measured, per operation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "judgement.h"
#include "memory.h"
#include "report_internal.h"

enum { COLUMNS = 8 };

/* ---- rows ------------------------------------------------------------- */

static void range_cells(struct document *document, const char *of,
	enum unit unit, const struct prediction *prediction)
{
	static const char *const names[] = { "hardware", "software", "total" };

	for (int i = 0; i < 3; i++)
		if (prediction)
			report_range_cell(document, of, names[i], unit,
				i == 0         ? &prediction->hardware :
					i == 1 ? &prediction->software :
						 &prediction->total);
		else
			document_cell(document, "no prediction");
}

static void measured_cells(struct document *document, const char *of,
	const struct results *results, const struct point *point,
	const struct judgement *judgement)
{
	struct text text = { 0 }, where = { 0 };
	struct digest digest;

	if (judgement->unit == UNIT_CYCLES && isfinite(judgement->measured)) {
		unit_show(&text, UNIT_CYCLES, judgement->measured);
		text_add(&where, "%s/cycles", of);
		document_number(document, text.chars, where.chars);
		text_clear(&text);
		text_clear(&where);
	} else if (results->metric_count &&
		digest_of(results, point, 0, &digest))
		report_headline(document, of, results->metrics[0].unit,
			&digest);
	else
		document_cell(document, "no figure");
	if (isfinite(judgement->ratio)) {
		text_add(&text, "%.3g", judgement->ratio);
		text_add(&where, "%s/ratio", of);
	}
	document_number(document, text.length ? text.chars : "no ratio",
		text_chars(&where));
	text_free(&text);
	text_free(&where);
}

/* "-" if no other session has a similar figure, which the text above explains.
 * "n.p." if only this one of them has none. */
static void beside_cells(struct document *document,
	const struct report_input *input, const struct results *results,
	const struct point *point)
{
	size_t count = input->beside_count;
	struct text *cells = xcalloc(2 * count + 1, sizeof *cells);
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		report_beside(&input->beside[i], results, point, &cells[i],
			&cells[count + i]);
		any |= cells[i].length != 0;
	}
	for (size_t i = 0; i < count; i++) {
		document_number(document,
			cells[i].length ? cells[i].chars :
				any     ? "n.p." :
					  "-",
			text_chars(&cells[count + i]));
		text_free(&cells[i]);
		text_free(&cells[count + i]);
	}
	free(cells);
}

/* True if no point of any run of the experiment has another value. */
static bool is_constant(const struct session *session,
	const struct results *results, const char *param, const char *value)
{
	for (size_t r = 0; r < session->run_count; r++) {
		const struct results *run = session->runs[r];

		if (strcmp(run->experiment, results->experiment) != 0)
			continue;
		for (size_t p = 0; p < run->point_count; p++) {
			const char *other =
				point_value(run, &run->points[p], param);

			if (other && strcmp(other, value) != 0)
				return false;
		}
	}
	return true;
}

/* "Bandwidth host=link size=32K": the title and the parameters that vary within
 * the session. A metric other than a time also adds its label. */
static void say_operation(const struct session *session,
	const struct results *results, const struct point *point,
	struct text *text)
{
	text_add(text, "%s", results->title);
	for (size_t i = 0; i < results->param_count; i++) {
		const char *name = results->param_names[i];
		const char *value = point->values[i];

		if (*value && !is_constant(session, results, name, value))
			text_add(text, " %s=%s", name, value);
	}
	if (results->metric_count && results->metrics[0].unit != UNIT_NS)
		text_add(text, ": %s", results->metrics[0].label);
}

static void predicted_row(struct document *document,
	const struct report_input *input, size_t r, size_t p)
{
	const struct results *results = input->session->runs[r];
	const struct point *point = &results->points[p];
	struct judgement judgement = judge(results, point);
	const struct prediction *prediction = judgement.prediction;
	enum unit unit =
		results->metric_count ? results->metrics[0].unit : UNIT_NONE;
	struct text text = { 0 };

	document_cell(document, report_category(results->experiment));
	say_operation(input->session, results, point, &text);
	document_cell(document, text.chars);
	text_clear(&text);
	text_add(&text, "%zu/%zu/%s", r, p,
		results->metric_count ? results->metrics[0].name : "");
	range_cells(document, text.chars,
		prediction ? prediction_unit(prediction, unit) : unit,
		prediction);
	measured_cells(document, text.chars, results, point, &judgement);
	text_clear(&text);
	say_reason(results, point, &input->session->machine, &text);
	document_cell(document, text.chars);
	beside_cells(document, input, results, point);
	text_free(&text);
}

static void run_rows(struct document *document,
	const struct report_input *input, size_t r)
{
	const struct results *results = input->session->runs[r];
	bool *chosen =
		report_chosen(report_experiment(input, results->experiment),
			results);

	for (size_t p = 0; p < results->point_count; p++)
		if (chosen[p])
			predicted_row(document, input, r, p);
	free(chosen);
}

static bool was_run(const struct session *session, const char *experiment)
{
	return session_last(session, experiment) != NULL;
}

/* The row of an experiment that this session did not run. */
static void absent_row(struct document *document,
	const struct report_input *input, const struct experiment *experiment)
{
	struct text text = { 0 };

	document_cell(document, report_category(experiment->name));
	document_cell(document, experiment->title);
	for (size_t i = 2; i < COLUMNS - 1; i++)
		document_cell(document, "not run");
	text_add(&text, "not run in this session");
	if (input->lacks)
		input->lacks(experiment, &text);
	document_cell(document, text.chars);
	text_free(&text);
	for (size_t i = 0; i < input->beside_count; i++)
		document_cell(document, "not run here");
}

static struct column_head *heads_of(const struct report_input *input)
{
	static const struct column_head fixed[COLUMNS] = {
		{ "category", false, false },
		{ "operation", false, false },
		{ "base hardware", true, false },
		{ "software overhead", true, false },
		{ "predicted", true, false },
		{ "measured", true, false },
		{ "ratio", true, false },
		{ "reason", false, true },
	};
	struct column_head *heads =
		xcalloc(COLUMNS + input->beside_count, sizeof *heads);

	memcpy(heads, fixed, sizeof fixed);
	for (size_t i = 0; i < input->beside_count; i++)
		heads[COLUMNS + i] =
			(struct column_head){ input->beside[i].name, true,
				false };
	return heads;
}

static void explain(struct document *document, const struct report_input *input)
{
	document_paragraph(document,
		"The prediction is the sum of base hardware performance and "
		"estimated software overhead. The ratio is the measured figure "
		"divided by the middle of the prediction. A figure in brackets "
		"is the median of all trials, where every trial is excluded. "
		"Long sweeps show their ends, or a point of each level of "
		"memory; the tables above show all points.");
	if (input->beside_count)
		document_paragraph(document,
			"The last columns show other machines, from their "
			"published reports. Brackets name a parameter or "
			"metric that differs there. n.p. marks a report "
			"without a comparable figure. A row of \"-\" has no "
			"comparable figure in any report.");
}

static void add_score(struct document *document, const struct session *session)
{
	struct text text = { 0 };
	double score;
	size_t judged;

	if (!session_score(session, &score, &judged))
		return;
	text_add(&text,
		"The predictions of %zu experiment%s are off by a factor of "
		"%.*g in the geometric mean (1 is perfect).",
		judged, judged == 1 ? "" : "s", text_digits(score), score);
	document_said(document, "Score", text.chars);
	text_free(&text);
}

void report_predicted(struct document *document,
	const struct report_input *input)
{
	const struct session *session = input->session;
	struct column_head *heads = heads_of(input);

	document_heading(document, 2, "predictions", "Predicted and measured");
	explain(document, input);
	add_score(document, session);
	document_table_begin(document, "Every operation.", heads,
		COLUMNS + input->beside_count);
	for (size_t g = 0; g < report_groups(); g++) {
		for (size_t r = 0; r < session->run_count; r++)
			if (report_group(session->runs[r]->experiment) == g)
				run_rows(document, input, r);
		for (size_t i = 0; i < input->experiment_count; i++)
			if (report_group(input->experiments[i]->name) == g &&
				!was_run(session, input->experiments[i]->name))
				absent_row(document, input,
					input->experiments[i]);
	}
	document_table_end(document);
	free(heads);
}
