/* The Net screen: the list of connections, its order and filter, the events,
 * and what the sequence plot marks. */
#include "net_fixture.h"

#include "seated.h"

static int open_lab(void **state)
{
	net_lossy_open(&lab, &screen, "handshake");
	return 0;
}

static const char *drawn(void)
{
	return drawn_at(80, 24);
}

static bool shows(const char *words)
{
	return drawn_has(80, 24, words);
}

/* The numbers in the rows of the list, as "123". */
static const char *listed(void)
{
	static char numbers[8];
	struct net_scene at = net_shown(&screen);

	for (size_t i = 0; i < at.row_count; i++)
		numbers[i] = (char)('1' + at.rows[i].index);
	numbers[at.row_count] = '\0';
	return numbers;
}

static void test_sorted(void **state)
{
	net_three(&lab);
	press("s");
	assert_int_equal(screen.focus[VIEW_NET], NET_CONNECTIONS);
	assert_string_equal(listed(), "123");
	assert_true(shows(" s sort "));
	press("s");
	assert_true(shows("connections by retx"));
	assert_string_equal(listed(), "312");
	press("S");
	assert_string_equal(listed(), "123");
	press("S");
	/* All panes show the first row of the new order. */
	assert_int_equal(net_shown(&screen).index, 2);
	assert_true(shows("10.0.0.1:40002 to"));
	/* Steps go down the list, numbers stay. */
	press("Down");
	assert_int_equal(net_shown(&screen).index, 0);
	screen_execute(&screen, "connection to 2");
	assert_int_equal(net_shown(&screen).row, 2);
}

/* A connection keeps its number when earlier ones are forgotten. */
static void test_numbers(void **state)
{
	struct talk talk = { .annotator = net_capture(&lab, "/tmp/many.pcap") };

	for (int i = 0; i < CONNECTIONS_MAX + 10; i++) {
		talk.flow = flow_new();
		talk.flow.port[0] = (uint16_t)(1000 + i);
		SAY(&talk, .ms = i, .flags = TCP_SYN, .seq = -1);
	}
	uint64_t last = CONNECTIONS_MAX + 10;
	screen_execute(&screen, "focus connections; connection to 4106");
	assert_int_equal(net_shown(&screen).connection->number, last);
	assert_true(shows("4106 of 4106"));
	assert_true(shows(" 4105 "));
	screen_execute(&screen, "connection to 4000");
	assert_int_equal(net_shown(&screen).connection->number, 4000);
}

/* One key opens the time axis, and returns to the table. */
static void test_lanes(void **state)
{
	net_three(&lab);
	press("c");
	assert_true(shows("connections on one time axis by start"));
	press("s");
	assert_true(shows("on one time axis by retx"));
	press("c");
	assert_true(shows("connections by retx"));
	press("c");
	screen_execute(&screen, "focus handshake");
	press("c");
	assert_true(shows("on one time axis"));
}

static void test_filter(void **state)
{
	net_three(&lab);
	screen_execute(&screen, "only host=10.0.0.1 port=40001");
	assert_int_equal(screen.focus[VIEW_NET], NET_CONNECTIONS);
	assert_string_equal(listed(), "2");
	assert_int_equal(net_shown(&screen).index, 1);
	assert_true(shows("1 of 1, host=10.0.0.1 port=40001"));
	screen_execute(&screen, "only port=9");
	assert_non_null(strstr(screen.message.chars, "has such an end"));
	assert_string_equal(listed(), "2");
	screen_execute(&screen, "only host=nowhere");
	assert_non_null(strstr(screen.message.chars, "not an address"));
	press("/");
	assert_true(shows(":only"));
	press("Enter");
	assert_string_equal(listed(), "123");
	/* A new file has its own filter. */
	screen_execute(&screen, "only port=40001");
	net_lossy(&lab);
	assert_string_equal(listed(), "1");
}

/* Esc takes back one step at a time. */
static void test_back(void **state)
{
	net_three(&lab);
	press("s");
	press("/");
	for (const char *at = "40001"; *at; at++)
		press((const char[]){ *at, '\0' });
	press("Enter");
	assert_string_equal(listed(), "2");
	press("z");
	press("Esc");
	assert_true(shows("- handshake"));
	assert_string_equal(listed(), "2");
	press("Esc");
	assert_string_equal(listed(), "123");
	assert_int_equal(net_shown(&screen).index, 1);
	assert_int_equal(screen.focus[VIEW_NET], NET_CONNECTIONS);
	press("Esc");
	assert_int_equal(screen.focus[VIEW_NET], NET_HANDSHAKE);
	assert_int_equal(screen.view, VIEW_NET);
	press("Esc");
	assert_int_equal(screen.view, VIEW_LAB);
}

