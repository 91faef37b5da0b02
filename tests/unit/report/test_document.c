/* Documents: untrusted text stays text, in either format. */
#include "document.h"

#include "markup.h"

static const char hostile[] =
	"<script>alert('1')</script> & \"x\" | a|b `c` *d* _e_ [f](http://g) "
	"![h](i) ~~j~~ # k \\ www.l.org m_n";

static char *with(enum document_form form,
	void (*put)(struct document *, const char *), const char *text)
{
	struct document document;
	struct text out = { 0 };

	document_begin(&document, form, "T", &out);
	size_t head = out.length;
	put(&document, text);
	document_end(&document);
	if (form == DOCUMENT_HTML)
		markup_check(out.chars, true, NULL);
	char *body = strdup(out.chars + head);
	text_free(&out);
	assert_non_null(body);
	return body;
}

static void paragraph(struct document *document, const char *text)
{
	document_paragraph(document, text);
}

static void item(struct document *document, const char *text)
{
	document_list_begin(document);
	document_item(document, NULL, text);
	document_list_end(document);
}

static void cell(struct document *document, const char *text)
{
	const struct column_head heads[] = { { text, false, false },
		{ "n", true, false } };

	document_table_begin(document, text, heads, 2);
	document_cell(document, text);
	document_number(document, "1 ns", "0/0/\"m\"<>/median");
	document_table_end(document);
}

static void everything(struct document *document, const char *text)
{
	document_heading(document, 2, "a", text);
	document_said(document, text, text);
	document_item(document, "anchor", text);
	document_figure(document, "<svg></svg>\n", "plain\n", text);
}

static void test_html_has_only_its_own_elements(void **state)
{
	void (*const puts[])(struct document *, const char *) = { paragraph,
		item, cell, everything };

	for (size_t i = 0; i < 4; i++) {
		char *body = with(DOCUMENT_HTML, puts[i], hostile);

		assert_null(strstr(body, "<script"));
		assert_non_null(strstr(body,
			"&lt;script&gt;alert('1')&lt;/script&gt; &amp; "
			"&quot;x&quot; | a|b"));
		free(body);
	}
}

/* Removes backslashes; every character with a meaning must have one. */
static char *unescaped(const char *markdown)
{
	struct text text = { 0 };

	for (; *markdown; markdown++) {
		if (*markdown == '\\')
			markdown++;
		else if (strchr("`*[]<>#|~&", *markdown))
			fail_msg("bare '%c' in: %s", *markdown, markdown);
		text_add_char(&text, *markdown);
	}
	return text_take(&text);
}

static void test_markdown_is_plain_text(void **state)
{
	char *body = with(DOCUMENT_MARKDOWN, paragraph, hostile);
	char *plain = unescaped(body);

	assert_int_equal(strncmp(plain, hostile, strlen(hostile)), 0);
	/* Nothing that a Markdown renderer turns into a link by itself. */
	assert_null(strstr(body, "http://"));
	assert_null(strstr(body, "www.l"));
	assert_non_null(strstr(body, "\\_e\\_"));
	/* An underscore within a word has no meaning. */
	assert_non_null(strstr(body, "m_n"));
	free(plain);
	free(body);
}

static void test_cells_stay_cells(void **state)
{
	char *body = with(DOCUMENT_MARKDOWN, cell, "a|b\nc\\|d\r\te");
	const char *row = strstr(body, "|---|--:|\n");

	assert_non_null(row);
	assert_string_equal(row,
		"|---|--:|\n| a\\|b c\\\\\\|d  e | 1 ns |\n\n");
	free(body);
}

/* Characters that begin a block elsewhere, and numbers, which are not
 * escaped. */
