/* The fleet: machines down, experiments across, outliers marked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands_internal.h"
#include "draw_map.h"
#include "memory.h"
#include "quantile.h"
#include "view_compare.h"

enum {
	NAME = 16, /* columns of a machine's name */
	KINDS = FLEET_WHOLE, /* then experiments */
	KIND = 4,   /* columns of a kind */
	WIDEST = 6, /* columns of an experiment */
	LEGEND_FROM = 6, /* rows */
	WORDS_FROM = 12,
	SERIES_OF_OUTLIER = 3,
	DIFFERENCES = 3,
};

/* The distances from 1, as logarithms, at which a step ends. */
static const double ends[MAP_STEPS - 1] = { .02, .05, .2 };

/* ---- state ------------------------------------------------------------ */

static void find_columns(const struct fleet_sessions *sessions,
	struct compare_fleet *fleet)
{
	for (size_t i = 0; i < sessions->series_count; i++) {
		bool another = !i ||
			strcmp(sessions->series[i - 1].experiment,
				sessions->series[i].experiment) != 0;

		if (another) {
			ARRAY_GROW(fleet->columns, fleet->column_count);
			fleet->columns[fleet->column_count++] =
				(struct fleet_column){ .first = i };
		}
		fleet->columns[fleet->column_count - 1].count++;
	}
}

void compare_fleet_free(struct compare_fleet *fleet)
{
	fleet_order_free(&fleet->order);
	free(fleet->columns);
	*fleet = (struct compare_fleet){ 0 };
}

/* The lab's fleet, which exists, as the screen shows it. */
static struct compare_fleet *make(struct screen *screen)
{
	struct compare_fleet *fleet = &model_of(screen)->fleet;
	const struct many *many = &screen->lab->many;

	if (fleet->serial == many->serial)
		return fleet;
	compare_fleet_free(fleet);
	fleet->of = many->fleet;
	fleet->serial = many->serial;
	fleet_order_find(fleet->of, &fleet->order);
	find_columns(fleet->of, fleet);
	return fleet;
}

/* ---- a cell ----------------------------------------------------------- */

static enum fleet_kind kind_of(size_t column)
{
	return column < KINDS ? FLEET_OVERALL + (unsigned)column :
				FLEET_SERIES;
}

static bool is_in_column(const struct compare_fleet *fleet, size_t column,
	const struct fleet_outlier *outlier)
{
	if (column < KINDS)
		return outlier->kind == kind_of(column);
	const struct fleet_column *is = &fleet->columns[column - KINDS];
	return outlier->kind == FLEET_SERIES && outlier->series >= is->first &&
		outlier->series < is->first + is->count;
}

/* The largest outlier of a machine in a column; NULL: none. */
static const struct fleet_outlier *outlier_in(const struct compare_fleet *fleet,
	size_t machine, size_t column)
{
	const struct fleet *of = &fleet->of->fleet;

	for (size_t i = 0; i < of->outlier_count; i++)
		if (of->outliers[i].machine == machine &&
			is_in_column(fleet, column, &of->outliers[i]))
			return &of->outliers[i];
	return NULL;
}

/* The machine's ratio in a column; of an experiment the median of its series.
 * NaN: no figure. */
static double ratio_in(const struct compare_fleet *fleet, size_t machine,
	size_t column)
{
	const struct fleet *of = &fleet->of->fleet;

	if (column < KINDS)
		return fleet_ratio(of, machine, kind_of(column));
	const struct fleet_column *is = &fleet->columns[column - KINDS];
	double *ratios = xcalloc(is->count, sizeof *ratios);
	size_t count = 0;
	for (size_t s = is->first; s < is->first + is->count; s++) {
		double ratio = of->ratio[machine * of->series_count + s];

		if (!isnan(ratio))
			ratios[count++] = ratio;
	}
	double median = median_of(ratios, count);
	free(ratios);
	return median;
}

static int step_of(double ratio)
{
	int step = 0;

	while (step < MAP_STEPS - 1 && fabs(log(ratio)) > ends[step])
		step++;
	return step;
}

static void draw_cell(const struct compare_fleet *fleet, size_t machine,
	size_t column, const struct pane *cell)
{
	const struct fleet_outlier *outlier =
		outlier_in(fleet, machine, column);
	double ratio = ratio_in(fleet, machine, column);

	if (ratio > 0)
		map_fill(cell, step_of(ratio));
	if (!outlier && ratio < 1 && step_of(ratio))
		pane_put(cell, cell->columns / 2, 0, '-', ROLE_TEXT);
	if (outlier)
		pane_put(cell, cell->columns / 2, 0,
			outlier->kind == FLEET_SURROUNDINGS ? '!' :
				outlier->ratio > 1          ? '>' :
							      '<',
			outlier->ratio < 1 ? ROLE_WARN : ROLE_BAD);
}

