/* The points of stored sessions. */
#include "kept_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "json_internal.h"
#include "kept_scan.h"
#include "memory.h"
#include "quality.h"
#include "quantile.h"
#include "run_identity.h"

/* State while the lines of one file are read. */
struct scan {
	const struct machine *machine; /* the wanted one; NULL: any */
	const char *experiment;        /* the wanted one; NULL: any */
	const char *metric;            /* the wanted one; NULL: any */
	bool watched; /* of each experiment, only what is watched is wanted */
	const struct experiment *const *experiments; /* NULL: unknown */
	const char *watched_metric; /* of the run; NULL: its first */
	struct kept_points *points;
	size_t session, runs;
	uint64_t identity; /* of the run */
	bool of_another; /* from another machine */
	bool wanted;     /* the run is of the wanted experiment */
	bool invalid;    /* the point: its figures do not count */
	char started[32], name[32]; /* of the run */
	struct text setting;
	struct surroundings *surroundings;
	double hz, multiplies, overhead; /* of the run's clock */
	double others; /* the processors' time that other tasks used */
	double *canaries;                /* ticks, one per launch; owned */
	size_t canary_count;
	double ruler_ns; /* of the point */
};

static void take_text(const struct kept_line *line, char *into, size_t size)
{
	char *text = kept_safe_text(line);

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
	struct text words = { 0 };
	const cJSON *item;

	cJSON_ArrayForEach(item, object) if (cJSON_IsString(item) &&
		*item->valuestring)
		text_add(&words, "%s%s=%s", words.length ? " " : "",
			item->string, item->valuestring);
	cJSON_Delete(object);
	text_clear(setting);
	text_add_safe(setting, text_chars(&words), words.length);
	text_free(&words);
}

/* ---- figures ---------------------------------------------------------- */

/* Parses the members before the slowdown and the trials, which take most of the
 * time of a large fleet: "unit":"ns", .. "ticks":[.. */
static cJSON *read_figures(const struct kept_line *line)
{
	static const char *const trials[] = { ",\"slowdown\":", ",\"ticks\":",
		",\"values\":", ",\"derived\":", ",\"published\":" };
	struct text object = { 0 };
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

/* Files before schema 1.3 have no quality. */
static enum quality quality_in(const cJSON *figures)
{
	const cJSON *item = json_find(figures, "quality");
	enum quality quality = quality_named(cJSON_GetStringValue(item));

	return quality == QUALITIES ? QUALITY_ROUGH : quality;
}

static enum regime regime_in(const cJSON *figures)
{
	const cJSON *item = json_find(figures, "regime");
	enum regime regime = regime_named(cJSON_GetStringValue(item));

	return regime == REGIMES ? REGIME_POOLED : regime;
}

/* NaN: a pooled figure does not depend on it. */
static double alone_of(const cJSON *figures)
{
	if (regime_in(figures) == REGIME_POOLED)
		return NAN;
	return 1 - number_of(figures, "excluded") -
		number_of(figures, "shared");
}

static struct kept_figure figure_in(const cJSON *object)
{
	struct kept_figure figure = { .median = number_of(object, "median") };

	figure.has_interval =
		read_range(json_find(object, "ci"), &figure.interval);
	return figure;
}

static double canary_of(const struct scan *scan)
{
	if (!scan->canary_count)
		return NAN;
	return median_unsorted(scan->canaries, scan->canary_count) * 1e9 /
		scan->hz / scan->multiplies;
}

static void take_launches(const cJSON *list, struct kept_point *point)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, list) if (cJSON_IsNumber(item))
	{
		ARRAY_GROW(point->launches, point->launch_count);
		point->launches[point->launch_count++] = item->valuedouble;
	}
}

static void add_point(struct scan *scan, const char *metric,
	const cJSON *figures)
{
	const cJSON *unit = json_find(figures, "unit");
	const cJSON *regimes = json_find(figures, "regimes");
	struct kept_point point = {
		.session = scan->session,
		.run = scan->runs - 1,
		.unit = cJSON_IsString(unit) ? unit_named(unit->valuestring) :
					       UNIT_NONE,
		.surroundings = scan->surroundings,
		.headline = figure_in(figures),
		.shared = figure_in(json_find(regimes, "shared")),
		.regime = regime_in(figures),
		.alone = alone_of(figures),
		.others = scan->others,
		.quality = quality_in(figures),
		.canary_ns = canary_of(scan),
		.ruler_ns = scan->ruler_ns,
	};

	if (!isfinite(point.headline.median))
		return;
	point.identity =
		run_identity_point(scan->identity, point.headline.median);
	take_launches(json_find(figures, "launch_medians"), &point);
	memcpy(point.started, scan->started, sizeof point.started);
	memcpy(point.experiment, scan->name, sizeof point.experiment);
	snprintf(point.metric, sizeof point.metric, "%s", metric);
	point.setting = xstrdup(text_chars(&scan->setting));
	ARRAY_GROW(scan->points->list, scan->points->count);
	scan->points->list[scan->points->count++] = point;
}

