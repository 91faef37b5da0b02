/* Draws a bar for the data of each round trip, with growth, losses and
 * phase. */
#include <stdio.h>
#include <string.h>

#include "amounts.h"
#include "draw_axis.h"
#include "view_net.h"

enum {
	WIDE = 64, /* from this many columns: time and total are shown */
	ROUND = 6,
	SEGMENTS = 7,
	GROWTH = 7,
	TOTAL = 8,
	AXIS_ROWS = 2,
	LABEL = 40,
};

struct columns {
	int time, bars, bar_columns, growth, total; /* 0: hidden */
};

static struct columns lay_columns(const struct net_scene *scene, int columns)
{
	bool wide = columns >= WIDE;
	int time = wide ? net_time_columns(scene) : 0;
	int bars = time + ROUND + SEGMENTS + 1;
	int right = GROWTH + (wide ? TOTAL : 0);

	return (struct columns){ .time = time,
		.bars = bars,
		.bar_columns = columns - bars - right,
		.growth = columns - right,
		.total = wide ? columns - TOTAL : 0 };
}

/* ---- the rounds in view --------------------------------------------- */

/* The first row in view: the end while packets arrive, else the beginning, or
 * the round the user selected. */
static uint32_t first_shown(const struct net_scene *scene, int rows)
{
	const struct net_options *options = scene->options;
	uint32_t count = net_rounds(scene)->count;
	uint32_t room = rows > 0 ? (uint32_t)rows : 0;
	uint32_t last = count > room ? count - room : 0;
	uint32_t first = scene->source.live ? last : 0;

	if (options->round_walked)
		first = (uint32_t)options->round;
	return first < last ? first : last;
}

static uint64_t total_until(const struct rounds *rounds, uint32_t i)
{
	uint64_t total = 0;

	for (uint32_t k = 0; k <= i; k++)
		total += rounds->at[k].bytes;
	return total;
}

/* ---- one row -------------------------------------------------------- */

/* Writes "3 retransmitted, recovery". Without losses, names a phase only where
 * it begins. */
static void label_of(const struct net_scene *scene, uint32_t i, char *label)
{
	const struct round *round = &net_rounds(scene)->at[i];
	enum net_phase phase = net_phase(scene, i);
	const char *name = net_phase_name(phase);

	if (round->retransmissions)
		snprintf(label, LABEL, "%u retransmitted, %s",
			round->retransmissions, name);
	else if (!i || net_phase(scene, i - 1) != phase)
		snprintf(label, LABEL, "%s", name);
	else
		*label = '\0';
}

/* ---- the path's lines ------------------------------------------------ */

/* The column that a full path reaches among the bars; -1 if it is out of
 * view. */
static int level_column(double segments, double scale, int columns)
{
	double column = segments > 0 ? segments / scale : -1;

	return column < columns ? (int)column : -1;
}

static void draw_level(const struct pane *bars, int column, int rows,
	const char *name)
{
	int length = text_columns(name);
	int at = column + length > bars->columns ? bars->columns - length :
						   column;

	if (column < 0)
		return;
	for (int i = 0; i < length; i++)
		if (pane_code(bars, at + i, 0) != ' ')
			return;
	pane_chars(bars, at, 0, ROLE_DIM, name);
	for (int row = 1; row <= rows; row++)
		pane_glyph(bars, column, row, GLYPH_LEVEL, ROLE_FRAME);
}

static void draw_levels(const struct net_scene *scene, const struct pane *bars,
	int rows, double scale)
{
	struct net_product product;

	net_find_product(scene, &product);
	draw_level(bars, level_column(product.segments, scale, bars->columns),
		rows, product.told ? "BDP" : "BDP seen");
	if (product.queue_segments > 0)
		draw_level(bars,
			level_column(product.segments + product.queue_segments,
				scale, bars->columns),
			rows, "+queue");
}

/* ---- scale ----------------------------------------------------------- */

/* Segments per column for the longest bars at which each bar and its label
 * fit. */
