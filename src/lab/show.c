/* An experiment described. */
#include "show.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "memory.h"
#include "plan.h"

enum { WIDTH = 80, POINTS_SHOWN = 24 };

void wrap(struct text *text, const char *chars, int indent, int width)
{
	int column = 0;

	while (*chars) {
		int length = (int)strcspn(chars, " ");

		if (column && column + 1 + length > width) {
			text_add_char(text, '\n');
			column = 0;
		}
		if (column) {
			text_add_char(text, ' ');
			column++;
		} else {
			text_pad(text, ' ', (size_t)indent);
			column = indent;
		}
		text_add_chars(text, chars, (size_t)length);
		column += length;
		chars += length;
		chars += strspn(chars, " ");
	}
	text_add_char(text, '\n');
}

static void show_rows(const struct param_set *set, struct text *text)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct param *row = &set->rows[i];
		struct text accepts = { 0 };

		param_accepts(row, &accepts);
		text_add(text, "  %-12s %-12s %s: %s\n", row->name,
			set->values[i].typed, row->label, row->help);
		wrap(text, text_chars(&accepts), 27, WIDTH);
		text_free(&accepts);
	}
}

void show_common(const struct param_set *set, struct text *text)
{
	show_rows(set, text);
}

static const char *kind_name(enum metric_kind kind)
{
	switch (kind) {
	case METRIC_TIMED:
		return "timed";
	case METRIC_VALUE:
		return "value";
	case METRIC_DERIVED:
		return "derived";
	case METRIC_TRACE:
		break;
	}
	return "trace";
}

static void show_metrics(const struct experiment *experiment, struct text *text)
{
	for (const struct metric *row = experiment->metrics; row->name; row++) {
		const char *unit = unit_name(row->unit);

		text_add(text, "  %-12s %s", row->name, row->label);
		if (*unit)
			text_add(text, ", %s", unit);
		text_add(text, " (%s%s)\n", kind_name(row->kind),
			row == experiment->metrics ? ", the headline" : "");
	}
}

static void show_plan(const struct queued *queued, struct text *text)
{
	const struct plan *plan = &queued->experiment->plan;
	struct common common;
	size_t points = param_set_points(&queued->args);

	common_values(&queued->common, &common);
	text_add(text, "  %zu point%s", points, points == 1 ? "" : "s");
	if (plan->clones > 1)
		text_add(text, " x %u alignment clones", plan->clones);
	if (plan->ops)
		text_add(text, ", %llu operation%s a trial",
			(unsigned long long)plan->ops,
			plan->ops == 1 ? "" : "s");
	else
		text_add(text, ", as many operations as make a trial of 5 us");
	if (plan->trials)
		text_add(text, ", %u trials a launch", plan->trials);
	if (plan->launches)
		text_add(text, ", %u launches", plan->launches);
	else if (common.launches != PARAM_AUTO)
		text_add(text, ", %lld launches", (long long)common.launches);
	else
		text_add(text, ", %d to %d launches until precise",
			LAUNCHES_PRECISE, LAUNCHES_MOST);
	text_add(text, "\n  takes at most about ");
	if (!queued->budget_asked)
		unit_show(text, UNIT_NS,
			run_expected_s(queued->experiment, &common) * 1e9);
	else
		unit_show(text, UNIT_NS, (double)common.budget_ns);
	text_add_char(text, '\n');
}

static void predict_point(struct lab *lab, const struct queued *queued,
	size_t index, struct prediction *prediction)
{
	void *args = xcalloc(1, queued->experiment->args_size);

	*prediction = (struct prediction){ 0 };
	param_set_args(&queued->args, index, args);
	if (queued->experiment->predict)
		queued->experiment->predict(lab_facts(lab), args, prediction);
	free(args);
}

static void add_range(struct text *text, enum unit unit,
	const struct range *range)
{
	unit_show_like(text, unit, range->low, range->high);
	text_add(text, " .. ");
	unit_show(text, unit, range->high);
}