static void test_beginnings(void **state)
{
	static const struct {
		const char *text, *as;
	} cases[] = {
		{ "- a", "\\- a\n\n" },
		{ "---", "\\---\n\n" },
		{ "+ a", "\\+ a\n\n" },
		{ "===", "\\===\n\n" },
		{ "1. a", "1\\. a\n\n" },
		{ "23) a", "23\\) a\n\n" },
		{ "1.5 ns", "1.5 ns\n\n" },
		{ "0.2959", "0.2959\n\n" },
		{ "2025-03-01", "2025-03-01\n\n" },
		{ "# a", "\\# a\n\n" },
		{ "> a", "\\> a\n\n" },
		{ "    a\n\n- b", "    a  - b\n\n" },
		{ "", "\n\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *body = with(DOCUMENT_MARKDOWN, paragraph, cases[i].text);

		/* Leading blanks would begin a code block. */
		assert_string_equal(body + strspn(body, " "),
			cases[i].as + strspn(cases[i].as, " "));
		assert_int_not_equal(*body, ' ');
		free(body);
	}
}

/* A table with a column of sentences that is too wide for a telephone, and with
 * numbers. */
static void two_tables(struct document *document, const char *text)
{
	static const struct column_head sentences[] = { { "name", false, false },
		{ "time", true, false }, { "low", true, false },
		{ "why", false, true } };
	static const struct column_head numbers[] = { { "", false, false },
		{ "time", true, false }, { "low", true, false },
		{ "rate", true, false } };

	for (int i = 0; i < 2; i++) {
		document_table_begin(document, text, i ? numbers : sentences,
			4);
		document_cell(document, "a");
		document_number(document, "1 ns", "");
		document_number(document, "2 ns", "");
		document_number(document, i ? "3 MB/s" : "b", "");
		document_table_end(document);
	}
}

/* Cells name their column, for rows that are shown as blocks. A unit that is in
 * the row's label can be hidden. */
static void test_tables_fit_small_pages(void **state)
{
	char *body = with(DOCUMENT_HTML, two_tables, "T");

	assert_non_null(strstr(body, "<table class=\"stack\">"));
	assert_non_null(strstr(body,
		"<td>a</td><td class=\"n\" data-head=\"time\">1 ns</td>"
		"<td class=\"n\" data-head=\"low\">2 ns</td>"));
	assert_non_null(strstr(body, "<table class=\"plain\">"));
	assert_non_null(strstr(body,
		"<td>a</td><td class=\"n\">1 ns</td><td class=\"n\">2<i "
		"class=\"u\"> ns</i></td><td class=\"n\">3 MB/s</td>"));
	free(body);
	body = with(DOCUMENT_MARKDOWN, two_tables, "T");
	assert_non_null(strstr(body, "| a | 1 ns | 2 ns | 3 MB/s |\n"));
	free(body);
}

static void negative(struct document *document, const char *text)
{
	cell(document, text);
}

static void test_numbers_in_cells_are_plain(void **state)
{
	char *body = with(DOCUMENT_MARKDOWN, negative, "-6.471 ns");

	assert_non_null(strstr(body, "| -6.471 ns |"));
	free(body);
}

static void ticks(struct document *document, const char *text)
{
	document_figure(document, "", text, "caption");
}

static void test_fences_are_longer_than_what_they_hold(void **state)
{
	char *body = with(DOCUMENT_MARKDOWN, ticks, "a\n````\n# b\n");

	assert_string_equal(body,
		"`````text\na\n````\n# b\n`````\n\nFigure 1. caption\n\n");
	free(body);
}

static void test_pages_fetch_nothing(void **state)
{
	struct document document;
	struct text out = { 0 };

	document_begin(&document, DOCUMENT_HTML, "<T>", &out);
	document_end(&document);
	assert_null(strstr(out.chars, "http"));
	assert_null(strstr(out.chars, "src="));
	assert_null(strstr(out.chars, "url("));
	assert_null(strstr(out.chars, "@import"));
	assert_non_null(strstr(out.chars, "<title>&lt;T&gt;</title>"));
	const char *mark = strstr(out.chars, DOCUMENT_MARK);
	assert_non_null(mark);
	assert_true(mark - out.chars < DOCUMENT_MARK_WITHIN);
	text_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_html_has_only_its_own_elements),
		cmocka_unit_test(test_markdown_is_plain_text),
		cmocka_unit_test(test_cells_stay_cells),
		cmocka_unit_test(test_beginnings),
		cmocka_unit_test(test_tables_fit_small_pages),
		cmocka_unit_test(test_numbers_in_cells_are_plain),
		cmocka_unit_test(test_fences_are_longer_than_what_they_hold),
		cmocka_unit_test(test_pages_fetch_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