/* ---- the map ---------------------------------------------------------- */

/* The part of a row that a column has. */
static struct pane cell_of(const struct compare_fleet *fleet, size_t column,
	const struct pane *row)
{
	int count = (int)fleet->column_count;
	int room = row->columns - KINDS * KIND;

	if (column < KINDS)
		return pane_part(row, (int)column * KIND, 0, KIND - 1, 1);
	if (room > count * WIDEST)
		room = count * WIDEST;
	struct map_cells cells = map_cells_of(fleet->column_count,
		column - KINDS, room > 0 ? room : 0);
	int gap = cells.count > 2;
	return pane_part(row, KINDS * KIND + cells.first, 0, cells.count - gap,
		1);
}

/* The kinds, and the groups of experiments where they begin. */
static void draw_heads(const struct compare_fleet *fleet,
	const struct pane *head)
{
	int end = KINDS * KIND;

	for (size_t i = 0; i < KINDS; i++)
		pane_chars(head, (int)i * KIND, 0, ROLE_DIM,
			fleet_kind_head(kind_of(i)));
	for (size_t i = 0; i < fleet->column_count; i++) {
		struct pane cell = cell_of(fleet, KINDS + i, head);
		const char *name =
			fleet->of->series[fleet->columns[i].first].experiment;
		const char *last = !i ? "" :
			fleet->of->series[fleet->columns[i - 1].first]
				.experiment;
		int length = (int)strcspn(name, ".");
		int at = cell.column - head->column;

		if (at < end || (i && !strncmp(name, last, (size_t)length + 1)))
			continue;
		struct text group = { 0 };
		text_add_safe(&group, name, (size_t)length);
		end = at + 1 + pane_chars(head, at, 0, ROLE_DIM,
			text_chars(&group));
		text_free(&group);
	}
}

static const char legend_words[] = "all: all series   sc: scatter   "
	"su: surroundings   shade: slower, - faster";

/* The legend has a row of shades and signs, and words if there is room. */
static int rows_of_legend(const struct pane *inside)
{
	if (inside->rows < LEGEND_FROM)
		return 0;
	return inside->rows < WORDS_FROM ||
			inside->columns - 1 < text_columns(legend_words) ?
		1 :
		2;
}

static void draw_legend(const struct pane *pane)
{
	static const char *const labels[MAP_STEPS] = { "within 2 %", "5 %",
		"20 %", "more" };
	int column = 0;

	for (int i = 0; i < MAP_STEPS; i++)
		column = map_legend(pane, column, i, labels[i]);
	pane_chars(pane, column, 0, ROLE_DIM,
		"outlier: > slower < faster ! unlike");
	pane_chars(pane, 0, 1, ROLE_DIM, legend_words);
}

static void add_name(const struct compare_fleet *fleet, size_t machine,
	int columns, struct text *text)
{
	const char *name = fleet->of->machines[machine].name;
	struct text safe = { 0 };

	text_add_safe(&safe, name, strlen(name));
	text_add_cut(text, text_chars(&safe), columns);
	text_free(&safe);
}

static void draw_row(const struct compare_fleet *fleet, size_t at,
	const struct pane *row)
{
	size_t machine = fleet->order.machines[at];
	struct pane cells = pane_part(row, NAME + 2, 0, -1, 1);
	struct text name = { 0 };

	add_name(fleet, machine, NAME, &name);
	pane_chars(row, 1, 0, ROLE_TEXT, text_chars(&name));
	text_free(&name);
	for (size_t i = 0; i < KINDS + fleet->column_count; i++) {
		struct pane cell = cell_of(fleet, i, &cells);

		draw_cell(fleet, machine, i, &cell);
		if (at == fleet->row && i == fleet->column) {
			pane_role(&cell, 0, 0, cell.columns, ROLE_SELECT);
			pane_cursor(&cell, cell.columns / 2, 0);
		}
	}
	pane_spot(row, 0, 0, row->columns, "move %d",
		(int)at - (int)fleet->row);
	if (at == fleet->row) {
		pane_glyph(row, 0, 0, GLYPH_CLOSED, ROLE_STRONG);
		pane_role(row, 1, 0, NAME, ROLE_SELECT);
	}
}

void compare_fleet_say(const struct screen *screen, struct text *text)
{
	const struct fleet_sessions *of = screen->lab->many.fleet;
	size_t sick = fleet_sick(&of->fleet);

	if (sick)
		text_add(text, "%zu of %zu machines differ%s", sick,
			of->machine_count, sick == 1 ? "s" : "");
	else
		text_add(text, "%zu machine%s, %s", of->machine_count,
			of->machine_count == 1 ? "" : "s",
			of->machine_count < FLEET_LEAST ? "too few" :
							  "no outlier");
}

