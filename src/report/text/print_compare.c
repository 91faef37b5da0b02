/* Comparisons as plain text. */
#include "print_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "wrap.h"

enum { WIDTH = 80, NAME = 20, INDENT = 6, WHAT = 18, MORE_SENSIBLE = 1000 };

/* ---- what surrounds them ---------------------------------------------- */

static void print_session(char letter, const char *name,
	const struct session *session, struct text *text)
{
	const struct machine *machine = &session->machine;
	struct text line = { 0 };

	text_add_safe(&line, name, strlen(name));
	if (*machine->cpu)
		text_add(&line, ": %s", machine->cpu);
	text_add(text, "%c  ", letter);
	wrap(text, line.chars, 3, WIDTH);
	text_free(&line);
}

static void print_differences(const struct compare_pair *pair,
	struct text *text)
{
	if (!pair->difference_count) {
		text_add(text,
			"No known difference in machine, system or program.\n");
		return;
	}
	text_add(text, "Differences:\n");
	for (size_t i = 0; i < pair->difference_count; i++) {
		const struct compare_difference *difference =
			&pair->differences[i];
		struct text values = { 0 };

		text_add(&values, "%s -> %s", difference->first,
			difference->second);
		text_add(text, "  %-*.*s ", WHAT - 3, WHAT - 4,
			difference->what);
		wrap(text, values.chars, WHAT, WIDTH);
		text_free(&values);
	}
}

static void print_threshold(const struct compare_pair *pair, struct text *text)
{
	struct text line = { 0 };

	text_add(&line, "Threshold %.*g %%: ", text_digits(pair->delta * 100),
		pair->delta * 100);
	if (pair->delta == pair->drift)
		text_add(&line,
			"the difference in the time of the canary, a fixed "
			"piece of work beside every trial.");
	else if (pair->guest)
		text_add(&line,
			"in a guest, two sessions on an unchanged machine "
			"differ by this much, and by 20 %% and more in figures "
			"of memory. `ab` finds smaller changes.");
	else
		text_add(&line,
			"a proven change below it is small.");
	if (!pair->same_processor)
		text_add(&line,
			" The processors differ: the ratios compare two "
			"machines.");
	else if (pair->difference_count)
		text_add(&line,
			" The differences above may explain any change below.");
	wrap(text, line.chars, 0, WIDTH);
	text_free(&line);
}

/* ---- rows ------------------------------------------------------------- */

static void add_ratio(struct text *text, double ratio)
{
	if (!isfinite(ratio))
		text_add_char(text, '-');
	else if (ratio < 10)
		text_add(text, "%.3f", ratio);
	else
		text_add(text, "%.4g", ratio);
}

static void add_interval(struct text *text, const struct comparison *test)
{
	text_add_char(text, '[');
	add_ratio(text, test->ratio_low);
	text_add(text, ", ");
	add_ratio(text, test->ratio_high);
	text_add_char(text, ']');
}

void say_compare_change(double ratio, struct text *text)
{
	double more = fmax(ratio, 1 / ratio);

	if (more >= 2)
		text_add(text, "%.3g x", more);
	else
		text_add(text, "%.*f %%", fabs(ratio - 1) < .001 ? 2 : 1,
			fabs(ratio - 1) * 100);
}

static void say_cycles(const struct compare_row *row, struct text *note)
{
	if (!row->has_cycles ||
		(row->cycles_verdict == row->verdict && !row->by_clock))
		return;
	if (row->by_clock)
		text_add(note, "explained by the clock: ");
	text_add(note, "in cycles ");
	add_ratio(note, row->cycles.ratio);
	text_add_char(note, ' ');
	add_interval(note, &row->cycles);
	text_add(note, ", %s. ", verdict_word(row->cycles_verdict));
}

/* What the comparison was corrected by. */
static void say_ruler(const struct compare_row *row, struct text *note)
{
	text_add(note, "uncorrected ");
	add_ratio(note, row->measured.ratio);
	text_add_char(note, ' ');
	add_interval(note, &row->measured);
	text_add(note, "; the memory ruler took ");
	add_ratio(note, row->ruled.ratio);
	text_add(note, " times as long. ");
}

/* Where a co-runner changes the ratio itself. */
static void say_shared_ratio(const struct compare_row *row, struct text *note)
{
	const struct signed_rank *shared = &row->pairs.by_regime[REGIME_SHARED];
	struct comparison test = { .ratio = exp(shared->centre),
		.ratio_low = exp(shared->low),
		.ratio_high = exp(shared->high) };

	if (row->second.run->metrics[row->second.metric].better ==
		MORE_IS_BETTER)
		comparison_invert(&test);
	text_add(note, "beside a co-runner ");
	add_ratio(note, test.ratio);
	text_add_char(note, ' ');
	add_interval(note, &test);
	text_add(note, ". ");
}

