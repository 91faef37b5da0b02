/* Opens the screen on a lab, draws it after changes, and closes it. */
#include "ui.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "commands_internal.h"
#include "history.h"
#include "menu.h"
#include "screen.h"
#include "terminal.h"
#include "tick.h"
#include "view.h"
#include "view_table.h"

enum {
	FRAME_MS = 100,
	FRAME_REST = 120,
	LINE_BYTES_PER_S = 6000,
	SELDOM_NS = 500000000,
	TRIALS_AT_ONCE = 20000
};

bool ui_read_option(const char *word, struct ui_options *options)
{
	static const char glyphs[] = "--glyphs=";
	static const char theme[] = "--theme=";

	if (!strncmp(word, theme, sizeof theme - 1)) {
		options->theme = word + sizeof theme - 1;
		return true;
	}
	if (!strcmp(word, "--no-mouse"))
		return options->no_mouse = true;
	if (strncmp(word, glyphs, sizeof glyphs - 1))
		return false;
	options->glyphs = word + sizeof glyphs - 1;
	return true;
}

void ui_add_commands(struct lab *lab)
{
	views_use(view_table);
	command_add_table(lab, screen_commands);
	command_add_table(lab, menu_commands);
	command_add_table(lab, terminal_commands);
	for (int i = 0; i < VIEWS; i++)
		if (views[i].commands)
			command_add_table(lab, views[i].commands);
}

/* The screen while it is open. */
struct ui_session {
	struct screen screen;
	struct loop *loop;
	enum status *status; /* the exit code */
	struct grid grid;
	unsigned long keys, frames; /* keys processed, frames painted */
	uint64_t drawn_ns;          /* time of the last frame */
	uint64_t frame_ns;   /* processor time of a frame, running average */
	uint64_t drawing_ns; /* processor time of all frames */
	size_t frame_bytes;  /* bytes of a frame, running average */
	size_t last_bytes;   /* bytes of the last frame */
	int stage;           /* stage of the run in the last frame; -1: no
			      * run */
	bool awaited;        /* the user has acted since the last frame */
	bool was_busy;       /* the lab was busy before the signals */
	bool warned;         /* the next Ctrl-C leaves */
	unsigned long warned_keys; /* `keys` at that time */
};

/* Sets the text layout of replies to the width of a page and the screen's
 * glyphs. */
static void lay_out_replies(struct screen *screen, int columns)
{
	enum { FRAME = 4, LEAST = 60 };
	struct text_layout *layout = &screen->lab->layout;
	int width = columns - FRAME;

	layout->width = width < LEAST             ? LEAST :
		width > TEXT_COLUMNS_MOST ? TEXT_COLUMNS_MOST :
					    width;
	layout->utf8 = screen->tier == TIER_BRAILLE ||
		screen->tier == TIER_BLOCK;
	layout->colour = false;
}

static void draw(struct ui_session *ui)
{
	struct screen *screen = &ui->screen;
	uint64_t began_ns = tick_used_ns();
	int columns, rows;

	terminal_size(&columns, &rows);
	grid_reset(&ui->grid, columns, rows, screen->tier);
	lay_out_replies(screen, columns);
	view_draw(screen, &ui->grid);
	size_t sent = terminal_paint(&ui->grid);
	terminal_typing(screen->prompt.kind != PROMPT_NONE);
	ui->frames++;
	ui->drawn_ns = tick_raw_ns();
	uint64_t took_ns = tick_used_ns() - began_ns;
	ui->frame_ns += (took_ns >> 3) - (ui->frame_ns >> 3);
	ui->frame_bytes += (sent >> 3) - (ui->frame_bytes >> 3);
	ui->last_bytes = sent;
	ui->drawing_ns += took_ns;
}

static bool take_events(struct ui_session *ui)
{
	struct event event;
	bool any = false;

	while (terminal_event(&event)) {
		any = true;
		ui->keys++;
		if (event.kind == EVENT_CLICK)
			screen_click(&ui->screen, &ui->grid,
				event.column, event.row);
		else
			screen_key(&ui->screen, event.key, event.code);
	}
	return any;
}

/* Whether the run captures packets of a link, whose time is virtual. */
static bool captures_link(const struct lab *lab)
{
	const struct results *results = run_results(lab->run);
	const char *host = results->point_count ?
		point_value(results, &results->points[0], "host") :
		NULL;

	return run_packets(lab->run) >= 0 && host && !strcmp(host, "link");
}