static double scale_of(const struct net_scene *scene, uint32_t first,
	uint32_t count, int columns)
{
	const struct rounds *rounds = net_rounds(scene);
	double most = 1, scale = 0;

	for (uint32_t i = first; i < first + count; i++)
		if ((double)rounds->at[i].segments > most)
			most = (double)rounds->at[i].segments;
	scale = most / columns;
	for (uint32_t i = first; i < first + count; i++) {
		char label[LABEL];

		label_of(scene, i, label);
		int room = columns - text_columns(label) - 1;
		if (room < columns / 3)
			room = columns / 3;
		if ((double)rounds->at[i].segments / room > scale)
			scale = (double)rounds->at[i].segments / room;
	}
	return scale;
}

/* Draws a bar. Returns the columns it takes. */
static int draw_bar_of(const struct pane *pane, int row, double columns,
	enum role role)
{
	int eighths = (int)(columns * 8 + 0.5);

	if (eighths < 1 && columns > 0)
		eighths = 1;
	for (int i = 0; i * 8 < eighths; i++)
		pane_put(pane, i, row,
			glyph_eighth_across(pane->grid->tier, eighths - i * 8),
			role);
	return (eighths + 7) / 8;
}

static void draw_figures(const struct net_scene *scene,
	const struct columns *columns, const struct pane *pane, int row,
	uint32_t i)
{
	const struct rounds *rounds = net_rounds(scene);
	const struct round *round = &rounds->at[i];
	struct pane time = pane_part(pane, 0, row, columns->time, 1);
	struct pane number = pane_part(pane, columns->time, row, ROUND, 1);
	struct pane segments =
		pane_part(pane, columns->time + ROUND, row, SEGMENTS, 1);
	struct text text = { 0 };

	net_time(scene, round->start_ns, &text);
	pane_right(&time, 0, ROLE_TEXT, text.chars);
	text_clear(&text);
	text_add(&text, "%u", i + 1);
	pane_right(&number, 0, ROLE_DIM, text.chars);
	text_clear(&text);
	text_add(&text, "%llu", (unsigned long long)round->segments);
	pane_right(&segments, 0, ROLE_STRONG, text.chars);
	text_free(&text);
}

static void draw_growth(const struct net_scene *scene,
	const struct columns *columns, const struct pane *pane, int row,
	uint32_t i)
{
	const struct rounds *rounds = net_rounds(scene);
	struct pane growth = pane_part(pane, columns->growth, row, GROWTH, 1);
	struct pane total = pane_part(pane, columns->total, row, TOTAL, 1);
	double ratio = side_growth(net_sending(scene), i);
	struct text text = { 0 };

	if (ratio > 0) {
		text_add(&text, "%.2fx", ratio);
		pane_right(&growth, 0, ROLE_TEXT, text.chars);
	}
	if (columns->total) {
		text_clear(&text);
		amount_size(&text, (double)total_until(rounds, i));
		pane_right(&total, 0, ROLE_TEXT, text.chars);
	}
	text_free(&text);
}

static void draw_round(const struct net_scene *scene,
	const struct columns *columns, const struct pane *pane, int row,
	uint32_t i, double scale)
{
	const struct round *round = &net_rounds(scene)->at[i];
	struct pane bars =
		pane_part(pane, columns->bars, row, columns->bar_columns, 1);
	char label[LABEL];

	draw_figures(scene, columns, pane, row, i);
	int used = draw_bar_of(&bars, 0, (double)round->segments / scale,
		round->retransmissions ? ROLE_FLAGGED : ROLE_SERIES);
	label_of(scene, i, label);
	if (used + 1 + text_columns(label) <= bars.columns)
		pane_chars(&bars, used + 1, 0,
			round->retransmissions ? ROLE_WARN : ROLE_DIM, label);
	else if (round->retransmissions && used + 4 <= bars.columns)
		pane_text(&bars, used + 1, 0, ROLE_WARN, "x %u",
			round->retransmissions);
	draw_growth(scene, columns, pane, row, i);
	if (scene->options->round_walked && scene->options->round == i) {
		pane_role(pane, columns->time, row, ROUND, ROLE_SELECT);
		pane_cursor(pane, columns->time + ROUND - 1, row);
	}
}

