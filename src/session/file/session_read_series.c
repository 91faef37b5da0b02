/* Reads trials from JSON: samples, flags, weights and traces. Figures are not
 * read, because they are computed from the trials. */
#include "digest.h"
#include "session_internal.h"

#include <math.h>
#include <string.h>

/* ---- known members of figures ------------------------------------------ */

/* Checks the members of an object in the figures; the object may be missing. */
static void know_inner(struct session_reader *reader, const cJSON *json,
	const char *name, const char *const *names)
{
	json_path_member(&reader->json.path, name);
	session_known(reader, json_find(json, name), NULL, names);
	json_path_up(&reader->json.path);
}

static void know_flags(struct session_reader *reader, const cJSON *json)
{
	/* The last entry is the name of a shared core in minor versions below
	 * 3. */
	const char *flags[FLAG_COUNT + 2] = { [FLAG_COUNT] = "contended" };

	for (unsigned i = 0; i < FLAG_COUNT; i++)
		flags[i] = sample_flag_name((enum sample_flag)(1u << i));
	know_inner(reader, json, "flags_by", flags);
}

static void know_regimes(struct session_reader *reader, const cJSON *json)
{
	static const char *const names[] = { "trials", "launches", "median",
		"ci", NULL };
	const char *regimes[REGIMES + 1] = { NULL };
	const cJSON *object = json_find(json, "regimes");

	for (int r = 0; r < REGIMES; r++)
		regimes[r] = regime_name((enum regime)r);
	know_inner(reader, json, "regimes", regimes);
	json_path_member(&reader->json.path, "regimes");
	for (int r = 0; r < REGIMES; r++)
		know_inner(reader, object, regimes[r], names);
	json_path_up(&reader->json.path);
}

static void look_at_figures(struct session_reader *reader, const cJSON *json)
{
	static const char *const names[] = { "unit", "median", "ci", "min",
		"mean", "max", "sd_within", "sd_between", "max_deviation",
		"icc", "quantiles", "ops", "trials", "launches", "quality",
		"regime", "shared", "excluded", "flags_by", "regimes",
		"slowdown", "steps", "median_all", "unsteady", "resolution",
		"below_resolution", "floor", "layout", "cycles", "ticks",
		"values", "derived", "flags", "published", "launch_medians",
		/* Only in minor versions below 3. */
		"flagged", "disturbed", "unusable", NULL };
	static const char *const cycles[] = { "median", "ci", "min", "mean",
		NULL };
	static const char *const slowdown[] = { "launches", "factor", "ci",
		NULL };

	session_known(reader, json, NULL, names);
	know_inner(reader, json, "quantiles", session_quantiles);
	know_inner(reader, json, "cycles", cycles);
	know_inner(reader, json, "slowdown", slowdown);
	know_flags(reader, json);
	know_regimes(reader, json);
}

/* ---- samples ---------------------------------------------------------- */

/* Enters the array of a visit; fails if there is none. */
static const cJSON *enter_slice(struct session_reader *reader,
	const cJSON *slice, size_t visit)
{
	if (!slice && !reader->json.failed)
		json_fail(&reader->json, "has %zu arrays, expected one per "
			"visit",
			visit);
	return json_enter_element(&reader->json, slice, visit, cJSON_Array);
}

static void fail_sample(struct session_reader *reader, size_t index,
	const char *sentence)
{
	json_path_element(&reader->json.path, index);
	json_fail(&reader->json, "%s", sentence);
}

/* Reads a tick count or a double into the same column of eight-byte entries. */
static bool read_sample(const cJSON *item, bool value, struct series *series)
{
	uint64_t ticks;

	if (!value && !json_is_whole(item, &ticks))
		return false;
	if (value && !cJSON_IsNumber(item) && !cJSON_IsNull(item))
		return false;
	void *raw = column_add(&series->raw);
	if (value)
		*(double *)raw = cJSON_IsNull(item) ? NAN : item->valuedouble;
	else
		*(uint64_t *)raw = ticks;
	column_add(&series->flags);
	return true;
}

static void read_slice(struct session_reader *reader, const cJSON *list,
	bool value, struct series *series, struct slice *slice)
{
	*slice = (struct slice){ .first = series->raw.count };
	for (const cJSON *item = list->child; item; item = item->next) {
		if (!read_sample(item, value, series)) {
			fail_sample(reader, slice->count,
				value ? "expected a number or null" :
					"expected ticks, a whole number");
			return;
		}
		slice->count++;
	}
	session_count(reader, slice->count);
}

