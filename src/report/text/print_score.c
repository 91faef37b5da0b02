/* Predictions and measurements, as text and as JSON. */
#include <math.h>
#include <stdlib.h>

#include "columns.h"
#include "digest.h"
#include "figure.h"
#include "json.h"
#include "judgement.h"
#include "print.h"
#include "wrap.h"

void print_judgement(const struct results *results,
	const struct machine *machine, const struct text_layout *layout,
	struct text *text)
{
	const struct point *point = results->points;
	struct text line = { 0 };

	if (results->point_count != 1 || !results->metric_count)
		return;
	struct judgement judgement = judge(results, point);
	if (!judgement.prediction || !isfinite(judgement.measured))
		return;
	text_add(&line, "  ");
	if (isfinite(judgement.ratio))
		text_add(&line, "ratio %.3g to the middle of the prediction; ",
			judgement.ratio);
	say_reason(results, point, machine, &line);
	text_add_char(&line, '\n');
	wrap_lines(text, line.chars, layout->width);
	text_free(&line);
}

/* ---- a user's, for a sweep --------------------------------------------- */

void say_tally(const struct results *results, const struct tally *tally,
	struct text *text)
{
	const char *gap = "";
	const struct {
		size_t count;
		const char *words;
	} parts[] = {
		{ tally->within, "inside" },
		{ tally->below, "below" },
		{ tally->above, "above" },
		{ tally->unjudged, "without a figure" },
	};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!parts[i].count)
			continue;
		text_add(text, "%s%zu %s", gap, parts[i].count, parts[i].words);
		gap = ", ";
	}
	if (!tally->farthest)
		return;
	struct judgement judgement = judge(results, tally->farthest);
	text_add(text, "; farthest: ");
	size_t before = text->length;
	point_describe(results, tally->farthest, true, text);
	if (text->length > before)
		text_add(text, ", ");
	say_outside(judgement.measured, &judgement.prediction->total, text);
}

void say_points_predicted(const struct results *results, struct text *text)
{
	struct tally tally;

	if (!predicted_by_hand(results) || results->point_count < 2 ||
		!results->metric_count)
		return;
	tally = judge_points(results);
	text_add(text, "you predicted ");
	say_range(text,
		prediction_unit(&results->prediction, results->metrics[0].unit),
		&results->prediction.total);
	text_add(text, " for each of the %zu points: ", results->point_count);
	say_tally(results, &tally, text);
	if (results->prediction.post_hoc)
		text_add(text, " (predicted after the measurement)");
}

void say_points_held(const struct results *results, struct text *text)
{
	struct tally tally;

	if (!predicted_by_hand(results) || results->point_count < 2 ||
		!results->metric_count)
		return;
	tally = judge_points(results);
	text_add(text, ", %zu of %zu points inside your ", tally.within,
		results->point_count);
	say_range(text,
		prediction_unit(&results->prediction, results->metrics[0].unit),
		&results->prediction.total);
}

/* ---- the score -------------------------------------------------------- */

/* The latest run of each experiment, in the order they were run. */
static bool is_latest(const struct session *session, size_t r)
{
	const struct results *results = session->runs[r];

	return session_last(session, results->experiment) == results;
}

/* The representative point of a run; the first if none can be compared. */
static const struct point *point_of(const struct results *results)
{
	const struct point *point = judged_point(results);

	if (!point && results->point_count)
		point = results->points;
	return point;
}

/* "call=read, the middle of 4 points: " before what is stated of that point;
 * nothing for a single point. */
static void say_point(const struct results *results, const struct point *point,
	struct text *text)
{
	if (!point || results->point_count == 1)
		return;
	point_describe(results, point, true, text);
	text_add(text, "%sthe %s of %zu points: ", text->length ? ", " : "",
		judged_point(results) ? "middle" : "first",
		results->point_count);
}

enum { EXPERIMENT, PREDICTED, BY, MEASURED, RATIO };

