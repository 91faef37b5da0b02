/* The description of an experiment. */
#include "show.h"

#include "link_params.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "json.h"
#include "memory.h"
#include "plan.h"
#include "wrap.h"

enum { VALUE_COLUMN = 15, HELP_COLUMN = 28, POINTS_SHOWN = 24 };

/* Adds "label: help" after the name, which is already printed. */
static void add_meaning(const struct param *row, int width, struct text *text)
{
	struct text meaning = { 0 };

	if (strcmp(row->name, row->label))
		text_add(&meaning, "%s: ", row->label);
	text_add(&meaning, "%s", row->help);
	wrap(text, meaning.chars, HELP_COLUMN, width);
	text_free(&meaning);
}

static void show_rows(const struct param_set *set, int width, struct text *text)
{
	bool sweeps = set->rows != common_params && set->rows != link_params;

	for (size_t i = 0; i < set->count; i++) {
		const struct param *row = &set->rows[i];
		const char *typed = set->values[i].typed;
		struct text accepts = { 0 };

		text_add(text, "  %-12s ", row->name);
		if (strlen(typed) < HELP_COLUMN - VALUE_COLUMN)
			text_add(text, "%s", typed);
		else
			wrap(text, typed, VALUE_COLUMN, width);
		add_meaning(row, width, text);
		param_accepts(row, sweeps, &accepts);
		wrap(text, text_chars(&accepts), HELP_COLUMN, width);
		text_free(&accepts);
	}
}

void show_common(const struct param_set *set, int width, struct text *text)
{
	show_rows(set, width, text);
}

