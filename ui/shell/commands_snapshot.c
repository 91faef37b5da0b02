/* `snapshot`: saves what the screen shows, or would show, in a file. */
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "commands_internal.h"
#include "file.h"
#include "form_sync.h"
#include "picture.h"
#include "read_again.h"
#include "read_capture.h"
#include "view.h"

enum {
	COLUMNS_PRESET = 80,
	ROWS_PRESET = 24,
	COLUMNS_MOST = 300,
	ROWS_MOST = 100,
};

/* Reads "80x24". */
static bool read_size(const char *word, int *columns, int *rows)
{
	char more;

	return sscanf(word, "%4dx%4d%c", columns, rows, &more) == 2 &&
		*columns >= LAYOUT_COLUMNS && *columns <= COLUMNS_MOST &&
		*rows >= LAYOUT_ROWS && *rows <= ROWS_MOST;
}

static bool is_picture(const char *path)
{
	return text_ends(path, ".txt") || text_ends(path, ".svg");
}

int check_snapshot(const struct call *call, struct error *error)
{
	bool net = call->count && !strcmp(call->arg[0], views[VIEW_NET].name);
	int columns, rows;

	if (check_word_of(call, "view", error))
		return -1;
	if (!is_picture(call->arg[1]) && !net) {
		error_set(error, STATUS_USAGE,
			"'%.80s' is not a picture name: expected a name that "
			"ends with .txt or .svg",
			call->arg[1]);
		return call_fault(call, 1, 0, error);
	}
	if (call->count < 3 || read_size(call->arg[2], &columns, &rows))
		return 0;
	error_set(error, STATUS_USAGE,
		"'%.40s' is not a size: expected COLUMNSxROWS, %dx%d to %dx%d",
		call->arg[2], LAYOUT_COLUMNS, LAYOUT_ROWS, COLUMNS_MOST,
		ROWS_MOST);
	return call_fault(call, 2, 0, error);
}

/* Opens a view, or a page on top of the current view. */
static enum outcome open_view(struct screen *screen, const char *view,
	struct reply *reply)
{
	const struct call call = { .lab = screen->lab, .screen = screen };

	if (view_named(view) < VIEWS)
		screen->view = view_named(view);
	if (!strcmp(view, "about"))
		return exec_about(&call, reply);
	if (!strcmp(view, "details"))
		return exec_details(&call, reply);
	if (!strcmp(view, "keys"))
		return exec_keys(&call, reply);
	if (!strcmp(view, "words"))
		return exec_words(&call, reply);
	return OUTCOME_DONE;
}

static int save_picture(struct screen *screen, const char *path, int columns,
	int rows, struct error *error)
{
	struct grid grid = { 0 };
	struct text out = { 0 };

	/* The picture of a screen that is not displayed is complete. */
	do {
		grid_reset(&grid, columns, rows, screen->tier);
		view_draw(screen, &grid);
	} while (!screen->lab->screen && read_again_wait(screen->lab));
	if (text_ends(path, ".svg"))
		picture_svg(&grid, &out);
	else
		grid_dump(&grid, &out);
	int failed = file_save(path, text_chars(&out), out.length, error);
	grid_free(&grid);
	text_free(&out);
	return failed;
}

static enum outcome take(struct screen *screen, const struct call *call,
	struct reply *reply)
{
	struct page covered = screen->page;
	enum view_name in_view = screen->view;
	int columns = COLUMNS_PRESET, rows = ROWS_PRESET;

	if (call->count > 2)
		read_size(call->arg[2], &columns, &rows);
	screen->page = (struct page){ 0 };
	enum outcome outcome = open_view(screen, call->arg[0], reply);
	if (outcome == OUTCOME_DONE &&
		save_picture(screen, call->arg[1], columns, rows,
			&reply->error))
		outcome = OUTCOME_FAILED;
	screen_close_page(screen);
	screen->page = covered;
	screen->view = in_view;
	if (outcome == OUTCOME_DONE && call->lab->screen) {
		text_add(&reply->text, "%s at %dx%d saved in ", call->arg[0],
			columns, rows);
		text_add_safe(&reply->text, call->arg[1], strlen(call->arg[1]));
		text_add_char(&reply->text, '\n');
	}
	return outcome;
}

/* Prepares a screen that is not displayed, in the state after the last run. */
static void open_unseen(struct screen *screen, struct lab *lab)
{
	const struct session *session = lab->session;

	screen_init(screen, lab);
	form_sync_from_session(screen);
	screen->theme = THEME_DARK;
	for (size_t i = 0; session->run_count && i < lab->registry.count; i++)
		if (!strcmp(lab->registry.list[i]->name,
			    session->runs[session->run_count - 1]->experiment))
			screen_select(screen, i, false);
	if (session->run_count)
		screen_say_outcome(screen,
			session->runs[session->run_count - 1]);
}

/* ---- a capture file ----------------------------------------------------- */

/* The size of the picture, which is drawn after the file has been read. */
struct ordered {
	struct lab *lab;
	int columns, rows;
};

static void say_drawn(void *context, struct reply *reply)
{
	struct ordered *ordered = context;
	struct screen unseen;
	struct grid grid = { 0 };

	open_unseen(&unseen, ordered->lab);
	screen_view(&unseen, VIEW_NET, 0);
	do {
		grid_reset(&grid, ordered->columns, ordered->rows, unseen.tier);
		view_draw(&unseen, &grid);
	} while (read_again_wait(ordered->lab));
	grid_dump(&grid, &reply->text);
	grid_free(&grid);
	screen_release(&unseen);
}

/* `snapshot net FILE.pcap`: draws the Net view of a capture file as text. */
static enum outcome draw_capture(const struct call *call, struct reply *reply)
{
	static struct ordered ordered;
	struct lab *lab = call->lab;
	const struct capture_request request = { .path = call->arg[1],
		.write = say_drawn,
		.context = &ordered };

	if (lab_busy(lab))
		return reply_fail(reply, STATUS_USAGE,
			"cannot draw a file during a run: stop the run first");
	ordered = (struct ordered){ lab, COLUMNS_PRESET, ROWS_PRESET };
	if (call->count > 2)
		read_size(call->arg[2], &ordered.columns, &ordered.rows);
	if (read_capture(lab, &request, &reply->error))
		return OUTCOME_FAILED;
	return OUTCOME_WAIT;
}

enum outcome exec_snapshot(const struct call *call, struct reply *reply)
{
	struct screen unseen;

	if (!is_picture(call->arg[1]))
		return draw_capture(call, reply);
	if (call->lab->screen)
		return take(call->lab->screen, call, reply);
	open_unseen(&unseen, call->lab);
	if (view_named(call->arg[0]) == VIEW_NET)
		screen_view(&unseen, VIEW_NET, -1);
	enum outcome outcome = take(&unseen, call, reply);
	screen_release(&unseen);
	return outcome;
}
