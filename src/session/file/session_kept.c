/* Figures of a run whose trials are not kept: written rounded, and read back
 * instead of being computed. */
#include "session_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memo.h"
#include "quality.h"
#include "quantile.h"

enum { FIGURE_DIGITS = 5 };

/* ---- the numbers of a digest ------------------------------------------ */

#define AT(member) offsetof(struct digest, member)

/* A number by the objects that lead to it, below the metric. */
struct number {
	const char *object, *inner, *name;
	size_t at;
};
static const struct number numbers[] = {
	{ NULL, NULL, "median", AT(summary.median) },
	{ NULL, NULL, "min", AT(summary.min) },
	{ NULL, NULL, "mean", AT(summary.mean) },
	{ NULL, NULL, "max", AT(summary.max) },
	{ NULL, NULL, "sd_within", AT(summary.sd_within) },
	{ NULL, NULL, "sd_between", AT(summary.sd_between) },
	{ NULL, NULL, "max_deviation", AT(summary.max_deviation) },
	{ NULL, NULL, "icc", AT(summary.icc) },
	{ NULL, NULL, "shared", AT(shared) },
	{ NULL, NULL, "excluded", AT(excluded) },
	{ NULL, NULL, "median_all", AT(median_all) },
	{ NULL, NULL, "resolution", AT(resolution) },
	{ NULL, NULL, "floor", AT(floor) },
	{ NULL, NULL, "layout", AT(layout) },
	{ "slowdown", NULL, "factor", AT(slowdown.factor) },
	{ "regimes", "pooled", "median", AT(by_regime[REGIME_POOLED].median) },
	{ "regimes", "alone", "median", AT(by_regime[REGIME_ALONE].median) },
	{ "regimes", "shared", "median", AT(by_regime[REGIME_SHARED].median) },
	{ "cycles", NULL, "median", AT(cycles.median) },
	{ "cycles", NULL, "min", AT(cycles.min) },
	{ "cycles", NULL, "mean", AT(cycles.mean) },
};

/* A range, and whether it exists. */
struct pair {
	const char *object, *inner;
	size_t low, high, exists;
};
#define PAIR(member) \
	AT(member.interval.low), AT(member.interval.high), \
		AT(member.has_interval)
static const struct pair pairs[] = {
	{ NULL, NULL, PAIR(summary) },
	{ "slowdown", NULL, PAIR(slowdown) },
	{ "regimes", "pooled", PAIR(by_regime[REGIME_POOLED]) },
	{ "regimes", "alone", PAIR(by_regime[REGIME_ALONE]) },
	{ "regimes", "shared", PAIR(by_regime[REGIME_SHARED]) },
	{ "cycles", NULL, PAIR(cycles) },
};

/* A count. */
static const struct number counts[] = {
	{ NULL, NULL, "trials", AT(trials) },
	{ NULL, NULL, "launches", AT(summary.launches) },
	{ "slowdown", NULL, "launches", AT(slowdown.launches) },
	{ "regimes", "pooled", "trials", AT(by_regime[REGIME_POOLED].trials) },
	{ "regimes", "alone", "trials", AT(by_regime[REGIME_ALONE].trials) },
	{ "regimes", "shared", "trials", AT(by_regime[REGIME_SHARED].trials) },
	{ "regimes", "pooled", "launches",
		AT(by_regime[REGIME_POOLED].launches) },
	{ "regimes", "alone", "launches",
		AT(by_regime[REGIME_ALONE].launches) },
	{ "regimes", "shared", "launches",
		AT(by_regime[REGIME_SHARED].launches) },
};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static double *number_at(struct digest *digest, size_t at)
{
	return (double *)((char *)digest + at);
}

/* ---- rounding --------------------------------------------------------- */

double session_round(double value)
{
	char digits[40];

	if (!isfinite(value))
		return value;
	snprintf(digits, sizeof digits, "%.*g", FIGURE_DIGITS, value);
	return strtod(digits, NULL);
}

