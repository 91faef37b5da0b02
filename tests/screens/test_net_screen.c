/* The Net screen: its keys, its selection, and invariants at every size. */
#include <stdio.h>

#include "net_fixture.h"
#include "tiers.h"

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

/* ---- contents ------------------------------------------------------- */

/* The row of the screen that contains some words. */
static const char *row_of(const char *words)
{
	static char row[400];
	const char *at = strstr(drawn(), words), *all = drawn();

	if (!at)
		fail_msg("no '%s' in\n%s", words, all);
	while (at > all && at[-1] != '\n')
		at--;
	snprintf(row, sizeof row, "%.*s", (int)strcspn(at, "\n"), at);
	return row;
}

/* Time and delta are on the row of their arrow. */
static void test_r20_times_on_the_arrows_rows(void **state)
{
	const char *synack = row_of("SYN ACK  mss");

	assert_non_null(strstr(synack, " 40.000   +40.000"));
	assert_non_null(strstr(synack, "|<"));
	assert_non_null(strstr(synack, "RTT 40 ms"));
	assert_non_null(strstr(row_of("SYN  mss"), ">|"));
	assert_non_null(strstr(row_of("first data"), "10 segments"));
	assert_non_null(strstr(row_of("first data"), "IW 10"));
	/* In a capture at the server, the round trip is the other leg of the
	 * handshake. */
	net_window(&lab);
	assert_null(strstr(row_of("SYN ACK  mss"), "RTT"));
	assert_non_null(strstr(row_of("-- ACK --"), "RTT 20 ms"));
	/* On a narrow screen, the delta has priority over notes. */
	assert_non_null(strstr(drawn_at(40, 10), "+20.000"));
}

/* Segments and bytes add up to those of the capture. */
static void test_r20_totals(void **state)
{
	struct net_scene at = net_shown(&screen);
	const struct rounds *rounds = net_rounds(&at);
	const struct side *side = net_sending(&at);
	uint64_t segments = 0, bytes = 0, sent = 0;

	for (uint32_t i = 0; i < rounds->count; i++) {
		segments += rounds->at[i].segments;
		bytes += rounds->at[i].bytes;
	}
	for (size_t i = 0; i < at.packets; i++)
		if (net_packet(&at, i)->side == at.sender)
			sent += net_packet(&at, i)->packet.payload_bytes;
	assert_int_equal(bytes, 1000 * PATH_MSS);
	assert_int_equal(segments, side->segments);
	assert_int_equal(sent,
		bytes + side->retransmitted_segments * (uint64_t)PATH_MSS);
	screen_execute(&screen, "focus rounds; net zoom");
	assert_true(shows("1.38M"));
	assert_true(shows("1 retransmitted, recovery"));
	assert_true(shows("avoidance"));
}

static void test_phases(void **state)
{
	struct net_scene at = net_shown(&screen);
	const struct rounds *rounds = net_rounds(&at);
	uint32_t end = rounds->exit.round;

	assert_int_equal(rounds->exit.reason, EXIT_LOSS);
	for (uint32_t i = 0; i + 1 < end; i++)
		assert_int_equal(net_phase(&at, i), PHASE_SLOW_START);
	assert_int_equal(net_phase(&at, rounds->count - 1), PHASE_AVOIDANCE);
	assert_int_equal(net_rounds_for(at.connection, at.sender, 14480), 2);
	assert_int_equal(net_rounds_for(at.connection, at.sender, 14481), 3);
	assert_int_equal(net_rounds_for(at.connection, at.sender, UINT64_MAX),
		0);
	net_window(&lab);
	at = net_shown(&screen);
	assert_int_equal(net_phase(&at, net_rounds(&at)->count - 1),
		PHASE_WINDOW);
}

/* ---- keys ----------------------------------------------------------- */

static void test_panes(void **state)
{
	static const char *const titles[] = { "handshake", "segments per round",
		"sequence against time", "congestion window", "round trips",
		"throughput", "packets",
		"events", "path",
		"connections" };

	for (int i = 0; i < NET_PLACES; i++) {
		assert_int_equal(screen.focus[VIEW_NET], i);
		assert_true(shows(titles[i]));
		assert_non_null(strstr(drawn_at(40, 10), titles[i]));
		press("z");
		assert_true(shows(titles[i]));
		assert_int_equal(shows("- handshake"), i == NET_HANDSHAKE);
		press("z");
		assert_true(shows("- handshake"));
		press("Tab");
	}
	press("S-Tab");
	assert_int_equal(screen.focus[VIEW_NET], NET_CONNECTIONS);
}

