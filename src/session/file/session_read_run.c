/* Reads a run from JSON: its plan and conditions, findings and launches. */
#include "session_internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sharing.h"

void session_read_object(struct session_reader *reader, const cJSON *object,
	const char *name, const struct field *fields, void *into)
{
	struct json_reader *json = &reader->json;
	const cJSON *item = json_enter(json, object, name, cJSON_Object);

	if (!item)
		return;
	session_known(reader, item, fields, NULL);
	fields_read(fields, into, json, item);
	json_leave(json);
}

void session_read_prediction(struct session_reader *reader, const cJSON *object,
	const char *name, struct prediction *prediction)
{
	if (cJSON_IsNull(json_find(object, name)))
		return;
	session_read_object(reader, object, name, session_prediction,
		prediction);
	prediction->set = true;
}

/* ---- lists of texts --------------------------------------------------- */

/* Appends the texts of a list, at most `most` of them. */
static void read_texts(struct session_reader *reader, const cJSON *run,
	const char *name, size_t most, char ***texts, size_t *count)
{
	struct json_reader *json = &reader->json;
	const cJSON *list = json_enter(json, run, name, cJSON_Array);
	const cJSON *item = list ? list->child : NULL;

	for (; item; item = item->next) {
		if (*count == most)
			json_fail(json, "more than %zu of them", most);
		if (!json_enter_element(json, item, *count, cJSON_String))
			return;
		ARRAY_GROW(*texts, *count);
		session_check_text(json, item->valuestring, "");
		(*texts)[(*count)++] = xstrdup(item->valuestring);
		json_leave(json);
	}
	if (list)
		json_leave(json);
}

/* Names of columns, labels and members: checked, so that no export has to quote
 * them, and so that two of them never become the same label. */
static void check_name(struct json_reader *json, const char *name)
{
	enum { NAME_MAX_CHARS = 64 };
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

	if (json->failed)
		return;
	bool good = *name >= 'a' && *name <= 'z' &&
		strlen(name) <= NAME_MAX_CHARS && !name[strspn(name, allowed)];

	if (!good)
		json_fail(json,
			"%s is not a name: expected at most %d of a-z, 0-9 and "
			"'-', the first a letter",
			text_quoted(name).chars, NAME_MAX_CHARS);
}

static void read_parameters(struct session_reader *reader, const cJSON *run,
	struct results *results)
{
	struct json_reader *json = &reader->json;

	read_texts(reader, run, "parameters", SESSION_PARAMETERS_MAX,
		&results->param_names, &results->param_count);
	for (size_t i = 0; i < results->param_count; i++) {
		const char *name = results->param_names[i];

		json_path_member(&json->path, "parameters");
		json_path_element(&json->path, i);
		check_name(json, name);
		if (results_param(results, name) != (int)i)
			json_fail(json, "a second parameter of this name");
		json_path_up(&json->path);
		json_path_up(&json->path);
	}
}

/* ---- lists of objects ------------------------------------------------- */

static void read_finding(struct session_reader *reader, const cJSON *item,
	void *into)
{
	static const char *const names[] = { "value", "interval", "unit",
		"uncertain", "point", NULL };
	struct json_reader *json = &reader->json;
	struct findings *findings = into;

	ARRAY_GROW(findings->list, findings->count);
	struct finding *finding = &findings->list[findings->count++];
	*finding = (struct finding){
		.has_value = !cJSON_IsNull(json_find(item, "value")),
		.has_interval = !cJSON_IsNull(json_find(item, "interval")),
		.point = -1,
	};
	session_known(reader, item, session_finding, names);
	fields_read(session_finding, finding, json, item);
	fields_read(session_finding_unit, finding, json, item);
	/* Before this version only the sentence states the uncertainty. */
	if (reader->session->minor < SESSION_MINOR_REGIMES &&
		finding->sentence)
		finding->uncertain = strstr(finding->sentence, "uncertain");
	if (finding->has_value)
		finding->value = json_get_number(json, item, "value");
	if (finding->has_interval)
		session_read_range(json, item, "interval", &finding->interval);
	/* Added in minor version 2. */
	if (json_find(item, "point")) {
		uint64_t point = json_get_whole(json, item, "point");

		finding->point = (int)(point < INT_MAX ? point : INT_MAX);
	}
}

