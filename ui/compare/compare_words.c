/* Describes a row of a comparison in words. */
#include <math.h>
#include <string.h>

#include "amounts.h"
#include "fit.h"
#include "say_compare.h"
#include "view_compare.h"

/* ---- names and signs -------------------------------------------------- */

/* Adds the point of a row, after a blank. */
static void add_place(const struct compare_side *side, struct text *text)
{
	const char *level = point_note(side->point, "level");
	struct text point = { 0 };

	point_describe_short(side->run, side->point, &point);
	if (point.length)
		text_add(text, " %s", point.chars);
	else if (level && side->run->point_count > 1)
		text_add(text, " %s", level);
	text_free(&point);
}

void model_say_name(const struct model_row *shown, int columns,
	struct text *text)
{
	const struct compare_side *side = &shown->row->second;
	const struct results *run = side->run;
	const char *metric = run->metrics[side->metric].name;
	struct text whole = { 0 };

	text_add(&whole, "%s", run->experiment);
	if (side->metric)
		text_add(&whole, " %s", metric);
	add_place(side, &whole);
	/* A name that is too long first loses its group. If the metric has its
	 * own name, it then loses the experiment. The point is kept longest. */
	const char *dot = strchr(whole.chars, '.');
	const char *said = whole.chars;
	if (dot && text_columns(said) > columns)
		said = dot + 1;
	if (side->metric && text_columns(said) > columns)
		said += strcspn(said, " ") + 1;
	fit_words(text, said, columns);
	text_free(&whole);
}

char model_sign(const struct model_row *shown)
{
	static const char signs[] = { [VERDICT_FASTER] = '<',
		[VERDICT_SLOWER] = '>',
		[VERDICT_EQUIVALENT] = '=',
		[VERDICT_SMALL] = '~',
		[VERDICT_INCONCLUSIVE] = '?' };

	if (shown->tested)
		return signs[shown->verdict];
	return shown->row->basis == COMPARE_UNDECIDED ? '!' : '-';
}

static bool is_neutral(const struct model_row *shown)
{
	const struct compare_side *side = &shown->row->second;

	return side->run->metrics[side->metric].better == NEITHER_IS_BETTER;
}

enum role model_role(const struct model_row *shown)
{
	if (!shown->tested)
		return ROLE_DIM;
	if (is_neutral(shown) || !shown->row->holds)
		return ROLE_TEXT;
	return shown->verdict == VERDICT_FASTER  ? ROLE_GOOD :
		shown->verdict == VERDICT_SLOWER ? ROLE_BAD :
						   ROLE_TEXT;
}

void model_say_change(const struct model_row *shown, struct text *text)
{
	if (isfinite(shown->ratio) && shown->ratio > 0)
		say_compare_change(shown->ratio, text);
}

/* ---- the verdict ------------------------------------------------------ */

static void add_interval(const struct model_row *shown, struct text *text)
{
	text_add(text, "%.3f [%.3f, %.3f]", shown->ratio, shown->low,
		shown->high);
}

static void say_untested(const struct model_row *shown, struct text *text)
{
	switch (shown->row->basis) {
	case COMPARE_FIGURES:
		text_add(text,
			": a published figure, without trials; no verdict");
		break;
	case COMPARE_UNDECIDED:
		text_add(text, ": undecided: ");
		say_compare_undecided(&shown->row->first, &shown->row->second,
			text);
		break;
	case COMPARE_TOO_FEW:
		text_add(text, ": ");
		say_few_launches(shown->row, text);
		break;
	case COMPARE_NO_RATIO:
	case COMPARE_LAUNCHES:
		text_add(text, ": not all values are above 0, no ratio");
		break;
	}
}