static void test_packets(void **state)
{
	screen_execute(&screen, "focus packets");
	assert_int_equal(net_shown_packet(&screen), 1);
	press("Down");
	press("j");
	press("Right");
	assert_int_equal(net_shown_packet(&screen), 4);
	assert_true(shows("opens round 1"));
	press("Up");
	assert_int_equal(net_shown_packet(&screen), 3);
	press("PageDown");
	assert_int_equal(net_shown_packet(&screen), 13);
	press("End");
	press("Down");
	assert_int_equal(net_shown_packet(&screen),
		annotator_facts(lab.capture_file.annotator)->packets);
	press("Home");
	press("Left");
	assert_int_equal(net_shown_packet(&screen), 1);
	screen_execute(&screen, "packet to 5");
	assert_int_equal(net_shown_packet(&screen), 5);
	screen_execute(&screen, "packet to 0");
	assert_non_null(strstr(screen.message.chars, "from 1"));
	screen_execute(&screen, "packet upto 3");
	assert_non_null(strstr(screen.message.chars, "unknown word"));
	assert_int_equal(net_shown_packet(&screen), 5);
}

static void test_decode(void **state)
{
	press("Enter");
	assert_non_null(screen.page.text);
	assert_true(shows("packet 1"));
	assert_true(shows("flags      SYN"));
	assert_true(shows("MSS 1460: the most data in one segment"));
	assert_true(shows("window scale "));
	press("Esc");
	screen_execute(&screen, "packet to 4; decode");
	assert_true(shows("Starts round 1"));
	assert_true(shows("0 .. 1448 of the client's data (1001 on the wire)"));
}

static void test_mark_and_clock(void **state)
{
	screen_execute(&screen, "focus packets; packet to 4");
	press("m");
	assert_true(shows("to mark"));
	press("Up");
	assert_non_null(strstr(row_of("     3 "), "+0.000"));
	press("Down");
	press("m");
	assert_false(shows("to mark"));
	press("t");
	assert_true(shows("22:13:20.000000"));
	assert_true(shows("22:13:20.040000"));
	press("t");
	assert_false(shows("22:13:20"));
}

static void test_rounds_and_sequence(void **state)
{
	struct net_scene at = net_shown(&screen);

	screen_execute(&screen, "focus sequence");
	press("Down");
	assert_int_equal(net_shown_packet(&screen),
		net_rounds(&at)->at[0].number);
	press("Down");
	assert_int_equal(net_shown_packet(&screen),
		net_rounds(&at)->at[1].number);
	press("k");
	assert_int_equal(net_shown_packet(&screen),
		net_rounds(&at)->at[0].number);
	press("k"); /* there is no earlier one */
	assert_int_equal(net_shown_packet(&screen),
		net_rounds(&at)->at[0].number);
	press("+");
	assert_int_equal(net_shown(&screen).options->closer, 1);
	press("-");
	press("-");
	assert_int_equal(net_shown(&screen).options->closer, 0);
	screen_execute(&screen, "focus rounds");
	press("Down");
	press("Down");
	assert_int_equal(net_shown(&screen).options->round, 1);
	press("f");
	assert_false(net_shown(&screen).options->round_walked);
}

static void test_connections(void **state)
{
	press("n");
	assert_non_null(strstr(screen.message.chars, "only one"));
	net_three(&lab);
	assert_int_equal(net_shown(&screen).index, 2); /* most data */
	press("N");
	assert_int_equal(net_shown(&screen).index, 1);
	assert_true(shows("connection 2 of 3"));
	assert_true(shows("refused"));
	press("Up");
	assert_int_equal(net_shown(&screen).index, 0);
	assert_true(shows("connection 1 of 3"));
	press("Up");
	assert_int_equal(net_shown(&screen).index, 0);
	press("f");
	assert_int_equal(net_shown(&screen).index, 2);
}

/* The server closes first, in packet 4, and the client at the same time, in
 * packet 5. */
static void test_equal_closes(void **state)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(&lab, "/tmp/closes.pcap");
	talk_open(&talk, 20);
	SAY(&talk, .ms = 30, .side = SERVER, .flags = TCP_FIN | TCP_ACK);
	SAY(&talk, .ms = 30, .flags = TCP_FIN | TCP_ACK, .ack = 1);
	const char *all = drawn_at(120, 40);
	const char *server = strstr(all, "the server closes");
	const char *client = strstr(all, "the client closes");
	assert_true(server && client && server < client);
}