/* ---- the whole pane ------------------------------------------------- */

static void draw_head(const struct net_scene *scene,
	const struct columns *columns, const struct pane *pane)
{
	struct pane time = pane_part(pane, 0, 0, columns->time, 1);
	struct pane number = pane_part(pane, columns->time, 0, ROUND, 1);
	struct pane segments =
		pane_part(pane, columns->time + ROUND, 0, SEGMENTS, 1);
	struct pane growth = pane_part(pane, columns->growth, 0, GROWTH, 1);
	struct pane total = pane_part(pane, columns->total, 0, TOTAL, 1);

	pane_right(&time, 0, ROLE_DIM,
		scene->options->clock == NET_TIME_OF_DAY ? "time" : "t ms");
	pane_right(&number, 0, ROLE_DIM, "round");
	pane_right(&segments, 0, ROLE_DIM, "segs");
	pane_right(&growth, 0, ROLE_DIM, "growth");
	if (columns->total)
		pane_right(&total, 0, ROLE_DIM, "total B");
}

static void draw_bars(const struct net_scene *scene, const struct pane *pane)
{
	struct columns columns = lay_columns(scene, pane->columns);
	int axis_rows = pane->rows >= 8 ? AXIS_ROWS : 0;
	int rows = pane->rows - 1 - axis_rows;
	uint32_t first = first_shown(scene, rows);
	uint32_t count = net_rounds(scene)->count - first;

	if (count > (uint32_t)rows)
		count = (uint32_t)rows;
	double scale = scale_of(scene, first, count, columns.bar_columns);
	struct pane bars = pane_part(pane, columns.bars, 0, columns.bar_columns,
		(int)count + 1);
	draw_head(scene, &columns, pane);
	draw_levels(scene, &bars, (int)count, scale);
	for (uint32_t i = 0; i < count; i++)
		draw_round(scene, &columns, pane, (int)i + 1, first + i, scale);
	if (first + count < net_rounds(scene)->count)
		pane_glyph(pane, 0, (int)count, GLYPH_BELOW, ROLE_KEY);
	if (!axis_rows)
		return;
	struct pane below = pane_part(pane, columns.bars, (int)count + 1,
		columns.bar_columns, AXIS_ROWS);
	struct axis axis = { .low = 0,
		.high = scale * columns.bar_columns,
		.unit = UNIT_COUNT };
	axis_draw(&axis, &below, columns.bar_columns);
}

/* Writes why there are no rounds. */
static void say_none(const struct net_scene *scene, struct text *text)
{
	const struct rounds *rounds = net_rounds(scene);

	if (!net_sending(scene)->frames)
		text_add(text, "No data%s.",
			scene->source.live ? " so far" : " in the capture");
	else if (rounds->basis == ROUNDS_TOO_SHORT)
		text_add(text,
			"Rounds and initial window are not observable: a round "
			"trip is too short to separate flights.%s",
			scene->source.kind == NET_RUN ?
				" An emulated link (host=link) makes them "
				"visible." : "");
	else if (!side_is_answered(scene->connection, scene->sender))
		text_add(text,
			"Rounds are unknown: the other direction is not in "
			"the capture.");
	else if (rounds->basis == ROUNDS_NONE)
		text_add(text,
			"Rounds are not distinguishable: the round trip of "
			"the path is unknown.");
	else
		text_add(text, "No round yet.");
}

void net_draw_rounds(const struct net_scene *scene, const struct pane *pane)
{
	const struct rounds *rounds = net_rounds(scene);
	struct pane inner = pane_part(pane, 0, 0, -1, pane->rows);
	struct text text = { 0 };

	if (inner.rows < 2 || inner.columns < 30)
		return;
	if (rounds->count && rounds->basis != ROUNDS_TOO_SHORT) {
		draw_bars(scene, &inner);
		return;
	}
	struct pane words = pane_part(pane, 1, 0, -1, pane->rows);
	say_none(scene, &text);
	pane_wrap(&words, 0, ROLE_TEXT, text.chars);
	text_free(&text);
}
