/* The rows of a comparison of two sessions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "memory.h"
#include "memory_level.h"
#include "print_compare_internal.h"
#include "say_compare.h"
#include "text_axis.h"

enum {
	FOLD = 12, /* points; a longer sweep is one row */
	NAME_LESS = 12, /* columns that names leave free of half the width */
	AXIS_LEAST = 21,
	AXIS_MOST = 41,
};

struct sheet {
	const struct compare_pair *pair;
	const struct compare_titles *titles;
	const struct text_layout *layout;
	bool intervals;
	struct text_axis axis; /* no columns: none */
	struct columns table;
	size_t name, first, second, ratio, interval, bar, verdict;
};

static bool same_group(const struct compare_row *a, const struct compare_row *b)
{
	return a->second.run == b->second.run &&
		a->second.metric == b->second.metric;
}

static size_t count_group(const struct compare_pair *pair, size_t i)
{
	size_t count = 0;

	for (size_t k = 0; k < pair->row_count; k++)
		count += same_group(&pair->rows[i], &pair->rows[k]);
	return count;
}

static bool is_folded(const struct sheet *sheet, size_t i)
{
	return !sheet->layout->verbose && count_group(sheet->pair, i) > FOLD;
}

/* "4M random": the point's values, or its level of memory. Adds nothing for a
 * single point or a run of `ab`. */
static void name_point(const struct compare_side *side, struct text *name)
{
	const char *level = point_level(side->point);

	if (side->run->plan.abba)
		return;
	point_describe_short(side->run, side->point, name);
	if (!name->length && level && side->run->point_count > 1)
		text_add(name, "%s", level);
}

static void name_metric(const struct compare_row *row, struct text *name)
{
	text_add(name, "%s", row->second.run->experiment);
	if (row->second.metric)
		text_add(name, " %s", compare_row_metric(row)->name);
}

/* A name that does not fit has a line of its own. */
static void add_name(struct sheet *sheet, const struct compare_row *row)
{
	struct text name = { 0 }, point = { 0 };
	int most = sheet->layout->width / 2 - NAME_LESS;

	name_metric(row, &name);
	name_point(&row->second, &point);
	if (point.length)
		text_add(&name, " %s", point.chars);
	if (text_width(name.chars) > most) {
		columns_say(&sheet->table, sheet->name, name.chars);
		columns_row(&sheet->table);
	} else {
		columns_cell(&sheet->table, sheet->name, STYLE_PLAIN, "%s",
			name.chars);
	}
	text_free(&name);
	text_free(&point);
}

static void add_figures(struct sheet *sheet, const struct compare_row *row)
{
	const struct compare_side *sides[] = { &row->first, &row->second };
	size_t columns[] = { sheet->first, sheet->second };

	for (int i = 0; i < 2; i++) {
		struct text figure = { 0 };

		unit_show(&figure, compare_row_metric(row)->unit,
			sides[i]->figure);
		columns_cell(&sheet->table, columns[i], STYLE_PLAIN, "%s",
			figure.chars);
		text_free(&figure);
	}
}

static void add_ratio(struct sheet *sheet, const struct compare_row *row)
{
	const struct axis_mark mark = { row->time.ratio_low, row->ratio,
		row->time.ratio_high };
	struct text ratio = { 0 }, bar = { 0 };

	if (row->basis == COMPARE_UNDECIDED)
		text_add_char(&ratio, '?');
	else
		say_compare_ratio(row->ratio, &ratio);
	columns_cell(&sheet->table, sheet->ratio, STYLE_BOLD, "%s",
		ratio.chars);
	text_free(&ratio);
	if (row->basis != COMPARE_LAUNCHES)
		return;
	if (sheet->intervals)
		columns_cell(&sheet->table, sheet->interval, STYLE_PLAIN,
			"[%.3f .. %.3f]", mark.low, mark.high);
	if (sheet->axis.columns) {
		text_axis_interval(&sheet->axis, &mark, &bar);
		columns_cell(&sheet->table, sheet->bar, STYLE_PLAIN, "%s",
			bar.chars);
	}
	text_free(&bar);
}

