/* A map of a sweep over two numeric parameters. */
#include <math.h>

#include "document.h"
#include "plot.h"
#include "plot_internal.h"

enum {
	HEIGHT = 340,
	LABELS = 120, /* beside the map */
	SHADES = 4,
};

static size_t rank_of(const struct swept *param, double value)
{
	size_t rank = 0;

	while (rank + 1 < param->count && param->values[rank] < value)
		rank++;
	return rank;
}

static void map_names(const struct swept *param, bool across, double origin,
	double step, double other, struct text *svg)
{
	/* Names as many values as there is room for. */
	double room = across ? 46 : 13;
	size_t every = (size_t)fmax(1, ceil(room / step));
	struct text name = { 0 };

	for (size_t i = 0; i < param->count; i += every) {
		double at = origin + step * ((double)i + .5);

		text_clear(&name);
		unit_write(&name, param->unit, param->values[i]);
		if (across)
			plot_label(svg, at, other + 16, "middle", name.chars);
		else
			plot_label(svg, other - 6, at + 4, "end", name.chars);
	}
	text_free(&name);
}

static void map_key(const struct axis *shade, struct text *svg, double y)
{
	struct text name = { 0 };

	for (int i = 0; i <= SHADES; i++) {
		double part = (double)i / SHADES;
		double value = shade->logarithmic ?
			shade->low * pow(shade->high / shade->low, part) :
			shade->low + (shade->high - shade->low) * part;
		double x = PLOT_WIDTH - LABELS + 8;

		text_add(svg,
			"<rect x=\"%.0f\" y=\"%.0f\" width=\"16\" "
			"height=\"16\" fill=\"%s\" fill-opacity=\"%.2f\"/>\n",
			x, y + i * 22, plot_colour[0], .08 + .92 * part);
		text_clear(&name);
		unit_show(&name, shade->unit, value);
		plot_label(svg, x + 22, y + i * 22 + 13, "start", name.chars);
	}
	text_free(&name);
}

/* A grid of cells: one parameter across, the other down. */
struct map {
	double left, top, width, height;
	struct axis shade;
};

static void map_cells(const struct map *map, const struct curves *sweep,
	struct text *svg)
{
	const struct results *results = sweep->results;
	const struct swept *across = &sweep->params[sweep->across];
	const struct swept *down = &sweep->params[sweep->down];

	for (size_t i = 0; i < results->point_count; i++) {
		struct mark mark = plot_mark(results, &results->points[i]);
		size_t column =
			rank_of(across, curves_value(sweep, sweep->across, i));
		size_t row = rank_of(down, curves_value(sweep, sweep->down, i));

		if (!mark.drawn)
			continue;
		text_add(svg,
			"<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
			"height=\"%.2f\" fill=\"%s\" fill-opacity=\"%.3f\">"
			"<title>",
			map->left + map->width * (double)column,
			map->top + map->height * (double)row, map->width,
			map->height, plot_colour[0],
			.08 + .92 * axis_place(&map->shade, mark.value));
		struct text said = { 0 };
		point_describe(results, &results->points[i], true, &said);
		text_add(&said, ": ");
		unit_show(&said, results->metrics[0].unit, mark.value);
		document_escape(svg, said.chars);
		text_free(&said);
		text_add(svg, "</title></rect>\n");
	}
}

bool plot_map(const struct curves *sweep, struct text *svg)
{
	const struct metric_info *metric = &sweep->results->metrics[0];
	const struct swept *across = &sweep->params[sweep->across];
	const struct swept *down = &sweep->params[sweep->down];
	struct range span;
	struct text names = { 0 };

	if (!plot_span(sweep->results, &span))
		return false;
	struct map map = {
		.left = 64,
		.top = 30,
		.width = (PLOT_WIDTH - 84. - LABELS) / (double)across->count,
		.height = (HEIGHT - 76.) / (double)down->count,
		.shade = axis_over(span.low, span.high,
			span.low > 0 && span.high > 8 * span.low, metric->unit),
	};
	plot_open(svg, HEIGHT, metric->label);
	map_cells(&map, sweep, svg);
	map_names(across, true, map.left, map.width, HEIGHT - 46, svg);
	map_names(down, false, map.top, map.height, map.left, svg);
	text_add(&names, "%s by %s (across) and %s (down)", metric->label,
		across->label, down->label);
	plot_label(svg, map.left, 18, "start", names.chars);
	map_key(&map.shade, svg, map.top);
	plot_close(svg);
	text_free(&names);
	return true;
}