static void test_one_packet(void **state)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(&lab, "/tmp/one.pcap");
	SAY(&talk, .seq = 0, .length = 1000);
	assert_true(shows("1 packet") && !shows("1 packets"));
	SAY(&talk, .ms = 1, .seq = 1000, .length = 1000);
	lab.capture_file.serial++;
	assert_true(shows("2 packets"));
}

/* The title counts all packets, not only those in the log, and every pane that
 * draws packets states how many it lacks. */
static void test_many_packets(void **state)
{
	static const char *const panes[] = { "sequence", "window", "rtt",
		"throughput", "packets" };
	struct talk talk = { .flow = flow_new() };
	int many = PACKET_LOG_MAX + 9000;

	talk.annotator = net_capture(&lab, "/tmp/many.pcap");
	for (int i = 0; i < many; i++)
		SAY(&talk, .ms = i * 0.01, .seq = i * 100, .length = 100);
	assert_true(net_shown(&screen).packets < PACKET_LOG_MAX);
	assert_true(drawn_has(120, 40, "140072 packets"));
	for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
		char line[40];

		snprintf(line, sizeof line, "focus %s", panes[i]);
		screen_execute(&screen, line);
		assert_true(drawn_has(80, 24, " of 140072 packets kept"));
	}
	screen_execute(&screen, "focus events");
	assert_false(drawn_has(80, 24, "packets kept"));
}

static void test_nothing_to_show(void **state)
{
	capture_file_close(&lab.capture_file);
	assert_true(shows("`annotate FILE` opens a pcap"));
	press("Enter");
	assert_non_null(strstr(screen.message.chars, "no packets here"));
	press("Right");
	press("m");
	press("n");
	assert_non_null(strstr(screen.message.chars, "no packets here"));
	press("O");
	assert_non_null(strstr(screen.message.chars, "no other packets"));
	net_capture(&lab, "/tmp/empty.pcap");
	assert_true(shows("no TCP connection"));
}

/* If a file cannot be opened, the open file remains. */
static void test_wrong_name(void **state)
{
	screen_execute(&screen, "annotate /nowhere/at-all.pcap");
	assert_non_null(strstr(screen.message.chars, "cannot open"));
	assert_false(lab_busy(&lab));
	assert_true(shows("lossy.pcap"));
}

/* File names are untrusted text. */
static void test_names_are_safe(void **state)
{
	net_capture(&lab, "/tmp/evil\033[2J\u202e.pcap");
	net_window(&lab);
	free(lab.capture_file.path);
	lab.capture_file.path = xstrdup("/tmp/evil\033[2J.pcap");
	const char *all = drawn_at(200, 24);
	assert_null(strchr(all, '\033'));
	assert_non_null(strstr(all, "evil\\x1b[2J.pcap"));
}

/* The cursor is in the pane with the focus, for screen readers. */
static void test_r19_cursor(void **state)
{
	struct grid grid = { 0 };
	int last = -1;

	for (int i = 0; i < NET_PLACES; i++) {
		grid_reset(&grid, 120, 40, TIER_ASCII);
		view_draw(&screen, &grid);
		assert_true(grid.cursor_row > 0);
		int at = grid.cursor_row * 120 + grid.cursor_column;
		/* Plots share a place, and their time axis. */
		if (i <= NET_SEQUENCE || i > NET_RATE)
			assert_int_not_equal(at, last);
		last = at;
		press("Tab");
	}
	grid_free(&grid);
}

/* ---- a session without packets -------------------------------------- */

/* The contents that a session stores are drawn as they were from packets. */
static void test_session_draws_the_same(void **state)
{
	static char packets[1 << 16];

	net_window(&lab);
	screen_execute(&screen, "focus rounds");
	snprintf(packets, sizeof packets, "%s", drawn());
	net_keep(&lab, false);
	const char *stored = drawn();
	/* All rows except the title row, which has another name. */
	assert_string_equal(strchr(stored, '\n'), strchr(packets, '\n'));
	screen_execute(&screen, "focus packets");
	assert_true(shows("a session keeps the analysis"));
	screen_execute(&screen, "focus sequence");
	assert_true(shows("sent"));
	screen_execute(&screen, "focus path");
	assert_true(shows("receive window limits"));
}

/* The newer source is shown; a key changes to the other one. */
static void test_file_or_run(void **state)
{
	net_keep(&lab, false);
	assert_int_equal(net_shown(&screen).source.kind, NET_RUN);
	net_three(&lab);
	lab.capture_file.after_runs = lab.session->run_count;
	assert_int_equal(net_shown(&screen).source.kind, NET_FILE);
	press("O");
	assert_int_equal(net_shown(&screen).source.kind, NET_RUN);
	press("O");
	assert_int_equal(net_shown(&screen).source.kind, NET_FILE);
}

