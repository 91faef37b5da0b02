/* Writes a point as JSON: its visits, its metrics with all trials, its
 * traces. */
#include "session_internal.h"

#include <stdio.h>

/* ---- samples ---------------------------------------------------------- */

/* Adds samples to the object and to the checksum, FNV-1a of 64 bits. Figures do
 * not depend on every trial, but the checksum reveals a change in any trial. */
static void add_samples(cJSON *object, const char *name, struct text *raw,
	uint64_t *check)
{
	const char *chars = text_chars(raw);

	for (size_t i = 0; i < raw->length; i++)
		*check = (*check ^ (unsigned char)chars[i]) * 0x100000001b3u;
	json_add_raw(object, name, chars);
	text_free(raw);
}

static void separate(struct text *raw, bool first)
{
	if (!first)
		text_add_char(raw, ',');
}

static void add_slice(struct text *raw, const struct series *series,
	const struct slice *slice, bool value)
{
	const uint64_t *ticks = series->raw.data;
	const double *values = series->raw.data;

	text_add_char(raw, '[');
	for (size_t i = slice->first; i < slice->first + slice->count; i++) {
		separate(raw, i == slice->first);
		if (value)
			json_number(raw, values[i]);
		else
			json_whole(raw, ticks[i]);
	}
	text_add_char(raw, ']');
}

/* Most trials have no flag, so only pairs are written: index, flags, index,
 * flags. */
static void add_flags(struct text *raw, const struct series *series,
	const struct slice *slice)
{
	const uint16_t *flags = series->flags.data;
	/* Values that were measured elsewhere may have no flags. */
	size_t count = slice->first + slice->count > series->flags.count ?
		0 :
		slice->count;
	bool first = true;

	text_add_char(raw, '[');
	for (size_t i = 0; i < count; i++) {
		if (!flags[slice->first + i])
			continue;
		separate(raw, first);
		json_whole(raw, i);
		text_add_char(raw, ',');
		json_whole(raw, flags[slice->first + i]);
		first = false;
	}
	text_add_char(raw, ']');
}

/* `visits`: 0 if the trials are not kept. */
static void write_samples(const struct series *series, size_t visits,
	bool value, cJSON *object, uint64_t *check)
{
	struct text samples = { 0 }, flags = { 0 };

	text_add_char(&samples, '[');
	text_add_char(&flags, '[');
	for (size_t v = 0; v < visits; v++) {
		separate(&samples, v == 0);
		separate(&flags, v == 0);
		add_slice(&samples, series, &series->slices[v], value);
		add_flags(&flags, series, &series->slices[v]);
	}
	text_add_char(&samples, ']');
	text_add_char(&flags, ']');
	add_samples(object, value ? "values" : "ticks", &samples, check);
	add_samples(object, "flags", &flags, check);
}

static void write_derived(const struct results *results,
	const struct series *series, bool rate, cJSON *object)
{
	if (!series->derived) {
		json_add_null(object, "derived");
		return;
	}
	cJSON *derived = json_add_object(object, "derived");
	cJSON *weights = json_add_object(derived, "weights");
	for (size_t m = 0; m < results->metric_count; m++)
		if (series->weight[m] != 0)
			json_add_number(weights, results->metrics[m].name,
				series->weight[m]);
	json_add_bool(derived, "rate", rate);
}

static void write_metric(const struct results *results,
	const struct point *point, unsigned metric, cJSON *metrics,
	uint64_t *check)
{
	const struct metric_info *info = &results->metrics[metric];
	const struct series *series = &point->series[metric];
	cJSON *object = json_add_object(metrics, info->name);

	session_add_text(object, "unit", unit_name(info->unit), "");
	session_write_figures(results, point, metric, object);
	if (series->published)
		fields_write(session_published, series->published,
			json_add_object(object, "published"));
	if (info->kind == METRIC_DERIVED)
		write_derived(results, series, info->rate, object);
	else if (check)
		write_samples(series,
			results->figures_only ? 0 : point->visit_count,
			info->kind == METRIC_VALUE, object, check);
}

static void write_trace(const struct series *series, size_t count,
	const char *name, cJSON *traces, uint64_t *check)
{
	const struct trace_point *trace = series->trace.data;
	struct text raw = { 0 };

	text_add_char(&raw, '[');
	for (size_t i = 0; i < count; i++) {
		separate(&raw, i == 0);
		text_add_char(&raw, '[');
		json_number(&raw, trace[i].x);
		text_add_char(&raw, ',');
		json_number(&raw, trace[i].y);
		text_add_char(&raw, ',');
		json_whole(&raw, trace[i].visit);
		text_add_char(&raw, ']');
	}
	text_add_char(&raw, ']');
	add_samples(traces, name, &raw, check);
}

