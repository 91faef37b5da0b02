/* The results of a run: creation, description, search, release. */
#include "results.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counter.h"
#include "memo.h"
#include "text.h"

struct results *results_new(const char *experiment)
{
	static unsigned serial;
	struct results *results = xcalloc(1, sizeof *results);

	results->serial = ++serial;
	results->experiment = xstrdup(experiment);
	results->place.cpu = -1;
	results->place.second = -1;
	return results;
}

const char *published_figure_name(enum published_figure figure)
{
	static const char *const names[PUBLISHED_FIGURES] = {
		[PUBLISHED_MEAN] = "mean",
		[PUBLISHED_MEDIAN] = "median",
		[PUBLISHED_LEAST] = "min",
		[PUBLISHED_MOST] = "max",
		[PUBLISHED_VALUE] = "value",
	};

	return names[figure];
}

const char *const predictor_names[] = {
	[BY_MODEL] = "model",
	[BY_USER] = "user",
	[PREDICTORS] = NULL,
};

static void series_release(struct series *series)
{
	if (series->published) {
		free(series->published->printed);
		free(series->published->source);
	}
	free(series->published);
	memo_point_free(series->stored);
	column_release(&series->raw);
	column_release(&series->flags);
	column_release(&series->trace);
	free(series->slices);
}

static void point_release(struct results *results, struct point *point)
{
	for (size_t i = 0; i < results->param_count; i++)
		free(point->values[i]);
	for (size_t i = 0; i < results->metric_count; i++)
		series_release(&point->series[i]);
	for (size_t i = 0; i < point->note_count; i++) {
		free(point->notes[i].key);
		free(point->notes[i].value);
	}
	free(point->values);
	free(point->series);
	free(point->notes);
	free(point->visits);
	free(point->args);
	free(point->why);
	column_release(&point->canary);
	column_release(&point->ruler);
}

void findings_free(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		free(findings->list[i].name);
		free(findings->list[i].sentence);
	}
	free(findings->list);
	*findings = (struct findings){ 0 };
}

void results_free(struct results *results)
{
	if (!results)
		return;
	for (size_t i = 0; i < results->point_count; i++)
		point_release(results, &results->points[i]);
	for (size_t i = 0; i < results->param_count; i++)
		free(results->param_names[i]);
	for (size_t i = 0; i < results->metric_count; i++) {
		free(results->metrics[i].name);
		free(results->metrics[i].label);
	}
	for (size_t i = 0; i < results->warning_count; i++)
		free(results->warnings[i]);
	findings_free(&results->findings);
	free(results->points);
	free(results->param_names);
	free(results->metrics);
	free(results->warnings);
	free(results->launches);
	free(results->experiment);
	free(results->title);
	free(results->error);
	free(results->asked);
	free(results->annotation);
	memo_drop(results);
	free(results);
}

void results_inherit(const struct results *results, bool inherit)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];

		column_inherit(&point->canary, inherit);
		column_inherit(&point->ruler, inherit);
		for (size_t m = 0; m < results->metric_count; m++) {
			column_inherit(&point->series[m].raw, inherit);
			column_inherit(&point->series[m].flags, inherit);
			column_inherit(&point->series[m].trace, inherit);
		}
	}
}

void results_own_texts(const struct results *results, const struct param *row,
	struct point *point)
{
	for (; row->name; row++) {
		int i = results_param(results, row->name);

		if (row->type == PARAM_TEXT && i >= 0)
			memcpy((char *)point->args + row->offset,
				&point->values[i], sizeof(char *));
	}
}

void results_add_metric(struct results *results, const char *name,
	const char *label, enum unit unit, enum direction better,
	enum metric_kind kind, bool rate)
{
	ARRAY_GROW(results->metrics, results->metric_count);
	results->metrics[results->metric_count++] = (struct metric_info){
		.name = xstrdup(name),
		.label = xstrdup(label),
		.unit = unit,
		.better = better,
		.kind = kind,
		.rate = rate,
	};
}

void results_describe(struct results *results,
	const struct experiment *experiment)
{
	results->title = xstrdup(experiment->title);
	results->descriptor = experiment;
	for (const struct param *row = experiment->params; row->name; row++) {
		ARRAY_GROW(results->param_names, results->param_count);
		results->param_names[results->param_count++] =
			xstrdup(row->name);
	}
	for (const struct metric *row = experiment->metrics; row->name; row++) {
		results_add_metric(results, row->name, row->label, row->unit,
			row->better, row->kind, row->rate);
		results->metrics[results->metric_count - 1].steady =
			row->steady;
	}
	results->plan.traits = experiment->traits;
}

void results_count(struct results *results, const struct counted *counted)
{
	for (unsigned i = 0; i < COUNTERS; i++) {
		const struct metric *row = &counter_metrics[i];
		struct text label = { 0 };

		if (!(counted->mask & 1u << i))
			continue;
		text_add(&label, "%s%s", row->label,
			counted->user_only ? " in user mode" : "");
		results_add_metric(results, row->name, label.chars, row->unit,
			row->better, row->kind, false);
		struct metric_info *info =
			&results->metrics[results->metric_count - 1];
		info->steady = row->steady;
		info->user_only = counted->user_only;
		text_free(&label);
	}
}

struct point *results_add_point(struct results *results)
{
	ARRAY_GROW(results->points, results->point_count);
	struct point *point = &results->points[results->point_count++];

	*point = (struct point){ 0 };
	point->values = xcalloc(results->param_count, sizeof *point->values);
	point->series = xcalloc(results->metric_count, sizeof *point->series);
	column_init(&point->canary, sizeof(struct canary));
	column_init(&point->ruler, sizeof(struct ruler_reading));
	for (size_t i = 0; i < results->metric_count; i++) {
		struct series *series = &point->series[i];

		column_init(&series->raw, sizeof(uint64_t));
		column_init(&series->flags, sizeof(uint16_t));
		column_init(&series->trace, sizeof(struct trace_point));
	}
	return point;
}

