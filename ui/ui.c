/* The screen: opened on a lab, drawn when something changed, left in order. */
#include "ui.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "screen.h"
#include "terminal.h"
#include "view.h"

enum { FRAME_MS = 100 };

bool ui_read_option(const char *word, struct ui_options *options)
{
	static const char glyphs[] = "--glyphs=";

	if (strncmp(word, glyphs, sizeof glyphs - 1))
		return false;
	options->glyphs = word + sizeof glyphs - 1;
	return true;
}

/* The screen while it is open. */
struct sitting {
	struct screen screen;
	struct loop *loop;
	enum status *status; /* the exit code */
	struct grid grid;
	unsigned long keys, frames; /* taken in, painted */
};

static void draw(struct sitting *sitting)
{
	struct screen *screen = &sitting->screen;
	int columns, rows;

	terminal_size(&columns, &rows);
	grid_reset(&sitting->grid, columns, rows, screen->tier);
	view_draw(screen, &sitting->grid);
	terminal_paint(&sitting->grid);
	sitting->frames++;
}

static bool take_events(struct sitting *sitting)
{
	struct event event;
	bool any = false;

	while (terminal_event(&event)) {
		any = true;
		if (event.kind != EVENT_KEY && event.kind != EVENT_CHARACTER)
			continue;
		sitting->keys++;
		screen_key(&sitting->screen, event.key, event.code);
	}
	return any;
}

/* Where the measured party leaves no processor, drawing would disturb it. */
static bool must_keep_still(struct lab *lab)
{
	struct progress progress;

	if (!lab->run)
		return false;
	run_progress(lab->run, &progress);
	return progress.lab_shares && progress.launch;
}

static void take_signals(struct sitting *sitting)
{
	struct loop *loop = sitting->loop;
	struct lab *lab = sitting->screen.lab;

	if (!loop->interrupts)
		return;
	/* Ctrl-C with a run going stops the run; without one it leaves. */
	bool leave = loop->signal != SIGINT || !lab_busy(lab);
	if (leave)
		lab->quit = true;
	if (loop->signal != SIGINT)
		*sitting->status = STATUS_TERMINATED;
	loop->interrupts = 0;
}

static void work(struct sitting *sitting)
{
	struct lab *lab = sitting->screen.lab;
	unsigned drawn = lab->version - 1;
	bool changed = true;

	while (!lab->quit && !sitting->loop->hung_up) {
		changed |= drawn != lab->version;
		if (changed && !must_keep_still(lab)) {
			draw(sitting);
			drawn = lab->version;
			changed = false;
			terminal_mark(sitting->keys, sitting->frames);
		}
		loop_turn(sitting->loop, -1);
		changed |= take_events(sitting);
		take_signals(sitting);
		screen_take_ended(&sitting->screen);
	}
	grid_free(&sitting->grid);
}

/* The run that was going when the user left ends in order, and is kept. */
static void let_run_end(struct lab *lab, struct loop *loop)
{
	struct reply reply = { 0 };

	lab_stop(lab);
	while (lab->run && loop->interrupts < 2) {
		loop_turn(loop, FRAME_MS);
		lab_ended(lab, &reply);
	}
	reply_free(&reply);
}

int ui_run(struct lab *lab, struct loop *loop, const struct ui_options *options,
	enum status *status, struct error *error)
{
	struct sitting sitting = { .loop = loop, .status = status };
	struct screen *screen = &sitting.screen;

	*status = STATUS_OK;
	if (options->glyphs && tier_named(options->glyphs) == TIERS)
		return error_set(error, STATUS_USAGE,
			"no glyphs '%s': expected braille, block, console or "
			"ascii",
			options->glyphs);
	if (terminal_open(error))
		return -1;
	screen_init(screen, lab);
	screen->tier =
		options->glyphs ? tier_named(options->glyphs) : terminal_tier();
	lab->has_screen = true;
	lab_bind_table(lab, screen_commands, screen);
	loop->watched = STDIN_FILENO;
	work(&sitting);
	loop->watched = -1;
	terminal_close();
	let_run_end(lab, loop);
	lab_bind_table(lab, screen_commands, NULL);
	lab->has_screen = false;
	screen_release(screen);
	return 0;
}