/* Lists only the names of the common parameters. `set` describes them. */
static void show_common_names(int width, struct text *text)
{
	struct text line = { 0 };

	text_add(&line, "run options, see `set`:");
	for (const struct param *row = common_params; row->name; row++)
		text_add(&line, "%s %s", row == common_params ? "" : ",",
			row->name);
	text_add(text, "  ");
	wrap_on(text, line.chars, 2, width);
	text_free(&line);
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

static void show_metrics(const struct experiment *experiment, int width,
	struct text *text)
{
	for (const struct metric *row = experiment->metrics; row->name; row++) {
		const char *unit = unit_name(row->unit);
		struct text meaning = { 0 };

		text_add(&meaning, "%s%s%s (%s%s)", row->label,
			*unit ? ", " : "", unit, kind_name(row->kind),
			row == experiment->metrics ? ", the headline" : "");
		text_add(text, "  %-12s ", row->name);
		wrap(text, meaning.chars, VALUE_COLUMN, width);
		text_free(&meaning);
	}
}

/* The points, including sweeps that the experiment adds, and their plans. */
struct plans {
	size_t points;
	unsigned long long ops_least, ops_least_most;
	double trials_ns; /* of one launch, as far as it is known */
};

static struct plans plans_of(const struct experiment *experiment,
	const struct param_set *args)
{
	struct plans plans = { .ops_least = ULLONG_MAX };
	struct param_set set;

	param_set_copy(&set, args);
	param_set_expand(&set, experiment->args_size);
	plans.points = param_set_points(&set);
	for (size_t i = 0; i < plans.points; i++) {
		struct plan plan = plan_at(experiment, &set, i);

		if (plan.ops_least < plans.ops_least)
			plans.ops_least = plan.ops_least;
		if (plan.ops_least > plans.ops_least_most)
			plans.ops_least_most = plan.ops_least;
		plans.trials_ns += (double)plan.trial_ns *
			(plan.trials ? plan.trials : 1);
	}
	param_set_free(&set);
	return plans;
}

static void add_ops_least(const struct plans *plans, struct text *text)
{
	if (!plans->ops_least_most)
		return;
	text_add(text, " but at least %llu", plans->ops_least);
	if (plans->ops_least < plans->ops_least_most)
		text_add(text, " to %llu", plans->ops_least_most);
}

static void add_plan(const struct queued *queued, struct text *text)
{
	const struct plan *plan = &queued->experiment->plan;
	struct plans plans = plans_of(queued->experiment, &queued->args);
	struct common common;

	common_values(&queued->common, &common);
	text_add(text, "%zu point%s", plans.points,
		plans.points == 1 ? "" : "s");
	if (plan->clones > 1)
		text_add(text, " x %u alignment clones", plan->clones);
	if (plan->ops)
		text_add(text, ", %llu operation%s per trial",
			(unsigned long long)plan->ops,
			plan->ops == 1 ? "" : "s");
	else
		text_add(text, ", enough operations per trial for 5 us");
	add_ops_least(&plans, text);
	if (plan->trials)
		text_add(text, ", %u trial%s per launch", plan->trials,
			plan->trials == 1 ? "" : "s");
	if (plan->launches)
		text_add(text, ", %u launches", plan->launches);
	else if (common.launches != PARAM_AUTO)
		text_add(text, ", %lld launches", (long long)common.launches);
	else
		text_add(text,
			", %d to %d launches until precise, more if the core "
			"is shared",
			LAUNCHES_PRECISE, LAUNCHES_MOST);
	if (plan->draws_least)
		text_add(text,
			"; slow points have fewer launches, at least %u",
			plan->draws_least);
}

static long long least_launches(const struct plan *plan,
	const struct common *common)
{
	if (plan->launches)
		return plan->launches;
	return common->launches == PARAM_AUTO ? LAUNCHES_LEAST :
						common->launches;
}

/* The budget does not limit the first launches, nor the pilot before them. */
static double expected_ns(const struct experiment *experiment,
	const struct param_set *args, const struct common *common,
	bool budget_asked)
{
	double budget_ns = budget_asked ?
		(double)common->budget_ns :
		run_expected_s(experiment, common) * 1e9;
	long long launches = least_launches(&experiment->plan, common);

	return fmax(budget_ns,
		plans_of(experiment, args).trials_ns * (double)(launches + 1));
}

void show_expected(const struct experiment *experiment,
	const struct param_set *args, const struct common *common,
	bool budget_asked, struct text *text)
{
	double scale, took_ns = expected_ns(experiment, args, common,
			      budget_asked);
	const char *word = unit_prefix(UNIT_NS, took_ns, &scale);

	/* An estimate: four digits are enough. */
	text_add(text, "%.4g %s", took_ns / scale, word);
}

static void show_plan(const struct queued *queued, int width, struct text *text)
{
	const struct plan *plan = &queued->experiment->plan;
	struct common common;
	struct text sentence = { 0 };

	add_plan(queued, &sentence);
	wrap(text, sentence.chars, 2, width);
	text_clear(&sentence);
	common_values(&queued->common, &common);
	text_add(&sentence, "takes about ");
	show_expected(queued->experiment, &queued->args, &common,
		queued->budget_asked, &sentence);
	if (plan->budget_ns && !queued->budget_asked)
		text_add(&sentence, ", the experiment's own budget");
	/* The launches of all points are made even if the budget is exceeded,
	 * unless the plan allows fewer launches for slow points. */
	if (!plan->draws_least)
		text_add(&sentence,
			"; longer if %lld launches of all points need more",
			least_launches(plan, &common));
	wrap(text, sentence.chars, 2, width);
	text_free(&sentence);
}

static void predict_point(struct lab *lab, const struct queued *queued,
	size_t index, struct prediction *prediction)
{
	void *args = xcalloc(1, queued->experiment->args_size);
	struct common common;

	*prediction = (struct prediction){ 0 };
	common_values(&queued->common, &common);
	param_set_args(&queued->args, index, args);
	if (queued->experiment->predict) {
		struct facts facts = *lab_facts(lab);

		facts.realtime = common.priority == PRIORITY_FIFO;
		queued->experiment->predict(&facts, args, prediction);
	}
	free(args);
}

/* Cycles have no unit prefix, so large numbers are printed in full: 28670, not
 * 2.867e+04. */
static void add_amount(struct text *text, double value)
{
	text_add(text, value < 1e4 ? "%.4g" : "%.0f", value);
}

/* "0.4..1.5 us", or one number if both ends are equal. */
static void add_range(struct text *text, enum unit unit,
	const struct range *range)
{
	double scale;
	const char *prefix = unit_prefix(unit, range->high, &scale);

	add_amount(text, range->low / scale);
	if (range->low < range->high) {
		text_add(text, "..");
		add_amount(text, range->high / scale);
	}
	text_add(text, "%s%s", *prefix ? " " : "", prefix);
}

static void describe_point(const struct queued *queued, size_t index,
	struct text *text)
{
	for (size_t row = 0; row < queued->args.count; row++) {
		if (queued->args.values[row].count < 2)
			continue;
		text_add(text, "%s%s=", text->length ? " " : "",
			queued->args.rows[row].name);
		param_set_text(&queued->args, index, row, text);
	}
}

static void add_prediction(const struct prediction *prediction, enum unit unit,
	struct text *text)
{
	if (!prediction->set) {
		text_add(text, "the model has no prediction");
		return;
	}
	text_add(text, "hw ");
	add_range(text, unit, &prediction->hardware);
	text_add(text, " + sw ");
	add_range(text, unit, &prediction->software);
	text_add(text, " = ");
	add_range(text, unit, &prediction->total);
}

/* Adds the prediction's reasons for the last shown point. Names that point if
 * other points have other reasons. */
static void add_reasons(struct lab *lab, const struct queued *queued,
	size_t shown, int width, struct text *text)
{
	struct prediction last, other;
	struct text line = { 0 };
	bool differ = false;

	predict_point(lab, queued, shown - 1, &last);
	for (size_t i = 0; i + 1 < shown && !differ; i++) {
		predict_point(lab, queued, i, &other);
		differ = strcmp(other.why, last.why) != 0;
	}
	if (!last.set)
		return;
	text_add(&line, "because%s", differ ? ", for" : "");
	if (differ)
		describe_point(queued, shown - 1, &line);
	text_add(&line, ": %s", last.why);
	text_add(text, "  ");
	wrap_on(text, line.chars, 4, width);
	text_free(&line);
}

void show_prediction(struct lab *lab, const struct queued *queued, int width,
	struct text *text)
{
	enum unit headline = queued->experiment->metrics[0].unit;
	size_t points = param_set_points(&queued->args);
	size_t shown = points < POINTS_SHOWN ? points : POINTS_SHOWN;

	for (size_t i = 0; i < shown; i++) {
		struct prediction prediction;
		struct text line = { 0 };

		predict_point(lab, queued, i, &prediction);
		describe_point(queued, i, &line);
		if (line.length)
			text_add_char(&line, ' ');
		add_prediction(&prediction,
			prediction_unit(&prediction, headline), &line);
		text_add(text, "  ");
		wrap_on(text, line.chars, 4, width);
		text_free(&line);
	}
	if (points > shown)
		text_add(text, "  and %zu more points\n", points - shown);
	add_reasons(lab, queued, shown, width, text);
}

void show_text(struct lab *lab, const struct queued *queued, int width,
	struct text *text)
{
	const struct experiment *experiment = queued->experiment;

	text_add(text, "%s  %s\n", experiment->name, experiment->title);
	wrap(text, experiment->question, 2, width);
	text_add(text, "\nmethod\n");
	wrap(text, experiment->method, 2, width);
	text_add(text, "\nparameters\n");
	show_rows(&queued->args, width, text);
	show_common_names(width, text);
	text_add(text, "\nmetrics\n");
	show_metrics(experiment, width, text);
	text_add(text, "\nplan\n");
	show_plan(queued, width, text);
	text_add(text, "\nprediction\n");
	show_prediction(lab, queued, width, text);
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
	json_add_whole(object, "points",
		plans_of(experiment, &queued->args).points);
	json_add_number(object, "expected_s",
		expected_ns(experiment, &queued->args, &common,
			queued->budget_asked) *
			1e-9);
	json_print(object, text);
	cJSON_Delete(object);
}