struct launch *results_add_launch(struct results *results)
{
	ARRAY_GROW(results->launches, results->launch_count);
	struct launch *launch = &results->launches[results->launch_count++];

	*launch = (struct launch){ .number = (unsigned)results->launch_count };
	return launch;
}

struct visit *point_add_visit(struct results *results, struct point *point)
{
	size_t at = point->visit_count++;

	for (size_t i = 0; i < results->metric_count; i++) {
		struct series *series = &point->series[i];

		ARRAY_GROW(series->slices, at);
		series->slices[at] =
			(struct slice){ .first = series->raw.count };
	}
	ARRAY_GROW(point->visits, at);
	point->visits[at] = (struct visit){
		.canary_first = point->canary.count,
		.ruler_first = point->ruler.count,
	};
	return &point->visits[at];
}

void point_add_note(struct point *point, const char *key, const char *value)
{
	for (size_t i = 0; i < point->note_count; i++)
		if (!strcmp(point->notes[i].key, key)) {
			free(point->notes[i].value);
			point->notes[i].value = xstrdup(value);
			return;
		}
	ARRAY_GROW(point->notes, point->note_count);
	point->notes[point->note_count++] =
		(struct note){ xstrdup(key), xstrdup(value) };
}

void results_warn(struct results *results, const char *format, ...)
{
	struct text line = { 0 };
	va_list list;

	va_start(list, format);
	text_vadd(&line, format, list);
	va_end(list);
	for (size_t i = 0; i < results->warning_count; i++)
		if (!strcmp(results->warnings[i], line.chars)) {
			text_free(&line);
			return;
		}
	ARRAY_GROW(results->warnings, results->warning_count);
	results->warnings[results->warning_count++] = text_take(&line);
	results->version++;
}

void results_withdraw(struct results *results, size_t warning)
{
	char **at = &results->warnings[warning];

	free(*at);
	memmove(at, at + 1, (--results->warning_count - warning) * sizeof *at);
	results->version++;
}

struct published *point_publish(struct point *point, unsigned metric)
{
	struct series *series = &point->series[metric];

	if (!series->published)
		series->published = xcalloc(1, sizeof *series->published);
	free(series->published->printed);
	free(series->published->source);
	*series->published = (struct published){ PUBLISHED_VALUE, NAN, NAN, NAN,
		NAN, NAN, NAN, NULL, NULL };
	return series->published;
}

int results_metric(const struct results *results, const char *name)
{
	for (size_t i = 0; i < results->metric_count; i++)
		if (!strcmp(results->metrics[i].name, name))
			return (int)i;
	return -1;
}

int results_param(const struct results *results, const char *name)
{
	for (size_t i = 0; i < results->param_count; i++)
		if (!strcmp(results->param_names[i], name))
			return (int)i;
	return -1;
}

const char *point_value(const struct results *results,
	const struct point *point, const char *param)
{
	int at = results_param(results, param);

	return at < 0 ? NULL : point->values[at];
}

const char *point_note(const struct point *point, const char *key)
{
	for (size_t i = 0; i < point->note_count; i++)
		if (!strcmp(point->notes[i].key, key))
			return point->notes[i].value;
	return NULL;
}

const char *point_capture_off(const struct point *point)
{
	const char *note = point_note(point, "capture");
	size_t length = strlen(CAPTURE_OFF);

	return note && !strncmp(note, CAPTURE_OFF, length) ? note + length :
							     NULL;
}

size_t results_trials(const struct results *results)
{
	size_t trials = 0;

	for (size_t i = 0; i < results->point_count; i++)
		for (size_t m = 0; m < results->metric_count; m++)
			trials += results->points[i].series[m].raw.count;
	return trials;
}

size_t point_draws(const struct point *point)
{
	size_t draws = 0;

	/* Visits are in the order of their launches. A launch has one visit per
	 * clone. */
	for (size_t v = 0; v < point->visit_count; v++)
		draws += !v ||
			point->visits[v].launch != point->visits[v - 1].launch;
	return draws;
}

bool results_changes(const struct results *results, size_t param)
{
	for (size_t i = 1; i < results->point_count; i++)
		if (strcmp(results->points[i].values[param],
			    results->points[0].values[param]))
			return true;
	return false;
}

/* Has the parameter an effect at this point? */
static bool has_effect(const struct results *results, const struct point *point,
	size_t param)
{
	const struct param *row = results->descriptor ?
		param_row(results->descriptor->params,
			results->param_names[param]) :
		NULL;

	return !row || point_matches(results, point, row->only);
}

/* With `brief`, a value is written without its parameter's name unless it is
 * only a number. */
static void describe(const struct results *results, const struct point *point,
	bool changing, bool brief, struct text *text)
{
	const char *gap = "";

	for (size_t i = 0; i < results->param_count; i++) {
		const char *value = point->values[i];
		size_t length = strlen(value);

		if (!length || (changing && !results_changes(results, i)) ||
			!has_effect(results, point, i))
			continue;
		text_add(text, "%s", gap);
		if (!brief || strspn(value, "0123456789.") == length)
			text_add(text, "%s=", results->param_names[i]);
		text_add_safe(text, value, length);
		gap = " ";
	}
}

void point_describe(const struct results *results, const struct point *point,
	bool changing, struct text *text)
{
	describe(results, point, changing, false, text);
}

void point_describe_short(const struct results *results,
	const struct point *point, struct text *text)
{
	describe(results, point, true, true, text);
}