static void read_clock(struct session_reader *reader, const cJSON *run,
	struct results *results)
{
	/* Only in minor versions below 3. */
	static const char *const old[] = { "canary_ratio", NULL };
	struct json_reader *json = &reader->json;
	const cJSON *clock = json_enter(json, run, "clock", cJSON_Object);

	if (!clock)
		return;
	session_known(reader, clock, session_clock, old);
	fields_read(session_clock, &results->clock, json, clock);
	json_leave(json);
}

/* Added in minor version 3. Older files have only one half of each canary, so
 * their trials keep the earlier classification. */
static void read_sharing(struct session_reader *reader, const cJSON *run,
	struct results *results)
{
	if (json_find(run, "sharing"))
		session_read_object(reader, run, "sharing", session_sharing,
			results);
}

static void read_metric(struct session_reader *reader, const cJSON *item,
	void *into)
{
	struct results *results = into;
	struct metric_info info = { 0 };

	if (results->metric_count == METRICS_MAX)
		json_fail(&reader->json, "more than %d metrics", METRICS_MAX);
	session_known(reader, item, session_metric, NULL);
	fields_read(session_metric, &info, &reader->json, item);
	check_name(&reader->json, info.name);
	if (!reader->json.failed && results_metric(results, info.name) >= 0)
		json_fail(&reader->json, "a second metric of this name");
	if (!reader->json.failed) {
		results_add_metric(results, info.name, info.label, info.unit,
			info.better, info.kind, info.rate);
		struct metric_info *added =
			&results->metrics[results->metric_count - 1];

		added->steady = info.steady;
		added->user_only = info.user_only;
	}
	free(info.name);
	free(info.label);
}

static void read_launch(struct session_reader *reader, const cJSON *item,
	void *into)
{
	struct results *results = into;

	if (results->launch_count == SESSION_LAUNCHES_MAX) {
		json_fail(&reader->json, "more than %d launches",
			SESSION_LAUNCHES_MAX);
		return;
	}
	session_known(reader, item, session_launch, NULL);
	fields_read(session_launch, results_add_launch(results), &reader->json,
		item);
}

static void read_point(struct session_reader *reader, const cJSON *item,
	void *into)
{
	struct results *results = into;

	if (results->point_count == SESSION_POINTS_MAX)
		json_fail(&reader->json, "more than %d points",
			SESSION_POINTS_MAX);
	else
		session_read_point(reader, item, results);
}

/* ---- checks of a run's values ----------------------------------------- */

bool session_is_time(const char *chars)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:dd+dddd";
	unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0;

	if (strlen(chars) != strlen(shape))
		return false;
	for (size_t i = 0; shape[i]; i++) {
		bool digit = chars[i] >= '0' && chars[i] <= '9';
		bool fits = shape[i] == 'd' ? digit : chars[i] == shape[i];

		if (!fits && !(shape[i] == '+' && chars[i] == '-'))
			return false;
	}
	if (sscanf(chars + 4, "-%2u-%2uT%2u:%2u:%2u", &month, &day, &hour,
		    &minute, &second) != 5)
		return false;
	return month >= 1 && month <= 12 && day >= 1 && day <= 31 &&
		hour <= 23 && minute <= 59 && second <= 60;
}

static bool is_name(const char *chars)
{
	return *chars &&
		!chars[strspn(chars, "abcdefghijklmnopqrstuvwxyz0123456789.-")];
}

/* Is the value of a clock possible? It must be positive if trials were timed
 * with it. */
static bool could_time(double value, bool timed)
{
	return timed ? isfinite(value) && value > 0 : !(value < 0);
}

static bool could_plan(int64_t value, int64_t most)
{
	return value == PARAM_AUTO || (value >= 1 && value <= most);
}