/* Skips to the name of the next metric. In a text these quotes would be
 * escaped. */
static bool skip_metric(struct kept_line *line)
{
	static const char begin[] = "\":{\"unit\":";
	const char *quote =
		memmem(line->at, line->length, begin, sizeof begin - 1);

	if (!quote)
		return false;
	const char *name =
		memrchr(line->at, '"', (size_t)(quote - line->at));
	if (!name)
		return false;
	line->length -= (size_t)(name - line->at);
	line->at = name;
	return true;
}

static bool is_wanted(const char *metric, const struct scan *scan)
{
	const char *name = scan->watched ? scan->watched_metric : scan->metric;

	return !name || !strcmp(metric, name);
}

/* Reads {"time":{"unit":"ns", .. },"other":{"unit": .. */
static void take_metrics(struct kept_line *line, struct scan *scan)
{
	char metric[sizeof scan->points->list->metric];
	bool more = kept_skip_to(line, "{");

	while (more) {
		take_text(line, metric, sizeof metric);
		if (!kept_skip_to(line, ":{"))
			return;
		bool wanted = is_wanted(metric, scan);
		cJSON *figures = wanted ? read_figures(line) : NULL;
		if (figures)
			add_point(scan, metric, figures);
		cJSON_Delete(figures);
		more = !(scan->watched && wanted) && skip_metric(line);
	}
}

/* ---- clock, canary, memory ruler -------------------------------------- */

static double read_number(const struct kept_line *line)
{
	cJSON *item = cJSON_ParseWithLength(line->at, line->length);
	double number = cJSON_IsNumber(item) ? item->valuedouble : NAN;

	cJSON_Delete(item);
	return number;
}

/* The seed is the last member of what identifies a run. */
static void identify_run(const struct kept_line *line, struct scan *scan)
{
	char *seed = kept_text(line);

	scan->identity = run_identity(&(struct run_origin){
		.host = scan->surroundings->host,
		.experiment = scan->name,
		.started = scan->started,
		.seed = seed ? strtoull(seed, NULL, 10) : 0,
		.place = scan->runs - 1,
	});
	free(seed);
}

static void begin_run(struct kept_line *line, struct scan *scan)
{
	take_text(line, scan->name, sizeof scan->name);
	scan->wanted = !scan->experiment ||
		!strcmp(scan->name, scan->experiment);
	scan->watched_metric = kept_watched(scan->experiments, scan->name);
	scan->runs++;
	scan->hz = scan->multiplies = scan->overhead = scan->others = NAN;
	scan->canary_count = 0;
}

static void take_canary(const struct kept_line *line, struct scan *scan)
{
	double ticks = read_number(line);

	if (!(ticks > 0))
		return;
	ARRAY_GROW(scan->canaries, scan->canary_count);
	scan->canaries[scan->canary_count++] = ticks;
}

/* Reads the ticks of one visit, written as trial, ticks, trial, ticks. */
static void read_readings(const struct kept_line *line, double **all,
	size_t *count)
{
	const char *end = line->at + line->length;
	double number = 0;
	bool is_ticks = false;

	for (const char *at = line->at; at < end; at++) {
		if (*at >= '0' && *at <= '9') {
			number = number * 10 + (*at - '0');
			continue;
		}
		if (is_ticks) {
			ARRAY_GROW(*all, *count);
			(*all)[(*count)++] = number;
		}
		if (*at != ',')
			return;
		is_ticks = !is_ticks;
		number = 0;
	}
}

static double read_rulers(struct kept_line *line, const struct scan *scan)
{
	double *all = NULL;
	size_t count = 0;

	while (kept_skip_to(line, "\"memory_ruler\":["))
		read_readings(line, &all, &count);
	double ticks = count ? median_of(all, count) - scan->overhead : NAN;
	free(all);
	return ticks > 0 ? ticks * 1e9 / scan->hz : NAN;
}

