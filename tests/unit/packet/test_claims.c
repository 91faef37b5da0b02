/* The annotator reports only what is certain. */
#include "rounds.h"

/* The last data and its FIN: the data ends, not slow start. */
static void test_fin(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .length = PATH_MSS, .tsecr = 41);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = PATH_MSS, .tsval = 90);
	SAY(&talk, .ms = 90, .seq = PATH_MSS, .length = 100, .tsecr = 90);
	SAY(&talk, .ms = 91, .flags = TCP_FIN | TCP_ACK, .seq = PATH_MSS + 100);
	assert_int_equal(path_sender(&talk)->rounds.exit.reason,
		EXIT_END_OF_DATA);
	assert_int_equal(count_events(talk_connection(&talk), EVENT_EXIT), 0);
	talk_end(&talk);
}

/* The capture lost the last flight, or does not show whether a packet was lost:
 * slow start may have ended before the data. */
static void test_unseen_end(void **state)
{
	static const struct {
		bool lost, unclear;
		const char *words;
	} cases[] = {
		{ false, false, "the data ended during slow start" },
		{ true, false, "slow start may have ended before the data did" },
		{ false, true, "slow start may have ended before the data did" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;
		int end = (cases[i].lost ? 7 : 3) * PATH_MSS;

		talk_begin(&talk, TAP_SERVER);
		talk.flow.timestamps = false;
		talk_open(&talk, 40);
		SAY(&talk, .ms = 50, .length = PATH_MSS);
		SAY(&talk, .ms = 50.1, .side = SERVER, .ack = PATH_MSS);
		for (int k = 1; k < 3; k++)
			SAY(&talk, .ms = 70 + 25 * k,
				.seq = (cases[i].unclear ? 3 - k : k) *
					PATH_MSS,
				.length = PATH_MSS);
		SAY(&talk, .ms = 130, .side = SERVER, .ack = end);
		SAY(&talk, .ms = 170, .flags = TCP_FIN | TCP_ACK, .seq = end);
		const struct side *side = talk_side(&talk, CLIENT);
		bool unseen = cases[i].lost || cases[i].unclear;
		assert_int_equal(side->unclear, cases[i].unclear);
		assert_int_equal(side_exit(side).reason,
			unseen ? EXIT_UNKNOWN : EXIT_END_OF_DATA);
		assert_int_equal(side_exit(side).certain, !unseen);
		assert_string_equal(side_exit_words(side), cases[i].words);
		talk_end(&talk);
	}
}

/* A capture of one direction: window, closing order and the other FIN are
 * unknown. */
static void test_one_direction(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	for (int i = 0; i < 5; i++)
		SAY(&talk, .ms = 50 + 40 * i, .seq = i * 100, .length = 100);
	SAY(&talk, .ms = 300, .seq = 0, .length = 100);
	SAY(&talk, .ms = 400, .flags = TCP_FIN | TCP_ACK, .seq = 500);
	const struct connection *connection = talk_connection(&talk);
	assert_initial(&talk, WINDOW_UNKNOWN, 0);
	assert_int_equal(connection_close(connection), CLOSE_NONE);
	assert_int_equal(count_events(connection, EVENT_FIN_EARLY), 0);
	assert_int_equal(count_events(connection, EVENT_EXIT), 0);
	talk_end(&talk);
}

/* A FIN before the SYN/ACK is marked as early once the SYN/ACK is seen. */
static void test_fin_early(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 10, .flags = TCP_FIN, .seq = 0);
	assert_int_equal(count_events(talk_connection(&talk), EVENT_FIN_EARLY),
		0);
	SAY(&talk, .ms = 40, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(count_events(connection, EVENT_FIN_EARLY), 1);
	assert_int_equal(connection->events[0].number, 2);
	talk_end(&talk);
}

/* A FIN with the sequence number of the SYN: a SYN/ACK acknowledges the SYN,
 * not the FIN. */
static void test_fin_of_syn(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 10, .flags = TCP_FIN, .seq = -1);
	SAY(&talk, .ms = 40, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	const struct connection *connection = talk_connection(&talk);
	const struct close_leg *leg =
		&connection->teardown.leg[connection->client];
	assert_int_equal(leg->fin_number, 2);
	assert_int_equal(leg->ack_number, 0);
	SAY(&talk, .ms = 50, .seq = 0, .flags = TCP_FIN | TCP_ACK);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 1);
	assert_int_equal(leg->ack_number, 5);
	talk_end(&talk);
}

