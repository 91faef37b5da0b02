/* A text that covers the screen: help, details, the reply of a command. */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "view.h"

enum { INDENT = 2 };

/* Whether the filter shows a line of the text. */
static bool is_shown(const struct page *page, const char *line, size_t length)
{
	if (!page->filter)
		return true;
	char *copy = xstrndup(line, length);
	bool shown = strcasestr(copy, page->filter) != NULL;
	free(copy);
	return shown;
}

/* The indentation of the rest of a wrapped line. In a row of columns it is the
 * last column in the left half; otherwise slightly more than the line's own. */
static int indent_of(const char *line, int columns)
{
	int indent = (int)strspn(line, " ") + INDENT;
	int length = (int)strlen(line);

	for (int i = indent; i < columns / 2 && i < length; i++)
		if (line[i] != ' ' && line[i - 1] == ' ' && line[i - 2] == ' ')
			indent = i;
	return indent;
}

/* Draws one line of the text from a row on, wrapped, with continuation rows
 * indented. Returns the number of rows. Without a pane it only counts. */
static int draw_line(const struct pane *pane, int columns, int row,
	const char *line, size_t length)
{
	char *copy = xstrndup(line, length);
	const char *at = copy;
	int indent = indent_of(copy, columns);
	int rows = 0;
	size_t part;

	for (const char *begin;
		(begin = text_line(&at, rows ? columns - indent : columns,
			 &part));
		rows++) {
		char *shown = xstrndup(begin, part);

		if (pane && row + rows >= 0)
			pane_chars(pane, rows ? indent : 0, row + rows,
				ROLE_TEXT, shown);
		free(shown);
	}
	free(copy);
	return rows ? rows : 1;
}

/* Draws or counts all rows; returns the number. */
static int draw_lines(const struct page *page, const struct pane *pane,
	int columns)
{
	int row = pane ? -page->row : 0, begin = row;
	const char *at = page->text;

	while (*at) {
		size_t length = strcspn(at, "\n");

		if (is_shown(page, at, length))
			row += draw_line(pane, columns, row, at, length);
		at += length + (at[length] == '\n');
	}
	return row - begin;
}

int page_rows(const struct page *page, int columns)
{
	return draw_lines(page, NULL, columns);
}

void page_scroll(struct page *page, int rows)
{
	enum { COLUMNS = 76, ROWS = 20 }; /* size of a page that was not drawn
					   * yet */
	int columns = page->columns > 0 ? page->columns : COLUMNS;
	int room = page->rows > 0 ? page->rows : ROWS;
	int last = page_rows(page, columns) - room;

	page->row += rows;
	if (page->row > last)
		page->row = last;
	if (page->row < 0)
		page->row = 0;
}

int page_paneful(const struct page *page)
{
	return page->rows > 2 ? page->rows - 1 : 1;
}

void view_page(struct screen *screen, const struct pane *pane)
{
	struct page *page = &screen->page;
	struct text right = { 0 };
	int shown = pane->rows - 2;

	page->columns = pane->columns - 4;
	page->rows = shown;
	page_scroll(page, 0);
	int rows = page_rows(page, page->columns);
	if (page->filter)
		text_add(&right, "only '%s'  ", page->filter);
	if (rows > shown)
		text_add(&right, "%d to %d of %d lines", page->row + 1,
			page->row + shown < rows ? page->row + shown : rows,
			rows);
	struct pane inside = pane_frame(pane, page->title, text_chars(&right));
	struct pane words = pane_part(&inside, 1, 0, -1, inside.rows);
	draw_lines(page, &words, words.columns);
	text_free(&right);
	pane_cursor(&words, 0, 0);
}