static void round_at(struct digest *digest, size_t at)
{
	double *number = number_at(digest, at);

	*number = session_round(*number);
}

void session_round_digest(struct digest *digest)
{
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		round_at(digest, numbers[i].at);
	for (size_t i = 0; i < COUNT_OF(pairs); i++) {
		round_at(digest, pairs[i].low);
		round_at(digest, pairs[i].high);
	}
	for (size_t i = 0; i < SUMMARY_QUANTILES; i++)
		round_at(digest, AT(summary.quantile) + i * sizeof(double));
	for (size_t i = 0; i < COUNT_OF(digest->steps); i++) {
		struct frequency_step *step = &digest->steps[i];

		step->hz = session_round(step->hz);
		step->share = session_round(step->share);
		step->median = session_round(step->median);
	}
}

/* ---- launches: writing ------------------------------------------------ */

/* The median reading of the memory ruler in the visits from .. to - 1, ticks;
 * NaN: none. */
static double ruler_of(const struct point *point, size_t from, size_t to)
{
	const struct ruler_reading *reading = point->ruler.data;
	double *ticks = xmalloc((point->ruler.count + 1) * sizeof *ticks);
	size_t count = 0;

	for (size_t v = from; v < to; v++) {
		const struct visit *visit = &point->visits[v];

		for (size_t i = 0; i < visit->ruler_count; i++)
			ticks[count++] = reading[visit->ruler_first + i].ticks;
	}
	double median = count ? median_unsorted(ticks, count) : NAN;
	free(ticks);
	return median;
}

void session_write_launches(const struct point *point, cJSON *object)
{
	cJSON *launches = json_add_array(object, "launches");
	cJSON *canaries = json_add_array(object, "canaries");
	cJSON *rulers = point->ruler.count ? json_add_array(object, "rulers") :
					     NULL;

	for (size_t v = 0, end; v < point->visit_count; v = end) {
		const struct visit *visit = &point->visits[v];

		for (end = v + 1; end < point->visit_count &&
			point->visits[end].launch == visit->launch;
			end++)
			;
		json_add_whole(launches, NULL, visit->launch);
		json_add_number(canaries, NULL, session_round(visit->usual));
		if (rulers)
			json_add_number(rulers, NULL,
				rint(ruler_of(point, v, end)));
	}
}

/* ---- launches: reading ------------------------------------------------ */

static void fail_element(struct session_reader *reader, const char *name,
	size_t index, const char *sentence)
{
	json_path_member(&reader->json.path, name);
	json_path_element(&reader->json.path, index);
	json_fail(&reader->json, "%s", sentence);
}

static void read_canary(struct session_reader *reader, const cJSON *item,
	size_t i, struct visit *visit)
{
	if (!item || !cJSON_IsNumber(item) || !(item->valuedouble >= 0))
		fail_element(reader, "canaries", i,
			"expected ticks for each launch, 0 without a canary");
	else
		visit->usual = item->valuedouble;
}

static void read_ruler(struct session_reader *reader, const cJSON *item,
	size_t i, struct point *point, struct visit *visit)
{
	uint64_t ticks;

	if (cJSON_IsNull(item))
		return;
	if (!json_is_whole(item, &ticks) || ticks > UINT32_MAX) {
		fail_element(reader, "rulers", i,
			"expected ticks below 2^32 or null for each launch");
		return;
	}
	*(struct ruler_reading *)column_add(&point->ruler) =
		(struct ruler_reading){ 0, (uint32_t)ticks };
	visit->ruler_count = 1;
}

static bool is_list(struct session_reader *reader, const cJSON *json,
	const char *name)
{
	const cJSON *list =
		json_enter(&reader->json, json, name, cJSON_Array);

	if (list)
		json_leave(&reader->json);
	return list != NULL;
}

void session_read_launches(struct session_reader *reader, const cJSON *json,
	struct results *results, struct point *point)
{
	const cJSON *rulers = json_find(json, "rulers");
	uint64_t launch, least = 0;
	size_t i = 0;