static void draw_map(const struct compare_fleet *fleet, const struct pane *pane,
	const char *right)
{
	struct pane inside =
		pane_frame(pane, "Machines and experiments", right);
	struct pane head = pane_part(&inside, NAME + 2, 0, -1, 1);
	int legend = rows_of_legend(&inside);
	struct pane foot =
		pane_part(&inside, 1, inside.rows - legend, -1, legend);
	int room = inside.rows - 1 - legend;
	size_t first = room > 0 && fleet->row >= (size_t)room ?
		fleet->row - (size_t)room + 1 :
		0;

	draw_heads(fleet, &head);
	for (int i = 0; i < room; i++) {
		struct pane row =
			pane_part(&inside, 0, 1 + i, inside.columns, 1);
		size_t at = first + (size_t)i;

		if (at < fleet->of->machine_count)
			draw_row(fleet, at, &row);
	}
	draw_legend(&foot);
}

/* ---- the selected machine --------------------------------------------- */

static void say_cell(const struct compare_fleet *fleet, size_t machine,
	struct text *text)
{
	const struct fleet_machine *is = &fleet->of->machines[machine];
	double ratio = ratio_in(fleet, machine, fleet->column);
	size_t alike = fleet->of->fleet.groups[is->group].machines;

	if (fleet->column >= KINDS) {
		const struct fleet_column *column =
			&fleet->columns[fleet->column - KINDS];
		const struct fleet_title *title =
			&fleet->of->series[column->first];

		text_add_safe(text, title->experiment,
			strlen(title->experiment));
		if (title->named)
			text_add(text, ".%s", title->metric);
		text_add(text, ", %zu series: ", column->count);
	} else {
		text_add(text, "%s: ",
			fleet_kind_words(kind_of(fleet->column)));
	}
	if (kind_of(fleet->column) == FLEET_SURROUNDINGS)
		text_add(text, "%zu alike", alike);
	else if (isnan(ratio) && fleet->column < KINDS)
		text_add(text, "no figure: it needs at least %d series of at "
			"least %d machines", FLEET_LEAST, FLEET_LEAST);
	else if (isnan(ratio))
		text_add(text, "no figure");
	else if (alike >= FLEET_LEAST)
		text_add(text, "%.3f times the median of %zu alike machines",
			ratio, alike);
	else
		text_add(text, "%.3f times the median of all machines", ratio);
}

static void draw_machine(const struct compare_fleet *fleet,
	const struct pane *pane)
{
	size_t machine = fleet->order.machines[fleet->row];
	struct text name = { 0 }, text = { 0 }, right = { 0 };

	if (pane->rows < 3)
		return;
	add_name(fleet, machine, pane->columns / 2, &name);
	text_add(&right, "machine %zu of %zu", fleet->row + 1,
		fleet->of->machine_count);
	struct pane inside = pane_frame(pane, text_chars(&name), right.chars);
	struct pane words = pane_part(&inside, 1, 0, -1, inside.rows);
	say_cell(fleet, machine, &text);
	int used = pane_wrap(&words, 0, ROLE_STRONG, text.chars);
	text_clear(&text);
	fleet_say_outliers(fleet->of, machine, SERIES_OF_OUTLIER, &text);
	enum role role = text.length ? ROLE_WARN : ROLE_TEXT;
	if (!text.length)
		text_add(&text, "%s",
			fleet->of->machine_count < FLEET_LEAST ?
				"An outlier needs 3 machines." :
				"This machine is not an outlier.");
	used += pane_wrap(&words, used, role, text.chars);
	text_clear(&text);
	fleet_say_differences(fleet->of, machine, DIFFERENCES, &text);
	pane_wrap(&words, used, ROLE_TEXT, text_chars(&text));
	text_free(&name);
	text_free(&text);
	text_free(&right);
}

/* ---- the whole -------------------------------------------------------- */

void compare_fleet_draw(struct screen *screen, const struct pane *map,
	const struct pane *below)
{
	const struct compare_fleet *fleet = make(screen);
	struct text right = { 0 };

	compare_fleet_say(screen, &right);
	draw_map(fleet, map, right.chars);
	draw_machine(fleet, below);
	text_free(&right);
}

void compare_fleet_move(struct screen *screen, int down, int across)
{
	struct compare_fleet *fleet = make(screen);
	size_t machine, columns = KINDS + fleet->column_count;
	struct text text = { 0 };

	fleet->row = (size_t)moved((int)fleet->row, down,
		(int)fleet->of->machine_count);
	fleet->column =
		(size_t)moved((int)fleet->column, across, (int)columns);
	machine = fleet->order.machines[fleet->row];
	add_name(fleet, machine, NAME, &text);
	text_add(&text, ": ");
	say_cell(fleet, machine, &text);
	screen_say(screen, ROLE_TEXT, "%s", text.chars);
	screen->message_read = true;
	text_free(&text);
}
