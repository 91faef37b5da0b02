/* Writes a document as Markdown or as self-contained HTML. */
#include "document.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "document_style.h"

/* With sentences and this many columns, a table uses the whole window. */
enum { WIDE_COLUMNS = 12 };
/* A table with more columns than this does not fit a narrow screen. */
enum { FIT_COLUMNS = 3 };

static bool html(const struct document *document)
{
	return document->form == DOCUMENT_HTML;
}

void document_escape(struct text *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			text_add(out, "&amp;");
		else if (*text == '<')
			text_add(out, "&lt;");
		else if (*text == '>')
			text_add(out, "&gt;");
		else if (*text == '"')
			text_add(out, "&quot;");
		else
			text_add_char(out, *text);
	}
}

/* The index where a backslash must be inserted if a block begins like a list or
 * a quotation, "- ", "12. "; SIZE_MAX: nowhere. */
static size_t list_mark(const char *text)
{
	size_t at = strspn(text, "0123456789");

	if (!at)
		return *text && strchr("+-=", *text) ? 0 : SIZE_MAX;
	if (!text[at] || !strchr(".)", text[at]))
		return SIZE_MAX;
	return !text[at + 1] || strchr(" \n", text[at + 1]) ? at : SIZE_MAX;
}

/* Escapes markup of Markdown with backslashes. Line breaks are replaced, since
 * they would end a cell or begin a block. */
static void add_plain(struct text *out, const char *text, bool block)
{
	/* Markdown would treat leading blanks of a block as code. */
	text += block ? strspn(text, " \t\n\r") : 0;
	size_t mark = block ? list_mark(text) : SIZE_MAX;

	for (size_t i = 0; text[i]; i++) {
		bool inner = i && isalnum((unsigned char)text[i - 1]) &&
			isalnum((unsigned char)text[i + 1]);

		/* Addresses, also in text from outside, must not become
		 * links. */
		if (i == mark || (strchr("\\`*{}[]<>#|~&", text[i])) ||
			(text[i] == '_' && !inner) ||
			!strncmp(text + i, "://", 3) ||
			(text[i] == '.' && i >= 3 &&
				!strncasecmp(text + i - 3, "www", 3)))
			text_add_char(out, '\\');
		text_add_char(out, strchr("\n\r\t", text[i]) ? ' ' : text[i]);
	}
}

static void add_text(struct document *document, const char *text, bool block)
{
	if (html(document))
		document_escape(document->out, text);
	else
		add_plain(document->out, text, block);
}

static void add(struct document *document, const char *text)
{
	add_text(document, text, false);
}

void document_begin(struct document *document, enum document_form form,
	const char *title, struct text *out)
{
	*document = (struct document){ .form = form, .out = out };
	if (!html(document)) {
		text_add(out, "<!-- " DOCUMENT_MARK " -->\n\n# ");
		add(document, title);
		text_add(out, "\n\n");
		return;
	}
	text_add(out,
		"<!doctype html>\n<html lang=\"en\">\n<head>\n"
		"<meta charset=\"utf-8\">\n"
		"<meta name=\"generator\" content=\"" DOCUMENT_MARK "\">\n"
		"<meta name=\"viewport\" "
		"content=\"width=device-width,initial-scale=1\">\n<title>");
	add(document, title);
	text_add(out,
		"</title>\n<style>\n%s%s%s</style>\n</head>\n<body>\n<h1>",
		document_style, document_style_narrow,
		document_style_paper);
	add(document, title);
	text_add(out, "</h1>\n");
}

void document_end(struct document *document)
{
	if (html(document))
		text_add(document->out, "</body>\n</html>\n");
}

void document_heading(struct document *document, int level, const char *anchor,
	const char *text)
{
	struct text *out = document->out;

	if (html(document)) {
		text_add(out, "<h%d", level);
		if (anchor)
			text_add(out, " id=\"%s\"", anchor);
		text_add_char(out, '>');
		add(document, text);
		text_add(out, "</h%d>\n", level);
		return;
	}
	if (anchor)
		text_add(out, "<a id=\"%s\"></a>\n\n", anchor);
	text_pad(out, '#', (size_t)level);
	text_add_char(out, ' ');
	add(document, text);
	text_add(out, "\n\n");
}

