/* Draws the last two rows: the status sentence and the keys that are
 * available. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor_run.h"
#include "draw_popup.h"
#include "draw_slider.h"
#include "hint.h"
#include "keys.h"
#include "memory.h"
#include "status_text.h"
#include "view.h"
#include "view_compare.h"
#include "view_sweep.h"

enum { BAR = 20, BAR_ROOM = 90 };

/* ---- the sentence ----------------------------------------------------- */

/* Draws a sentence. If it does not fit, only its first `core` bytes are shown;
 * 0: as much as fits. */
static void draw_sentence(const struct pane *pane, enum role role,
	const char *all, size_t core)
{
	int column = 1;

	/* Running text is not coloured; a sign marks errors and warnings. */
	if (role == ROLE_BAD || role == ROLE_WARN)
		column += 1 + pane_text(pane, column, 0, role, "!");
	struct pane words = pane_part(pane, column, 0, -1, 1);
	bool cut = core && text_columns(all) > words.columns;
	char *line = xstrndup(all, cut ? core : strlen(all));
	pane_wrap(&words, 0, role == ROLE_BAD ? ROLE_STRONG : ROLE_TEXT, line);
	free(line);
}

static void draw_message(const struct screen *screen, const struct pane *pane)
{
	struct text text = { 0 };
	size_t core;

	if (screen->message.length) {
		draw_sentence(pane, screen->message_role,
			screen->message.chars, screen->message_core);
		return;
	}
	core = status_at_rest(screen, &text);
	draw_sentence(pane, ROLE_TEXT, text_chars(&text), core);
	text_free(&text);
}

/* Appends the longer of two pieces that fits, if any. */
static void add_piece(struct text *line, int room, const char *piece,
	const char *shorter)
{
	int used = text_columns(text_chars(line));

	if (used + text_columns(piece) <= room)
		text_add(line, "%s", piece);
	else if (used + text_columns(shorter) <= room)
		text_add(line, "%s", shorter);
}

/* The pilot run: its duration is not yet known, so a sweep shows the point
 * number. */
static void add_sizing(struct text *line, int room,
	const struct progress *progress)
{
	char piece[96], shorter[64];

	snprintf(piece, sizeof piece,
		"  sizing trials (operations per trial), point %zu of %zu",
		progress->sizing, progress->points);
	snprintf(shorter, sizeof shorter, "  sizing point %zu of %zu",
		progress->sizing, progress->points);
	if (progress->points > 1)
		add_piece(line, room, piece, shorter);
	else
		add_piece(line, room,
			"  sizing trials (operations per trial)",
			"  sizing");
}

static void add_stage(struct text *line, int room,
	const struct progress *progress)
{
	char piece[96], shorter[64];

	snprintf(piece, sizeof piece, "  launch %u of about %u",
		progress->launch, progress->launches);
	snprintf(shorter, sizeof shorter, "  launch %u of %u", progress->launch,
		progress->launches);
	if (progress->stage == STAGE_OVER)
		add_piece(line, room, "  computing figures and "
			"saving", "  saving");
	else if (progress->stopping)
		add_piece(line, room, "  stopping after this trial",
			"  stopping");
	else if (progress->launch)
		add_piece(line, room, piece, shorter);
	else if (progress->sizing)
		add_sizing(line, room, progress);
	else if (progress->stage == STAGE_QUIET)
		add_piece(line, room, "  waiting for a quiet core",
			"  waiting");
	else if (progress->stage == STAGE_SIBLINGS)
		add_piece(line, room, "  looking for SMT siblings",
			"  siblings");
	else
		add_piece(line, room, "  measuring the clock", "  clock");
}

/* Appends the progress, the most important first; each piece is whole or
 * omitted. */
static void say_progress(const struct lab *lab, const struct progress *progress,
	int room, struct text *line)
{
	char left[32], waiting[32];

	if (progress->foretold)
		snprintf(left, sizeof left, ", %.0f s left", progress->left_s);
	else
		snprintf(left, sizeof left, ", %.0f s so far",
			progress->elapsed_s);
	snprintf(waiting, sizeof waiting, "; %zu more waiting",
		lab->queue_count);
	text_add(line, "%s  %2.0f %%", run_results(lab->run)->experiment,
		progress->share * 100);
	add_stage(line, room - text_columns(left), progress);
	if (progress->share < 1 && !progress->stopping)
		add_piece(line, room, left, "");
	if (progress->lab_shares)
		add_piece(line, room, "; drawing paused, all processors "
			"measure",
			"; drawing paused");
	if (lab->queue_count)
		add_piece(line, room, waiting, "");
}

static void draw_progress(struct screen *screen, const struct pane *pane)
{
	struct lab *lab = screen->lab;
	struct progress progress;
	struct text line = { 0 };
	int column = 1;

	run_progress(lab->run, &progress);
	if (pane->columns >= BAR_ROOM) {
		struct pane bar = pane_part(pane, 1, 0, BAR, 1);

		for (int i = 0; i < BAR; i++)
			pane_glyph(&bar, i, 0, GLYPH_HORIZONTAL, ROLE_FRAME);
		draw_bar(&bar, progress.share, ROLE_SERIES);
		column += BAR + 2;
	}
	struct pane words = pane_part(pane, column, 0, -1, 1);
	say_progress(lab, &progress, words.columns, &line);
	pane_wrap(&words, 0, ROLE_TEXT, line.chars);
	text_free(&line);
}