void model_say_verdict(const struct model_row *shown, struct text *text)
{
	const char *scale = shown->cycles ? " in cycles" : "";
	struct text name = { 0 };

	model_say_name(shown, 32, &name);
	if (!shown->tested) {
		text_add(text, "%s", name.chars);
		say_untested(shown, text);
	} else if (shown->verdict == VERDICT_FASTER ||
		shown->verdict == VERDICT_SLOWER) {
		text_add(text, "B is ");
		model_say_change(shown, text);
		text_add(text, " %s on %s%s: ", shown->word, name.chars, scale);
		add_interval(shown, text);
	} else {
		text_add(text, "%s is %s%s", name.chars, shown->word, scale);
		if (shown->verdict == VERDICT_EQUIVALENT)
			text_add(text, " within %.3g %%", shown->delta * 100);
		text_add(text, ": ");
		add_interval(shown, text);
	}
	text_free(&name);
}

/* ---- causes ----------------------------------------------------------- */

/* Possible causes, the strongest first. The names are those of differing
 * conditions (session files, the doctor). The first that differs is
 * reported. */
static const struct {
	const char *what;
	unsigned sensitive; /* kinds of experiments affected; 0: all */
	bool of_clock;
} causes[] = {
	{ "cpu", 0, false },
	{ "governor", 0, true },
	{ "frequency", 0, true },
	{ "turbo", 0, true },
	{ "hypervisor", 0, false },
	{ "mitigations", SENSITIVE_KERNEL, false },
	{ "page table isolation", SENSITIVE_KERNEL, false },
	{ "microcode", 0, false },
	{ "firmware", 0, false },
	{ "memory bytes", SENSITIVE_MEMORY | SENSITIVE_DISK, false },
	{ "clocksource", SENSITIVE_CLOCKSOURCE, false },
	{ "kernel", SENSITIVE_KERNEL, false },
	{ "command line", 0, false },
	{ "compiler", SENSITIVE_CODE, false },
	{ "flags", SENSITIVE_CODE, false },
	{ "load", 0, false },
	{ "smt", 0, false },
	{ "benchtop", 0, false },
};

/* The first cause that differs and affects the experiment. A cause of the clock
 * rate does not explain a row that was compared in cycles. */
static const struct compare_difference *likely(const struct compare_pair *pair,
	const struct compare_row *row)
{
	const struct experiment *experiment = row->second.run->descriptor;

	for (size_t k = 0; k < sizeof causes / sizeof *causes; k++)
		for (size_t i = 0; i < pair->difference_count; i++)
			if (!strcmp(pair->differences[i].what,
				    causes[k].what) &&
				(!causes[k].sensitive ||
					experiment_sensitive(experiment,
						causes[k].sensitive)) &&
				!(causes[k].of_clock && row->has_cycles))
				return &pair->differences[i];
	return NULL;
}

static void say_clock(const struct model_row *shown, struct text *text)
{
	double was = shown->row->first.run->clock.core_hz;
	double is = shown->row->second.run->clock.core_hz;

	if (was > 0 && is > 0) {
		text_add(text, "The core ran at ");
		unit_show(text, UNIT_HZ, was);
		text_add(text, " in A, at ");
		unit_show(text, UNIT_HZ, is);
		text_add(text, " in B.");
	}
}

void model_say_cause(const struct compare_model *model,
	const struct model_row *shown, struct text *text)
{
	const struct compare_pair *pair = &model->pair;
	const struct compare_row *row = shown->row;
	bool changed = shown->tested &&
		(shown->verdict == VERDICT_FASTER ||
			shown->verdict == VERDICT_SLOWER ||
			shown->verdict == VERDICT_SMALL);

	if (row->by_clock) {
		say_clock(shown, text);
		return;
	}
	if (row->by_host)
		text_add(text,
			"`ab` or the history of several sessions can decide.");
	if (!changed)
		return;
	const struct compare_difference *cause = likely(pair, row);
	if (!pair->difference_count)
		text_add(text, "No known condition differs.");
	else if (cause)
		text_add(text, "Likely cause: %s (%s -> %s).", cause->what,
			cause->first, cause->second);
	else
		text_add(text,
			"The differing conditions are not known to affect "
			"this.");
}