/* Do all findings refer to existing points? */
static bool points_are_there(const struct results *results)
{
	for (size_t i = 0; i < results->findings.count; i++) {
		int point = results->findings.list[i].point;

		if (point >= 0 && (size_t)point >= results->point_count)
			return false;
	}
	return true;
}

const char *session_impossible(const struct results *results,
	const char **object, const char **member)
{
	static const char positive[] = "expected a number above 0";
	bool timed = results_visited(results);
	/* The date of a published measurement is often unknown. */
	bool undated =
		!*results->started && results_published(results) && !timed;
	const struct {
		const char *object, *member;
		bool good;
		const char *says;
	} rows[] = {
		{ NULL, "experiment", is_name(results->experiment),
			"expected a name of a-z, 0-9, '.' and '-'" },
		{ NULL, "started", undated || session_is_time(results->started),
			"expected a time like 2025-03-01T12:00:00+0100" },
		{ NULL, "took_s", !(results->took_s < 0),
			"expected a number of seconds, not below 0" },
		{ "clock", "hz", could_time(results->clock.hz, timed),
			positive },
		{ "clock", "quantum", could_time(results->clock.quantum, timed),
			positive },
		{ "plan", "launches",
			could_plan(results->plan.launches,
				SESSION_LAUNCHES_MAX),
			"expected 1 .. 4096 or null" },
		{ "plan", "trials",
			could_plan(results->plan.trials, SESSION_SAMPLES_MAX),
			"expected 1 .. 4194304 or null" },
		{ "plan", "budget_s", results->plan.budget_ns >= 0,
			"expected a number of seconds, not below 0" },
		{ NULL, "findings", points_are_there(results),
			"expected findings about existing points" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].good)
			continue;
		*object = rows[i].object;
		*member = rows[i].member;
		return rows[i].says;
	}
	return NULL;
}

static void check_possible(struct json_reader *json,
	const struct results *results)
{
	const char *object, *member;
	const char *says;

	if (json->failed)
		return;
	says = session_impossible(results, &object, &member);
	if (says && object)
		json_path_member(&json->path, object);
	if (says)
		session_fail_at(json, member, says);
}

/* Keeps the annotation as JSON text, which is parsed where it is shown. */
static void read_annotation(struct session_reader *reader, const cJSON *run,
	struct results *results)
{
	struct json_reader *json = &reader->json;

	if (!json_find(run, "annotation"))
		return;
	const cJSON *item = json_enter(json, run, "annotation", cJSON_Object);
	if (!item)
		return;
	struct text text = { 0 };
	json_print(item, &text);
	/* Remove the newline at the end. */
	text.chars[--text.length] = '\0';
	free(results->annotation);
	results->annotation = text_take(&text);
	json_leave(json);
}

/* ---- the run ---------------------------------------------------------- */

void session_read_run(struct session_reader *reader, const cJSON *run,
	struct results *results)
{
	static const char *const names[] = { "clock", "sharing", "place",
		"plan", "prediction", "annotation", "warnings", "findings",
		"parameters", "metrics", "launches", "points", NULL };

	session_known(reader, run, session_run, names);
	fields_read(session_run, results, &reader->json, run);
	read_clock(reader, run, results);
	read_sharing(reader, run, results);
	session_read_object(reader, run, "place", session_place,
		&results->place);
	session_read_object(reader, run, "plan", session_plan, results);
	session_read_prediction(reader, run, "prediction",
		&results->prediction);
	read_annotation(reader, run, results);
	read_texts(reader, run, "warnings", SIZE_MAX, &results->warnings,
		&results->warning_count);
	session_read_list(reader, run, "findings", read_finding,
		&results->findings);
	read_parameters(reader, run, results);
	session_read_list(reader, run, "metrics", read_metric, results);
	session_read_list(reader, run, "launches", read_launch, results);
	session_read_list(reader, run, "points", read_point, results);
	if (!reader->json.failed && !results->figures_only)
		sharing_recall(results);
	check_possible(&reader->json, results);
}
