/* A fleet as JSON. */
#include <math.h>

#include "fleet_sessions.h"
#include "json_internal.h"

static void write_machine(const struct fleet_sessions *sessions, size_t machine,
	cJSON *list)
{
	const struct fleet_machine *from = &sessions->machines[machine];
	cJSON *object = json_add_object(list, NULL);
	cJSON *values;

	json_add_text(object, "name", from->name);
	json_add_whole(object, "sessions", from->sessions);
	json_add_whole(object, "group", from->group + 1);
	json_add_number(object, "overall", sessions->fleet.overall[machine]);
	json_add_number(object, "scatter", sessions->fleet.scatter[machine]);
	values = json_add_object(object, "surroundings");
	for (int i = 0; i < SURROUNDINGS; i++)
		if (from->surroundings->value[i])
			json_add_text(values,
				surrounding_name((enum surrounding)i),
				from->surroundings->value[i]);
}

static void write_group(const struct fleet_sessions *sessions, size_t group,
	cJSON *list)
{
	const struct fleet_group *from = &sessions->fleet.groups[group];
	cJSON *object = json_add_object(list, NULL);
	struct text said = { 0 };

	json_add_whole(object, "machines", from->machines);
	json_add_number(object, "ratio", from->ratio);
	fleet_say_group(sessions, group, &said);
	json_add_text(object, "surroundings", text_chars(&said));
	text_free(&said);
}

static void write_series(const struct fleet_sessions *sessions, size_t series,
	cJSON *list)
{
	const struct fleet_title *title = &sessions->series[series];
	const struct fleet_series *from = &sessions->fleet.series[series];
	cJSON *object = json_add_object(list, NULL);
	cJSON *ratios;

	json_add_text(object, "experiment", title->experiment);
	json_add_text(object, "setting", title->setting);
	json_add_text(object, "metric", title->metric);
	json_add_text(object, "unit", unit_name(title->unit));
	json_add_whole(object, "machines", from->machines);
	json_add_whole(object, "machines_shared",
		fleet_shared(sessions, series));
	json_add_number(object, "median", fleet_centre(sessions, series));
	json_add_number(object, "spread", from->spread);
	json_add_number(object, "sd_machine", sqrt(from->split.machine));
	json_add_number(object, "sd_run", sqrt(from->split.run));
	json_add_number(object, "sd_launch", sqrt(from->split.launch));
	ratios = json_add_array(object, "ratios");
	for (size_t m = 0; m < sessions->fleet.machine_count; m++)
		json_add_number(ratios, NULL,
			sessions->fleet.ratio[m * sessions->fleet.series_count +
				series]);
}

const char *fleet_kind_name(enum fleet_kind kind)
{
	static const char *const names[FLEET_KINDS] = { "series", "overall",
		"scatter", "surroundings" };

	return names[kind];
}

const char *fleet_kind_words(enum fleet_kind kind)
{
	static const char *const words[FLEET_KINDS] = { "one series",
		"all series together", "scatter between launches",
		"surroundings" };

	return words[kind];
}

const char *fleet_kind_head(enum fleet_kind kind)
{
	static const char *const heads[FLEET_KINDS] = { "", "all", "sc",
		"su" };

	return heads[kind];
}

static void write_outlier(const struct fleet_sessions *sessions,
	const struct fleet_outlier *outlier, cJSON *list)
{
	cJSON *object = json_add_object(list, NULL);
	struct fleet_unlike unlike;

	json_add_text(object, "machine",
		sessions->machines[outlier->machine].name);
	json_add_text(object, "kind", fleet_kind_name(outlier->kind));
	if (outlier->kind == FLEET_SERIES) {
		const struct fleet_title *title =
			&sessions->series[outlier->series];

		json_add_text(object, "experiment", title->experiment);
		json_add_text(object, "setting", title->setting);
		json_add_text(object, "metric", title->metric);
	}
	json_add_number(object, "ratio", outlier->ratio);
	json_add_number(object, "p", outlier->p);
	if (!fleet_regime_differs(sessions, outlier, &unlike))
		return;
	json_add_bool(object, "shared", unlike.is_shared);
	json_add_number(object, "alone", unlike.alone);
	json_add_number(object, "others_alone", unlike.others_alone);
}

void fleet_write(const struct fleet_sessions *sessions, struct text *text)
{
	const struct fleet *fleet = &sessions->fleet;
	cJSON *object = cJSON_CreateObject(), *list;

	json_add_whole(object, "sessions", sessions->sessions);
	json_add_whole(object, "repeated_files", sessions->repeated.files);
	json_add_whole(object, "repeated_runs", sessions->repeated.runs);
	list = json_add_array(object, "machines");
	for (size_t i = 0; i < sessions->machine_count; i++)
		write_machine(sessions, i, list);
	list = json_add_array(object, "left_out");
	for (size_t i = 0; i < sessions->left_out_count; i++) {
		cJSON *out = json_add_object(list, NULL);

		json_add_text(out, "name", sessions->left_out[i].name);
		json_add_text(out, "why", sessions->left_out[i].why);
	}
	list = json_add_array(object, "groups");
	for (size_t i = 0; i < fleet->group_count; i++)
		write_group(sessions, i, list);
	list = json_add_array(object, "series");
	for (size_t i = 0; i < sessions->series_count; i++)
		write_series(sessions, i, list);
	list = json_add_array(object, "outliers");
	for (size_t i = 0; i < fleet->outlier_count; i++)
		write_outlier(sessions, &fleet->outliers[i], list);
	json_print(object, text);
	cJSON_Delete(object);
}