/* The position of a difference in `causes`; differences not listed are last. */
static size_t rank(const struct compare_difference *difference)
{
	size_t k = 0;

	while (k < sizeof causes / sizeof *causes &&
		strcmp(causes[k].what, difference->what))
		k++;
	return k;
}

/* Adds a difference to the list, if it fits `room`. Returns whether it fits. */
static bool add_difference(const struct compare_difference *is, bool values,
	int room, struct text *text)
{
	struct text piece = { 0 };

	text_add(&piece, "%s%s", text->length ? ", " : "", is->what);
	if (values)
		text_add(&piece, " %s -> %s", is->first, is->second);
	bool fits =
		text_columns(text_chars(text)) + text_columns(piece.chars) <=
		room;
	if (fits)
		text_add(text, "%s", piece.chars);
	text_free(&piece);
	return fits;
}

void model_say_differences(const struct compare_pair *pair, bool values,
	int columns, struct text *text)
{
	enum { MORE = 12 };
	size_t count = pair->difference_count, said = 0;
	bool full = false;

	for (size_t k = 0; k <= sizeof causes / sizeof *causes && !full; k++)
		for (size_t i = 0; i < count && !full; i++) {
			if (rank(&pair->differences[i]) != k)
				continue;
			full = !add_difference(&pair->differences[i], values,
				columns - (said + 1 < count ? MORE : 0), text);
			said += !full;
		}
	if (said < count)
		text_add(text, said ? ", %zu more" : "%zu things",
			count - said);
}

/* Writes the source of each published figure. */
static void say_sources(const struct model_row *shown, struct text *text)
{
	const struct compare_side *sides[] = { &shown->row->first,
		&shown->row->second };

	for (int i = 0; i < 2; i++) {
		const struct published *figure =
			sides[i]->point->series[sides[i]->metric].published;

		if (sides[i]->published && figure)
			text_add(text, "%c: %s, %s. ", "AB"[i],
				figure -> printed, figure -> source);
	}
}

static void add_cure(const struct compare_row *row, struct text *text)
{
	size_t before = text->length;

	say_compare_cure(row, text);
	if (text->length > before)
		text_add(text, ". ");
}

void model_say_notes(const struct model_row *shown, struct text *text)
{
	bool begins = true;
	size_t from = text->length;

	/* The verdict of other rows is their reason. */
	if (shown->row->basis == COMPARE_LAUNCHES)
		say_compare_row(shown->row, text);
	else
		add_cure(shown->row, text);
	for (size_t i = from; i < text->length; i++) {
		char *at = &text->chars[i];

		if (begins && *at >= 'a' && *at <= 'z')
			*at = (char)(*at - 'a' + 'A');
		begins = *at == ' ' && i > from && at[-1] == '.';
	}
}

void model_say_visible(const struct model_row *shown, struct text *text)
{
	const struct compare_row *row = shown->row;

	if (!isfinite(row->visible) || shown->cycles || row->of_host)
		return;
	text_add(text, "A change that exceeds the threshold of %.3g %% by ",
		row->delta * 100);
	amount_percent(text, row->visible);
	text_add(text, " would be detected four times in five.");
}

void compare_why(const struct compare_model *model, const struct pane *pane)
{
	struct pane words = pane_part(pane, 1, 0, -1, pane->rows);
	struct model_row shown;
	struct text text = { 0 };
	int row;

	model_row_at(model, model->selected, &shown);
	model_say_verdict(&shown, &text);
	row = 1 + pane_wrap(&words, 0, ROLE_STRONG, text.chars);
	text_clear(&text);
	say_sources(&shown, &text);
	model_say_notes(&shown, &text);
	if (text.length)
		row += 1 + pane_wrap(&words, row, ROLE_TEXT, text.chars);
	text_clear(&text);
	model_say_cause(model, &shown, &text);
	if (text.length)
		row += 1 + pane_wrap(&words, row, ROLE_TEXT, text.chars);
	text_clear(&text);
	model_say_visible(&shown, &text);
	pane_wrap(&words, row, ROLE_DIM, text_chars(&text));
	text_free(&text);
}
