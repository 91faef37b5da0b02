/* The Net screen's table of connections: which columns are shown where room is
 * short, and what is said about the others. */
#include "net_fixture.h"

#include "seated.h"

static int open_lab(void **state)
{
	net_lossy_open(&lab, &screen, "connections");
	return 0;
}

/* Connections with long addresses; the second waits two seconds for an
 * acknowledgement. */
static void long_names(void)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(&lab, "/tmp/long.pcap");
	for (int i = 0; i < 2; i++) {
		talk.flow = flow_new();
		talk.flow.six = true;
		talk.flow.port[0] = (uint16_t)(40001 + i);
		talk_open(&talk, 100);
		SAY(&talk, .ms = 101, .length = 1000);
		SAY(&talk, .ms = 201 + 2000 * i, .side = SERVER, .ack = 1000);
	}
}

/* True if the table's head has the column. */
static bool has_column(int columns, int rows, const char *name)
{
	const char *head = strstr(drawn_at(columns, rows), "  no. ");
	char words[24];

	assert_non_null(head);
	snprintf(words, sizeof words, " %s ", name);
	const char *at = strstr(head, words);
	return at && at < strchr(head, '\n');
}

/* The column that orders the rows is always shown. */
static void test_order_has_column(void **state)
{
	static const char *const heads[] = { "retx", "end", "stall", "limit",
		"bytes", "time", "RTT" };

	long_names();
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		press("s");
		assert_true(has_column(80, 24, heads[i]));
		assert_true(has_column(50, 24, heads[i]));
		assert_true(has_column(120, 40, heads[i]));
	}
}

/* At the smallest common size, what tells a sick connection from others has
 * room, and a line names the columns that have none. */
static void test_left_out(void **state)
{
	static const char *const heads[] = { "port", "bytes", "retx", "stall",
		"limit", "end" };

	long_names();
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		assert_true(has_column(80, 24, heads[i]));
	assert_true(drawn_has(80, 24, "not shown: start, server, packets, "));
	assert_true(drawn_has(40, 12, "not shown: 1"));
	assert_false(drawn_has(200, 60, "not shown"));
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_order_has_column),
		IN_LAB(test_left_out),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
