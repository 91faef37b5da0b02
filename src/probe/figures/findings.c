/* Findings and predictions of a run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
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

enum unit prediction_unit(const struct prediction *prediction,
	enum unit headline)
{
	return prediction->in_cycles ? UNIT_CYCLES : headline;
}

double prediction_measured(const struct prediction *prediction,
	const struct digest *digest)
{
	if (!prediction->in_cycles)
		return digest->headline;
	return digest->has_cycles ? digest->cycles.median : NAN;
}

bool prediction_range(const struct prediction *prediction,
	const struct digest *digest, struct range *range)
{
	double unit = prediction->in_cycles ?
		digest->headline / prediction_measured(prediction, digest) :
		1;

	range->low = prediction->total.low * unit;
	range->high = prediction->total.high * unit;
	return prediction->set && isfinite(unit);
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

bool point_matches(const struct results *results,
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

bool results_stored(const struct results *results)
{
	for (size_t i = 0; i < results->point_count; i++)
		for (size_t m = 0; m < results->metric_count; m++)
			if (results->points[i].series[m].stored)
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
