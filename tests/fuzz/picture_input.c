/* Bytes as a session file, on every view of the screen. */
#include "inputs.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "form_sync.h"
#include "markup.h"
#include "picture.h"
#include "view.h"

/* The length of an input chooses a size, a tier and a place of each view:
 * drawing all of them would take too long. */
static const struct {
	int columns, rows;
} sizes[] = { { 80, 24 }, { 160, 60 }, { 40, 10 }, { 120, 34 } };

struct drawn {
	struct screen screen;
	struct grid grid;
	size_t chosen;
};

static void draw(struct drawn *drawn)
{
	size_t size = drawn->chosen % (sizeof sizes / sizeof *sizes);
	struct text text = { 0 };

	grid_reset(&drawn->grid, sizes[size].columns, sizes[size].rows,
		(enum tier)(drawn->chosen / 4 % TIERS));
	view_draw(&drawn->screen, &drawn->grid);
	grid_dump(&drawn->grid, &text);
	must_be_safe(&text, "\n");
	text_clear(&text);
	picture_svg(&drawn->grid, &text);
	must_be_safe(&text, "\n");
	must_be_markup(&text);
	text_free(&text);
}

/* Selects the last run that the program has an experiment for. */
static void open_screen(struct screen *screen, struct lab *lab)
{
	const struct session *session = lab->session;

	screen_init(screen, lab);
	form_sync_from_session(screen);
	for (size_t run = 0; run < session->run_count; run++)
		for (size_t i = 0; i < lab->registry.count; i++)
			if (!strcmp(lab->registry.list[i]->name,
				    session->runs[run]->experiment))
				screen_bring(screen, i, false);
	if (session->run_count)
		screen_say_outcome(screen,
			session->runs[session->run_count - 1]);
}

static void draw_all(struct drawn *drawn, const char *path)
{
	static const char *const pages[] = { "details", "about", NULL };
	char line[64];

	/* Compared with itself. */
	snprintf(line, sizeof line, "side b %s", path);
	screen_execute(&drawn->screen, line);
	for (int i = 0; i < VIEWS; i++) {
		enum view_name view = (enum view_name)i;

		screen_view(&drawn->screen, view,
			(int)(drawn->chosen / 16 % (size_t)view_places(view)));
		draw(drawn);
	}
	screen_view(&drawn->screen, VIEW_LAB, 0);
	for (int i = 0; pages[i]; i++) {
		screen_execute(&drawn->screen, pages[i]);
		draw(drawn);
		screen_leave_page(&drawn->screen);
	}
}

void picture_input(const uint8_t *data, size_t size)
{
	struct lab *lab = the_lab();
	struct error error = { 0 };
	struct drawn drawn = { .chosen = size };
	char path[32];
	struct session *session =
		session_read((const char *)data, size, "input", &error);

	if (!session)
		return;
	must(!lab_use_session(lab, session, &error));
	int fd = file_of(data, size);
	path_of(fd, path);
	open_screen(&drawn.screen, lab);
	lab->screen = &drawn.screen;
	draw_all(&drawn, path);
	lab->screen = NULL;
	screen_release(&drawn.screen);
	grid_free(&drawn.grid);
	close(fd);
	must(!lab_use_session(lab, session_new(), &error));
}