static void read_flags(struct session_reader *reader, const cJSON *list,
	struct series *series, const struct slice *slice)
{
	const cJSON *item = list->child;
	uint16_t *flags = series->flags.data;
	uint64_t index, bits, least = 0;

	for (size_t i = 0; item; item = item->next->next, i += 2) {
		if (!item->next || !json_is_whole(item, &index) ||
			!json_is_whole(item->next, &bits)) {
			fail_sample(reader, i, "expected an index and flags");
			return;
		}
		if (index < least || index >= slice->count) {
			fail_sample(reader, i,
				"expected the index of a later trial");
			return;
		}
		if (bits == 0 || bits >= 1u << FLAG_COUNT) {
			fail_sample(reader, i + 1, "expected flags, 1 .. 1023");
			return;
		}
		flags[slice->first + index] = (uint16_t)bits;
		least = index + 1;
	}
}

/* Reads one array per visit. "ticks" or "values" must be read before
 * "flags". `visits`: 0 if the trials are not kept. */
static void read_slices(struct session_reader *reader, const cJSON *object,
	const char *name, size_t visits, struct series *series)
{
	struct json_reader *json = &reader->json;
	const cJSON *list = json_enter(json, object, name, cJSON_Array);
	const cJSON *item = list ? list->child : NULL;
	bool flags = !strcmp(name, "flags"), value = !strcmp(name, "values");

	if (!list)
		return;
	for (size_t v = 0; v < visits; v++) {
		if (!enter_slice(reader, item, v))
			return;
		if (flags)
			read_flags(reader, item, series, &series->slices[v]);
		else
			read_slice(reader, item, value, series,
				&series->slices[v]);
		if (json->failed)
			return;
		json_leave(json);
		item = item->next;
	}
	if (item)
		json_fail(json, "has more arrays than visits");
	json_leave(json);
}

/* ---- metrics ---------------------------------------------------------- */

static void read_weights(struct session_reader *reader, const cJSON *derived,
	const struct results *results, struct series *series)
{
	struct json_reader *json = &reader->json;
	const cJSON *weights =
		json_enter(json, derived, "weights", cJSON_Object);
	const cJSON *item = weights ? weights->child : NULL;

	for (; item && !json->failed; item = item->next) {
		int metric = results_metric(results, item->string);
		double weight = json_get_number(json, weights, item->string);

		if (metric < 0 || results->metrics[metric].kind != METRIC_TIMED)
			json_fail(json, "expected names of timed metrics");
		else
			series->weight[metric] = weight;
	}
	if (weights)
		json_leave(json);
}

static void read_derived(struct session_reader *reader, const cJSON *object,
	const struct results *results, bool rate, struct series *series)
{
	static const char *const names[] = { "weights", "rate", NULL };
	struct json_reader *json = &reader->json;
	const cJSON *derived =
		json_enter(json, object, "derived", cJSON_Object | cJSON_NULL);

	if (!derived)
		return;
	series->derived = cJSON_IsObject(derived);
	if (series->derived) {
		session_known(reader, derived, NULL, names);
		read_weights(reader, derived, results, series);
		if (json_get_bool(json, derived, "rate") != rate)
			json_fail(json,
				"\"rate\" differs from the run's metrics");
	}
	json_leave(json);
}

/* Reads a published figure, which has no trials. */
static void read_published(struct session_reader *reader, const cJSON *object,
	struct point *point, unsigned metric)
{
	struct json_reader *json = &reader->json;
	struct published *published = point_publish(point, metric);

	session_read_object(reader, object, "published", session_published,
		published);
	if (json->failed)
		return;
	if (point->visit_count)
		session_fail_at(json, "published",
			"a published figure has visits, expected none");
	else if (!isfinite(published->value))
		session_fail_at(json, "published", "has no value");
	else if (!*published->source)
		session_fail_at(json, "published",
			"names no source, expected where it was printed");
}

