/* Sorts points into lines. */
#include "curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "memory.h"

/* ---- parameters ------------------------------------------------------- */

static bool read_value(enum unit unit, const char *text, double *value)
{
	struct error error;

	return !unit_parse(unit, text, strlen(text), value, &error);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool varies(const struct results *results, size_t index)
{
	const char *first = results->points[0].values[index];

	for (size_t i = 1; i < results->point_count; i++)
		if (strcmp(results->points[i].values[index], first) != 0)
			return true;
	return false;
}

static size_t count_texts(const struct results *results, size_t index)
{
	size_t count = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		size_t k = 0;

		while (k < i &&
			strcmp(results->points[i].values[index],
				results->points[k].values[index]) != 0)
			k++;
		count += k == i;
	}
	return count;
}

/* Lists the distinct values, without those that are not known. */
static void list_distinct(struct swept *param, size_t points)
{
	size_t n = 0;

	param->values = xcalloc(points, sizeof *param->values);
	for (size_t i = 0; i < points; i++)
		if (isfinite(param->at[i]))
			param->values[n++] = param->at[i];
	qsort(param->values, n, sizeof *param->values, ascending);
	for (size_t i = 0; i < n; i++)
		if (!i || param->values[i] != param->values[i - 1])
			param->values[param->count++] = param->values[i];
}

/* False: one value is not a quantity. */
static bool read_values(const struct results *results, struct swept *param)
{
	for (size_t i = 0; i < results->point_count; i++)
		if (!read_value(param->unit,
			    results->points[i].values[param->index],
			    &param->at[i]))
			return false;
	return true;
}

/* False: fewer than two points have a median of the metric. */
static bool take_medians(const struct results *results, const char *name,
	struct swept *param)
{
	int metric = name ? results_metric(results, name) : -1;
	size_t known = 0;

	for (size_t i = 0; metric >= 0 && i < results->point_count; i++) {
		param->at[i] = NAN;
		known += results_median(results, &results->points[i],
			(unsigned)metric, &param->at[i]);
	}
	if (known < 2)
		return false;
	param->label = results->metrics[metric].label;
	param->unit = results->metrics[metric].unit;
	return true;
}

static void add_param(struct curves *curves,
	const struct experiment *experiment, size_t index)
{
	const struct results *results = curves->results;
	const char *name = results->param_names[index];
	const struct param *row =
		experiment ? param_row(experiment->params, name) : NULL;
	/* For an unknown experiment, values that can be read as bytes are
	 * quantities. */
	bool quantity = !experiment ||
		(row && (row->type == PARAM_WHOLE || row->type == PARAM_REAL));

	ARRAY_GROW(curves->params, curves->param_count);
	struct swept *param = &curves->params[curves->param_count++];
	*param = (struct swept){ .index = index,
		.name = name,
		.label = row ? row->label : name,
		.unit = row         ? row->unit :
			!experiment ? UNIT_BYTES :
				      UNIT_NONE };
	param->at = xcalloc(results->point_count, sizeof *param->at);
	param->measured =
		row && take_medians(results, row->drawn_as, param);
	param->numeric =
		param->measured || (quantity && read_values(results, param));
	if (param->numeric)
		list_distinct(param, results->point_count);
	else
		param->count = count_texts(results, index);
}

/* The index of the numeric parameter with the most values, without `but`; the
 * first of equal ones. -1: none. */
static int longest(const struct curves *curves, int but)
{
	int best = -1;

	for (int i = 0; i < (int)curves->param_count; i++)
		if (curves->params[i].numeric && i != but &&
			(best < 0 ||
				curves->params[i].count >
					curves->params[best].count))
			best = i;
	return best;
}

static int find_down(const struct curves *curves)
{
	int down = longest(curves, curves->across);
	bool grid = down >= 0 && !curves->params[down].measured &&
		!curves->params[curves->across].measured;

	return grid ? down : -1;
}

static int asked_for(const struct curves *curves, const char *asked)
{
	for (int i = 0; asked && i < (int)curves->param_count; i++)
		if (curves->params[i].numeric &&
			!strcmp(curves->params[i].name, asked))
			return i;
	return longest(curves, -1);
}

/* ---- lines ------------------------------------------------------------ */

double curves_value(const struct curves *curves, int param, size_t point)
{
	const struct swept *row = &curves->params[param];

	return row->numeric ? row->at[point] : NAN;
}