static void add_figures(const struct results *results,
	const struct judgement *judgement, struct columns *table)
{
	enum unit unit = results->metrics[0].unit;
	const struct prediction *prediction = judgement->prediction;
	struct text text = { 0 };

	if (prediction) {
		const struct range *total = &prediction->total;
		double width = total->high - total->low;

		unit = prediction_unit(prediction, unit);
		figure_add_like(&text, unit, total->low, total->high, width);
		text_add(&text, " .. ");
		figure_add(&text, unit, total->high, width);
		columns_cell(table, BY, STYLE_PLAIN, "%s",
			prediction->by == BY_USER ? "you" : "the model");
	}
	columns_cell(table, PREDICTED, STYLE_PLAIN, "%s",
		text.length ? text.chars : "-");
	text_clear(&text);
	if (isfinite(judgement->measured))
		figure_add(&text, judgement->unit, judgement->measured, 0);
	columns_cell(table, MEASURED, STYLE_BOLD, "%s",
		text.length ? text.chars : "-");
	if (isfinite(judgement->ratio))
		columns_cell(table, RATIO, STYLE_PLAIN, "%.3g",
			judgement->ratio);
	text_free(&text);
}

static void add_run(const struct session *session,
	const struct results *results, struct columns *table)
{
	const struct point *point = point_of(results);
	struct text line = { 0 };

	columns_row(table);
	columns_cell(table, EXPERIMENT, STYLE_PLAIN, "%s", results->experiment);
	say_point(results, point, &line);
	if (point && results->metric_count) {
		struct judgement judgement = judge(results, point);

		add_figures(results, &judgement, table);
		say_reason(results, point, &session->machine, &line);
	} else {
		text_add(&line, "not measured");
	}
	columns_row(table);
	columns_say(table, PREDICTED, line.chars);
	text_free(&line);
}

void print_score(const struct session *session,
	const struct text_layout *layout, struct text *text)
{
	static const char *const heads[] = { "experiment", "predicted", "by",
		"measured", "ratio" };
	struct columns table = { 0 };
	double score;
	size_t experiments;

	for (int column = EXPERIMENT; column <= RATIO; column++)
		columns_add(&table, heads[column],
			column == EXPERIMENT || column == BY ? COLUMN_LEFT :
							       COLUMN_RIGHT,
			column == RATIO);
	for (size_t r = 0; r < session->run_count; r++)
		if (is_latest(session, r))
			add_run(session, session->runs[r], &table);
	if (table.rows)
		columns_print(&table, layout, text);
	columns_free(&table);
	if (session_score(session, &score, &experiments)) {
		text_add(text, "  off the middle of the range by a factor of %.*g",
			text_digits(score), score);
		if (experiments > 1)
			text_add(text, ", the geometric mean of %zu experiments",
				experiments);
		text_add(text, "\n");
	} else
		text_add(text,
			"  no experiment has a prediction and a measurement "
			"yet\n");
}

/* ---- JSON ------------------------------------------------------------- */

static void write_range(cJSON *object, const char *name,
	const struct range *range)
{
	cJSON *pair = cJSON_AddArrayToObject(object, name);

	json_add_number(pair, NULL, range->low);
	json_add_number(pair, NULL, range->high);
}

static void write_run(const struct session *session,
	const struct results *results, cJSON *list)
{
	const struct point *point = point_of(results);
	cJSON *object = cJSON_CreateObject();
	struct text words = { 0 };

	cJSON_AddItemToArray(list, object);
	json_add_text(object, "experiment", results->experiment);
	if (!point || !results->metric_count)
		return;
	struct judgement judgement = judge(results, point);
	const struct prediction *prediction = judgement.prediction;
	point_describe(results, point, false, &words);
	json_add_text(object, "point", text_chars(&words));
	json_add_text(object, "unit", unit_name(judgement.unit));
	if (prediction) {
		json_add_bool(object, "in_cycles", prediction->in_cycles);
		json_add_text(object, "by", predictor_names[prediction->by]);
		json_add_bool(object, "post_hoc", prediction->post_hoc);
		write_range(object, "hardware", &prediction->hardware);
		write_range(object, "software", &prediction->software);
		write_range(object, "total", &prediction->total);
	}
	json_add_number(object, "measured", judgement.measured);
	json_add_number(object, "ratio", judgement.ratio);
	text_clear(&words);
	say_reason(results, point, &session->machine, &words);
	json_add_text(object, "reason", text_chars(&words));
	text_free(&words);
}

void write_score(const struct session *session, struct text *text)
{
	cJSON *root = cJSON_CreateObject();
	cJSON *list = cJSON_AddArrayToObject(root, "runs");
	double score = NAN;
	size_t experiments = 0;

	for (size_t r = 0; r < session->run_count; r++)
		if (is_latest(session, r))
			write_run(session, session->runs[r], list);
	session_score(session, &score, &experiments);
	json_add_number(root, "score", score);
	json_add_number(root, "experiments", (double)experiments);
	json_print(root, text);
	cJSON_Delete(root);
}
