/* The table of connections on the screen, `annotate --summary` and the JSON
 * have the same numbers of each connection, for all public captures. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "amounts.h"
#include "connection_list.h"
#include "figure.h"
#include "json.h"
#include "net_fixture.h"
#include "read_capture.h"

#include "seated.h"

static const char folder[] = SOURCE_FOLDER "/../shared/captures";

static int open_lab(void **state)
{
	fixture_open(&lab, &screen);
	return 0;
}

static const cJSON *child(const cJSON *item, const char *name)
{
	const cJSON *found = cJSON_GetObjectItemCaseSensitive(item, name);

	assert_non_null(found);
	return found;
}

static double number(const cJSON *item, const char *name)
{
	return child(item, name)->valuedouble;
}

/* ---- what the JSON states ------------------------------------------------ */

static void add_count(struct text *text, const cJSON *item, const char *name)
{
	if (cJSON_IsNull(child(item, name)))
		text_add_char(text, '-');
	else
		text_add(text, "%.0f", number(item, name));
}

/* "0+3", or "0". */
static void add_resent(struct text *text, const cJSON *item)
{
	const cJSON *sides = child(item, "sides");

	add_count(text, child(sides, "client"), "retransmissions");
	text_add_char(text, '+');
	add_count(text, child(sides, "server"), "retransmissions");
	if (!strcmp(text->chars, "0+0"))
		text->chars[text->length = 1] = '\0';
}

static double bytes_of(const cJSON *item)
{
	const cJSON *sides = child(item, "sides");

	return number(child(sides, "client"), "payload_bytes") +
		number(child(sides, "server"), "payload_bytes");
}

/* The least of the handshake and of both sides; NAN: unknown. */
static double rtt_of(const cJSON *item)
{
	const cJSON *path = child(child(item, "handshake"), "path_rtt_ns");
	double least = cJSON_IsNull(path) ? NAN : path->valuedouble;
	const cJSON *side;

	cJSON_ArrayForEach(side, child(item, "sides"))
	{
		const cJSON *rtt = child(side, "rtt");

		if (number(rtt, "samples") > 0)
			least = fmin(least, number(rtt, "least_ns"));
	}
	return least;
}

static void add_span(struct text *text, double span_ns, bool drawn)
{
	if (isnan(span_ns))
		text_add_char(text, '-');
	else if (span_ns == 0)
		text_add_char(text, '<');
	else if (drawn)
		amount_short(text, UNIT_NS, span_ns);
	else
		figure_add(text, UNIT_NS, span_ns, 0);
}

/* The cells of a row in their order: " 12345 ", " 0+3 ", .. */
static void add_cells(struct text *cells, size_t count, const cJSON *item,
	bool drawn)
{
	const char *end = child(child(item, "teardown"), "kind")->valuestring;

	assert_int_equal(count, 5);
	if (drawn)
		amount_size(&cells[0], bytes_of(item));
	else
		text_add(&cells[0], "%.0f", bytes_of(item));
	add_span(&cells[1], number(item, "took_ns"), drawn);
	add_resent(&cells[2], item);
	add_span(&cells[3], rtt_of(item), drawn);
	text_add(&cells[4], "%s", strcmp(end, "none") ? end : "-");
}

/* ---- rows ---------------------------------------------------------------- */

/* The row that begins with this number; it ends with a line. */
static const char *row_of(const char *text, int number)
{
	for (const char *at = text; at; at = strchr(at, '\n')) {
		char *end;

		at += *at == '\n';
		const char *first = at;
		while (*first && (*first == ' ' || (*first & 0x80) ||
				*first == '|'))
			first++;
		if (strtol(first, &end, 10) == number && *end == ' ')
			return at;
	}
	return NULL;
}

/* The rest of a row after a cell; NULL: the row has no such cell. */
static const char *after_cell(const char *row, const char *chars)
{
	size_t length = strlen(chars);

	for (const char *at = row; (at = strstr(at, chars)); at++) {
		bool begins = at > row && at[-1] == ' ';
		/* "<1 us" is a span below the resolution. */
		bool ends = *chars == '<' || !at[length] || at[length] == ' ';

		if (begins && ends)
			return at + length;
	}
	return NULL;
}

/* Every cell is in the row, after the cells before it. */
static bool has_cells(const char *row, const struct text *cells, size_t count)
{
	char *line = xstrndup(row, strcspn(row, "\n"));
	const char *at = line;

	for (size_t i = 0; at && i < count; i++)
		at = after_cell(at, cells[i].chars);
	free(line);
	return at != NULL;
}

static void compare(const char *rows, const cJSON *item, bool drawn)
{
	enum { CELLS = 5 };
	struct text cells[CELLS] = { 0 };
	const char *row = row_of(rows, (int)number(item, "number"));

	add_cells(cells, CELLS, item, drawn);
	if (!row) {
		print_error("%s\nno row %.0f\n", rows, number(item, "number"));
		fail();
	}
	if (!has_cells(row, cells, CELLS)) {
		print_error("%.*s\nexpected %s %s %s %s %s\n",
			(int)strcspn(row, "\n"), row, cells[0].chars,
			cells[1].chars, cells[2].chars, cells[3].chars,
			cells[4].chars);
		fail();
	}
	for (size_t i = 0; i < CELLS; i++)
		text_free(&cells[i]);
}

static void compare_all(void)
{
	enum { WIDE = 200, HIGH = 500 };
	const struct text_layout layout = { .width = WIDE };
	const struct annotator *annotator = lab.capture_file.annotator;
	const struct capture_origin origin = { .file = "x" };
	const struct list_choice choice = { 0 };
	struct list_rows rows = { 0 };
	struct text json = { 0 }, summary = { 0 };
	struct error error;
	const cJSON *item;

	connections_write(annotator, &origin, &json);
	list_text(&rows, annotator, &choice, &layout, &summary);
	const char *table = drawn_at(WIDE, HIGH);
	cJSON *tree = json_parse(json.chars, json.length, "", &error);
	assert_non_null(tree);
	cJSON_ArrayForEach(item, child(tree, "connections")) {
		compare(summary.chars, item, false);
		compare(table, item, true);
	}
	cJSON_Delete(tree);
	text_free(&json);
	text_free(&summary);
}

static void test_all_captures(void **state)
{
	DIR *captures = opendir(folder);
	const struct dirent *entry;
	int files = 0;

	while ((entry = readdir(captures))) {
		if (!strstr(entry->d_name, ".pcap"))
			continue;
		print_message("%s\n", entry->d_name);
		assert_true(net_public(&lab, entry->d_name));
		if (!files)
			screen_execute(&screen,
				"view net; focus connections; net zoom");
		compare_all();
		files++;
	}
	closedir(captures);
	assert_true(files > 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_all_captures, open_lab,
			close_lab),
	};

	if (access(folder, R_OK)) {
		printf("SKIP: no public captures here\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