/* Whether a frame costs little relative to what it disturbs. A trial that
 * captures packets takes as long as a transfer over its path, often seconds: a
 * frame takes about a thousandth of it. A frame for a key, a click or a new
 * size disturbs at most one short trial, and the user waits for it. */
static bool may_draw_seldom(const struct ui_session *ui)
{
	const struct lab *lab = ui->screen.lab;
	const struct experiment *experiment = registry_find(&lab->registry,
		run_results(lab->run)->experiment);
	bool seldom = experiment && experiment->traits & TRAIT_CAPTURE;

	return ui->awaited || seldom || captures_link(lab);
}

/* Whether drawing must wait. Drawing on the processor of the trials disturbs
 * them, so it needs a user action or rare trials. Drawing on their SMT sibling
 * takes half of their core, so unasked frames are rare. Canaries detect the
 * trials that drawing slowed. */
static bool must_keep_still(const struct ui_session *ui,
	const struct progress *progress, bool asked)
{
	bool recent = tick_raw_ns() - ui->drawn_ns < SELDOM_NS;

	if (!progress->launch)
		return false;
	if (progress->lab_shares)
		return recent || !may_draw_seldom(ui);
	return progress->lab_beside && recent && !asked;
}

/* Ctrl-C stops a run. Without a run the second in a row leaves the lab, as at
 * the prompt of --plain. */
static void take_idle_interrupt(struct ui_session *ui)
{
	if (ui->warned && ui->warned_keys == ui->keys) {
		ui->screen.lab->quit = true;
		*ui->status = STATUS_INTERRUPTED;
		return;
	}
	ui->warned = true;
	ui->warned_keys = ui->keys;
	ui->screen.lab->version++;
	screen_say(&ui->screen, ROLE_TEXT,
		"Nothing is running. q or another Ctrl-C leaves the lab.");
}

static void take_interrupts(struct ui_session *ui)
{
	struct loop *loop = ui->loop;
	struct lab *lab = ui->screen.lab;

	if (loop->hung_up || (loop->interrupts && loop->signal == SIGHUP)) {
		loop->hung_up = true;
		*ui->status = STATUS_HUNG_UP;
	} else if (loop->interrupts && loop->signal == SIGTERM) {
		lab->quit = true;
		*ui->status = STATUS_TERMINATED;
	} else if (loop->interrupts && !ui->was_busy) {
		take_idle_interrupt(ui);
	}
	loop->interrupts = 0;
}

/* Suspends the program with the terminal restored, until SIGCONT. A run
 * continues meanwhile: its worker does not stop. */
static void suspend(struct loop *loop)
{
	sigset_t stop;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	terminal_leave();
	raise(SIGTSTP);
	/* The process stops here, unless its process group is orphaned: then
	 * the kernel ignores SIGTSTP. */
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	/* Discard the SIGCONT that resumed the process. */
	loop_turn(loop, 0);
	loop_heard(loop, SIGCONT);
	terminal_return();
}

/* Whether to wait before the next frame that only the run needs. The pause is
 * FRAME_REST times the processor time of a frame. It is at least the time in
 * which a slow line sends a frame's bytes (average or last frame, whichever is
 * larger). So drawing never exceeds its share of processor and line, whatever
 * the run. */
static bool must_rest(const struct ui_session *ui)
{
	uint64_t rest_ns = FRAME_REST * ui->frame_ns;
	size_t bytes = ui->last_bytes > ui->frame_bytes ?
		ui->last_bytes :
		ui->frame_bytes;
	uint64_t line_ns = bytes * (1000000000u / LINE_BYTES_PER_S);

	return lab_busy(ui->screen.lab) &&
		tick_raw_ns() - ui->drawn_ns <
		(rest_ns > line_ns ? rest_ns : line_ns);
}

/* Whether the run has reached another stage than the last frame shows. Stages
 * are drawn at once: they are few, and some are short. */
static bool comes_further(struct ui_session *ui, int stage)
{
	int before = ui->stage;

	ui->stage = stage;
	return stage != before;
}

/* Handles signals; returns true if the screen must be painted again. */
static bool take_signals(struct ui_session *ui)
{
	struct loop *loop = ui->loop;
	bool suspended = false;

	/* First, since it may hear other signals, also another of these. */
	for (; loop_heard(loop, SIGTSTP); suspended = true)
		suspend(loop);
	bool resized = loop_heard(loop, SIGWINCH);
	bool continued = loop_heard(loop, SIGCONT);
	take_interrupts(ui);
	if (resized)
		terminal_measure();
	/* SIGSTOP stopped the process, and other programs have used the
	 * terminal since. */
	if (continued) {
		terminal_leave();
		terminal_return();
	}
	return suspended || resized || continued;
}