/* ---- the point -------------------------------------------------------- */

static void write_canaries(const struct point *point, const struct visit *visit,
	bool throughput, cJSON *object, uint64_t *check)
{
	const struct canary *canary = point->canary.data;
	struct text raw = { 0 };

	canary += visit->canary_first;
	text_add_char(&raw, '[');
	for (size_t i = 0; i < visit->canary_count; i++) {
		separate(&raw, i == 0);
		json_whole(&raw,
			throughput ? canary[i].throughput : canary[i].latency);
	}
	text_add_char(&raw, ']');
	add_samples(object, throughput ? "canary_throughput" : "canary", &raw,
		check);
}

/* Most trials have no reading, so pairs are written: trial, ticks, trial,
 * ticks. */
static void write_rulers(const struct point *point, const struct visit *visit,
	cJSON *object, uint64_t *check)
{
	const struct ruler_reading *reading = point->ruler.data;
	struct text raw = { 0 };

	if (!visit->ruler_count)
		return;
	reading += visit->ruler_first;
	text_add_char(&raw, '[');
	for (size_t i = 0; i < visit->ruler_count; i++) {
		separate(&raw, i == 0);
		json_whole(&raw, reading[i].trial);
		text_add_char(&raw, ',');
		json_whole(&raw, reading[i].ticks);
	}
	text_add_char(&raw, ']');
	add_samples(object, "memory_ruler", &raw, check);
}

/* Throughput halves are written only if sharing was judged by them; otherwise
 * they are unknown. */
static void write_visit(const struct results *results,
	const struct point *point, const struct visit *visit, cJSON *visits,
	uint64_t *check)
{
	cJSON *object = json_add_object(visits, NULL);

	fields_write(session_visit, visit, object);
	write_canaries(point, visit, false, object, check);
	if (results->sharing.cut > 0)
		write_canaries(point, visit, true, object, check);
	write_rulers(point, visit, object, check);
}

/* Writes all samples and adds them to *check. If check is NULL, writes only
 * figures. */
static void write_metrics(const struct results *results,
	const struct point *point, cJSON *object, uint64_t *check)
{
	cJSON *metrics = json_add_object(object, "metrics");

	for (unsigned m = 0; m < results->metric_count; m++)
		if (results->metrics[m].kind != METRIC_TRACE)
			write_metric(results, point, m, metrics, check);
}

static void write_samples_of_point(const struct results *results,
	const struct point *point, cJSON *object)
{
	uint64_t check = 0xcbf29ce484222325u;
	char digits[17];

	cJSON *visits = json_add_array(object, "visits");
	if (results->figures_only)
		session_write_launches(point, object);
	for (size_t v = 0; v < point->visit_count && !results->figures_only;
		v++)
		write_visit(results, point, &point->visits[v], visits, &check);
	write_metrics(results, point, object, &check);
	cJSON *traces = json_add_object(object, "traces");
	for (unsigned m = 0; m < results->metric_count; m++) {
		const struct series *series = &point->series[m];

		if (results->metrics[m].kind == METRIC_TRACE)
			write_trace(series,
				results->figures_only ? 0 : series->trace.count,
				results->metrics[m].name, traces, &check);
	}
	snprintf(digits, sizeof digits, "%016llx", (unsigned long long)check);
	session_add_text(object, "check", digits, "");
}

void session_write_point(const struct results *results,
	const struct point *point, bool samples, cJSON *points)
{
	cJSON *object = json_add_object(points, NULL);

	cJSON *args = json_add_object(object, "args");
	for (size_t i = 0; i < results->param_count; i++)
		session_add_text(args, results->param_names[i],
			point->values[i] ? point->values[i] : "", "");
	fields_write(session_point, point, object);
	cJSON *notes = json_add_object(object, "notes");
	for (size_t i = 0; i < point->note_count; i++)
		session_add_text(notes, point->notes[i].key,
			point->notes[i].value, "");
	session_write_prediction(&point->model, object, "prediction");
	if (samples)
		write_samples_of_point(results, point, object);
	else
		write_metrics(results, point, object, NULL);
}