/* All that the verdict of a row rests on. */
static void say_all(const struct sheet *sheet, const struct compare_row *row,
	struct text *note)
{
	bool tested = row->basis == COMPARE_LAUNCHES;

	if (tested && !sheet->intervals)
		text_add(note, "95 %% [%.3f .. %.3f]. ", row->time.ratio_low,
			row->time.ratio_high);
	if (tested && fabs(row->delta - sheet->pair->delta) > .0005)
		text_add(note, "threshold %.3g %%. ", row->delta * 100);
	say_compare_row(row, note);
}

/* The reason why a row has no verdict. */
static void say_short(const struct sheet *sheet, const struct compare_row *row,
	struct text *note)
{
	const struct compare_titles *titles = sheet->titles;
	size_t before = note->length;

	say_compare_short(row, titles->brief[0], titles->brief[1], note);
	if (note->length == before)
		return;
	if (titles->gate && row->basis == COMPARE_UNDECIDED)
		text_add(note, "; no alarm raised");
	text_add_char(note, '.');
}

static void add_reason(struct sheet *sheet, const struct compare_row *row)
{
	struct text note = { 0 };

	if (sheet->titles->fails_at > 0)
		say_compare_gate(row, sheet->titles->fails_at, &note);
	if (sheet->layout->verbose)
		say_all(sheet, row, &note);
	else
		say_short(sheet, row, &note);
	text_trim(&note);
	if (note.length) {
		columns_row(&sheet->table);
		columns_say(&sheet->table, sheet->first, note.chars);
	}
	text_free(&note);
}

static void add_row(struct sheet *sheet, const struct compare_row *row)
{
	columns_row(&sheet->table);
	add_name(sheet, row);
	add_figures(sheet, row);
	add_ratio(sheet, row);
	columns_cell(&sheet->table, sheet->verdict, say_compare_style(row),
		"%s", compare_row_word(row));
	add_reason(sheet, row);
}

/* ---- a long sweep ----------------------------------------------------- */

/* The verdicts of the rows, each once with its number of rows. */
struct tally {
	struct tally_word {
		const char *word;
		size_t count;
		const struct compare_row *farthest;
	} list[16];
	size_t count;
};

static void tally_add(struct tally *tally, const struct compare_row *row)
{
	const char *word = compare_row_word(row);
	size_t i = 0;

	while (i < tally->count && strcmp(tally->list[i].word, word) != 0)
		i++;
	if (i == sizeof tally->list / sizeof *tally->list)
		return;
	if (i == tally->count)
		tally->list[tally->count++] =
			(struct tally_word){ .word = word, .farthest = row };
	struct tally_word *found = &tally->list[i];
	found->count++;
	if (fabs(log(row->ratio)) > fabs(log(found->farthest->ratio)))
		found->farthest = row;
}

static void say_word(const struct tally_word *word, struct text *line)
{
	const struct compare_row *row = word->farthest;
	bool changed = row->basis == COMPARE_LAUNCHES &&
		row->verdict <= VERDICT_SLOWER;
	struct text point = { 0 };

	text_add(line, "%s%zu %s", line->length ? ", " : "", word->count,
		word->word);
	if (!changed)
		return;
	name_point(&row->second, &point);
	text_add(line, " (%s ",
		row->verdict == VERDICT_SLOWER ? "worst" : "best");
	say_compare_ratio(row->ratio, line);
	if (point.length)
		text_add(line, " at %s", point.chars);
	text_add_char(line, ')');
	text_free(&point);
}

static void add_folded(struct sheet *sheet, size_t i)
{
	const struct compare_pair *pair = sheet->pair;
	struct tally tally = { .count = 0 };
	struct text line = { 0 }, name = { 0 };

	for (size_t k = i; k < pair->row_count; k++)
		if (same_group(&pair->rows[i], &pair->rows[k]))
			tally_add(&tally, &pair->rows[k]);
	for (size_t k = 0; k < tally.count; k++)
		say_word(&tally.list[k], &line);
	name_metric(&pair->rows[i], &name);
	text_add(&name, ", %zu points", count_group(pair, i));
	columns_row(&sheet->table);
	columns_cell(&sheet->table, sheet->name, STYLE_PLAIN, "%s",
		name.chars);
	columns_say(&sheet->table, sheet->first, line.chars);
	text_free(&line);
	text_free(&name);
}

