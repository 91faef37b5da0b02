/* Reads a point from JSON: its arguments, notes and visits. */
#include "session_internal.h"

#include <stdlib.h>

static void read_args(struct session_reader *reader, const cJSON *json,
	const struct results *results, struct point *point)
{
	struct json_reader *at = &reader->json;
	const cJSON *args = json_enter(at, json, "args", cJSON_Object);
	const char *names[SESSION_PARAMETERS_MAX + 1] = { NULL };

	if (!args)
		return;
	for (size_t i = 0; i < results->param_count; i++) {
		names[i] = results->param_names[i];
		point->values[i] =
			xstrdup(session_get_text(at, args, names[i]));
	}
	session_known(reader, args, NULL, names);
	json_leave(at);
}

static void read_notes(struct session_reader *reader, const cJSON *json,
	struct point *point)
{
	struct json_reader *at = &reader->json;
	const cJSON *notes = json_enter(at, json, "notes", cJSON_Object);
	const cJSON *note = notes ? notes->child : NULL;

	for (; note && !at->failed; note = note->next) {
		session_check_text(at, note->string, "");
		ARRAY_GROW(point->notes, point->note_count);
		point->notes[point->note_count++] = (struct note){
			.key = xstrdup(note->string),
			.value = xstrdup(session_get_item(at, note)),
		};
	}
	if (notes)
		json_leave(at);
}

/* ---- visits ----------------------------------------------------------- */

/* Reads one half of each canary of a visit. */
static void read_halves(struct session_reader *reader, const cJSON *json,
	const char *name,
	void (*keep)(struct point *, struct visit *, size_t i, uint32_t ticks),
	struct point *point, struct visit *visit)
{
	struct json_reader *at = &reader->json;
	const cJSON *list = json_enter(at, json, name, cJSON_Array);
	const cJSON *item = list ? list->child : NULL;

	for (size_t i = 0; item; item = item->next, i++) {
		uint64_t ticks;

		if (!json_is_whole(item, &ticks) || ticks > UINT32_MAX) {
			json_path_element(&at->path, i);
			json_fail(at, "expected ticks below 2^32");
			return;
		}
		keep(point, visit, i, (uint32_t)ticks);
	}
	if (list)
		json_leave(at);
}

static void keep_latency(struct point *point, struct visit *visit, size_t i,
	uint32_t ticks)
{
	struct canary *canary = column_add(&point->canary);

	(void)i;
	canary->latency = ticks;
	visit->canary_count++;
}

static void keep_throughput(struct point *point, struct visit *visit, size_t i,
	uint32_t ticks)
{
	struct canary *canary = point->canary.data;

	if (i < visit->canary_count)
		canary[visit->canary_first + i].throughput = ticks;
}

static void read_canaries(struct session_reader *reader, const cJSON *json,
	const struct results *results, struct point *point, struct visit *visit)
{
	read_halves(reader, json, "canary", keep_latency, point, visit);
	if (!(results->sharing.cut > 0) || reader->json.failed)
		return;
	read_halves(reader, json, "canary_throughput", keep_throughput, point,
		visit);
	if ((size_t)cJSON_GetArraySize(json_find(json, "canary_throughput")) !=
		visit->canary_count)
		session_fail_at(&reader->json, "canary_throughput",
			"expected one for each canary");
}

/* The list alternates: trial, ticks, trial, ticks. */
static void read_rulers(struct session_reader *reader, const cJSON *json,
	struct point *point, struct visit *visit)
{
	struct json_reader *at = &reader->json;

	if (!json_find(json, "memory_ruler"))
		return;
	const cJSON *list = json_enter(at, json, "memory_ruler", cJSON_Array);
	const cJSON *item = list ? list->child : NULL;
	uint64_t before = 0;
	for (; item; item = item->next->next) {
		uint64_t trial, ticks;

		if (!item->next || !json_is_whole(item, &trial) ||
			!json_is_whole(item->next, &ticks) || trial < before ||
			trial > visit->trials || ticks > UINT32_MAX) {
			json_fail(at,
				"expected trials in order, at most %u, each "
				"with ticks below 2^32",
				visit->trials);
			return;
		}
		before = trial;
		*(struct ruler_reading *)column_add(&point->ruler) =
			(struct ruler_reading){ (uint32_t)trial,
				(uint32_t)ticks };
		visit->ruler_count++;
	}
	if (list)
		json_leave(at);
}

/* Checks the limits that digests and screens rely on. */
static void check_visit(struct session_reader *reader,
	const struct results *results, const struct point *point,
	const struct visit *visit)
{
	struct json_reader *at = &reader->json;

	if (visit->launch >= results->launch_count)
		json_fail(at, "launch %u, but there are %zu", visit->launch,
			results->launch_count);
	if (visit > point->visits && visit[-1].launch > visit->launch)
		json_fail(at, "launch %u after launch %u", visit->launch,
			visit[-1].launch);
	if (visit->clone >= CLONES_MAX)
		json_fail(at, "clone %u, but there are at most %d",
			visit->clone, CLONES_MAX);
	if (visit->trials > SESSION_SAMPLES_MAX)
		json_fail(at, "more than %d trials", SESSION_SAMPLES_MAX);
	if (visit->warmup > visit->trials)
		json_fail(at, "a warm-up of %u among %u trials", visit->warmup,
			visit->trials);
	if (visit->canary_every > SESSION_SAMPLES_MAX)
		json_fail(at, "a canary every %u trials", visit->canary_every);
}

struct visit_place {
	struct results *results;
	struct point *point;
};

static void read_visit(struct session_reader *reader, const cJSON *item,
	void *into)
{
	static const char *const names[] = { "canary", "canary_throughput",
		"memory_ruler", NULL };
	const struct visit_place *place = into;
	struct visit *visit = point_add_visit(place->results, place->point);

	session_known(reader, item, session_visit, names);
	fields_read(session_visit, visit, &reader->json, item);
	read_canaries(reader, item, place->results, place->point, visit);
	read_rulers(reader, item, place->point, visit);
	check_visit(reader, place->results, place->point, visit);
}

/* ---- the point -------------------------------------------------------- */

void session_read_point(struct session_reader *reader, const cJSON *json,
	struct results *results)
{
	static const char *const names[] = { "args", "notes", "prediction",
		"visits", "launches", "canaries", "rulers", "metrics", "traces",
		"check", NULL };
	struct point *point = results_add_point(results);
	struct visit_place place = { results, point };

	session_known(reader, json, session_point, names);
	read_args(reader, json, results, point);
	fields_read(session_point, point, &reader->json, json);
	if (point->state != POINT_OK && !point->why)
		session_fail_at(&reader->json, "why",
			"expected a reason, since the point is not ok");
	read_notes(reader, json, point);
	session_read_prediction(reader, json, "prediction", &point->model);
	session_read_list(reader, json, "visits", read_visit, &place);
	if (results->figures_only && point->visit_count)
		session_fail_at(&reader->json, "visits",
			"expected none, since the run keeps figures only");
	if (results->figures_only)
		session_read_launches(reader, json, results, point);
	session_read_series(reader, json, results, point);
}