void view_status(struct screen *screen, const struct pane *pane)
{
	if (screen->prompt.kind != PROMPT_NONE) {
		struct pane field = pane_part(pane, 1, 0, -1, 1);

		prompt_draw(&screen->prompt, &field);
	} else if (screen->lab->run && !screen->message.length) {
		draw_progress(screen, pane);
	} else if (screen->lab->activity == &doctor_activity &&
		!screen->message.length) {
		pane_text(pane, 1, 0, ROLE_TEXT,
			"Checking clock, gaps and machine for up to ten "
			"seconds.");
	} else {
		draw_message(screen, pane);
	}
}

/* ---- truncated sentences ---------------------------------------------- */

enum { MOST_LINES = 8, EDGES = 6 };

void view_whole_status(const struct screen *screen, const struct pane *pane)
{
	struct text text = { 0 };
	bool typing = screen->prompt.kind != PROMPT_NONE;
	char *lines[MOST_LINES];
	size_t count = 0, length;
	const char *line;

	/* The candidates of Tab use the same place and are more important. */
	if (typing && !screen->prompt.offered.count)
		hint_of_prompt(screen, &text);
	else if (!typing && !screen->message_read)
		text_add(&text, "%s", text_chars(&screen->message));
	/* Four columns: a sign and a blank before the text, and a blank at each
	 * end. */
	if (text_columns(text_chars(&text)) > pane->columns - 4) {
		const char *at = text.chars;

		while (count < MOST_LINES &&
			(line = text_line(&at, pane->columns - EDGES, &length)))
			lines[count++] = xstrndup(line, length);
	}
	draw_popup(pane, typing ? "hint" : "status", (const char *const *)lines,
		count, -1);
	while (count)
		free(lines[--count]);
	text_free(&text);
}

/* ---- the keys --------------------------------------------------------- */

enum { GAP = 2, RANKS = 3 };

/* Whether the key would only report that it has nothing to act on yet. */
static bool is_early(const struct screen *screen, const char *line)
{
	const struct session *session = screen->lab->session;
	bool live;

	if (!strncmp(line, "sweep ", 6))
		return !sweep_offers(screen, line + 6);
	if (!strncmp(line, "contrast ", 9))
		return compare_place(screen) == COMPARE_BROWSER &&
			strcmp(line, "contrast back") != 0;
	if (!strcmp(line, "details"))
		return !screen_results(screen, &live);
	if (!strcmp(line, "batch"))
		return !screen_marked(screen);
	/* A capture file has packets but no run. */
	if (!strcmp(line, "menu export"))
		return !session->run_count && screen->view != VIEW_NET;
	return !strcmp(line, "prompt save") && !session->run_count &&
		!session->note_count;
}

static bool is_shown(const struct screen *screen, const struct binding *row)
{
	bool busy = lab_busy(screen->lab);
	bool of_notes = !strcmp(row->line, "menu remove");

	if (of_notes && screen->menu.kind != MENU_NOTES)
		return false;
	if (is_early(screen, row->line))
		return false;
	return row->hint && binding_applies(screen, row) &&
		row->when != (busy ? WHEN_IDLE : WHEN_BUSY);
}

/* With marked experiments, the key of `batch` has the first rank. */
static int rank_of(const struct screen *screen, const struct binding *row)
{
	return !strcmp(row->line, "batch") && screen_marked(screen) ? 0 :
								      row->rank;
}

static int width_of(const struct binding *row)
{
	return text_columns(row->key) + 1 + text_columns(row->hint) + GAP;
}

/* Chooses keys by rank, as long as they fit. */
static int choose_keys(const struct screen *screen, int room, bool *shown)
{
	int used = 0;

	for (int rank = 0; rank < RANKS; rank++)
		for (int i = 0; bindings[i].key; i++) {
			const struct binding *row = &bindings[i];

			if (rank_of(screen, row) != rank ||
				!is_shown(screen, row) ||
				used + width_of(row) - GAP > room)
				continue;
			shown[i] = true;
			used += width_of(row);
		}
	return used;
}

static void draw_keys(const struct screen *screen, const struct pane *pane)
{
	bool shown[BINDINGS_MOST] = { false };
	int column = 1;

	choose_keys(screen, pane->columns - 2, shown);
	for (int i = 0; bindings[i].key; i++) {
		const struct binding *row = &bindings[i];

		if (!shown[i])
			continue;
		int used = pane_text(pane, column, 0, ROLE_KEY, "%s", row->key);

		used += 1 +
			pane_text(pane, column + used + 1, 0, ROLE_DIM, "%s",
				row->hint);
		pane_spot(pane, column, 0, used, "%s", row->line);
		column += used + GAP;
	}
}

void view_keys(const struct screen *screen, const struct pane *pane)
{
	struct text hint = { 0 };
	enum role role;

	if (screen->prompt.kind == PROMPT_NONE) {
		draw_keys(screen, pane);
		return;
	}
	role = hint_of_prompt(screen, &hint);
	int column = 1;
	if (role == ROLE_BAD)
		column += 1 + pane_text(pane, 1, 0, ROLE_BAD, "!");
	struct pane words = pane_part(pane, column, 0, -1, 1);
	pane_wrap(&words, 0, ROLE_DIM, text_chars(&hint));
	text_free(&hint);
}
