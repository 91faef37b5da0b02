/* Two sessions as plain text. */
#include "print_compare.h"

#include <math.h>
#include <string.h>

#include "print_compare_internal.h"
#include "say_compare.h"
#include "wrap.h"

enum {
	INDENT = 2,
	WHAT = 18,       /* columns for the name of a difference */
	VALUE_MOST = 24, /* longest value printed in a line of differences */
	GATE = 56,       /* columns before the result of a gate */
};

/* ---- conditions ------------------------------------------------------- */

static void print_session(char letter, const char *name,
	const struct session *session, const struct text_layout *layout,
	struct text *text)
{
	const struct machine *machine = &session->machine;
	struct text line = { 0 };

	text_add_safe(&line, name, strlen(name));
	if (*machine->cpu)
		text_add(&line, ": %s", machine->cpu);
	text_add(text, "%c  ", letter);
	wrap(text, line.chars, 3, layout->width);
	text_free(&line);
}

static void print_differences(const struct compare_pair *pair,
	const struct text_layout *layout, struct text *text)
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
		wrap(text, values.chars, WHAT, layout->width);
		text_free(&values);
	}
}

static void print_threshold(const struct compare_pair *pair,
	const struct text_layout *layout, struct text *text)
{
	struct text line = { 0 };

	text_add(&line, "Threshold %.*g %%%s: ", text_digits(pair->delta * 100),
		pair->delta * 100,
		pair->same_processor ?
			" and the difference of the core's frequency" : "");
	if (pair->guest)
		text_add(&line,
			"in a guest, two sessions on an unchanged machine "
			"differ by this much, and by 20 %% or more in figures "
			"of memory and of tasks that wait for each other. "
			"`ab` finds smaller changes.");
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
	wrap(text, line.chars, 0, layout->width);
	text_free(&line);
}

static void print_surroundings(const struct compare_pair *pair,
	const struct compare_titles *titles, const struct text_layout *layout,
	struct text *text)
{
	print_session('A', titles->whole[0], pair->first, layout, text);
	print_session('B', titles->whole[1], pair->second, layout, text);
	print_differences(pair, layout, text);
	if (pair->row_count)
		print_threshold(pair, layout, text);
	text_add_char(text, '\n');
}

/* Prints differing conditions: "governor powersave -> performance;
 * mitigations". Long values are left out, so that the figures begin near the
 * top. */
static void print_differing(const struct compare_pair *pair,
	const struct text_layout *layout, struct text *text)
{
	struct text line = { 0 };

	for (size_t i = 0; i < pair->difference_count; i++) {
		const struct compare_difference *one = &pair->differences[i];
		bool brief = text_width(one->first) <= VALUE_MOST &&
			text_width(one->second) <= VALUE_MOST;

		text_add(&line, "%s%s", i ? "; " : "differing: ", one->what);
		if (brief)
			text_add(&line, " %s -> %s", one->first, one->second);
	}
	if (!line.length)
		return;
	wrap(text, line.chars, INDENT, layout->width);
	text_add_char(text, '\n');
	text_free(&line);
}

/* ---- explanations ----------------------------------------------------- */

static void add_count(struct text *line, size_t count, const char *word)
{
	if (count)
		text_add(line, ", %zu %s", count, word);
}

static void say_counts(const struct compare_pair *pair, struct text *line)
{
	static const enum verdict order[] = { VERDICT_FASTER,
		VERDICT_EQUIVALENT, VERDICT_SMALL, VERDICT_INCONCLUSIVE };
	struct compare_counts counts;

	compare_count(pair, &counts);
	text_add(line, "%zu slower", counts.verdicts[VERDICT_SLOWER]);
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		add_count(line, counts.verdicts[order[i]],
			verdict_word(order[i]));
	add_count(line, counts.undecided, "undecided");
	add_count(line, counts.too_few,
		"not tested (too few launches or a value of 0)");
	add_count(line, counts.figures, "not tested (published)");
}