void document_fold_begin(struct document *document, const char *text)
{
	if (!html(document))
		return;
	text_add(document->out, "<details><summary>");
	add(document, text);
	text_add(document->out, "</summary>\n");
}

void document_fold_end(struct document *document)
{
	text_add(document->out, html(document) ? "</details>\n" : "");
}

void document_paragraph(struct document *document, const char *text)
{
	text_add(document->out, html(document) ? "<p>" : "");
	add_text(document, text, true);
	text_add(document->out, html(document) ? "</p>\n" : "\n\n");
}

void document_said(struct document *document, const char *what,
	const char *text)
{
	bool page = html(document);

	text_add(document->out, page ? "<p><b class=\"w\">" : "**");
	add(document, what);
	text_add(document->out, page ? "</b>" : ".** ");
	add(document, text);
	text_add(document->out, page ? "</p>\n" : "\n\n");
}

void document_list_begin(struct document *document)
{
	if (html(document))
		text_add(document->out, "<ul>\n");
}

void document_line_begin(struct document *document)
{
	if (html(document))
		text_add(document->out, "<ul class=\"line\">\n");
}

void document_fact(struct document *document, const char *what,
	const char *text)
{
	bool page = html(document);

	text_add(document->out, page ? "<li><b class=\"w\">" : "- **");
	add(document, what);
	text_add(document->out, page ? "</b>" : ":** ");
	add(document, text);
	text_add(document->out, page ? "</li>\n" : "\n");
}

static void add_link(struct document *document, const char *anchor,
	const char *text)
{
	struct text *out = document->out;
	bool page = html(document);

	text_add(out, page ? "<a href=\"#%s\">" : "[", page ? anchor : "");
	add(document, text);
	text_add(out, page ? "</a>" : "](#%s)", page ? "" : anchor);
}

void document_item_behind(struct document *document, const char *anchor,
	const char *text, const char *behind)
{
	bool page = html(document);

	text_add(document->out, page ? "<li>" : "- ");
	add_link(document, anchor, text);
	add(document, behind);
	text_add(document->out, page ? "</li>\n" : "\n");
}

void document_item(struct document *document, const char *anchor,
	const char *text)
{
	bool page = html(document);

	if (anchor) {
		document_item_behind(document, anchor, text, "");
		return;
	}
	text_add(document->out, page ? "<li>" : "- ");
	add_text(document, text, true);
	text_add(document->out, page ? "</li>\n" : "\n");
}

void document_list_end(struct document *document)
{
	text_add(document->out, html(document) ? "</ul>\n" : "\n");
}

/* ---- tables ----------------------------------------------------------- */

static bool has_sentences(const struct document *document)
{
	bool sentences = false;

	for (size_t i = 0; i < document->columns; i++)
		sentences |= document->heads[i].wide;
	return sentences;
}

static bool is_wide(const struct document *document)
{
	return has_sentences(document) && document->columns >= WIDE_COLUMNS;
}

static bool is_stacked(const struct document *document)
{
	return has_sentences(document) && document->columns > FIT_COLUMNS;
}

static void page_heads(struct document *document, const char *caption)
{
	bool wide = is_wide(document);

	text_add(document->out,
		"<div class=\"table%s\"><table class=\"%s%s\">\n"
		"<caption>Table %u. ",
		wide ? " wide" : "", is_stacked(document) ? "stack" : "plain",
		wide ? " wide" : "", document->tables);
	add(document, caption);
	text_add(document->out, "</caption>\n<thead><tr>");
	for (size_t i = 0; i < document->columns; i++) {
		text_add(document->out, "<th%s>",
			document->heads[i].number ? " class=\"n\"" : "");
		add(document, document->heads[i].name);
		text_add(document->out, "</th>");
	}
	text_add(document->out, "</tr></thead>\n<tbody>\n");
}

void document_table_begin(struct document *document, const char *caption,
	const struct column_head *heads, size_t columns)
{
	document->heads = heads;
	document->columns = columns;
	document->at = 0;
	document->tables++;
	if (html(document)) {
		page_heads(document, caption);
		return;
	}
	text_add(document->out, "Table %u. ", document->tables);
	add(document, caption);
	text_add(document->out, "\n\n");
	for (size_t i = 0; i < columns; i++) {
		text_add(document->out, "| ");
		add(document, heads[i].name);
		text_add_char(document->out, ' ');
	}
	text_add(document->out, "|\n");
	for (size_t i = 0; i < columns; i++)
		text_add(document->out, heads[i].number ? "|--:" : "|---");
	text_add(document->out, "|\n");
}

