/* What follows from results: findings, predictions, and the facts they use. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "results.h"
#include "text.h"

void prediction_sum(struct prediction *prediction)
{
	prediction->set = true;
	prediction->total.low =
		prediction->hardware.low + prediction->software.low;
	prediction->total.high =
		prediction->hardware.high + prediction->software.high;
}

__attribute__((format(printf, 3, 0))) static struct finding *finding_new(
	struct findings *findings, const char *name, const char *format,
	va_list list)
{
	struct text line = { 0 };

	text_vadd(&line, format, list);
	ARRAY_GROW(findings->list, findings->count);
	struct finding *finding = &findings->list[findings->count++];
	*finding = (struct finding){
		.name = xstrdup(name),
		.sentence = text_take(&line),
		.point = -1,
	};
	return finding;
}

void finding_add(struct findings *findings, const char *name,
	const char *format, ...)
{
	va_list list;

	va_start(list, format);
	finding_new(findings, name, format, list);
	va_end(list);
}

struct finding *finding_value(struct findings *findings, const char *name,
	double value, enum unit unit, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	struct finding *finding = finding_new(findings, name, format, list);
	va_end(list);
	finding->has_value = isfinite(value);
	finding->value = value;
	finding->unit = unit;
	return finding;
}

void finding_interval(struct finding *finding, double low, double high)
{
	finding->has_interval = isfinite(low) && isfinite(high);
	finding->interval = (struct range){ low, high };
}

bool finding_is_uncertain(const struct finding *finding)
{
	return strstr(finding->sentence, "uncertain") != NULL;
}

void finding_at(struct finding *finding, const struct results *results,
	const struct point *point)
{
	finding->point = (int)(point - results->points);
}

struct finding *finding_cell(struct findings *findings,
	const struct results *results, const struct point *point,
	const char *name, double value, enum unit unit)
{
	struct finding *finding =
		finding_value(findings, name, value, unit, "%s", "");

	finding_at(finding, results, point);
	return finding;
}

void facts_use_clock(struct facts *facts, const struct clock_facts *clock)
{
	if (clock->hz <= 0)
		return;
	facts->tick_hz = clock->hz;
	facts->core_hz = clock->cycles_trusted ? clock->core_hz : 0;
	facts->overhead_ns = clock->overhead * 1e9 / clock->hz;
}

double facts_cycles_ns(const struct facts *facts, double cycles)
{
	/* The counter of arm64 ticks far slower than the core. */
	double nominal_hz = facts->kernel_hz > 5e8 ? facts->kernel_hz : 3e9;

	return cycles * 1e9 /
		(facts->core_hz > 0 ? facts->core_hz : nominal_hz);
}

/* Does a point have every "name=value" of `where`? */
static bool point_matches(const struct results *results,
	const struct point *point, const char *where)
{
	char words[160];
	char *rest = NULL;

	if (!where)
		return true;
	snprintf(words, sizeof words, "%s", where);
	for (char *word = strtok_r(words, " ", &rest); word;
		word = strtok_r(NULL, " ", &rest)) {
		char *value = strchr(word, '=');

		if (!value)
			return false;
		*value++ = '\0';
		const char *has = point_value(results, point, word);
		if (!has || strcmp(has, value))
			return false;
	}
	return true;
}

bool results_visited(const struct results *results)
{
	for (size_t i = 0; i < results->point_count; i++)
		if (results->points[i].visit_count)
			return true;
	return false;
}

size_t results_published(const struct results *results)
{
	size_t count = 0;

	for (size_t i = 0; i < results->point_count; i++)
		for (size_t m = 0; m < results->metric_count; m++)
			count += results->points[i].series[m].published != NULL;
	return count;
}

const struct point *results_where(const struct results *results,
	const char *where)
{
	for (size_t i = 0; i < results->point_count; i++)
		if (point_matches(results, &results->points[i], where))
			return &results->points[i];
	return NULL;
}

static bool measured_in(const struct results *results, const char *metric,
	const char *where, struct digest *digest)
{
	int at = metric ? results_metric(results, metric) : 0;
	const struct point *point = results_where(results, where);

	return at >= 0 && point && point->state == POINT_OK &&
		digest_of(results, point, (unsigned)at, digest) &&
		digest->clean.trials;
}

bool facts_digest(const struct facts *facts, const char *experiment,
	const char *metric, const char *where, struct digest *digest)
{
	for (size_t i = facts->earlier_count; i-- > 0;) {
		const struct results *results = facts->earlier[i];

		if (!strcmp(results->experiment, experiment) &&
			results->state != RUN_FAILED &&
			measured_in(results, metric, where, digest))
			return true;
	}
	return false;
}

bool facts_measured(const struct facts *facts, const char *experiment,
	const char *metric, const char *where, struct range *range)
{
	struct digest digest;

	if (!facts_digest(facts, experiment, metric, where, &digest))
		return false;
	const struct summary *clean = &digest.clean;
	range->low = clean->has_interval ? clean->interval.low : clean->median;
	range->high =
		clean->has_interval ? clean->interval.high : clean->median;
	return true;
}