/* A reset by the side that opened the connection is an abort; only the other
 * side refuses. */
static void test_reset_by(void **state)
{
	for (int side = CLIENT; side <= SERVER; side++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		SAY(&talk, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = 1, .side = side, .flags = TCP_RST | TCP_ACK);
		const struct connection *connection = talk_connection(&talk);
		assert_int_equal(connection->teardown.reset,
			side == CLIENT ? RESET_ABORT : RESET_REFUSED);
		assert_int_equal(connection_close(connection),
			side == CLIENT ? CLOSE_RESET : CLOSE_REFUSED);
		talk_end(&talk);
	}
}

static void shake(struct talk *talk, double ms, double a_ms, double b_ms)
{
	SAY(talk, .ms = ms, .flags = TCP_SYN, .seq = -1);
	SAY(talk, .ms = ms + a_ms, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	SAY(talk, .ms = ms + a_ms + b_ms);
}

/* If the legs do not show the position of the capture, other connections of the
 * same host do. */
static void test_tap_host(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	shake(&talk, 0, 0.7, 3);
	assert_int_equal(talk_connection(&talk)->tap, TAP_UNKNOWN);
	assert_int_equal(talk_connection(&talk)->tap_basis, TAP_LEGS);
	for (int i = 0; i < 3; i++) {
		talk.flow.port[CLIENT]++;
		shake(&talk, 10 * (i + 1), 3, 0.05);
		assert_int_equal(talk_connection(&talk)->tap, TAP_CLIENT);
	}
	/* Also those before them. */
	assert_int_equal(annotator_connection(talk.annotator, 0)->tap,
		TAP_CLIENT);
	assert_int_equal(annotator_connection(talk.annotator, 0)->tap_basis,
		TAP_HOST);
	talk.flow.port[CLIENT]++;
	shake(&talk, 50, 3, 0.7);
	assert_int_equal(talk_connection(&talk)->tap, TAP_CLIENT);
	assert_int_equal(talk_connection(&talk)->tap_basis, TAP_HOST);
	/* Connections of another host do not show it. */
	talk.flow.port[CLIENT]++;
	talk.flow.address[CLIENT] += 100;
	talk.flow.address[SERVER] += 100;
	shake(&talk, 60, 3, 0.7);
	assert_int_equal(talk_connection(&talk)->tap, TAP_UNKNOWN);
	talk_end(&talk);
}

static void send_flight(struct talk *talk, double ms, int from, int to)
{
	for (int i = from; i < to; i++)
		SAY(talk, .ms = ms + (i - from) * 0.1, .seq = i * 1448,
			.length = 1448);
	SAY(talk, .ms = ms + 5, .side = SERVER, .ack = to * 1448);
}

/* After a lost flight the sender is silent until its timer expires. At the
 * receiver, only a request shows that the application was idle. */
static void test_silence(void **state)
{
	for (int asked = 0; asked < 2; asked++) {
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk_open(&talk, 40);
		send_flight(&talk, 50, 0, 2);
		send_flight(&talk, 95, 2, 6);
		send_flight(&talk, 140, 6, 10);
		if (asked)
			SAY(&talk, .ms = 600, .side = SERVER, .ack = 10 * 1448,
				.length = 100);
		send_flight(&talk, 640, 10, 11);
		const struct rounds *rounds =
			&talk_side(&talk, CLIENT)->rounds;
		assert_int_equal(rounds->count, 4);
		assert_int_equal(rounds->at[2].app_limited, asked);
		assert_int_equal(rounds->at[2].silent, !asked);
		assert_int_equal(rounds->exit.reason, EXIT_APPLICATION);
		assert_false(rounds->exit.certain);
		talk_end(&talk);
	}
}

/* Between the ends of a path without timestamps, a pause of the client before
 * its handshake's ACK makes its leg look longer than it is. The second flight
 * then seems too early, but the silence before it may end the first. */
static void test_long_leg(void **state)
{
	for (int pause_ms = 0; pause_ms <= 25; pause_ms += 25) {
		struct talk talk;

		talk_begin(&talk, TAP_MIDDLE);
		talk.flow.timestamps = false;
		SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = 1460);
		SAY(&talk, .ms = 40, .side = SERVER,
			.flags = TCP_SYN | TCP_ACK, .seq = -1, .mss = 1460);
		SAY(&talk, .ms = 60 + pause_ms);
		for (int k = 0; k < 2; k++) {
			int64_t from = k ? 10 : 0, to = k ? 30 : 10;

			for (int64_t i = from; i < to; i++)
				SAY(&talk, .ms = 100 + 60 * k, .seq = i * 1460,
					.length = 1460);
			SAY(&talk, .ms = 140 + 60 * k, .side = SERVER,
				.ack = to * 1460);
		}
		const struct initial_window window =
			side_initial_window(talk_connection(&talk), CLIENT);
		assert_int_equal(window.state,
			pause_ms ? WINDOW_NOT_OBSERVABLE : WINDOW_WHOLE);
		assert_int_equal(window.segments, pause_ms ? 0 : 10);
		talk_end(&talk);
	}
}