static void describe_point(const struct queued *queued, size_t index,
	struct text *text)
{
	for (size_t row = 0; row < queued->args.count; row++) {
		if (queued->args.values[row].count < 2)
			continue;
		text_add(text, "%s=", queued->args.rows[row].name);
		param_set_text(&queued->args, index, row, text);
		text_add_char(text, ' ');
	}
}

void show_prediction(struct lab *lab, const struct queued *queued,
	struct text *text)
{
	enum unit unit = queued->experiment->metrics[0].unit;
	size_t points = param_set_points(&queued->args);

	for (size_t i = 0; i < points && i < POINTS_SHOWN; i++) {
		struct prediction prediction;

		predict_point(lab, queued, i, &prediction);
		text_add(text, "  ");
		describe_point(queued, i, text);
		if (!prediction.set) {
			text_add(text, "the model has no prediction\n");
			continue;
		}
		text_add(text, "hardware ");
		add_range(text, unit, &prediction.hardware);
		text_add(text, " + software ");
		add_range(text, unit, &prediction.software);
		text_add(text, " = ");
		add_range(text, unit, &prediction.total);
		text_add_char(text, '\n');
		if (i + 1 == points || i + 1 == POINTS_SHOWN)
			text_add(text, "  because: %s\n", prediction.why);
	}
}

void show_text(struct lab *lab, const struct queued *queued, struct text *text)
{
	const struct experiment *experiment = queued->experiment;

	text_add(text, "%s  %s\n", experiment->name, experiment->title);
	wrap(text, experiment->question, 2, WIDTH);
	text_add(text, "\nmethod\n");
	wrap(text, experiment->method, 2, WIDTH);
	text_add(text, "\nparameters\n");
	show_rows(&queued->args, text);
	text_add(text, "\nmetrics\n");
	show_metrics(experiment, text);
	text_add(text, "\nplan\n");
	show_plan(queued, text);
	text_add(text, "\nprediction\n");
	show_prediction(lab, queued, text);
}

static cJSON *param_json(const struct param *row, const char *typed)
{
	cJSON *object = cJSON_CreateObject();

	json_add_text(object, "name", row->name);
	json_add_text(object, "label", row->label);
	json_add_text(object, "help", row->help);
	json_add_text(object, "preset", row->preset);
	json_add_text(object, "value", typed);
	json_add_text(object, "unit", unit_name(row->unit));
	if (row->choices) {
		cJSON *choices = cJSON_AddArrayToObject(object, "choices");

		for (size_t i = 0; row->choices[i]; i++)
			cJSON_AddItemToArray(choices,
				cJSON_CreateString(row->choices[i]));
	} else if (row->type != PARAM_TEXT) {
		json_add_number(object, "min", row->min);
		json_add_number(object, "max", row->max);
	}
	return object;
}

void show_json(struct lab *lab, const struct queued *queued, struct text *text)
{
	const struct experiment *experiment = queued->experiment;
	cJSON *object = cJSON_CreateObject();
	struct common common;

	(void)lab;
	common_values(&queued->common, &common);
	json_add_text(object, "name", experiment->name);
	json_add_text(object, "title", experiment->title);
	json_add_text(object, "question", experiment->question);
	json_add_text(object, "method", experiment->method);
	cJSON *params = cJSON_AddArrayToObject(object, "parameters");
	for (size_t i = 0; i < queued->args.count; i++)
		cJSON_AddItemToArray(params,
			param_json(&queued->args.rows[i],
				queued->args.values[i].typed));
	cJSON *metrics = cJSON_AddArrayToObject(object, "metrics");
	for (const struct metric *row = experiment->metrics; row->name; row++) {
		cJSON *metric = cJSON_CreateObject();

		json_add_text(metric, "name", row->name);
		json_add_text(metric, "label", row->label);
		json_add_text(metric, "unit", unit_name(row->unit));
		json_add_text(metric, "kind", kind_name(row->kind));
		cJSON_AddItemToArray(metrics, metric);
	}
	json_add_whole(object, "points", param_set_points(&queued->args));
	json_add_number(object, "expected_s",
		queued->budget_asked ? (double)common.budget_ns * 1e-9 :
				       run_expected_s(experiment, &common));
	json_print(object, text);
	cJSON_Delete(object);
}
