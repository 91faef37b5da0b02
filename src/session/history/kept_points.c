/* One experiment in all kept sessions. */
#include "kept_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "json_internal.h"
#include "kept.h"
#include "kept_scan.h"
#include "memory.h"
#include "quality.h"

/* State while the lines of one file are read. */
struct scan {
	const struct machine *machine;
	const char *experiment;
	struct kept_points *points;
	size_t session, runs;
	bool of_another; /* from another machine */
	bool wanted;     /* the run is of the wanted experiment */
	bool invalid;    /* the point: its figures do not count */
	char started[32], kernel[80];
	struct text setting;
};

static void take_text(const struct kept_line *line, char *into, size_t size)
{
	char *text = kept_text(line);

	snprintf(into, size, "%s", text ? text : "");
	free(text);
}

static bool is_text(const struct kept_line *line, const char *wanted)
{
	char *text = kept_text(line);
	bool same = text && !strcmp(text, wanted);

	free(text);
	return same;
}

/* Reads {"call":"getppid","via":"raw"} as "call=getppid via=raw". */
static void take_setting(const struct kept_line *line, struct text *setting)
{
	cJSON *object = cJSON_ParseWithLength(line->at, line->length);
	const cJSON *item;

	text_clear(setting);
	cJSON_ArrayForEach(item, object) if (cJSON_IsString(item) &&
		*item->valuestring)
		text_add(setting, "%s%s=%s", setting->length ? " " : "",
			item->string, item->valuestring);
	cJSON_Delete(object);
}

/* ---- figures ---------------------------------------------------------- */

/* Parses the members before the trials: {"time":{"unit":"ns", .. "ticks":[.. */
static cJSON *read_figures(struct kept_line *line, char *metric, size_t size)
{
	static const char *const trials[] = { ",\"ticks\":", ",\"values\":",
		",\"derived\":", ",\"published\":" };
	struct kept_line name = *line;
	struct text object = { 0 };

	if (!kept_skip_to(&name, "{") || !kept_skip_to(line, ":{"))
		return NULL;
	take_text(&name, metric, size);
	size_t length = line->length;
	for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
		const char *end = memmem(line->at, length, trials[i],
			strlen(trials[i]));

		if (end)
			length = (size_t)(end - line->at);
	}
	text_add_char(&object, '{');
	text_add_chars(&object, line->at, length);
	text_add_char(&object, '}');
	cJSON *figures = cJSON_ParseWithLength(object.chars, object.length);
	text_free(&object);
	return figures;
}

static double number_of(const cJSON *object, const char *name)
{
	const cJSON *item = json_find(object, name);

	return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static bool read_range(const cJSON *list, struct range *range)
{
	const cJSON *low = cJSON_GetArrayItem(list, 0);
	const cJSON *high = cJSON_GetArrayItem(list, 1);

	if (!cJSON_IsNumber(low) || !cJSON_IsNumber(high))
		return false;
	*range = (struct range){ low->valuedouble, high->valuedouble };
	return true;
}

static double alone_of(const cJSON *figures)
{
	return 1 - number_of(figures, "excluded") -
		number_of(figures, "shared");
}

/* Files before schema 1.3 have no quality. */
static enum quality quality_in(const cJSON *figures)
{
	const cJSON *item = json_find(figures, "quality");

	for (int i = 0; cJSON_IsString(item) && i < QUALITIES; i++)
		if (!strcmp(item->valuestring, quality_word((enum quality)i)))
			return (enum quality)i;
	return QUALITY_ROUGH;
}

static void add_point(struct scan *scan, const char *metric,
	const cJSON *figures)
{
	const cJSON *unit = json_find(figures, "unit");
	const cJSON *interval = json_find(figures, "ci");
	struct range range = { 0 };
	bool has_interval = read_range(interval, &range);
	struct kept_point point = {
		.session = scan->session,
		.run = scan->runs - 1,
		.unit = cJSON_IsString(unit) ? unit_named(unit->valuestring) :
					       UNIT_NONE,
		.median = number_of(figures, "median"),
		.has_interval = has_interval,
		.interval = range,
		.alone = alone_of(figures),
		.quality = quality_in(figures),
	};

	if (!isfinite(point.median))
		return;
	memcpy(point.started, scan->started, sizeof point.started);
	memcpy(point.kernel, scan->kernel, sizeof point.kernel);
	snprintf(point.metric, sizeof point.metric, "%s", metric);
	point.setting = xstrdup(text_chars(&scan->setting));
	ARRAY_GROW(scan->points->list, scan->points->count);
	scan->points->list[scan->points->count++] = point;
}

static void take_metrics(struct kept_line *line, struct scan *scan)
{
	char metric[sizeof scan->points->list->metric];
	cJSON *figures = read_figures(line, metric, sizeof metric);

	if (figures)
		add_point(scan, metric, figures);
	cJSON_Delete(figures);
}

/* ---- a file ----------------------------------------------------------- */

static void read_line(struct kept_line *line, void *context)
{
	struct scan *scan = context;

	if (scan->of_another)
		return;
	if (kept_is_member(line, "  \"hostname\":")) {
		scan->of_another = !is_text(line, scan->machine->hostname);
	} else if (kept_is_member(line, "  \"cpu\":")) {
		scan->of_another = !is_text(line, scan->machine->cpu);
	} else if (kept_is_member(line, "  \"kernel\":")) {
		take_text(line, scan->kernel, sizeof scan->kernel);
	} else if (kept_is_member(line, "   \"experiment\":")) {
		scan->wanted = is_text(line, scan->experiment);
		scan->runs++;
	} else if (!scan->wanted) {
		return;
	} else if (kept_is_member(line, "   \"started\":")) {
		take_text(line, scan->started, sizeof scan->started);
	} else if (kept_is_member(line, "     \"args\":")) {
		take_setting(line, &scan->setting);
		scan->invalid = false;
	} else if (kept_is_member(line, "     \"state\":")) {
		scan->invalid = !is_text(line, "ok");
	} else if (kept_is_member(line, "     \"metrics\":") &&
		!scan->invalid) {
		take_metrics(line, scan);
	}
}

void kept_points_read(const struct machine *machine, const char *experiment,
	struct kept_points *points)
{
	struct kept_list list;

	*points = (struct kept_points){ 0 };
	kept_list_read(&list);
	for (size_t i = 0; i < list.count; i++) {
		struct scan scan = { .machine = machine,
			.experiment = experiment,
			.points = points,
			.session = i + 1 };

		kept_scan(list.paths[i], read_line, &scan);
		text_free(&scan.setting);
	}
	kept_list_free(&list);
}

void kept_points_free(struct kept_points *points)
{
	for (size_t i = 0; i < points->count; i++)
		free(points->list[i].setting);
	free(points->list);
	*points = (struct kept_points){ 0 };
}

bool kept_point_has(const struct kept_point *point, const char *pair)
{
	size_t length = strlen(pair);
	const char *at = point->setting;

	while (at && *at) {
		if (!strncmp(at, pair, length) &&
			(!at[length] || at[length] == ' '))
			return true;
		at = strchr(at, ' ');
		at += at ? 1 : 0;
	}
	return false;
}

bool kept_point_counts(const struct kept_point *point)
{
	return point->quality == QUALITY_GOOD ||
		point->quality == QUALITY_ROUGH;
}