/* ---- all rows --------------------------------------------------------- */

static void add_columns(struct sheet *sheet)
{
	struct columns *table = &sheet->table;
	struct text head = { 0 };

	sheet->name = columns_add(table, "experiment", COLUMN_LEFT, 0);
	sheet->first = columns_add(table, sheet->titles->brief[0], COLUMN_RIGHT,
		0);
	sheet->second = columns_add(table, sheet->titles->brief[1],
		COLUMN_RIGHT, 0);
	sheet->ratio = columns_add(table, "B/A", COLUMN_RIGHT, 0);
	if (sheet->axis.columns) {
		text_axis_head(&sheet->axis, &head);
		sheet->bar = columns_add(table, head.chars, COLUMN_LEFT, 0);
	}
	if (sheet->intervals)
		sheet->interval =
			columns_add(table, "95 %", COLUMN_LEFT, 0);
	sheet->verdict = columns_add(table, "", COLUMN_LEFT, 0);
	text_free(&head);
}

/* Fills the table. Rows of a metric are together, in the order of the second
 * session. */
static void fill(struct sheet *sheet)
{
	const struct compare_pair *pair = sheet->pair;
	bool *done = xcalloc(pair->row_count + 1, sizeof *done);

	columns_free(&sheet->table);
	add_columns(sheet);
	for (size_t i = 0; i < pair->row_count; i++) {
		bool folded = !done[i] && is_folded(sheet, i);

		if (folded)
			add_folded(sheet, i);
		for (size_t k = i; k < pair->row_count; k++) {
			if (done[k] ||
				!same_group(&pair->rows[i], &pair->rows[k]))
				continue;
			if (!folded)
				add_row(sheet, &pair->rows[k]);
			done[k] = true;
		}
	}
	free(done);
}

/* The range of all drawn intervals; false: none. */
static bool find_range(const struct sheet *sheet, double *low, double *high)
{
	*low = *high = 1;
	for (size_t i = 0; i < sheet->pair->row_count; i++) {
		const struct compare_row *row = &sheet->pair->rows[i];

		if (row->basis != COMPARE_LAUNCHES || is_folded(sheet, i))
			continue;
		*low = fmin(*low, row->time.ratio_low);
		*high = fmax(*high, row->time.ratio_high);
	}
	return *low < 1 || *high > 1;
}

/* Fills the table and returns the room for one more column. */
static int measure(struct sheet *sheet)
{
	fill(sheet);
	return columns_fit(&sheet->table, sheet->layout);
}

/* Chooses how to show intervals. Bars are preferred, figures need less room,
 * and a narrow table has neither. A verbose layout shows figures, then bars in
 * the remaining room. */
static void choose(struct sheet *sheet)
{
	double low, high;
	int room = measure(sheet);
	bool any = find_range(sheet, &low, &high);

	if (any && (sheet->layout->verbose || room < AXIS_LEAST)) {
		sheet->intervals = true;
		room = measure(sheet);
		sheet->intervals = room >= -COLUMNS_GAP;
	}
	if (any && sheet->layout->bars && room >= AXIS_LEAST)
		sheet->axis = text_axis_ratios(low, high,
			room < AXIS_MOST ? room : AXIS_MOST,
			sheet->layout->utf8);
}

void print_compare_rows(const struct compare_pair *pair,
	const struct compare_titles *titles, const struct text_layout *layout,
	struct text *text)
{
	struct sheet sheet = { .pair = pair, .titles = titles,
		.layout = layout };

	choose(&sheet);
	fill(&sheet);
	columns_print(&sheet.table, layout, text);
	columns_free(&sheet.table);
}
