/*
 * A written document in one of two forms: Markdown (CommonMark with the tables
 * of GitHub), or one HTML file that needs no other file. Style and pictures are
 * inside the HTML file. It has no script and loads nothing.
 *
 * Pass plain text: characters that the form would interpret are escaped here.
 * Text from outside must only be made safe for a terminal (text_add_safe). Call
 * the functions in the order of the page, and every _begin with its _end.
 */
#ifndef BENCHTOP_DOCUMENT_H
#define BENCHTOP_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* Every document contains this text in its first DOCUMENT_MARK_WITHIN bytes. */
#define DOCUMENT_MARK "benchtop report"
enum { DOCUMENT_MARK_WITHIN = 200 };

enum document_form { DOCUMENT_MARKDOWN, DOCUMENT_HTML };

struct document {
	enum document_form form;
	struct text *out;
	const struct column_head *heads; /* of the open table */
	size_t columns, at;
	char unit[16];           /* of the row's first number */
	unsigned tables, figures; /* number of the last one */
};

/* A column of a table. */
struct column_head {
	const char *name;
	bool number; /* align right */
	bool wide;   /* sentences */
};

void document_begin(struct document *, enum document_form, const char *title,
	struct text *out);
void document_end(struct document *);

/* `level` is 2 to 4; `anchor` (NULL: none) is the target of links. */
void document_heading(struct document *, int level, const char *anchor,
	const char *text);
/* A section that HTML folds until the reader opens it. On paper and in Markdown
 * it is always open. */
void document_fold_begin(struct document *, const char *text);
void document_fold_end(struct document *);
void document_paragraph(struct document *, const char *text);
/* A paragraph with a word in front that names its content: "Question". */
void document_said(struct document *, const char *what, const char *text);

void document_list_begin(struct document *);
/* A list with its items side by side, for the author or the links of a page. */
void document_line_begin(struct document *);
/* A list item; `text` is a link to `anchor`, or plain if it is NULL. */
void document_item(struct document *, const char *anchor, const char *text);
/* A list item: `text` as a link to `anchor`, then plain text `behind`. */
void document_item_behind(struct document *, const char *anchor,
	const char *text, const char *behind);
/* A list item with a word in front: "Author". */
void document_fact(struct document *, const char *what, const char *text);
void document_list_end(struct document *);

/* Begins a table. Add the cells one after the other; a row ends with its last
 * column. The heads must live until the end of the table. The caption follows
 * "Table 3." */
void document_table_begin(struct document *, const char *caption,
	const struct column_head *, size_t columns);
void document_cell(struct document *, const char *text);
/* A cell: `text` as a link to `anchor`, then plain text `behind`. */
void document_link(struct document *, const char *anchor, const char *text,
	const char *behind);
/* A cell with a number; `of` ("" for none) is its origin, defined in
 * report.h. */
void document_number(struct document *, const char *text, const char *of);
void document_table_end(struct document *);

/* A picture: SVG in HTML, `plain` in Markdown. The caption follows "Figure
 * 3." */
void document_figure(struct document *, const char *svg, const char *plain,
	const char *caption);

/* Adds text escaped for an element of SVG or HTML. */
void document_escape(struct text *, const char *text);

#endif