/* Away from the ends of a path the time from data to its acknowledgement lacks
 * a leg. Without a handshake nothing shows the round trip, and so no round, no
 * initial window and no idle application. */
static void test_no_round_trip(void **state)
{
	for (int tap = TAP_UNKNOWN; tap <= TAP_MIDDLE; tap += TAP_MIDDLE) {
		struct talk talk;

		talk_begin(&talk, (enum tap)tap);
		SAY(&talk, .flags = TCP_SYN | TCP_ACK, .side = SERVER,
			.seq = -1);
		for (int i = 0; i < 3; i++) {
			SAY(&talk, .ms = 50 * (i + 1), .side = SERVER,
				.seq = i * 1448, .length = 1448);
			SAY(&talk, .ms = 50 * (i + 1) + 0.1,
				.ack = (i + 1) * 1448);
		}
		const struct side *side = talk_side(&talk, 0);
		assert_int_equal(side->frames, 3);
		assert_int_equal(side->rtt.samples, 0);
		assert_int_equal(side->rounds.count, 0);
		assert_int_equal(side_initial_window(talk_connection(&talk), 0)
					 .state,
			WINDOW_UNKNOWN);
		talk_end(&talk);
	}
}

/* A server that delays its SYN/ACK, captured there: it acknowledges data in far
 * less than its leg, so the capture is not in mid-path. */
static void test_slow_synack(void **state)
{
	for (int slow = 0; slow < 2; slow++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		shake(&talk, 0, 10, 40);
		SAY(&talk, .ms = 60, .length = 1448);
		assert_int_equal(talk_side(&talk, CLIENT)->rounds.count, 1);
		SAY(&talk, .ms = slow ? 60.05 : 70, .side = SERVER,
			.ack = 1448);
		const struct connection *connection = talk_connection(&talk);
		assert_int_equal(connection->tap,
			slow ? TAP_UNKNOWN : TAP_MIDDLE);
		assert_int_equal(connection->handshake.path_ns,
			slow ? UNKNOWN_NS : 50000000);
		SAY(&talk, .ms = 101, .seq = 1448, .length = 1448);
		assert_int_equal(talk_side(&talk, CLIENT)->rounds.count,
			slow ? 0 : 2);
		talk_end(&talk);
	}
}

/* A sender whose buffer is not a multiple of the segment size sends the whole
 * buffer in each round. */
static void test_send_buffer(void **state)
{
	enum { BUFFER = 32768 };
	struct talk talk;
	int64_t seq = 0;

	talk_start(&talk);
	SAY(&talk, .ms = 41, .side = SERVER, .tsval = 41);
	for (int round = 0; round < 6; round++) {
		int bytes = round < 2 ? 14480 << round : BUFFER;

		for (int sent = 0; sent < bytes; sent += PATH_MSS)
			SAY(&talk, .ms = 50 + 40 * round, .seq = seq + sent,
				.length = bytes - sent < PATH_MSS ?
					(uint32_t)(bytes - sent) :
					PATH_MSS,
				.tsecr = 50 + 40 * round);
		seq += bytes;
		SAY(&talk, .ms = 90 + 40 * round, .side = SERVER, .ack = seq,
			.tsval = 90 + 40 * round);
	}
	assert_int_equal(path_sender(&talk)->rounds.exit.reason,
		EXIT_SEND_BUFFER);
	assert_false(path_sender(&talk)->rounds.exit.certain);
	talk_end(&talk);
}

/* Data beyond the receiver's window: its bytes and packets are counted, and one
 * event has the range. They are not if records are late, because the packet
 * that opened the window may be late too. */
