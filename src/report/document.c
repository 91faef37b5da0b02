/* Markdown, or HTML with everything inside. */
#include "document.h"

#include <string.h>

/* Legible on a screen and on paper; colours only where a picture has them. */
static const char style[] =
	":root{color-scheme:light dark;--line:#8886;--dim:#777;--band:#8881}\n"
	"body{font:16px/1.5 Georgia,'Times New Roman',serif;max-width:68rem;"
	"margin:2rem auto;padding:0 1rem}\n"
	"h1,h2,h3,th,figcaption,nav{font-family:system-ui,sans-serif}\n"
	"h1{font-size:1.9rem;margin-bottom:.2rem}\n"
	"h2{font-size:1.35rem;margin-top:2.6rem;"
	"border-bottom:1px solid var(--line);padding-bottom:.2rem}\n"
	"p{max-width:46rem}\n"
	"h3{font-size:1.05rem;margin-top:1.6rem}\n"
	"table{border-collapse:collapse;margin:1rem 0;font-size:.78rem;"
	"font-variant-numeric:tabular-nums;display:block;overflow-x:auto}\n"
	"th{text-align:left;font-weight:600;white-space:nowrap;"
	"border-bottom:2px solid var(--line)}\n"
	"td{border-bottom:1px solid var(--line)}\n"
	"th,td{padding:.22rem .55rem .22rem 0;vertical-align:top}\n"
	"td.n,th.n{text-align:right;white-space:nowrap}\n"
	"td.t{min-width:15rem}\n"
	"tbody tr:nth-child(even){background:var(--band)}\n"
	"figure{margin:1.2rem 0}figcaption{color:var(--dim);font-size:.85rem}\n"
	"svg{max-width:100%;height:auto}\n"
	"b.w{font-family:system-ui,sans-serif;font-size:.8rem;"
	"letter-spacing:.04em;color:var(--dim);display:block}\n"
	"a{color:inherit}\n"
	"@media print{body{max-width:none;margin:0;font-size:11pt}"
	"h2{break-after:avoid}figure,tr{break-inside:avoid}"
	"table{display:table}}\n";

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

/* What Markdown would take for markup stands behind a backslash; a line break
 * would end a cell or begin a block. */
static void add_plain(struct text *out, const char *text)
{
	bool first = true;

	for (; *text; text++) {
		bool digit = *text >= '0' && *text <= '9';

		if (strchr("\\`*_{}[]<>#|~&", *text) ||
			(first && strchr("+-=:", *text)))
			text_add_char(out, '\\');
		text_add_char(out, *text == '\n' ? ' ' : *text);
		/* "1. " would begin a list. */
		if (first && digit && text[1] == '.')
			text_add_char(out, '\\');
		first = first && digit && text[1] == '.';
	}
}

static void add(struct document *document, const char *text)
{
	if (html(document))
		document_escape(document->out, text);
	else
		add_plain(document->out, text);
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
	text_add(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>",
		style);
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

void document_paragraph(struct document *document, const char *text)
{
	text_add(document->out, html(document) ? "<p>" : "");
	add(document, text);
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

void document_item(struct document *document, const char *anchor,
	const char *text)
{
	struct text *out = document->out;
	bool page = html(document);

	text_add(out, page ? "<li>" : "- ");
	if (anchor)
		text_add(out, page ? "<a href=\"#%s\">" : "[",
			page ? anchor : "");
	add(document, text);
	if (anchor && page)
		text_add(out, "</a>");
	else if (anchor)
		text_add(out, "](#%s)", anchor);
	text_add(out, page ? "</li>\n" : "\n");
}

void document_list_end(struct document *document)
{
	text_add(document->out, html(document) ? "</ul>\n" : "\n");
}

/* ---- tables ----------------------------------------------------------- */

static void page_heads(struct document *document)
{
	text_add(document->out, "<table>\n<thead><tr>");
	for (size_t i = 0; i < document->columns; i++) {
		text_add(document->out, "<th%s>",
			document->heads[i].number ? " class=\"n\"" : "");
		add(document, document->heads[i].name);
		text_add(document->out, "</th>");
	}
	text_add(document->out, "</tr></thead>\n<tbody>\n");
}

void document_table_begin(struct document *document,
	const struct column_head *heads, size_t columns)
{
	document->heads = heads;
	document->columns = columns;
	document->at = 0;
	if (html(document)) {
		page_heads(document);
		return;
	}
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

void document_number(struct document *document, const char *text,
	const char *of)
{
	struct text *out = document->out;
	const struct column_head *head = &document->heads[document->at];
	bool last = ++document->at == document->columns;

	if (html(document)) {
		if (document->at == 1)
			text_add(out, "<tr>");
		text_add(out,
			head->number       ? "<td class=\"n\"" :
				head->wide ? "<td class=\"t\"" :
					     "<td");
		if (*of) {
			text_add(out, " data-of=\"");
			document_escape(out, of);
			text_add_char(out, '"');
		}
		text_add_char(out, '>');
		add(document, text);
		text_add(out, last ? "</td></tr>\n" : "</td>");
	} else {
		text_add(out, "| ");
		add(document, text);
		text_add(out, last ? " |\n" : " ");
	}
	if (last)
		document->at = 0;
}

void document_cell(struct document *document, const char *text)
{
	document_number(document, text, "");
}

void document_table_end(struct document *document)
{
	text_add(document->out, html(document) ? "</tbody>\n</table>\n" : "\n");
	document->heads = NULL;
}

void document_figure(struct document *document, const char *svg,
	const char *plain, const char *caption)
{
	struct text *out = document->out;

	if (!html(document)) {
		text_add(out, "```text\n%s```\n\n", plain);
		return;
	}
	text_add(out, "<figure>\n%s<figcaption>", svg);
	add(document, caption);
	text_add(out, "</figcaption>\n</figure>\n");
}