/* Without trials there is a median for each launch, ticks or null. */
static double read_launch_rulers(const struct kept_line *line,
	const struct scan *scan)
{
	cJSON *list = cJSON_ParseWithLength(line->at, line->length);
	const cJSON *item;
	double *all = NULL;
	size_t count = 0;

	cJSON_ArrayForEach(item, list) if (cJSON_IsNumber(item))
	{
		ARRAY_GROW(all, count);
		all[count++] = item->valuedouble;
	}
	double ticks = count ? median_of(all, count) - scan->overhead : NAN;
	cJSON_Delete(list);
	free(all);
	return ticks > 0 ? ticks * 1e9 / scan->hz : NAN;
}

/* ---- a file ----------------------------------------------------------- */

/* A time is ASCII, so that its day can be cut from it. Other texts are none. */
static void take_started(const struct kept_line *line, struct scan *scan)
{
	take_text(line, scan->started, sizeof scan->started);
	for (const char *at = scan->started; *at; at++)
		if (*at & 0x80)
			scan->started[0] = '\0';
}

/* The lines of a run and its points. False: another line. */
static bool read_run_line(struct kept_line *line, struct scan *scan)
{
	if (kept_is_member(line, "   \"started\":")) {
		take_started(line, scan);
	} else if (kept_is_member(line, "   \"seed\":")) {
		identify_run(line, scan);
	} else if (kept_is_member(line, "    \"hz\":")) {
		scan->hz = read_number(line);
	} else if (kept_is_member(line, "    \"overhead\":")) {
		scan->overhead = read_number(line);
	} else if (kept_is_member(line, "    \"canary_multiplies\":")) {
		scan->multiplies = read_number(line);
	} else if (kept_is_member(line, "    \"others\":")) {
		scan->others = read_number(line);
	} else if (kept_is_member(line, "     \"canary\":")) {
		take_canary(line, scan);
	} else {
		return false;
	}
	return true;
}

static void read_point_line(struct kept_line *line, struct scan *scan)
{
	if (kept_is_member(line, "     \"args\":")) {
		take_setting(line, &scan->setting);
		scan->invalid = false;
		scan->ruler_ns = NAN;
	} else if (kept_is_member(line, "     \"state\":")) {
		scan->invalid = !is_text(line, "ok");
	} else if (kept_is_member(line, "     \"visits\":")) {
		scan->ruler_ns = read_rulers(line, scan);
	} else if (kept_is_member(line, "     \"rulers\":")) {
		scan->ruler_ns = read_launch_rulers(line, scan);
	} else if (kept_is_member(line, "     \"metrics\":") &&
		!scan->invalid) {
		take_metrics(line, scan);
	}
}

static bool is_of_another(const struct scan *scan)
{
	const char *host = scan->surroundings->host;
	const char *cpu = scan->surroundings->value[SURROUNDING_PROCESSOR];

	return scan->machine &&
		((host && strcmp(host, scan->machine->hostname) != 0) ||
			(cpu && *scan->machine->cpu &&
				strcmp(cpu, scan->machine->cpu) != 0));
}

static void read_line(struct kept_line *line, void *context)
{
	struct scan *scan = context;

	if (scan->of_another)
		return;
	if (surroundings_take(scan->surroundings, line)) {
		scan->of_another = is_of_another(scan);
	} else if (kept_is_member(line, "   \"experiment\":")) {
		begin_run(line, scan);
	} else if (scan->wanted && !read_run_line(line, scan)) {
		read_point_line(line, scan);
	}
}

static void keep_surroundings(struct kept_points *points,
	struct surroundings *surroundings, bool used)
{
	if (!used) {
		surroundings_free(surroundings);
		free(surroundings);
		return;
	}
	ARRAY_GROW(points->sessions, points->session_count);
	points->sessions[points->session_count++] = surroundings;
}

static bool read_file(const char *path, struct scan scan)
{
	size_t before = scan.points->count;

	scan.surroundings = xcalloc(1, sizeof *scan.surroundings);
	scan.ruler_ns = NAN;
	bool was_read = kept_scan(path, read_line, &scan);
	keep_surroundings(scan.points, scan.surroundings,
		scan.points->count > before);
	text_free(&scan.setting);
	free(scan.canaries);
	return was_read;
}

bool kept_points_add(const char *path, struct kept_points *points)
{
	return read_file(path, (struct scan){ .points = points });
}

bool kept_points_watched(const char *path,
	const struct experiment *const *experiments, struct kept_points *points)
{
	return read_file(path,
		(struct scan){ .points = points,
			.watched = true,
			.experiments = experiments });
}

void kept_points_of(const struct machine *machine, const char *experiment,
	const char *metric, const char *path, size_t session,
	struct kept_points *points)
{
	read_file(path,
		(struct scan){ .machine = machine,
			.experiment = experiment,
			.metric = metric,
			.points = points,
			.session = session });
}