/* The brackets go from event to event, also beside the packets. */
static void test_events(void **state)
{
	press("]");
	assert_int_equal(screen.focus[VIEW_NET], NET_EVENTS);
	assert_int_equal(net_shown(&screen).event, 0);
	uint64_t first = net_shown_packet(&screen);
	press("]");
	assert_int_equal(net_shown(&screen).event, 1);
	assert_true(net_shown_packet(&screen) >= first);
	press("[");
	assert_int_equal(net_shown_packet(&screen), first);
	screen_execute(&screen, "focus packets; packet to 1");
	press("]");
	assert_int_equal(screen.focus[VIEW_NET], NET_PACKETS);
	assert_int_equal(net_shown_packet(&screen), first);
	press("End");
	screen_execute(&screen, "event -1");
	assert_non_null(strstr(screen.message.chars, "packet "));
	screen_execute(&screen, "event to 99999; focus events");
	assert_int_equal(net_shown(&screen).event,
		net_shown(&screen).connection->event_count - 1);
	net_three(&lab);
	screen_execute(&screen, "connection to 1; event 1");
	assert_non_null(strstr(screen.message.chars, "no events"));
}

/* A segment that was overtaken before the tap is not drawn as sent again. */
static void test_reordered(void **state)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(&lab, "/tmp/late.pcap");
	talk_open(&talk, 10);
	SAY(&talk, .ms = 11, .side = SERVER, .length = 1000);
	SAY(&talk, .ms = 12, .side = SERVER, .seq = 2000, .length = 1000,
		.tsval = -1);
	SAY(&talk, .ms = 12.1, .side = SERVER, .seq = 1000, .length = 1000,
		.tsval = -1);
	SAY(&talk, .ms = 22, .ack = 3000, .window = 100);
	screen_execute(&screen, "focus sequence; net zoom");
	assert_true(shows("r reordered or late"));
	assert_false(shows("x retransmitted"));
	assert_true(shows("window"));
	assert_null(memchr(strstr(drawn(), "KiB"), 'x', 80 * 12));
	/* The scaled window: 100 << 7. */
	screen_execute(&screen, "focus packets");
	assert_non_null(strstr(drawn_at(120, 24), "12800 "));
}

/* One key goes through the plots. */
static void test_plots(void **state)
{
	static const char *const titles[] = { "sequence against time",
		"congestion window", "round trips against time",
		"throughput against time", "sequence against time" };

	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
		press("v");
		assert_true(shows(titles[i]));
	}
	screen_execute(&screen, "focus rtt");
	assert_true(shows("least 40.1 ms, 221 samples"));
}

/* A close long after the last data does not squeeze the plot. */
static void test_idle_end(void **state)
{
	net_idle_end(&lab);
	screen_execute(&screen, "focus sequence");
	assert_true(shows("+60 s"));
	assert_true(shows("ms 0"));
	press("-");
	assert_false(shows("+60 s"));
	assert_true(shows(" s 0"));
	press("0");
	assert_true(shows("+60 s"));
	/* A packet there is in view when it is selected. */
	press("End");
	assert_false(shows("+60 s"));
}

/* The plot has the round trips that its title counts, or says where they
 * are. */
static void test_round_trips(void **state)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(&lab, "/tmp/trips.pcap");
	talk_open(&talk, 10);
	SAY(&talk, .ms = 11, .length = 1000);
	SAY(&talk, .ms = 31, .side = SERVER, .ack = 1000);
	SAY(&talk, .ms = 1000, .flags = TCP_FIN | TCP_ACK, .seq = 1000);
	SAY(&talk, .ms = 1001, .side = SERVER, .ack = 1001);
	screen_execute(&screen, "focus rtt");
	assert_true(shows("least 1 ms, 2 samples"));
	assert_true(shows("RTT"));
	assert_false(shows("timed"));
	for (int i = 0; i < 6; i++)
		press("+");
	assert_true(shows("timed are outside the times in view"));
	/* The omitted time is not cut. */
	screen_execute(&screen, "net whole; focus sequence");
	assert_true(shows("+960 ms"));
}

/* List, path, phases and plot agree about a sender whose buffer limits it, and
 * which is not at the tap. */