static void test_beyond_window(void **state)
{
	for (int late = 0; late < 2; late++) {
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 45, .side = SERVER, .window = 1000);
		if (late)
			SAY(&talk, .ms = 49.5, .side = SERVER, .ack = 1000,
				.window = 16);
		SAY(&talk, .ms = 50, .length = 1000);
		SAY(&talk, .ms = 85, .side = SERVER, .ack = 1000, .window = 10);
		for (int i = 0; i < 7; i++)
			SAY(&talk, .ms = 90 + i, .seq = 126000 + i * 1000,
				.length = 1000);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->beyond_window, late ? 0 : 5);
		assert_int_equal(side->beyond_window_bytes,
			late ? 0 : 133000 - 1000 * 128);
		const struct connection *connection = talk_connection(&talk);
		const struct tcp_event *last =
			&connection->events[connection->event_count - 1];
		assert_int_equal(count_events(connection, EVENT_BEYOND_WINDOW),
			late ? 0 : 1);
		if (!late) {
			assert_int_equal(last->kind, EVENT_BEYOND_WINDOW);
			assert_int_equal(last->to - last->from,
				side->beyond_window_bytes);
		}
		talk_end(&talk);
	}
}

/* Data after the other side's FIN, including data that acknowledges this
 * FIN. */
static void test_half_close(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .flags = TCP_FIN | TCP_ACK, .seq = 0);
	SAY(&talk, .ms = 89, .side = SERVER, .ack = 0, .length = 10);
	SAY(&talk, .ms = 90, .side = SERVER, .seq = 10, .ack = 1,
		.length = 700);
	SAY(&talk, .ms = 91, .side = SERVER, .seq = 710, .ack = 1,
		.length = 7);
	assert_int_equal(talk_connection(&talk)->teardown.half_close_bytes,
		707);
	talk_end(&talk);
}

/* The receiver accepted data beyond its window. A later acknowledgement shows a
 * window that ends before the end of the data, and so do all that the capture
 * may have missed before it. An acknowledgement recorded within 1 ms may have
 * passed before the data, and a receiver that reduced its window may have done
 * so before. */
static void test_beyond_accepted(void **state)
{
	enum { EDGE = 128000 };
	static const struct {
		double ms;
		int first, later; /* windows, in units of 128 bytes */
		uint64_t proven;
	} cases[] = {
		{ 40, 0, 1000, 6 }, /* up to EDGE + 1000 */
		{ 40, 0, 1024, 3 }, /* .. + 4072 */
		{ 40, 0, 1060, 0 },
		{ 0.5, 0, 1000, 0 },
		{ 40, 1200, 1000, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_begin(&talk, i & 1 ? TAP_CLIENT : TAP_SERVER);
		talk.flow.timestamps = i < 3;
		talk_open(&talk, 40);
		SAY(&talk, .ms = 85, .side = SERVER, .window = 1000);
		SAY(&talk, .ms = 89, .length = EDGE - 1000);
		for (int k = 0; k < 8; k++)
			SAY(&talk, .ms = 90, .seq = EDGE - 1000 + k * 1000,
				.length = 1000);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->beyond_window, 7);
		if (cases[i].first)
			SAY(&talk, .ms = 90.1, .side = SERVER, .ack = 900,
				.window = cases[i].first);
		SAY(&talk, .ms = 90 + cases[i].ms, .side = SERVER, .ack = 1000,
			.window = cases[i].later);
		SAY(&talk, .ms = 150, .side = SERVER, .ack = EDGE + 7000,
			.window = 2000);
		assert_int_equal(side->beyond_window, cases[i].proven);
		assert_int_equal(side->beyond_window_bytes,
			cases[i].proven ?
				EDGE + 7000 - 1000 - cases[i].later * 128 :
				0);
		assert_int_equal(count_events(talk_connection(&talk),
					 EVENT_BEYOND_WINDOW),
			cases[i].proven > 0);
		assert_int_equal(side->retransmitted_frames, 0);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_beyond_accepted),
		cmocka_unit_test(test_fin),
		cmocka_unit_test(test_unseen_end),
		cmocka_unit_test(test_one_direction),
		cmocka_unit_test(test_fin_early),
		cmocka_unit_test(test_fin_of_syn),
		cmocka_unit_test(test_reset_by),
		cmocka_unit_test(test_tap_host),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_long_leg),
		cmocka_unit_test(test_no_round_trip),
		cmocka_unit_test(test_slow_synack),
		cmocka_unit_test(test_send_buffer),
		cmocka_unit_test(test_beyond_window),
		cmocka_unit_test(test_half_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