/* Prints the counts, then the result of a gate in the same line or below it. */
static void print_counts(const struct compare_pair *pair, const char *gate,
	const struct text_layout *layout, struct text *text)
{
	struct text line = { 0 };

	say_counts(pair, &line);
	text_pad(text, ' ', INDENT);
	wrap_on(text, line.chars, INDENT, layout->width);
	if (gate) {
		int most = layout->width - INDENT - (int)strlen(gate);
		int left = (most < GATE ? most : GATE) - (int)line.length;

		if (left > 2)
			text->length--;
		text_pad(text, ' ', (size_t)(left > 2 ? left : INDENT));
		text_add(text, "%s\n", gate);
	}
	text_free(&line);
}

/* Is the ratio of a row visibly not that of its two figures? */
static bool is_no_quotient(const struct compare_row *row)
{
	bool rate = compare_row_metric(row)->better == MORE_IS_BETTER;
	double quotient = row->second.figure / row->first.figure;

	return row->basis == COMPARE_LAUNCHES &&
		fabs(log(row->ratio / (rate ? 1 / quotient : quotient))) > .002;
}

/* States the thresholds, if a gate is below one. */
static void say_gate(const struct compare_pair *pair, double fails_at,
	struct text *line)
{
	if (!(fails_at > 0) || fails_at >= 1 + compare_thresholds(pair).high)
		return;
	text_add(line, "A slowdown of less than ");
	say_compare_thresholds(pair, line);
	text_add(line, ", never fails%s. ",
		pair->guest ? ": sessions of an unchanged guest differ by as "
			      "much. `ab` finds 1 %" :
			      "");
}

/* Explains a gate below the threshold, and the ratio: above 1 means slower, so
 * for rates it is a smaller figure. */
static void print_meaning(const struct compare_pair *pair, double fails_at,
	const struct text_layout *layout, struct text *text)
{
	struct compare_counts counts;
	struct text line = { 0 };
	bool rates = false, estimates = false, stored = false;

	compare_count(pair, &counts);
	for (size_t i = 0; i < pair->row_count; i++) {
		stored |= results_stored(pair->rows[i].first.run) ||
			results_stored(pair->rows[i].second.run);
		rates |= compare_row_metric(&pair->rows[i])->better ==
			MORE_IS_BETTER;
		estimates |= is_no_quotient(&pair->rows[i]);
	}
	say_gate(pair, fails_at, &line);
	if (estimates)
		text_add(&line,
			"B/A is the median ratio of all pairs of launches, not "
			"the quotient of the two medians. ");
	if (rates || layout->verbose)
		text_add(&line,
			"A ratio above 1 is slower, also for rates. ");
	if (layout->verbose && counts.by_clock)
		text_add(&line, "%zu explained by the clock. ",
			counts.by_clock);
	if (counts.by_host)
		text_add(&line,
			"%zu inconclusive beyond the threshold: other guests "
			"of the host may have caused it, since they share its "
			"memory, disks, networks and processors. `ab` can "
			"decide, and `history` of several sessions. ",
			counts.by_host);
	if (stored)
		text_add(&line,
			"Runs without trials are compared by launch medians, "
			"in time only. ");
	if (layout->verbose && counts.figures)
		text_add(&line,
			"A published figure has no trials, hence no interval "
			"and no verdict.");
	text_trim(&line);
	if (line.length)
		wrap(text, line.chars, INDENT, layout->width);
	text_free(&line);
}

static void print_alone(const char *label, const struct text *names,
	const struct text_layout *layout, struct text *text)
{
	struct text line = { 0 };

	if (!names->length)
		return;
	text_add(&line, "%s: %s", label, names->chars);
	wrap(text, line.chars, INDENT, layout->width);
	text_free(&line);
}

void print_compare(const struct compare_pair *pair,
	const struct compare_titles *titles, const struct text_layout *layout,
	struct text *text)
{
	if (layout->verbose)
		print_surroundings(pair, titles, layout, text);
	else
		print_differing(pair, layout, text);
	if (pair->row_count) {
		print_compare_rows(pair, titles, layout, text);
		print_counts(pair, titles->gate, layout, text);
		print_meaning(pair, titles->fails_at, layout, text);
	} else {
		text_add(text,
			"  The sessions have no measurement in common.\n");
	}
	if (!layout->verbose && pair->row_count)
		return;
	print_alone("only in A", &pair->only_first, layout, text);
	print_alone("only in B", &pair->only_second, layout, text);
	print_alone("in both, with other parameters", &pair->unlike, layout,
		text);
}
