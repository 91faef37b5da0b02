/* A history as JSON. */
#include <math.h>

#include "json.h"
#include "quality.h"
#include "run_history.h"
#include "session_internal.h"

static void write_run(const struct history *history, size_t run, cJSON *list)
{
	const struct kept_point *point = &history->list[run];
	const struct kept_figure *figure = history_figure(history, run);
	cJSON *object = json_add_object(list, NULL);

	json_add_whole(object, "session", point->session);
	json_add_text(object, "started", point->started);
	json_add_number(object, "median", figure->median);
	session_write_range(object, "ci", figure->has_interval,
		figure->interval.low, figure->interval.high);
	json_add_number(object, "alone", point->alone);
	json_add_text(object, "quality", quality_word(point->quality));
	json_add_bool(object, "counted", history_counts(history, run));
	json_add_number(object, "canary_ns", point->canary_ns);
	json_add_number(object, "memory_ruler_ns", point->ruler_ns);
	cJSON *values = json_add_object(object, "surroundings");
	for (int i = 0; i < SURROUNDINGS; i++)
		if (point->surroundings->value[i])
			json_add_text(values,
				surrounding_name((enum surrounding)i),
				point->surroundings->value[i]);
}

static void write_change(const struct history *history,
	const struct history_series *series, const struct change *change,
	cJSON *list)
{
	size_t run = series->runs[change->at];
	size_t cause = history_cause(history, run);
	cJSON *object = json_add_object(list, NULL);
	struct text differences = { 0 };

	json_add_whole(object, "run", run);
	json_add_whole(object, "session", history->list[run].session);
	json_add_text(object, "started", history->list[run].started);
	json_add_number(object, "before", exp(change->before));
	json_add_number(object, "after", exp(change->after));
	json_add_number(object, "p", change->p);
	if (cause == history->count)
		return;
	history_say_differences(history, cause, &differences);
	json_add_whole(object, "surroundings_run", cause);
	json_add_text(object, "surroundings", text_chars(&differences));
	text_free(&differences);
}

static void write_series(const struct history *history, enum history_what what,
	cJSON *list)
{
	const struct history_series *series = &history->series[what];

	if (!series->count)
		return;
	cJSON *object = json_add_object(list, NULL);
	json_add_text(object, "name", history_name(history, what));
	json_add_text(object, "unit",
		unit_name(what == HISTORY_FIGURE ? history->list->unit :
						   UNIT_NS));
	json_add_whole(object, "runs", series->count);
	json_add_number(object, "floor", expm1(series->floor));
	json_add_number(object, "p_holm", series->p);
	cJSON *changes = json_add_array(object, "changes");
	for (size_t i = 0; i < series->changes.count; i++)
		write_change(history, series, &series->changes.list[i],
			changes);
}

void history_write(const struct history *history, struct text *text)
{
	json_use_memory();
	cJSON *object = cJSON_CreateObject();

	json_add_text(object, "experiment", history->experiment);
	json_add_text(object, "setting", history->list->setting);
	json_add_text(object, "metric", history->list->metric);
	json_add_text(object, "unit", unit_name(history->list->unit));
	json_add_text(object, "regime", regime_name(history->regime));
	if (history_regime_since(history))
		json_add_whole(object, "regime_since_run",
			history_regime_since(history));
	json_add_whole(object, "repeated_runs", history->repeated);
	cJSON *series = json_add_array(object, "series");
	for (int i = 0; i < HISTORY_SERIES; i++)
		write_series(history, (enum history_what)i, series);
	cJSON *runs = json_add_array(object, "runs");
	for (size_t i = 0; i < history->count; i++)
		write_run(history, i, runs);
	json_print(object, text);
	cJSON_Delete(object);
}