	if (!is_list(reader, json, "launches") ||
		!is_list(reader, json, "canaries") ||
		(rulers && !is_list(reader, json, "rulers")))
		return;
	const cJSON *canary = json_find(json, "canaries")->child;
	const cJSON *ruler = rulers ? rulers->child : NULL;
	const cJSON *item = json_find(json, "launches")->child;
	for (; item && !reader->json.failed; item = item->next, i++) {
		if (!json_is_whole(item, &launch) || launch < least ||
			launch >= results->launch_count) {
			fail_element(reader, "launches", i,
				"expected the index of a later launch");
			return;
		}
		least = launch + 1;
		struct visit *visit = point_add_visit(results, point);
		visit->launch = (unsigned)launch;
		read_canary(reader, canary, i, visit);
		if (rulers)
			read_ruler(reader, ruler, i, point, visit);
		canary = canary ? canary->next : NULL;
		ruler = ruler ? ruler->next : NULL;
	}
	if (canary || ruler)
		session_fail_at(&reader->json, canary ? "canaries" : "rulers",
			"has more values than launches");
}

/* ---- figures ---------------------------------------------------------- */

static const cJSON *object_of(const cJSON *figures, const char *object,
	const char *inner)
{
	if (object)
		figures = json_find(figures, object);
	return inner ? json_find(figures, inner) : figures;
}

static double number_in(struct session_reader *reader, const cJSON *object,
	const char *name)
{
	const cJSON *item = json_enter(&reader->json, object, name,
		cJSON_Number | cJSON_NULL);

	if (item)
		json_leave(&reader->json);
	return item && cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static void read_numbers(struct session_reader *reader, const cJSON *figures,
	struct digest *digest)
{
	const cJSON *quantiles = json_find(figures, "quantiles");

	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		const cJSON *object = object_of(figures, numbers[i].object,
			numbers[i].inner);

		*number_at(digest, numbers[i].at) = cJSON_IsNull(object) ?
			NAN :
			number_in(reader, object, numbers[i].name);
	}
	for (size_t i = 0; i < SUMMARY_QUANTILES; i++)
		digest->summary.quantile[i] = number_in(reader, quantiles,
			session_quantiles[i]);
}

static void read_pairs(struct session_reader *reader, const cJSON *figures,
	struct digest *digest)
{
	for (size_t i = 0; i < COUNT_OF(pairs); i++) {
		const cJSON *object =
			object_of(figures, pairs[i].object, pairs[i].inner);
		struct range range = { NAN, NAN };
		bool exists = cJSON_IsArray(json_find(object, "ci"));

		if (exists)
			session_read_range(&reader->json, object, "ci", &range);
		*number_at(digest, pairs[i].low) = range.low;
		*number_at(digest, pairs[i].high) = range.high;
		*(bool *)((char *)digest + pairs[i].exists) = exists;
	}
}

static void read_counts(struct session_reader *reader, const cJSON *figures,
	struct digest *digest)
{
	for (size_t i = 0; i < COUNT_OF(counts); i++)
		*(size_t *)((char *)digest + counts[i].at) =
			json_get_whole(&reader->json,
				object_of(figures, counts[i].object,
					counts[i].inner),
				counts[i].name);
}

static void read_flags(const cJSON *figures, struct digest *digest)
{
	const cJSON *by_flag = json_find(figures, "flags_by");

	for (unsigned i = 0; i < FLAG_COUNT; i++) {
		const char *name =
			sample_flag_name((enum sample_flag)(1u << i));
		uint64_t count;

		if (json_is_whole(json_find(by_flag, name), &count))
			digest->by_flag[i] = count;
	}
}

static void read_steps(struct session_reader *reader, const cJSON *figures,
	struct digest *digest)
{
	const cJSON *list = json_find(figures, "steps");
	const cJSON *item = list ? list->child : NULL;