static void read_metric(struct session_reader *reader, const cJSON *metrics,
	const struct results *results, struct point *point, unsigned metric)
{
	const struct metric_info *info = &results->metrics[metric];
	struct series *series = &point->series[metric];
	struct json_reader *json = &reader->json;
	size_t visits = results->figures_only ? 0 : point->visit_count;
	const cJSON *object =
		json_enter(json, metrics, info->name, cJSON_Object);

	if (!object)
		return;
	look_at_figures(reader, object);
	series->ops = json_get_whole(json, object, "ops");
	if (info->kind == METRIC_DERIVED) {
		read_derived(reader, object, results, info->rate, series);
	} else {
		read_slices(reader, object,
			info->kind == METRIC_VALUE ? "values" : "ticks", visits,
			series);
		read_slices(reader, object, "flags", visits, series);
	}
	if (json_find(object, "published"))
		read_published(reader, object, point, metric);
	if (results->figures_only)
		session_read_stored(reader, object, results, point, metric);
	if (info->kind == METRIC_TIMED && series->raw.count && !series->ops)
		json_fail(json, "\"ops\" is 0, expected more with trials");
	json_leave(json);
}

/* ---- traces ----------------------------------------------------------- */

static bool read_trace_point(const cJSON *item, size_t visits,
	struct series *series)
{
	const cJSON *x = cJSON_IsArray(item) ? item->child : NULL;
	const cJSON *y = x ? x->next : NULL;
	const cJSON *visit = y ? y->next : NULL;
	uint64_t index;

	if (!visit || visit->next || !json_is_whole(visit, &index) ||
		index >= visits)
		return false;
	if ((!cJSON_IsNumber(x) && !cJSON_IsNull(x)) ||
		(!cJSON_IsNumber(y) && !cJSON_IsNull(y)))
		return false;
	*(struct trace_point *)column_add(&series->trace) =
		(struct trace_point){
			.x = cJSON_IsNull(x) ? NAN : x->valuedouble,
			.y = cJSON_IsNull(y) ? NAN : y->valuedouble,
			.visit = (uint32_t)index,
		};
	return true;
}

static void read_trace(struct session_reader *reader, const cJSON *traces,
	const char *name, size_t visits, struct series *series)
{
	struct json_reader *json = &reader->json;
	const cJSON *list = json_enter(json, traces, name, cJSON_Array);
	const cJSON *item = list ? list->child : NULL;

	for (; item; item = item->next)
		if (!read_trace_point(item, visits, series)) {
			fail_sample(reader, series->trace.count,
				"expected [x, y, visit]");
			return;
		}
	session_count(reader, series->trace.count);
	if (list)
		json_leave(json);
}

/* ---- all of a point --------------------------------------------------- */

/* Checks the trial count of each visit against its longest series. */
static void check_trials(struct session_reader *reader,
	const struct results *results, const struct point *point)
{
	for (size_t v = 0; v < point->visit_count; v++) {
		size_t timed = 0, any = 0, trials = point->visits[v].trials;

		for (size_t m = 0; m < results->metric_count; m++) {
			size_t count = point->series[m].slices[v].count;

			any = count > any ? count : any;
			if (results->metrics[m].kind == METRIC_TIMED)
				timed = count > timed ? count : timed;
		}
		if (trials < timed || trials > any)
			json_fail(&reader->json,
				"visit %zu states %zu trials, but has %zu",
				v, trials, timed ? timed : any);
	}
}

/* Enters "metrics" or "traces" and notes unknown members. */
static const cJSON *enter_group(struct session_reader *reader,
	const cJSON *json, const struct results *results, bool traces)
{
	const char *names[METRICS_MAX + 1] = { NULL };
	const cJSON *group = json_enter(&reader->json, json,
		traces ? "traces" : "metrics", cJSON_Object);
	size_t count = 0;

	for (size_t m = 0; m < results->metric_count; m++)
		if ((results->metrics[m].kind == METRIC_TRACE) == traces)
			names[count++] = results->metrics[m].name;
	if (group)
		session_known(reader, group, NULL, names);
	return group;
}

void session_read_series(struct session_reader *reader, const cJSON *json,
	const struct results *results, struct point *point)
{
	const cJSON *metrics = enter_group(reader, json, results, false);

	for (unsigned m = 0; metrics && m < results->metric_count; m++)
		if (results->metrics[m].kind != METRIC_TRACE)
			read_metric(reader, metrics, results, point, m);
	if (metrics)
		json_leave(&reader->json);
	const cJSON *traces = enter_group(reader, json, results, true);
	for (unsigned m = 0; traces && m < results->metric_count; m++)
		if (results->metrics[m].kind == METRIC_TRACE)
			read_trace(reader, traces, results->metrics[m].name,
				point->visit_count, &point->series[m]);
	if (traces)
		json_leave(&reader->json);
	if (!reader->json.failed)
		check_trials(reader, results, point);
}
