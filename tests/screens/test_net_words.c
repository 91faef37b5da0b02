/* The Net screen has one phrase for one thing. */
#include "net_fixture.h"

#include "seated.h"

static int open_lab(void **state)
{
	net_lossy_open(&lab, &screen, "handshake");
	return 0;
}

/* Summary and events agree about a silence that ended slow start, of which the
 * cause is unknown. */
static void test_silence(void **state)
{
	static const char *const names[] = { "zeek-psql-aws-ssl-require.pcap",
		"zeek-xmpp-dialback-starttls.pcap" };
	static const char words[] = "slow start ended in a silence";

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!net_public(&lab, names[i]))
			skip_because("no public captures here");
		screen_execute(&screen, "view lab; view net; focus events");
		int found = 0;

		for (const char *at = drawn_at(120, 40);
			(at = strstr(at, words)) != NULL; at++)
			found++;
		/* In the events, the phases and the status row. */
		assert_true(found >= 3);
	}
}

/* A segment that is sent for the second time is "retransmitted", in a table
 * "retx", on every pane. */
static void test_retransmitted(void **state)
{
	static const char *const others[] = { "repeated", "repeats",
		"sent again", "resent" };
	static const char *const places[] = { "handshake", "rounds", "packets",
		"events", "path", "connections" };
	static const char *const names[] = { "zeek-206_example_a.pcap",
		"zeek-fin_retransmission.pcap", "zeek-reassembly.pcap" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!net_public(&lab, names[i]))
			skip_because("no public captures here");
		for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
			char line[64];

			snprintf(line, sizeof line,
				"view lab; view net; focus %s", places[k]);
			screen_execute(&screen, line);
			for (size_t m = 0; m < 4; m++)
				assert_false(drawn_has(160, 60, others[m]));
		}
	}
}

/* The list and the status row agree that the receiver discarded data, which is
 * no loss of the path. */
static void test_discarded(void **state)
{
	if (!net_public(&lab, "zeek-206_example_b.pcap"))
		skip_because("no public captures here");
	screen_execute(&screen, "view lab; view net; focus connections");
	assert_true(drawn_has(200, 60, "discarded data beyond its window"));
	assert_true(drawn_has(200, 60, "    discarded "));
	assert_false(drawn_has(200, 60, " loss "));
}

/* Where the time of a handshake went is stated at both common sizes, also if
 * its arrows fill the pane. */
static void test_lost_time(void **state)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(&lab, "/tmp/lost.pcap");
	for (int i = 0; i < 3; i++) {
		SAY(&talk, .ms = 1000 * i, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = 1000 * i + 5, .side = SERVER,
			.flags = TCP_SYN | TCP_ACK, .seq = -1);
	}
	SAY(&talk, .ms = 2050);
	SAY(&talk, .ms = 2051, .length = 1000);
	SAY(&talk, .ms = 2060, .side = SERVER, .ack = 1000);
	screen_execute(&screen, "focus handshake");
	assert_true(drawn_has(80, 24, "Connecting lost 2 s: "));
	assert_true(drawn_has(120, 40, "Connecting lost 2 s: "));
}

/* A line that has no room in the path's pane is counted, and an unknown limit
 * is called so. */
static void test_path(void **state)
{
	screen_execute(&screen, "focus path");
	assert_true(drawn_has(120, 40, "limited by   unknown"));
	assert_true(drawn_has(80, 24, "limited by   unknown"));
	assert_true(drawn_has(120, 40, "             and 5 more"));
	screen_execute(&screen, "net zoom");
	assert_false(drawn_has(120, 40, "             and "));
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_silence),
		IN_LAB(test_retransmitted),
		IN_LAB(test_discarded),
		IN_LAB(test_lost_time),
		IN_LAB(test_path),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
