/* Two alternating settings of one run, as plain text. */
#include "print_compare.h"

#include <math.h>
#include <string.h>

#include "columns.h"
#include "figure.h"
#include "print.h"
#include "say_compare.h"
#include "text_axis.h"
#include "wrap.h"

enum { AXIS = 25 };

/* "getppid": the differing values, without the parameter's name if the value is
 * clear. */
static void name_point(const struct results *results, size_t i,
	struct text *text)
{
	point_describe_short(results, &results->points[i], text);
	if (!text->length)
		text_add(text, "the same");
}

/* ---- the answer ------------------------------------------------------- */

/* "[3.0 .. 3.6 %]" for a change, "[3.0 .. 3.2 x]" for a change by 2 and
 * more. */
static void add_ends(const struct comparison *time, struct text *text)
{
	bool less = time->ratio < 1;
	int digits = fabs(time->ratio - 1) < .001 ? 2 : 1;
	double low = time->ratio_low, high = time->ratio_high;

	if (fmax(time->ratio, 1 / time->ratio) >= 2)
		text_add(text, "[%.3g .. %.3g x]", less ? 1 / high : low,
			less ? 1 / low : high);
	else
		text_add(text, "[%.*f .. %.*f %%]", digits,
			(less ? 1 - high : low - 1) * 100, digits,
			(less ? 1 - low : high - 1) * 100);
}

/* "4 100 pairs in 6 launches". */
static void add_size(const struct compare_row *row, struct text *text)
{
	size_t pairs = row->pairs.trials[row->pairs.regime];
	size_t launches = pairs_result(&row->pairs)->n;

	if (pairs) {
		figure_count(text, (double)pairs);
		text_add(text, " pairs in ");
	}
	say_launches(launches, text);
}

static bool is_tested(const struct compare_row *row)
{
	return row->basis == COMPARE_LAUNCHES;
}

/* "B is 3.3 % faster". */
static void say_answer(const struct compare_row *row, struct text *text)
{
	static const char *const words[] = {
		[VERDICT_EQUIVALENT] = "A and B are equivalent",
		[VERDICT_SMALL] = "A and B differ little",
		[VERDICT_INCONCLUSIVE] = "inconclusive",
	};

	if (!is_tested(row)) {
		text_add(text, "%s", compare_row_word(row));
	} else if (row->verdict <= VERDICT_SLOWER) {
		text_add(text, "B is ");
		say_compare_change(row->ratio, text);
		text_add(text, " %s", compare_row_word(row));
	} else {
		text_add(text, "%s", words[row->verdict]);
	}
}

/* "[3.0 .. 3.6 %]", or the reason why there is no answer. */
static void say_support(const struct compare_row *row, struct text *text)
{
	if (!is_tested(row))
		say_compare_short(row, "A", "B", text);
	else if (row->verdict <= VERDICT_SLOWER)
		add_ends(&row->time, text);
	else
		text_add(text, "B/A %.3f [%.3f .. %.3f]", row->ratio,
			row->time.ratio_low, row->time.ratio_high);
}

/* ---- rows ------------------------------------------------------------- */

enum { NAME, FIGURE, SPACE, ANSWER, REST };

static void add_side(struct columns *table, const struct results *results,
	const struct compare_row *row, int i, const struct text_layout *layout)
{
	const struct compare_side *side = i ? &row->second : &row->first;
	enum unit unit = results->metrics[side->metric].unit;
	struct text name = { 0 }, cut = { 0 }, figure = { 0 };

	name_point(results, (size_t)i, &name);
	text_add_cut(&cut, name.chars, layout->width / 3);
	unit_show_like(&figure, unit, side->figure, row->first.figure);
	columns_row(table);
	columns_cell(table, NAME, STYLE_PLAIN, "%c %s", "AB"[i], cut.chars);
	columns_cell(table, FIGURE, STYLE_BOLD, "%s", figure.chars);
	text_free(&name);
	text_free(&cut);
	text_free(&figure);
}