/* ---- every size ----------------------------------------------------- */

static void test_r10_every_size(void **state)
{
	static void (*const makers[])(
		struct lab *) = { net_lossy, net_window, net_three };

	for (size_t m = 0; m < sizeof makers / sizeof *makers; m++) {
		makers[m](&lab);
		for (int place = 0; place < NET_PLACES; place++) {
			screen_view(&screen, VIEW_NET, place);
			screen_execute(&screen,
				place % 2 ? "net zoom; net clock" :
					    "net closer; packet 9");
			draw_sizes(&screen, 240, 80, 6, 4);
		}
	}
}

/* At the receiver's tap a repeat of data that had arrived is needless, in the
 * rounds as in the list of packets. */
static void test_needless(void **state)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(&lab, "/tmp/needless.pcap");
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = 1012);
	SAY(&talk, .ms = 0.1, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = 1012);
	SAY(&talk, .ms = 40);
	for (int i = 0; i < 10; i++)
		SAY(&talk, .ms = 41, .seq = i * 1000, .length = 1000);
	SAY(&talk, .ms = 42, .side = SERVER, .ack = 10000, .tsval = 200042);
	SAY(&talk, .ms = 43, .length = 1000, .tsecr = 200000);
	screen_execute(&screen, "focus rounds");
	assert_true(shows("1 retransmitted, needless"));
	assert_true(shows("1: a needless retransmission ended"));
	assert_false(shows("recovery"));
}

static void send_ten(struct talk *talk, double ms, int first)
{
	for (int i = first; i < first + 10; i++)
		SAY(talk, .ms = ms, .seq = i * 1000, .length = 1000);
}

/* Two rounds, each with a time-out long after its data, and between them a
 * repeat that is repeated within a recovery, without a time-out. */
static void test_time_out(void **state)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(&lab, "/tmp/timeout.pcap");
	talk_open(&talk, 40);
	send_ten(&talk, 41, 0);
	SAY(&talk, .ms = 81, .side = SERVER, .ack = 10000);
	send_ten(&talk, 82, 10);
	SAY(&talk, .ms = 582, .seq = 10000, .length = 1000);
	SAY(&talk, .ms = 622, .side = SERVER, .ack = 20000);
	send_ten(&talk, 623, 20);
	for (int i = 0; i < 3; i++)
		SAY(&talk, .ms = 663 + i, .side = SERVER, .ack = 20000,
			.sacks = 1, .sack = { { 26000, 27000 + i * 1000 } });
	SAY(&talk, .ms = 667, .seq = 20000, .length = 1000);
	SAY(&talk, .ms = 697, .seq = 20000, .length = 1000);
	SAY(&talk, .ms = 708, .side = SERVER, .ack = 30000);
	send_ten(&talk, 709, 30);
	SAY(&talk, .ms = 1709, .seq = 30000, .length = 1000);
	SAY(&talk, .ms = 1749, .side = SERVER, .ack = 40000);
	struct net_scene at = net_shown(&screen);
	const struct rounds *rounds = net_rounds(&at);
	assert_int_equal(rounds->count, 4);
	assert_int_equal(net_phase(&at, 1), PHASE_TIME_OUT);
	assert_int_equal(net_phase(&at, 2), PHASE_RECOVERY);
	assert_int_equal(net_phase(&at, 3), PHASE_TIME_OUT);
	assert_int_equal(net_phase_start(&at, 2) - rounds->at[2].start_ns,
		44000000);
	assert_true(drawn_has(120, 40, " 582.000 time-out, restarts"));
	assert_true(drawn_has(120, 40, " 667.000 recovery, retransmits"));
	assert_true(drawn_has(120, 40, " 1709.000 time-out, restarts"));
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_r20_times_on_the_arrows_rows),
		IN_LAB(test_r20_totals),
		IN_LAB(test_phases),
		IN_LAB(test_panes),
		IN_LAB(test_packets),
		IN_LAB(test_decode),
		IN_LAB(test_mark_and_clock),
		IN_LAB(test_rounds_and_sequence),
		IN_LAB(test_connections),
		IN_LAB(test_equal_closes),
		IN_LAB(test_one_packet),
		IN_LAB(test_many_packets),
		IN_LAB(test_nothing_to_show),
		IN_LAB(test_wrong_name),
		IN_LAB(test_names_are_safe),
		IN_LAB(test_r19_cursor),
		IN_LAB(test_session_draws_the_same),
		IN_LAB(test_file_or_run),
		IN_LAB(test_needless),
		IN_LAB(test_time_out),
		IN_LAB(test_r10_every_size),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