static void test_send_buffer(void **state)
{
	if (!net_public(&lab, "zeek-no_crlf.pcap"))
		skip_because("no public captures here");
	screen_execute(&screen, "focus window");
	const char *words[] = { "limited by   send buffer",
		"send buffer limits", "probably the send buffer",
		"1519 of 1519 captured", "more is in flight" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		assert_true(drawn_has(120, 40, words[i]));
	assert_false(drawn_has(120, 40, "application limits"));
	screen_execute(&screen, "focus connections");
	assert_true(shows(" send buffer "));
}

/* A segment of a capture at its receiver, after the next one. */
static void test_reordered_public(void **state)
{
	if (!net_public(&lab, "zeek-psql-aws-ssl-require.pcap"))
		skip_because("no public captures here");
	screen_execute(&screen, "focus sequence; net zoom");
	assert_true(shows("r reordered or late"));
	assert_false(shows("x retransmitted"));
	assert_null(memchr(strstr(drawn(), "KiB"), 'x', 80 * 12));
	struct net_scene at = net_shown(&screen);
	size_t late = 0;
	for (size_t i = 0; i < at.packets; i++) {
		unsigned marks = net_packet(&at, i)->marks;

		late += (marks & MARK_REORDERED) != 0;
		if (net_packet(&at, i)->side == at.sender)
			assert_false(marks & MARK_RETRANSMISSION);
	}
	assert_int_equal(late, 1);
}

/* A file is not measured again on an emulated link. */
static void test_too_short(void **state)
{
	if (!net_public(&lab, "zeek-smb3_multichannel.pcap"))
		skip_because("no public captures here");
	screen_execute(&screen, "connection to 1");
	assert_true(shows("slow start is not observable."));
	assert_false(shows("host=link"));
}

/* A handshake whose SYN is sent twice. */
static void repeat_syn(struct talk *talk)
{
	*talk = (struct talk){ .flow = flow_new() };
	talk->annotator = net_capture(&lab, "/tmp/repeated.pcap");
	SAY(talk, .flags = TCP_SYN, .seq = -1);
	SAY(talk, .ms = 1000, .flags = TCP_SYN, .seq = -1);
	SAY(talk, .ms = 1010, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	SAY(talk, .ms = 1011);
}

/* A repeated SYN is one in the phases, the list and the packets. */
static void test_syn_repeated(void **state)
{
	struct talk talk;

	repeat_syn(&talk);
	screen_execute(&screen, "focus connections");
	assert_true(drawn_has(120, 40, "connect, SYN retx"));
	assert_true(shows(" 1+0 "));
	screen_execute(&screen, "focus packets");
	assert_true(shows(" retx: SYN "));
}

/* In a simultaneous open each side sends a SYN/ACK, and repeats neither. */
static void test_crossed(void **state)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(&lab, "/tmp/crossed.pcap");
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 5, .side = SERVER, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 5.1, .flags = TCP_SYN | TCP_ACK, .seq = -1);
	SAY(&talk, .ms = 10, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	SAY(&talk, .ms = 10.1);
	screen_execute(&screen, "focus handshake");
	drawn_at(120, 40);
	const char *first = strstr(drawn(), "SYN ACK");
	assert_non_null(first);
	assert_non_null(strstr(first + 1, "SYN ACK"));
	assert_null(strstr(drawn(), "SYN ACK retx"));
}

/* The counts are those of the table; repeats of SYN and FIN are named. */
static void test_bare_repeats(void **state)
{
	struct talk talk;

	repeat_syn(&talk);
	for (int i = 0; i < 3; i++)
		SAY(&talk, .ms = 1012 + 400 * i, .flags = TCP_FIN | TCP_ACK);
	screen_execute(&screen, "focus connections");
	assert_true(shows(" Retransmitted: client 3 (1 SYN, 2 FIN)."));
	assert_false(shows("segment"));
}

/* Equal timestamps show an upper bound, by their resolution. */
static void test_equal_times(void **state)
{
	static const struct {
		double ms;
		const char *words;
	} cases[] = { { 50, " <1 ms " }, { 50.001, " <1 us " } };

	for (size_t i = 0; i < 2; i++) {
		struct talk talk = { .flow = flow_new() };

		talk.annotator = net_capture(&lab, "/tmp/equal.pcap");
		SAY(&talk, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
			.seq = -1);
		SAY(&talk, .ms = 0);
		SAY(&talk, .ms = cases[i].ms, .length = 100);
		screen_execute(&screen, "focus connections");
		assert_true(shows(cases[i].words));
		assert_false(shows(" 0 ns"));
	}
}

/* The rounds and goodput of one direction are unknown for want of the other. */
static void test_one_direction(void **state)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(&lab, "/tmp/half.pcap");
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	for (int i = 0; i < 5; i++)
		SAY(&talk, .ms = 50 + 40 * i, .seq = i * 100, .length = 100);
	screen_execute(&screen, "focus rounds");
	assert_true(drawn_has(120, 40, "the other direction is not"));
	assert_false(drawn_has(120, 40, "capture point"));
	assert_false(drawn_has(120, 40, "goodput"));
}