/* If the line of the answer is full, the number of pairs has its own line. */
static void add_answer(struct columns *table, const struct compare_row *row,
	const struct text_layout *layout)
{
	struct text answer = { 0 }, rest = { 0 }, size = { 0 };

	say_answer(row, &answer);
	say_support(row, &rest);
	if (is_tested(row))
		add_size(row, &size);
	columns_cell(table, ANSWER, say_compare_style(row), "%s",
		answer.chars);
	int room = columns_fit(table, layout);
	bool fits = size.length && (int)(rest.length + 2 + size.length) <= room;
	if (fits)
		text_add(&rest, ", %s", size.chars);
	columns_say(table, REST, text_chars(&rest));
	if (size.length && !fits) {
		columns_row(table);
		columns_say(table, ANSWER, size.chars);
	}
	text_free(&answer);
	text_free(&rest);
	text_free(&size);
}

/* Draws the ratio on an axis below the answer. */
static void print_axis(const struct columns *table,
	const struct compare_row *row, bool utf8, struct text *text)
{
	const struct axis_mark mark = { row->time.ratio_low, row->time.ratio,
		row->time.ratio_high };
	struct text_axis axis =
		text_axis_ratios(mark.low, mark.high, AXIS, utf8);
	int indent = COLUMNS_INDENT;

	for (int i = 0; i < ANSWER; i++)
		indent += table->list[i].width + COLUMNS_GAP;
	text_pad(text, ' ', (size_t)indent);
	text_axis_line(&axis, &mark, text);
	text_add_char(text, '\n');
}

/* What limits the answer: chance, the clock, a shared core, too few
 * launches. */
static void print_caution(const struct compare_row *row,
	const struct text_layout *layout, struct text *text)
{
	struct text line = { 0 };

	say_compare_row(row, &line);
	text_trim(&line);
	if (line.length) {
		text_pad(text, ' ', COLUMNS_INDENT);
		wrap(text, line.chars, COLUMNS_INDENT, layout->width);
	}
	text_free(&line);
}

static void print_metric(const struct results *results,
	const struct compare_row *row, const struct text_layout *layout,
	struct text *text)
{
	const struct metric_info *info = &results->metrics[row->second.metric];
	struct columns table = { 0 };

	if (row->second.metric)
		text_add(text, "  %s\n",
			*info->label ? info->label : info->name);
	columns_add(&table, "", COLUMN_LEFT, 0);
	columns_add(&table, "", COLUMN_RIGHT, 0);
	for (int column = SPACE; column <= REST; column++)
		columns_add(&table, "", COLUMN_LEFT, 0);
	add_side(&table, results, row, 0, layout);
	add_side(&table, results, row, 1, layout);
	add_answer(&table, row, layout);
	columns_print(&table, layout, text);
	if (is_tested(row) && layout->bars)
		print_axis(&table, row, layout->utf8, text);
	columns_free(&table);
	if (is_tested(row))
		print_caution(row, layout, text);
}

bool print_ab(const struct results *results, const struct text_layout *layout,
	struct text *text)
{
	struct compare_pair pair;

	if (!results->plan.abba || results->point_count != 2)
		return false;
	compare_points(results, 0, 1, &pair);
	bool any = pair.row_count > 0;
	for (size_t i = 0; i < pair.row_count; i++)
		print_metric(results, &pair.rows[i], layout, text);
	compare_pair_free(&pair);
	return any;
}

/* ---- one line --------------------------------------------------------- */

static void say_verdict(const struct compare_row *row, struct text *text)
{
	if (is_tested(row) && row->verdict <= VERDICT_SLOWER) {
		text_add(text, "B is ");
		say_compare_change(row->ratio, text);
		text_add(text, " %s: ", compare_row_word(row));
	} else {
		text_add(text, "B against A: ");
		if (row->basis != COMPARE_NO_RATIO)
			text_add(text, "%s: ", compare_row_word(row));
	}
	if (is_tested(row))
		text_add(text, "%.3f [%.3f, %.3f]", row->ratio,
			row->time.ratio_low, row->time.ratio_high);
	else
		say_compare_short(row, "A", "B", text);
}

void say_ab(const struct results *results, bool cautions, struct text *text)
{
	struct compare_pair pair;
	struct text note = { 0 };

	if (!results->plan.abba || results->point_count != 2)
		return;
	compare_points(results, 0, 1, &pair);
	const struct compare_row *row =
		pair.row_count && !pair.rows[0].second.metric ? pair.rows :
								NULL;
	if (row)
		say_verdict(row, text);
	if (row && cautions && is_tested(row))
		say_compare_row(row, &note);
	text_trim(&note);
	if (note.length)
		text_add(text, "; %s", note.chars);
	text_free(&note);
	compare_pair_free(&pair);
}