/* The class of a cell: "n" or "t" by the column, and "none" for "-" in a table
 * whose rows can become blocks. */
static void cell_class(struct document *document, const char *text)
{
	const struct column_head *head = &document->heads[document->at];
	bool none = is_stacked(document) && !strcmp(text, "-");
	const char *kind = head->number ? "n" : head->wide ? "t" : "";

	if (none || *kind)
		text_add(document->out, " class=\"%s%s%s\"", kind,
			none && *kind ? " " : "", none ? "none" : "");
}

static void cell_begin(struct document *document, const char *text,
	const char *of)
{
	struct text *out = document->out;
	const struct column_head *head = &document->heads[document->at];

	if (!html(document)) {
		text_add(out, "| ");
		return;
	}
	if (!document->at)
		text_add(out, "<tr>");
	text_add(out, "<td");
	cell_class(document, text);
	if (document->at && is_stacked(document)) {
		text_add(out, " data-head=\"");
		document_escape(out, head->name);
		text_add_char(out, '"');
	}
	if (*of) {
		text_add(out, " data-of=\"");
		document_escape(out, of);
		text_add_char(out, '"');
	}
	text_add_char(out, '>');
}

static void cell_end(struct document *document)
{
	bool page = html(document);
	bool last = ++document->at == document->columns;

	if (last)
		document->at = 0;
	text_add(document->out,
		page           ? last ? "</td></tr>\n" : "</td>" :
			  last ? " |\n" :
				 " ");
}

/* The index of the unit, with its leading blank, if it equals the unit of the
 * row's first number: a page may hide it. Else the length of the text. */
static size_t repeated_unit(struct document *document, const char *text)
{
	const char *unit = strrchr(text, ' ');

	if (!document->at)
		document->unit[0] = '\0';
	if (!html(document) || !unit || !document->heads[document->at].number ||
		is_stacked(document))
		return strlen(text);
	if (document->unit[0])
		return strcmp(unit, document->unit) ? strlen(text) :
						      (size_t)(unit - text);
	snprintf(document->unit, sizeof document->unit, "%s", unit);
	return strlen(text);
}

void document_number(struct document *document, const char *text,
	const char *of)
{
	size_t number = repeated_unit(document, text);
	struct text digits = { 0 };

	cell_begin(document, text, of);
	text_add(&digits, "%.*s", (int)number, text);
	add(document, text_chars(&digits));
	text_free(&digits);
	if (text[number]) {
		text_add(document->out, "<i class=\"u\">");
		add(document, text + number);
		text_add(document->out, "</i>");
	}
	cell_end(document);
}

void document_link(struct document *document, const char *anchor,
	const char *text, const char *behind)
{
	cell_begin(document, text, "");
	add_link(document, anchor, text);
	add(document, behind);
	cell_end(document);
}

void document_cell(struct document *document, const char *text)
{
	document_number(document, text, "");
}

void document_table_end(struct document *document)
{
	text_add(document->out,
		html(document) ? "</tbody>\n</table></div>\n" : "\n");
	document->heads = NULL;
}

/* Adds text in a fence that is longer than any run of backquotes in the
 * text. */
static void fenced(struct text *out, const char *plain)
{
	size_t longest = 2;

	for (const char *at = strchr(plain, '`'); at;) {
		size_t run = strspn(at, "`");

		longest = run > longest ? run : longest;
		at = strchr(at + run, '`');
	}
	text_pad(out, '`', longest + 1);
	text_add(out, "text\n%s", plain);
	text_pad(out, '`', longest + 1);
	text_add(out, "\n\n");
}

void document_figure(struct document *document, const char *svg,
	const char *plain, const char *caption)
{
	struct text *out = document->out;
	bool page = html(document);

	document->figures++;
	if (page)
		text_add(out,
			"<figure>\n<div class=\"plot\">%s</div><figcaption>",
			svg);
	else
		fenced(out, plain);
	text_add(out, "Figure %u. ", document->figures);
	add(document, caption);
	text_add(out, page ? "</figcaption>\n</figure>\n" : "\n\n");
}