static void work(struct ui_session *ui)
{
	struct lab *lab = ui->screen.lab;
	unsigned drawn = lab->version - 1;
	bool changed = true, asked = true;

	while (!lab->quit && !ui->loop->hung_up) {
		struct progress progress = { .share = 0 };

		if (lab->run)
			run_progress(lab->run, &progress);
		changed |= drawn != lab->version;
		asked |= comes_further(ui,
			lab->run ? (int)progress.stage : -1);
		if ((asked || (changed && !must_rest(ui))) &&
			!must_keep_still(ui, &progress, asked)) {
			draw(ui);
			drawn = lab->version;
			changed = asked = ui->awaited = false;
			terminal_mark(ui->keys, ui->frames,
				ui->drawing_ns);
		}
		ui->was_busy = lab_busy(lab);
		loop_turn(ui->loop, -1);
		ui->awaited |= take_signals(ui);
		ui->awaited |= take_events(ui);
		asked |= ui->awaited;
		screen_take_ended(&ui->screen);
	}
	grid_free(&ui->grid);
}

/* Ends the run that was in progress when the user left, and keeps it. */
static void let_run_end(struct lab *lab, struct loop *loop)
{
	struct reply reply = { 0 };

	/* After a hang-up, a run too large to summarise and save at once stays
	 * on its tape, for `recover`. */
	if (loop->hung_up && lab->run &&
		results_trials(run_results(lab->run)) > TRIALS_AT_ONCE)
		lab_abandon(lab);
	else if (loop->hung_up)
		lab_cut(lab);
	else
		lab_stop(lab);
	while (lab->run && loop->interrupts < 2) {
		loop_turn(loop, FRAME_MS);
		lab_ended(lab, &reply);
	}
	reply_free(&reply);
}

static void leave(struct screen *screen)
{
	struct error error;

	if (history_keep(&screen->prompt, &error))
		fprintf(stderr, "benchtop: typed lines are not kept: %s\n",
			error.message);
	screen_release(screen);
}

static int listen(struct loop *loop, struct error *error)
{
	/* SIGHUP always ends the screen, even if it was ignored: the terminal
	 * is gone. */
	static const int numbers[] = { SIGHUP, SIGWINCH, SIGTSTP, SIGCONT };

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (loop_listen(loop, numbers[i], error))
			return -1;
	return 0;
}

/* Unlike the lab, the tour has a script for those without a terminal. */
static int check_tour(struct error *error)
{
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		return 0;
	return error_set(error, STATUS_USAGE,
		"the tour needs a terminal: `benchtop --script tour.lab` is "
		"a tour without one");
}

int ui_check_options(const struct ui_options *options, struct error *error)
{
	if (options->glyphs && tier_named(options->glyphs) == TIERS)
		return error_set(error, STATUS_USAGE,
			"unknown glyphs %s: expected braille, block, console "
			"or ascii",
			text_quoted(options->glyphs).chars);
	if (options->theme && theme_named(options->theme) == THEMES)
		return error_set(error, STATUS_USAGE,
			"unknown theme %s: expected any, dark, light, mono "
			"or high",
			text_quoted(options->theme).chars);
	return 0;
}

int ui_run(struct lab *lab, struct loop *loop, const struct ui_options *options,
	enum status *status, struct error *error)
{
	struct ui_session ui = { .loop = loop, .status = status };
	struct screen *screen = &ui.screen;

	*status = STATUS_OK;
	/* Listen before the terminal's size is read, or a change might be
	 * missed. */
	if (options->tour && check_tour(error))
		return -1;
	if (listen(loop, error) || terminal_open(error))
		return -1;
	screen_init(screen, lab);
	screen->tier =
		options->glyphs ? tier_named(options->glyphs) : terminal_tier();
	screen_recall(screen, options);
	if (options->no_mouse || screen->settings.mouse == MOUSE_LEFT)
		terminal_mouse(false);
	lab->screen = screen;
	loop->watched = STDIN_FILENO;
	/* What was read before the screen was opened. */
	screen_take_ended(screen);
	work(&ui);
	loop->watched = -1;
	terminal_close();
	let_run_end(lab, loop);
	lab->screen = NULL;
	leave(screen);
	return 0;
}
