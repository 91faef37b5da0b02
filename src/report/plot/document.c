/* Markdown, or HTML with everything inside. */
#include "document.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Legible on a screen and on paper; colours only where a picture has them. */
static const char style[] =
	":root{color-scheme:light dark;--line:#8886;--dim:#767676;"
	"--band:#8881}\n"
	"body{font:16px/1.5 Georgia,'Times New Roman',serif;max-width:68rem;"
	"margin:2rem auto;padding:0 1rem}\n"
	"h1,h2,h3,h4,th,caption,figcaption,summary{font-family:system-ui,sans-serif}\n"
	"h1{font-size:1.9rem;margin-bottom:.2rem}\n"
	"h2{font-size:1.35rem;margin-top:2.6rem;"
	"border-bottom:1px solid var(--line);padding-bottom:.2rem}\n"
	"p{max-width:46rem}\n"
	"h3{font-size:1.15rem;margin-top:2.2rem}\n"
	"h4{font-size:1rem;margin-bottom:.4rem}\n"
	"summary{color:var(--dim);font-size:.85rem;margin:1rem 0}\n"
	"table{border-collapse:collapse;margin:1rem 0;font-size:.78rem;"
	"font-variant-numeric:tabular-nums}\n"
	"div.table{overflow-x:auto}\n"
	"caption{text-align:left;padding-bottom:.3rem}\n"
	"caption,figcaption{color:var(--dim);font-size:.85rem}\n"
	"th{text-align:left;font-weight:600;vertical-align:bottom;"
	"border-bottom:2px solid var(--line)}\n"
	"td{border-bottom:1px solid var(--line)}\n"
	"th,td{padding:.22rem .55rem .22rem 0;vertical-align:top}\n"
	"td.n,th.n{text-align:right}td.n{white-space:nowrap}\n"
	"td.t{min-width:14rem}\n"
	"table.wide{font-size:.7rem}\n"
	"table.wide td.n{white-space:normal}"
	"table.wide td.t{min-width:11rem}\n"
	"tbody tr:nth-child(even){background:var(--band)}\n"
	"figure{margin:1.2rem 0}\n"
	"svg{max-width:100%;height:auto}\n"
	"b.w{font-family:system-ui,sans-serif;font-size:.8rem;"
	"letter-spacing:.04em;color:var(--dim);display:block}\n"
	"a{color:inherit}\n"
	"@media (min-width:70rem){div.wide{width:max-content;max-width:96vw;"
	"position:relative;left:50%;transform:translateX(-50%)}}\n"
	"@page{margin:16mm}@page wide{size:landscape;margin:10mm}\n"
	"@media print{body{max-width:none;margin:0;padding:0;font-size:10pt}"
	"h2,h3,h4,caption{break-after:avoid}figure,tr{break-inside:avoid}"
	"details::details-content{content-visibility:visible;height:auto}"
	"p{max-width:none}table{font-size:7pt}div.table{overflow:visible}"
	"div.wide{page:wide}table.wide{font-size:6.5pt}td.t{min-width:0}}\n";

/* A table with sentences and so many columns takes the width of the window. */
enum { WIDE_COLUMNS = 12 };

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

/* Is this what begins a list or a quotation, "- ", "12. ", where a block
 * begins? Returns at which character the backslash must stand. */
static size_t list_mark(const char *text)
{
	size_t at = strspn(text, "0123456789");

	if (!at)
		return *text && strchr("+-=", *text) ? 0 : SIZE_MAX;
	if (!text[at] || !strchr(".)", text[at]))
		return SIZE_MAX;
	return !text[at + 1] || strchr(" \n", text[at + 1]) ? at : SIZE_MAX;
}

/* What Markdown would take for markup stands behind a backslash; a line break
 * would end a cell or begin a block. */
static void add_plain(struct text *out, const char *text, bool block)
{
	/* Blanks where a block begins would make code of it. */
	text += block ? strspn(text, " \t\n\r") : 0;
	size_t mark = block ? list_mark(text) : SIZE_MAX;

	for (size_t i = 0; text[i]; i++) {
		bool inner = i && isalnum((unsigned char)text[i - 1]) &&
			isalnum((unsigned char)text[i + 1]);

		/* An address would become a link, foreign ones too. */
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

void document_item(struct document *document, const char *anchor,
	const char *text)
{
	struct text *out = document->out;
	bool page = html(document);

	text_add(out, page ? "<li>" : "- ");
	if (anchor)
		text_add(out, page ? "<a href=\"#%s\">" : "[",
			page ? anchor : "");
	add_text(document, text, !anchor);
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

static bool is_wide(const struct document *document)
{
	bool sentences = false;

	for (size_t i = 0; i < document->columns; i++)
		sentences |= document->heads[i].wide;
	return sentences && document->columns >= WIDE_COLUMNS;
}

static void page_heads(struct document *document, const char *caption)
{
	bool wide = is_wide(document);

	text_add(document->out,
		"<div class=\"table%s\"><table%s>\n<caption>Table %u. ",
		wide ? " wide" : "", wide ? " class=\"wide\"" : "",
		document->tables);
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
	text_add(document->out,
		html(document) ? "</tbody>\n</table></div>\n" : "\n");
	document->heads = NULL;
}

/* A fence is longer than any that stands in what it holds. */
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
		text_add(out, "<figure>\n%s<figcaption>", svg);
	else
		fenced(out, plain);
	text_add(out, "Figure %u. ", document->figures);
	add(document, caption);
	text_add(out, page ? "</figcaption>\n</figure>\n" : "\n\n");
}
