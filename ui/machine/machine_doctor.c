/* Draws the doctor's findings, worst first. */
#include <string.h>

#include "doctor_text.h"
#include "draw_table.h"
#include "fit.h"
#include "lab.h"
#include "view_machine.h"

enum {
	DETAIL_FROM = 12, /* from this many rows: a detail pane */
	DETAIL_LEAST = 4,
	DETAIL_MOST = 9,
	BROAD = 50,  /* from this many columns: verdicts as words */
	VERDICT = 6, /* columns of a verdict */
	SIGN = 3,
};

const struct doctor_row *inspection_row(const struct doctor *doctor,
	size_t place)
{
	for (int verdict = DOCTOR_BAD; verdict >= DOCTOR_OK; verdict--)
		for (size_t i = 0; i < doctor->count; i++)
			if (doctor->rows[i].verdict ==
					(enum doctor_verdict)verdict &&
				!place--)
				return &doctor->rows[i];
	return NULL;
}

static enum role role_of(enum doctor_verdict verdict)
{
	return verdict == DOCTOR_BAD   ? ROLE_BAD :
		verdict == DOCTOR_NOTE ? ROLE_WARN :
					 ROLE_GOOD;
}

/* ---- words ------------------------------------------------------------ */

static void add_line(struct text *text, const char *name, const char *value)
{
	if (*value)
		text_add(text, "%-9s%s\n", name, value);
}

void inspection_explain(const struct lab *lab, const struct doctor_row *row,
	struct text *text)
{
	const struct gap_facts *gaps = &lab->gaps;

	add_line(text, "verdict", doctor_verdict_word(row->verdict));
	add_line(text, "found", row->found);
	if (!strcmp(row->check, "gaps") && gaps->watched_s > 0)
		doctor_text_gaps(gaps, VERDICT + 3, text);
	add_line(text, "effect", row->effect);
	add_line(text, "touches", row->touches);
	add_line(text, "fix", row->fix);
	if (!*row->fix && row->verdict != DOCTOR_OK)
		text_add(text, "no command helps\n");
}

/* ---- the rows --------------------------------------------------------- */

static int widest_check(const struct doctor *doctor)
{
	int most = 0;

	for (size_t i = 0; i < doctor->count; i++) {
		int columns = text_columns(doctor->rows[i].check);

		most = columns > most ? columns : most;
	}
	return most;
}

/* The verdict as a sign of at most two letters, or as a word. */
static const char *sign_of(const struct doctor_row *row, bool narrow)
{
	static const char *const signs[] = { "ok", "!", "x" };

	return narrow ? signs[row->verdict] : doctor_verdict_word(row->verdict);
}

static void draw_row(const struct doctor_row *row, int check,
	const struct pane *line)
{
	struct text found = { 0 };
	bool narrow = line->columns < BROAD;
	int verdict = narrow ? SIGN : VERDICT;
	int at = verdict + check + 2;

	fit_words(&found, row->found, line->columns - at);
	pane_chars(line, 0, 0, role_of(row->verdict), sign_of(row, narrow));
	pane_chars(line, verdict, 0,
		row->verdict == DOCTOR_OK ? ROLE_TEXT : ROLE_STRONG,
		row->check);
	pane_chars(line, at, 0, ROLE_TEXT, text_chars(&found));
	text_free(&found);
}

static void draw_rows(const struct doctor *doctor, size_t selected,
	const struct pane *rows)
{
	int check = widest_check(doctor);
	size_t room = rows->rows > 0 ? (size_t)rows->rows : 0;
	size_t first = selected >= room && room ? selected - room + 1 : 0;

	for (size_t i = 0; i < room && first + i < doctor->count; i++) {
		struct pane line = pane_part(rows, 0, (int)i, rows->columns, 1);

		draw_row(inspection_row(doctor, first + i), check, &line);
		pane_spot(&line, 0, 0, line.columns, "focus checks; move %d",
			(int)(first + i) - (int)selected);
		if (first + i != selected)
			continue;
		pane_role(&line, 0, 0, line.columns, ROLE_SELECT);
		pane_cursor(&line, 0, 0);
	}
}

/* Draws the selected check in full: its finding, its effect and its fix. */
static void draw_detail(const struct doctor_row *row, const struct pane *pane)
{
	struct pane words =
		pane_part(pane, 0, 1, pane->columns, pane->rows - 1);
	struct text effect = { 0 };
	int at = 0;

	for (int i = 0; i < pane->columns; i++)
		pane_glyph(pane, i, 0, GLYPH_HORIZONTAL, ROLE_FRAME);
	pane_text(pane, 1, 0, ROLE_STRONG, " %s ", row->check);
	if (*row->effect)
		text_add(&effect, "%s (%s)", row->effect, row->touches);
	else
		text_add(&effect, "affects %s", row->touches);
	at += pane_wrap(&words, at, ROLE_TEXT, row->found);
	at += pane_wrap(&words, at, ROLE_DIM, effect.chars);
	if (*row->fix && at < words.rows) {
		struct pane fix = pane_part(&words, 2, at, words.columns - 2,
			words.rows - at);

		pane_chars(&words, 0, at, ROLE_DIM, "$");
		pane_wrap(&fix, 0, ROLE_STRONG, row->fix);
	}
	text_free(&effect);
}

static int detail_rows(int rows)
{
	int share = rows / 3;

	return rows < DETAIL_FROM    ? 0 :
		share < DETAIL_LEAST ? DETAIL_LEAST :
		share > DETAIL_MOST  ? DETAIL_MOST :
				       share;
}

void machine_doctor(const struct screen *screen,
	const struct inspection *inspection, const struct pane *pane)
{
	const struct lab *lab = screen->lab;
	struct pane inner = pane_part(pane, 1, 0, -1, pane->rows);
	int detail = detail_rows(pane->rows);
	const struct doctor_row *row =
		inspection_row(&lab->doctor, inspection->selected);

	if (!row) {
		pane_wrap(&inner, 0, ROLE_TEXT,
			"No checks yet, since they would disturb a run. R "
			"starts the checks when no run is in progress.");
		return;
	}
	struct pane rows =
		pane_part(&inner, 0, 0, inner.columns, inner.rows - detail);
	struct pane below =
		pane_part(&inner, 0, rows.rows, inner.columns, detail);
	draw_rows(&lab->doctor, inspection->selected, &rows);
	if (detail)
		draw_detail(row, &below);
}
