/* The Lab screen, put together. */
#include "view.h"

#include <math.h>
#include <string.h>

#include "draw_histogram.h"

enum { WIDE = 110 };

/* The screens there are; more will stand beside it. */
static const char *const tabs[] = { "1 Lab", NULL };

/* The machine, the processor that measures and how fast it ran: of the
 * results on the screen, which may be another machine's. */
static void add_place(const struct screen *screen, bool wide, struct text *text)
{
	const struct lab *lab = screen->lab;
	const struct session *session = lab->session;
	bool live;
	const struct results *results = screen_results(screen, &live);
	int cpu = results ? results->place.cpu : lab->places.chosen;

	if (*session->machine.kernel)
		text_add(text, "%s  ", session->machine.hostname);
	else if (lab->machine_known)
		text_add(text, "%s  ", lab->machine.hostname);
	if (cpu < 0)
		return;
	text_add(text, "cpu %d", cpu);
	if (wide && results && results->clock.core_hz > 0) {
		text_add(text, " at ");
		unit_show(text, UNIT_HZ, results->clock.core_hz);
	}
	text_add(text, "  ");
}

static void add_session(const struct session *session, bool wide,
	struct text *text)
{
	const char *slash = session->path ? strrchr(session->path, '/') : NULL;
	const char *name = slash ? slash + 1 :
		session->path    ? session->path :
				   "not saved yet";

	if (wide)
		text_add(text, "session %s%s, ", name,
			session->path && session->changed ? "*" : "");
	text_add(text, "%zu run%s", session->run_count,
		session->run_count == 1 ? "" : "s");
}

void view_title(const struct screen *screen, const struct pane *pane)
{
	struct text right = { 0 };
	struct pane inner = pane_part(pane, 0, 0, -1, 1);
	bool wide = pane->columns >= WIDE;
	int used = 1 + pane_text(pane, 1, 0, ROLE_STRONG, "benchtop") + 2;

	for (int i = 0; tabs[i]; i++)
		used += pane_text(pane, used, 0, ROLE_SELECT, "[%s]", tabs[i]);
	if (screen->lab->record)
		used += 2 +
			pane_text(pane, used + 2, 0, ROLE_WARN, "recording");
	add_place(screen, wide, &right);
	add_session(screen->lab->session, wide, &right);
	if (used + 2 + text_columns(text_chars(&right)) <= inner.columns)
		pane_right(&inner, 0, ROLE_DIM, text_chars(&right));
	text_free(&right);
}

/* A terminal too small for the screen still says what goes on. */
static void draw_small(const struct screen *screen, const struct pane *pane)
{
	struct text text = { 0 };
	struct progress progress;

	if (screen->lab->run) {
		run_progress(screen->lab->run, &progress);
		text_add(&text, "%s %.0f %%. ",
			run_results(screen->lab->run)->experiment,
			progress.share * 100);
	}
	text_add(&text,
		"benchtop needs %d columns and %d rows, here are %d and %d. "
		"Make the window larger; q leaves.",
		LAYOUT_COLUMNS, LAYOUT_ROWS, pane->columns, pane->rows);
	pane_wrap(pane, 0, ROLE_TEXT, text.chars);
	text_free(&text);
}

/* The figures must be there before any pane shows them. */
static void refresh_figures(struct screen *screen, const struct layout *layout)
{
	int columns = layout->plot.columns > 2 ? layout->plot.columns - 2 : 1;
	int room = histogram_room(columns);

	screen_figures(screen, room > 1 ? room : 1);
}

static void draw_body(struct screen *screen, const struct layout *layout)
{
	refresh_figures(screen, layout);
	view_list(screen, &layout->list);
	view_form(screen, &layout->form);
	view_plot(screen, &layout->plot);
	view_strip(screen, &layout->strip);
	view_result(screen, &layout->result);
	view_prediction(screen, &layout->prediction);
	view_about(screen, &layout->about);
}

void view_draw(struct screen *screen, struct grid *grid)
{
	struct pane whole = pane_whole(grid);
	struct layout layout;

	grid->theme = (uint8_t)screen->theme;
	view_layout(&layout, &whole, screen->focus);
	if (layout.small) {
		draw_small(screen, &layout.body);
		return;
	}
	view_title(screen, &layout.title);
	if (screen->page.text)
		view_page(screen, &layout.body);
	else
		draw_body(screen, &layout);
	view_whole_status(screen, &layout.body);
	prompt_draw_offered(&screen->prompt, &layout.body);
	view_status(screen, &layout.status);
	view_keys(screen, &layout.keys);
}