/* True if two points differ only in the horizontal parameter. */
static bool same_line(const struct curves *curves, size_t a, size_t b)
{
	const struct point *points = curves->results->points;

	for (int i = 0; i < (int)curves->param_count; i++)
		if (i != curves->across &&
			strcmp(points[a].values[curves->params[i].index],
				points[b].values[curves->params[i].index]) != 0)
			return false;
	return true;
}

static char *label_of(const struct curves *curves, size_t point)
{
	struct text label = { 0 };

	for (int i = 0; i < (int)curves->param_count; i++) {
		const struct swept *param = &curves->params[i];
		const char *value =
			curves->results->points[point].values[param->index];
		size_t length = strlen(value);

		if (i == curves->across)
			continue;
		if (label.length)
			text_add_char(&label, ' ');
		/* A number without a unit needs the parameter's name. */
		if (param->numeric && param->unit != UNIT_BYTES)
			text_add(&label, "%s=", param->name);
		text_add(&label, "%s", value);
		if (param->numeric && param->unit == UNIT_BYTES &&
			strspn(value, "0123456789") == length)
			text_add(&label, " B");
	}
	char *copy = xstrdup(text_chars(&label));
	text_free(&label);
	return copy;
}

/* Unknown values are last. */
static bool is_before(const struct curves *curves, size_t a, size_t b)
{
	double x = curves_value(curves, curves->across, a);
	double y = curves_value(curves, curves->across, b);

	return x < y || (isnan(y) && !isnan(x));
}

/* Inserts a point in ascending order. Points usually arrive in that order. */
static void insert(struct curves *curves, struct curve *line, size_t point)
{
	size_t at = line->count;

	ARRAY_GROW(line->points, line->count);
	while (at && is_before(curves, point, line->points[at - 1]))
		at--;
	memmove(line->points + at + 1, line->points + at,
		(line->count - at) * sizeof *line->points);
	line->points[at] = point;
	line->count++;
}

static void make_lines(struct curves *curves)
{
	for (size_t i = 0; i < curves->results->point_count; i++) {
		size_t k = 0;

		while (k < curves->line_count &&
			!same_line(curves, i, curves->lines[k].points[0]))
			k++;
		if (k == curves->line_count) {
			ARRAY_GROW(curves->lines, curves->line_count);
			curves->lines[curves->line_count++] =
				(struct curve){ .label = label_of(curves, i) };
		}
		insert(curves, &curves->lines[k], i);
	}
}

void curves_of(struct curves *curves, const struct experiment *experiment,
	const struct results *results, const char *asked)
{
	*curves =
		(struct curves){ .results = results, .across = -1, .down = -1 };
	if (!results)
		return;
	for (size_t i = 0; results->point_count && i < results->param_count;
		i++)
		if (varies(results, i))
			add_param(curves, experiment, i);
	curves->across = asked_for(curves, asked);
	curves->down = find_down(curves);
	if (curves->across >= 0)
		make_lines(curves);
}

void curves_free(struct curves *curves)
{
	for (size_t i = 0; i < curves->param_count; i++) {
		free(curves->params[i].values);
		free(curves->params[i].at);
	}
	for (size_t i = 0; i < curves->line_count; i++) {
		free(curves->lines[i].label);
		free(curves->lines[i].points);
	}
	free(curves->params);
	free(curves->lines);
	*curves = (struct curves){ 0 };
}

bool curves_find(const struct curves *curves, size_t point, size_t *line,
	size_t *at)
{
	for (*line = 0; *line < curves->line_count; ++*line)
		for (*at = 0; *at < curves->lines[*line].count; ++*at)
			if (curves->lines[*line].points[*at] == point)
				return true;
	return false;
}

const struct finding *curves_knee(const struct curves *curves)
{
	const struct finding *knee = NULL;

	if (curves->across < 0)
		return NULL;
	for (size_t i = 0; i < curves->results->findings.count; i++) {
		const struct finding *finding =
			&curves->results->findings.list[i];

		if (strcmp(finding->name, "knee") != 0 || !finding->has_value ||
			finding->unit != curves->params[curves->across].unit)
			continue;
		if (knee)
			return NULL;
		knee = finding;
	}
	return knee;
}

const char *curves_next(const struct curves *curves)
{
	int count = (int)curves->param_count;

	for (int i = 1; i < count; i++) {
		int next = (curves->across + i) % count;

		if (curves->across >= 0 && curves->params[next].numeric)
			return curves->params[next].name;
	}
	return NULL;
}
