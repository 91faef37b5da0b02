/*
 * A written document in one of two forms: Markdown (CommonMark with the
 * tables of GitHub), or one HTML file that needs no other (style and pictures
 * are inside, no script, nothing is fetched).
 *
 * Texts are plain: whatever the form gives a meaning to is escaped here, and
 * foreign text must have been made safe (text_add_safe) only against what a
 * terminal would do. Call in the order of the page; every begin has its end.
 */
#ifndef BENCHTOP_DOCUMENT_H
#define BENCHTOP_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* What stands within the first bytes of every document that was written. */
#define DOCUMENT_MARK "benchtop report"
enum { DOCUMENT_MARK_WITHIN = 200 };

enum document_form { DOCUMENT_MARKDOWN, DOCUMENT_HTML };

struct document {
	enum document_form form;
	struct text *out;
	const struct column_head *heads; /* of the table that is open */
	size_t columns, at;
	unsigned tables, figures; /* so far: they are numbered */
};

/* A column of a table. */
struct column_head {
	const char *name;
	bool number; /* set to the right */
	bool wide;   /* sentences */
};

void document_begin(struct document *, enum document_form, const char *title,
	struct text *out);
void document_end(struct document *);

/* Level 2 to 4; `anchor` (NULL: none) is what links lead to. */
void document_heading(struct document *, int level, const char *anchor,
	const char *text);
/* What is not shown before it is asked for; on paper, and in Markdown, there
 * is no asking. */
void document_fold_begin(struct document *, const char *text);
void document_fold_end(struct document *);
void document_paragraph(struct document *, const char *text);
/* The same with a word in front that says what it is: "Question". */
void document_said(struct document *, const char *what, const char *text);

void document_list_begin(struct document *);
/* `anchor` NULL: plain, else the text leads there. */
void document_item(struct document *, const char *anchor, const char *text);
void document_list_end(struct document *);

/* Cells are given one after the other; a row ends with its last column. The
 * heads must live until the end of the table. The caption follows "Table 3." */
void document_table_begin(struct document *, const char *caption,
	const struct column_head *, size_t columns);
void document_cell(struct document *, const char *text);
/* The same for a number; `of` ("" for none) says where it comes from, as
 * report.h has it. */
void document_number(struct document *, const char *text, const char *of);
void document_table_end(struct document *);

/* A picture: SVG where the form shows one, else its text. The caption follows
 * "Figure 3." */
void document_figure(struct document *, const char *svg, const char *plain,
	const char *caption);

/* Text as it stands in an element of SVG or HTML. */
void document_escape(struct text *, const char *text);

#endif