void say_compare_undecided(const struct compare_side *first,
	const struct compare_side *second, struct text *note)
{
	static const char *const few[] = { NULL, "A:", "B:", "A and B:" };
	bool shared = first->quality == QUALITY_SHARED_CORE ||
		second->quality == QUALITY_SHARED_CORE;

	if (shared)
		text_add(note,
			"the core was shared in %.3g %% (A) and %.3g %% (B) of "
			"the trials",
			first->shared * 100, second->shared * 100);
	else
		text_add(note, "%s not enough data",
			few[(first->quality == QUALITY_NOT_ENOUGH) +
				2 * (second->quality == QUALITY_NOT_ENOUGH)]);
}

void say_compare_row(const struct compare_row *row, struct text *note)
{
	bool changed = row->basis == COMPARE_LAUNCHES &&
		row->verdict != VERDICT_EQUIVALENT &&
		row->verdict != VERDICT_INCONCLUSIVE;

	if (row->basis == COMPARE_TOO_FEW)
		text_add(note,
			"%zu and %zu launches: the test needs 4 of each. ",
			row->first.launches, row->second.launches);
	if (row->basis == COMPARE_LAUNCHES &&
		row->verdict == VERDICT_INCONCLUSIVE &&
		row->more <= MORE_SENSIBLE)
		text_add(note, "about %zu more launch%s of each may decide. ",
			row->more, row->more == 1 ? "" : "es");
	else if (row->basis == COMPARE_LAUNCHES &&
		row->verdict == VERDICT_INCONCLUSIVE)
		text_add(note, "no practical number of launches can decide. ");
	if (row->basis == COMPARE_LAUNCHES)
		say_cycles(row, note);
	if (row->basis == COMPARE_LAUNCHES && row->ruled.applies)
		say_ruler(row, note);
	if (row->basis == COMPARE_LAUNCHES && row->paired &&
		row->pairs.disagree)
		say_shared_ratio(row, note);
	if (changed && !row->holds)
		text_add(note,
			"p %.2g alone, %.2g corrected for all tests: may be "
			"chance. ",
			row->time.p, row->p_holm);
	if (row->basis == COMPARE_UNDECIDED) {
		say_compare_undecided(&row->first, &row->second, note);
		text_add(note, ". ");
	}
}

static void print_figures(const struct compare_row *row, struct text *text)
{
	const struct compare_side *sides[] = { &row->first, &row->second };
	enum unit unit = row->second.run->metrics[row->second.metric].unit;
	struct text ratio = { 0 }, interval = { 0 };

	for (int i = 0; i < 2; i++) {
		struct text figure = { 0 };

		unit_show(&figure, unit, sides[i]->figure);
		text_add(text, " %10s", figure.chars);
		text_free(&figure);
	}
	add_ratio(&ratio, row->ratio);
	if (row->basis == COMPARE_LAUNCHES)
		add_interval(&interval, &row->time);
	text_add(text, " %6s %-14s %s\n", ratio.chars, text_chars(&interval),
		compare_row_word(row));
	text_free(&ratio);
	text_free(&interval);
}

static void name_row(const struct compare_side *side, struct text *name)
{
	const char *level = point_note(side->point, "level");

	if (side->run->plan.abba)
		text_add(name, "B against A");
	else
		point_describe(side->run, side->point, true, name);
	if (!name->length && level && side->run->point_count > 1)
		text_add(name, "%s", level);
	else if (!name->length)
		point_describe(side->run, side->point, false, name);
}

static void print_row(const struct compare_row *row, struct text *text)
{
	struct text name = { 0 }, note = { 0 };

	name_row(&row->second, &name);
	if (name.length > NAME) {
		text_add(text, "  ");
		wrap(text, name.chars, 2, WIDTH);
		text_clear(&name);
	}
	text_add(text, "  %-*s", NAME, text_chars(&name));
	print_figures(row, text);
	say_compare_row(row, &note);
	if (note.length)
		wrap(text, note.chars, INDENT, WIDTH);
	text_free(&name);
	text_free(&note);
}

static bool same_group(const struct compare_row *a, const struct compare_row *b)
{
	return a->second.run == b->second.run &&
		a->second.metric == b->second.metric;
}