	digest->stepped = list != NULL;
	for (size_t i = 0; i < COUNT_OF(digest->steps) && list; i++) {
		if (!cJSON_IsObject(item)) {
			session_fail_at(&reader->json, "steps",
				"expected two objects");
			return;
		}
		digest->steps[i] = (struct frequency_step){
			.hz = number_in(reader, item, "core_hz"),
			.share = number_in(reader, item, "share"),
			.median = number_in(reader, item, "median"),
			.launches =
				json_get_whole(&reader->json, item, "launches"),
		};
		item = item->next;
	}
}

static void read_words(struct session_reader *reader, const cJSON *figures,
	struct digest *digest)
{
	const char *quality = json_get_text(&reader->json, figures, "quality");
	const char *regime = json_get_text(&reader->json, figures, "regime");

	digest->quality = quality_named(quality);
	digest->regime = regime_named(regime);
	if (digest->quality == QUALITIES)
		session_fail_at(&reader->json, "quality",
			"expected good, rough, shared core or not enough data");
	else if (digest->regime == REGIMES)
		session_fail_at(&reader->json, "regime",
			"expected pooled, alone or shared");
}

/* Figures that follow from others. Older files count mixed trials as excluded
 * also where the figure is pooled. */
static void complete(const struct results *results, const struct point *point,
	unsigned metric, struct digest *digest)
{
	digest_share(digest);
	digest->summary.trials = digest->by_regime[digest->regime].trials;
	digest->headline = digest->summary.median;
	digest->core_hz = results_core_hz(results, point);
	digest->by_cycles = quality_by_cycles(results, digest);
	digest->crowded = quality_by_others(results, point, metric, digest);
}

/* The k-th median is that of the k-th launch, unless launches lack one. */
static void read_medians(struct session_reader *reader, const cJSON *figures,
	const struct results *results, const struct point *point,
	struct memo_point *stored)
{
	struct memo_list *launches = &stored->in[SCALE_UNIT];
	struct json_reader *json = &reader->json;
	const cJSON *list =
		json_enter(json, figures, "launch_medians", cJSON_Array);
	const cJSON *item = list ? list->child : NULL;
	size_t visits = point->visit_count;

	launches->list = xcalloc(visits + 1, sizeof *launches->list);
	launches->visits = visits;
	for (; item; item = item->next) {
		struct launch_figures *one = &launches->list[launches->count];

		if (launches->count == visits || !cJSON_IsNumber(item)) {
			json_fail(json, "expected at most a number per launch");
			return;
		}
		one->launch = point->visits[launches->count++].launch;
		one->at_s = results->launches[one->launch].at_s;
		one->cost = NAN;
		for (int r = 0; r < REGIMES; r++)
			one->median[r] = r == (int)stored->digest.regime ?
				item->valuedouble :
				NAN;
	}
	if (list)
		json_leave(json);
}

void session_read_stored(struct session_reader *reader, const cJSON *figures,
	const struct results *results, struct point *point, unsigned metric)
{
	struct series *series = &point->series[metric];

	if (series->published || !json_find(figures, "trials"))
		return;
	series->stored = xcalloc(1, sizeof *series->stored);
	struct digest *digest = &series->stored->digest;
	read_numbers(reader, figures, digest);
	read_pairs(reader, figures, digest);
	read_counts(reader, figures, digest);
	read_words(reader, figures, digest);
	read_flags(figures, digest);
	read_steps(reader, figures, digest);
	digest->has_cycles = cJSON_IsObject(json_find(figures, "cycles"));
	digest->unsteady = json_get_bool(&reader->json, figures, "unsteady");
	digest->below_resolution =
		json_get_bool(&reader->json, figures, "below_resolution");
	digest->ops = series->ops;
	if (reader->json.failed)
		return;
	complete(results, point, metric, digest);
	read_medians(reader, figures, results, point, series->stored);
	series->stored->digested = true;
}