/* A retransmission that a DSACK shows as needless is no loss. */
static void test_needless(void **state)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(&lab, "/tmp/needless.pcap");
	talk_open(&talk, 40);
	for (int i = 0; i < 10; i++)
		SAY(&talk, .ms = 41, .seq = i * 1000, .length = 1000);
	SAY(&talk, .ms = 341, .length = 1000);
	screen_execute(&screen, "focus rounds");
	assert_true(shows("Round 1: loss may have ended slow start."));
	SAY(&talk, .ms = 342, .side = SERVER, .ack = 10000);
	SAY(&talk, .ms = 382, .side = SERVER, .ack = 10000, .sacks = 1,
		.sack = { { 0, 1000 } });
	screen_execute(&screen, "focus rounds");
	assert_true(shows("1: a needless retransmission ended"));
	assert_false(shows("loss ended"));
}

/* A reset is listed with the position that it acknowledges, and does not pull
 * the lines down. */
static void test_reset(void **state)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(&lab, "/tmp/reset.pcap");
	talk_open(&talk, 10);
	for (int i = 0; i < 10; i++)
		SAY(&talk, .ms = 11 + i, .seq = i * 1000, .length = 1000);
	SAY(&talk, .ms = 31, .side = SERVER, .ack = 10000, .window = 100);
	SAY(&talk, .ms = 32, .side = SERVER, .flags = TCP_RST | TCP_ACK,
		.ack = 10000, .window = -1);
	screen_execute(&screen, "focus packets; packet to 15");
	assert_true(drawn_has(120, 40, " 10000       0 reset"));
	screen_execute(&screen, "focus sequence");
	assert_true(strstr(drawn(), " window ") < strstr(drawn(), " acked "));
}

/* The questions of a network engineer, each answered within three keys on both
 * common sizes of a terminal. */
static void test_five_questions(void **state)
{
	static const struct {
		void (*make)(struct lab *);
		const char *keys[3], *answer;
	} questions[] = {
		{ net_lossy, { NULL }, "Retransmitted: client 1." },
		{ net_lossy, { "S-Tab", "S-Tab" },
			"retransmits  client 1, server 0" },
		{ net_lossy, { "s" }, "retx: client+server, 1 of 1" },
		{ net_lossy, { NULL }, "loss may have ended slow start" },
		{ net_window, { "s" }, " receiver " },
		{ net_congested, { "s" }, " network " },
		{ net_window, { "S-Tab", "S-Tab" }, "limited by   receiver" },
		{ net_lossy, { NULL }, "RTT 40 ms" },
		{ net_three, { "s", "s", "s" }, "connections by end" },
		{ net_three, { "s", "s" }, "connections by retx" },
	};

	for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
		questions[i].make(&lab);
		screen_execute(&screen, "view lab; focus handshake");
		net_options(&screen)->order = ORDER_START;
		for (int k = 0; k < 3 && questions[i].keys[k]; k++)
			press(questions[i].keys[k]);
		assert_true(drawn_has(80, 24, questions[i].answer));
		assert_true(drawn_has(120, 40, questions[i].answer));
	}
	/* The sick one is the first in the list, and all panes show it. */
	assert_int_equal(net_shown(&screen).rows[0].index, 2);
	assert_int_equal(net_shown(&screen).index, 2);
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_sorted),
		IN_LAB(test_numbers),
		IN_LAB(test_lanes),
		IN_LAB(test_filter),
		IN_LAB(test_back),
		IN_LAB(test_events),
		IN_LAB(test_reordered),
		IN_LAB(test_plots),
		IN_LAB(test_idle_end),
		IN_LAB(test_round_trips),
		IN_LAB(test_send_buffer),
		IN_LAB(test_reordered_public),
		IN_LAB(test_too_short),
		IN_LAB(test_syn_repeated),
		IN_LAB(test_crossed),
		IN_LAB(test_bare_repeats),
		IN_LAB(test_equal_times),
		IN_LAB(test_one_direction),
		IN_LAB(test_needless),
		IN_LAB(test_reset),
		IN_LAB(test_five_questions),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