/* A metric's rows stand together, under its name. */
static void print_rows(const struct compare_pair *pair, struct text *text)
{
	bool *done = xcalloc(pair->row_count + 1, sizeof *done);

	text_add(text, "%*s %10s %10s %6s %s\n", NAME + 2, "", "A", "B",
		"ratio", "95 % interval");
	for (size_t i = 0; i < pair->row_count; i++) {
		const struct compare_row *row = &pair->rows[i];
		const struct metric_info *info =
			&row->second.run->metrics[row->second.metric];

		if (done[i])
			continue;
		text_add(text, "%s %s\n", row->second.run->experiment,
			*info->label ? info->label : info->name);
		for (size_t k = i; k < pair->row_count; k++) {
			if (done[k] || !same_group(row, &pair->rows[k]))
				continue;
			print_row(&pair->rows[k], text);
			done[k] = true;
		}
	}
	free(done);
}

/* ---- what to make of it ----------------------------------------------- */

static void add_count(struct text *line, size_t count, const char *word)
{
	if (count)
		text_add(line, "%s%zu %s",
			line->chars[line->length - 1] == ' ' ? "" : ", ", count,
			word);
}

static void print_summary(const struct compare_pair *pair, struct text *text)
{
	struct compare_counts counts;
	struct text line = { 0 };

	compare_count(pair, &counts);
	text_add(&line, "%zu compared: ", pair->row_count);
	for (unsigned i = 0; i <= VERDICT_INCONCLUSIVE; i++)
		add_count(&line, counts.verdicts[i],
			verdict_word((enum verdict)i));
	add_count(&line, counts.undecided, "undecided");
	add_count(&line, counts.too_few, "with too few launches");
	add_count(&line, counts.figures, "published");
	text_add(&line, ". A ratio above 1 is slower, also for rates.");
	if (counts.by_clock)
		text_add(&line, " %zu explained by the clock.",
			counts.by_clock);
	if (counts.figures)
		text_add(&line,
			" A published figure has no trials, hence no interval "
			"and no verdict.");
	wrap(text, line.chars, 0, WIDTH);
	text_free(&line);
}

static void print_alone(const char *label, const struct text *names,
	struct text *text)
{
	if (!names->length)
		return;
	struct text line = { 0 };

	text_add(&line, "%s: %s", label, names->chars);
	wrap(text, line.chars, 0, WIDTH);
	text_free(&line);
}

void print_compare(const struct compare_pair *pair, const char *first,
	const char *second, struct text *text)
{
	print_session('A', first, pair->first, text);
	print_session('B', second, pair->second, text);
	print_differences(pair, text);
	if (pair->row_count) {
		print_threshold(pair, text);
		text_add_char(text, '\n');
		print_rows(pair, text);
		text_add_char(text, '\n');
		print_summary(pair, text);
	} else {
		text_add(text, "A and B have no measurement in common.\n");
	}
	print_alone("Only in A", &pair->only_first, text);
	print_alone("Only in B", &pair->only_second, text);
	print_alone("In both, with other parameters", &pair->unlike, text);
}

/* ---- two settings ----------------------------------------------------- */

static void name_points(const struct results *results, struct text *text)
{
	for (size_t i = 0; i < 2; i++) {
		struct text name = { 0 };

		point_describe(results, &results->points[i], true, &name);
		text_add(text, "%s%c %s", i ? ", " : "  ", "AB"[i],
			name.length ? name.chars : "the same");
		text_free(&name);
	}
	text_add_char(text, '\n');
}

void print_ab(const struct results *results, struct text *text)
{
	struct compare_pair pair;

	if (!results->plan.abba || results->point_count != 2)
		return;
	compare_points(results, 0, 1, &pair);
	name_points(results, text);
	if (pair.row_count)
		print_rows(&pair, text);
	else
		text_add(text, "  nothing to compare\n");
	compare_pair_free(&pair);
}

static void say_verdict(const struct compare_row *row, struct text *text)
{
	bool tested = row->basis == COMPARE_LAUNCHES;

	if (tested && row->verdict <= VERDICT_SLOWER) {
		text_add(text, "B is ");
		say_compare_change(row->ratio, text);
		text_add(text, " %s: ", compare_row_word(row));
	} else {
		text_add(text, "B against A: %s: ", compare_row_word(row));
	}
	if (!tested) {
		say_compare_row(row, text);
		return;
	}
	add_ratio(text, row->ratio);
	text_add_char(text, ' ');
	add_interval(text, &row->time);
}

void say_ab(const struct results *results, struct text *text)
{
	struct compare_pair pair;

	if (!results->plan.abba || results->point_count != 2)
		return;
	compare_points(results, 0, 1, &pair);
	if (pair.row_count && !pair.rows[0].second.metric)
		say_verdict(&pair.rows[0], text);
	compare_pair_free(&pair);
}
