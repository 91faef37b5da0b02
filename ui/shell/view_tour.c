/* Draws the tour: a strip below the view. */
#include "tour.h"
#include "view.h"

enum {
	ROWS_LEAST = 17, /* of the body, for more than one row */
	INDENT = 8,
	TEXT_ROWS = 2, /* at least, so that the view keeps its size */
	WIDTH = 80,    /* at most: longer lines are hard to read */
};

/* Draws the keys at the right edge of the row if they fit beside `used`
 * columns. */
static bool draw_keys(const struct pane *row, int used)
{
	static const char skip[] = "> skips", end[] = "H ends the tour ";
	int width = text_columns(skip) + 2 + text_columns(end);
	int column = row->columns - width;

	if (column < used + 2)
		return false;
	pane_text(row, column, 0, ROLE_KEY, "%s  %s", skip, end);
	pane_spot(row, column, 0, text_columns(skip), "tour next");
	pane_spot(row, column + text_columns(skip) + 2, 0, text_columns(end),
		"tour off");
	return true;
}

/* Takes rows from the end of the body. */
static struct pane take_rows(struct pane *body, int rows)
{
	struct pane taken =
		pane_part(body, 0, body->rows - rows, body->columns, rows);

	body->rows -= rows;
	return taken;
}

static void draw_offer(struct pane *body)
{
	static const char hide[] = "H hides this ";
	struct pane row = take_rows(body, 1);
	int used = 3 +
		pane_text(&row, 1, 0, ROLE_STRONG,
			"New here? > starts a tour of five minutes.");

	if (used + text_columns(hide) <= row.columns)
		pane_right(&row, 0, ROLE_KEY, hide);
	pane_spot(&row, 0, 0, row.columns, "tour next");
}

static int rows_of(const char *text, int columns)
{
	size_t length;
	int rows = 0;

	while (text_line(&text, columns, &length))
		rows++;
	return rows;
}

/* Draws what to do; a click does it. The keys follow in the next row if they do
 * not fit. */
static void draw_press(const struct tour_step *step, const struct pane *pane,
	int column)
{
	struct pane first = pane_part(pane, 0, 0, pane->columns, 1);
	struct pane second = pane_part(pane, 0, 1, pane->columns, 1);
	int used = column +
		pane_text(&first, column, 0, ROLE_STRONG, "%s", step->press);

	if (step->line)
		pane_spot(&first, 0, 0, used, "%s", step->line);
	/* The last step names the key itself. */
	if (step->done && !draw_keys(&first, used))
		draw_keys(&second, 0);
}

static void draw_step(const struct screen *screen, struct pane *body)
{
	const struct tour_step *step = &tour_steps[screen->tour.step - 1];
	int columns = body->columns < WIDTH ? body->columns : WIDTH;
	int needed = rows_of(step->text, columns - INDENT - 1);
	int text = needed > TEXT_ROWS ? needed : TEXT_ROWS;
	bool low = body->rows < ROWS_LEAST;
	/* Where the text is long, the keys have a row of their own. */
	int rows = low ? 1 : text + 1 + (needed > TEXT_ROWS);
	struct pane strip = take_rows(body, rows);
	strip.columns = columns;
	int head = 2 +
		pane_text(&strip, 1, 0, ROLE_STRONG, "%zu/%zu",
			screen->tour.step, tour_length());

	if (low) {
		draw_press(step, &strip, head);
		return;
	}
	struct pane words = pane_part(&strip, INDENT, 0, -1, text);
	struct pane press =
		pane_part(&strip, 0, text, strip.columns, rows - text);
	pane_wrap(&words, 0, ROLE_TEXT, step->text);
	draw_press(step, &press, INDENT);
}

void view_tour(const struct screen *screen, struct pane *body)
{
	if (screen->tour.step)
		draw_step(screen, body);
	else if (tour_offered(screen) && body->rows >= ROWS_LEAST)
		draw_offer(body);
}
