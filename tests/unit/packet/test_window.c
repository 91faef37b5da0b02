/* The receive window: scaled, zero, probed, full; keep-alives; the end of a
 * connection; a router that requires smaller packets. */
#include "talk.h"

static void test_scaled(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .side = SERVER, .window = 500);
	assert_int_equal(talk_side(&talk, SERVER)->window_bytes, 500 << 7);
	assert_true(talk_side(&talk, SERVER)->window_known);
	talk_end(&talk);
	/* Windows are scaled only if both sides offer it. */
	talk_begin(&talk, TAP_CLIENT);
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .wscale = 8);
	SAY(&talk, .ms = 40, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	SAY(&talk, .ms = 50, .window = 500);
	assert_int_equal(talk_side(&talk, CLIENT)->window_bytes, 500);
	talk_end(&talk);
}

/* Linux sends an empty probe, one byte below the acknowledged sequence
 * number. */
static void test_zero_window(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .length = 1000);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 1000, .window = -1);
	assert_true(talk.last.marks & MARK_ZERO_WINDOW);
	SAY(&talk, .ms = 310, .seq = 999);
	assert_int_equal(talk.last.marks, MARK_PROBE);
	SAY(&talk, .ms = 350, .side = SERVER, .ack = 1000, .window = -1);
	SAY(&talk, .ms = 760, .seq = 999);
	SAY(&talk, .ms = 800, .side = SERVER, .ack = 1000, .window = 100);
	const struct side *client = talk_side(&talk, CLIENT);
	const struct side *server = talk_side(&talk, SERVER);
	assert_int_equal(client->zero_window_probes, 2);
	assert_int_equal(client->keepalives, 0);
	assert_int_equal(client->retransmitted_frames, 0);
	assert_int_equal(server->zero_windows, 1);
	assert_int_equal(server->zero_window_acks, 2);
	assert_int_equal(server->zero_window_ns, 710000000);
	assert_int_equal(server->duplicate_acks, 0);
	assert_int_equal(count_events(talk_connection(&talk),
				 EVENT_WINDOW_OPEN),
		1);
	talk_end(&talk);
}

/* A window that is still closed counts until the last packet. */
static void test_still_closed(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .length = 1000);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 1000, .window = -1);
	SAY(&talk, .ms = 310, .seq = 999);
	SAY(&talk, .ms = 350, .side = SERVER, .ack = 1000, .window = -1);
	assert_int_equal(side_zero_window_ns(talk_connection(&talk), SERVER),
		260000000);
	SAY(&talk, .ms = 390, .side = SERVER, .ack = 1000);
	assert_int_equal(side_zero_window_ns(talk_connection(&talk), SERVER),
		300000000);
	SAY(&talk, .ms = 400, .side = SERVER, .ack = 1000);
	assert_int_equal(side_zero_window_ns(talk_connection(&talk), SERVER),
		300000000);
	talk_end(&talk);
}

/* The receiver refuses the byte of the probes. When its window opens, the
 * sender continues there: nothing was sent again, and the window was the
 * limit. */
static void test_refused_probe(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 41, .side = SERVER, .tsval = 41);
	SAY(&talk, .ms = 50, .length = 1448);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 1448, .window = -1);
	for (int i = 0; i < 3; i++) {
		SAY(&talk, .ms = 300 + 100 * i, .seq = 1448, .length = 1);
		assert_int_equal(talk.last.marks, MARK_PROBE);
		SAY(&talk, .ms = 340 + 100 * i, .side = SERVER, .ack = 1448,
			.window = -1);
	}
	SAY(&talk, .ms = 700, .side = SERVER, .ack = 1448);
	SAY(&talk, .ms = 701, .seq = 1448, .length = 1448);
	const struct side *client = talk_side(&talk, CLIENT);
	assert_int_equal(client->retransmitted_frames, 0);
	assert_int_equal(client->payload_bytes, 2 * 1448);
	assert_int_equal(client->rounds.exit.reason, EXIT_NONE);
	assert_true(client->rounds.at[0].window_full);
	assert_false(client->rounds.at[0].app_limited);
	assert_int_equal(client->idle_ns, 1000000);
	assert_int_equal(
		side_initial_window(talk_connection(&talk), CLIENT).state,
		WINDOW_CUT_BY_PEER);
	talk_end(&talk);
}

/* Other systems probe with a byte of data, repeatedly. */
static void test_data_probe(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .length = 1000);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 1000, .window = -1);
	for (int i = 0; i < 3; i++)
		SAY(&talk, .ms = 310 + i * 500, .seq = 1000, .length = 1);
	const struct side *client = talk_side(&talk, CLIENT);
	assert_int_equal(client->zero_window_probes, 3);
	assert_int_equal(client->retransmitted_frames, 0);
	assert_int_equal(client->payload_bytes, 1000);
	/* The receiver accepts the byte. */
	SAY(&talk, .ms = 1400, .side = SERVER, .ack = 1001);
	assert_int_equal(client->payload_bytes, 1001);
	assert_int_equal(side_stream_bytes(client), 1001);
	assert_int_equal(client->gap_bytes, 0);
	talk_end(&talk);
}

/* The same packet is a keep-alive if the window is open and all data is
 * acknowledged. */
static void test_keepalive(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .length = 1000);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 1000);
	for (int length = 0; length < 2; length++) {
		SAY(&talk, .ms = 7000 + length * 1000, .seq = 999,
			.length = (uint32_t)length);
		assert_int_equal(talk.last.marks, MARK_KEEPALIVE);
		SAY(&talk, .ms = 7040 + length * 1000, .side = SERVER,
			.ack = 1000);
	}
	assert_int_equal(talk_side(&talk, CLIENT)->keepalives, 2);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_frames, 0);
	assert_int_equal(talk_side(&talk, SERVER)->duplicate_acks, 0);
	talk_end(&talk);
}

/* A byte whose acknowledgement was lost behind the receiver's tap is sent
 * again. The mark of a write's end shows that, or the echo of an older
 * acknowledgement. */
static void test_byte_again(void **state)
{
	for (int pushed = 0; pushed < 2; pushed++) {
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 50, .length = 1,
			.flags = TCP_ACK | TCP_PSH);
		SAY(&talk, .ms = 50.1, .side = SERVER, .ack = 1,
			.tsval = 200050);
		SAY(&talk, .ms = 340, .length = 1,
			.flags = TCP_ACK | (pushed ? TCP_PSH : 0u),
			.tsecr = pushed ? 200050 : 200040);
		assert_int_equal(talk.last.why, RETRANSMIT_SPURIOUS);
		assert_int_equal(talk_side(&talk, CLIENT)->keepalives, 0);
		assert_int_equal(
			talk_side(&talk, CLIENT)->retransmitted_segments, 1);
		talk_end(&talk);
	}
}

/* ACKs of the server's data that are recorded after the client's FIN have the
 * sequence number of a keep-alive. */
static void test_late_ack(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .side = SERVER, .length = 2000);
	SAY(&talk, .ms = 51, .flags = TCP_FIN | TCP_ACK, .ack = 2000);
	SAY(&talk, .ms = 51.3, .side = SERVER, .seq = 2000, .ack = 1);
	SAY(&talk, .ms = 51.5, .ack = 2000);
	SAY(&talk, .ms = 53, .ack = 1000);
	assert_int_equal(talk_side(&talk, CLIENT)->keepalives, 0);
	/* The end that closed may probe a half-open connection. */
	SAY(&talk, .ms = 2000, .ack = 2000);
	assert_int_equal(talk_side(&talk, CLIENT)->keepalives, 1);
	talk_end(&talk);
}

/* The window is full until an acknowledgement opens it. The far tap uses the
 * window that the sender knew, by the echoed time stamp. */
static void test_full(void **state)
{
	for (int far = 0; far < 2; far++) {
		struct talk talk;

		talk_begin(&talk, far ? TAP_SERVER : TAP_CLIENT);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 45, .side = SERVER, .window = 60);
		for (int i = 0; i < 3; i++)
			SAY(&talk, .ms = 50, .seq = i * 1448, .length = 1448);
		SAY(&talk, .ms = 90, .side = SERVER, .ack = 3 * 1448,
			.window = 1000);
		assert_int_equal(talk_side(&talk, CLIENT)->window_fulls, 0);
		for (int i = 3; i < 3 + 88; i++)
			SAY(&talk, .ms = 95, .seq = i * 1448, .length = 1448,
				.tsecr = 200090);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->window_fulls, 1);
		assert_true(talk.last.marks & MARK_WINDOW_FULL);
		SAY(&talk, .ms = 135, .side = SERVER, .ack = 91 * 1448);
		if (!far)
			assert_int_equal(side->full_ns, 40000000);
		talk_end(&talk);
	}
}

/* The capture missed the acknowledgement that opened the window. The echo shows
 * it: no claim. Or the data is acknowledged although it was not sent again: the
 * claim is withdrawn. Data that the receiver discarded is sent again. Away from
 * the receiver, it may have been lost: that proves nothing. */
static void test_beyond_missed(void **state)
{
	enum { EDGE = 128000, SEEN = 200085 };
	static const struct {
		int tsecr;
		bool again;
		enum tap tap;
		uint64_t claims, kept;
	} cases[] = {
		{ SEEN + 5, false, TAP_SERVER, 0, 0 },
		{ SEEN, false, TAP_SERVER, 2, 0 },
		{ SEEN, true, TAP_SERVER, 2, 2 },
		{ SEEN, true, TAP_CLIENT, 2, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_begin(&talk, cases[i].tap);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 85, .side = SERVER, .window = EDGE >> 7,
			.tsval = SEEN);
		for (int k = 0; k < 3; k++)
			SAY(&talk, .ms = 90 + k, .seq = EDGE - 1000 + k * 1000,
				.length = 1000, .tsecr = cases[i].tsecr);
		const struct side *side = talk_side(&talk, CLIENT);
		const struct connection *connection = talk_connection(&talk);
		assert_int_equal(side->beyond_window, cases[i].claims);
		SAY(&talk, .ms = 300, .side = SERVER,
			.ack = cases[i].again ? EDGE : EDGE + 2000);
		if (cases[i].again)
			SAY(&talk, .ms = 400, .seq = EDGE, .length = 1000);
		SAY(&talk, .ms = 500, .side = SERVER, .ack = EDGE + 2000);
		assert_int_equal(side->beyond_window, cases[i].kept);
		assert_int_equal(side->beyond_window_bytes,
			cases[i].kept * 1000);
		assert_int_equal(count_events(connection, EVENT_BEYOND_WINDOW),
			cases[i].kept > 0);
		talk_end(&talk);
	}
}

/* The receiver discarded data if it came to the receiver's tap, no SACK
 * reported it, and it was sent again. Without a copy before, and at the
 * sender's tap, it may have been lost. The window of 896 bytes proves what was
 * sent before it, not the repeat. */
static void test_beyond_discarded(void **state)
{
	enum { EDGE = 128000 };
	static const struct {
		enum tap tap;
		bool lost, kept;
		uint64_t discarded, packets, bytes;
	} cases[] = {
		{ TAP_SERVER, false, false, 1000, 3, 2000 },
		{ TAP_SERVER, false, true, 0, 2, 2104 },
		{ TAP_SERVER, true, false, 0, 1, 2104 },
		{ TAP_CLIENT, false, false, 0, 2, 2104 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_begin(&talk, cases[i].tap);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 85, .side = SERVER, .window = EDGE >> 7,
			.tsval = 200085);
		for (int k = 0; k < 3; k++) {
			if (k == 1 && cases[i].lost)
				continue;
			SAY(&talk, .ms = 90 + k, .seq = EDGE - 1000 + k * 1000,
				.length = 1000, .tsecr = 200085);
		}
		SAY(&talk, .ms = 300, .side = SERVER, .ack = EDGE - 1000,
			.window = 7, .sacks = cases[i].kept,
			.sack = { { EDGE, EDGE + 1000 } });
		SAY(&talk, .ms = 400, .seq = EDGE, .length = 1000,
			.tsecr = 200085);
		SAY(&talk, .ms = 500, .side = SERVER, .ack = EDGE + 2000);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->beyond_window, cases[i].packets);
		assert_int_equal(side->beyond_window_bytes, cases[i].bytes);
		assert_int_equal(side->discarded_bytes, cases[i].discarded);
		talk_end(&talk);
	}
}

/* On loopback a segment may be as large as the window. A few bytes do not fill
 * it, half of it does, because no further complete segment fits. */
static void test_large_segments(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_LOOPBACK);
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = 65495, .wscale = 10);
	SAY(&talk, .ms = .01, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = 65495, .wscale = 10);
	SAY(&talk, .ms = .02, .window = 64);
	SAY(&talk, .ms = .03, .side = SERVER, .window = 64);
	SAY(&talk, .ms = .04, .length = 56);
	assert_false(talk.last.marks & MARK_WINDOW_FULL);
	SAY(&talk, .ms = .05, .side = SERVER, .ack = 56, .window = 64);
	SAY(&talk, .ms = .06, .seq = 56, .length = 40000);
	assert_true(talk.last.marks & MARK_WINDOW_FULL);
	talk_end(&talk);
}

static void test_update(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .length = 1000);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 1000, .window = 100);
	SAY(&talk, .ms = 95, .side = SERVER, .ack = 1000, .window = 300);
	assert_true(talk.last.marks & MARK_WINDOW_UPDATE);
	assert_int_equal(talk_side(&talk, SERVER)->window_updates, 1);
	assert_int_equal(talk_side(&talk, SERVER)->duplicate_acks, 0);
	talk_end(&talk);
}

/* A router answers a segment of the client with an ICMP error. */
static void say_too_big(struct talk *talk, uint32_t mtu_bytes)
{
	const struct segment data = { .ms = 50, .length = 1448 };
	struct made made = segment_make(&talk->flow, data), icmp = made;

	icmp.bytes[9] = 1;
	put32(icmp.bytes + 20, 0x03040000);
	put32(icmp.bytes + 24, mtu_bytes);
	memcpy(icmp.bytes + 28, made.bytes, 28);
	icmp.captured = icmp.wire = 56;
	put16(icmp.bytes + 2, 56);
	struct packet_record record = made_record(&icmp, LINK_RAW, 1);
	annotator_add(talk->annotator, &record);
}

static void test_mtu(void **state)
{
	struct talk talk;

	talk_start(&talk);
	say_too_big(&talk, 1400);
	const struct side *side = talk_side(&talk, CLIENT);
	assert_int_equal(side->mtu_bytes, 1400);
	assert_int_equal(side->mss_bytes, 1348);
	assert_int_equal(count_events(talk_connection(&talk), EVENT_MTU), 1);
	/* Smaller than any link's MTU, so the message is not believed. */
	say_too_big(&talk, 67);
	assert_int_equal(side->mss_bytes, 1348);
	assert_int_equal(count_events(talk_connection(&talk), EVENT_MTU), 2);
	talk_end(&talk);
}

/* A window that the first flight exceeds did not limit it. */
static void test_initial_beyond(void **state)
{
	for (int segments = 3; segments <= 10; segments += 7) {
		struct talk talk;

		talk_start_narrow(&talk, segments);
		const struct initial_window window =
			side_initial_window(talk_connection(&talk), CLIENT);
		assert_int_equal(window.segments, segments);
		assert_int_equal(window.state,
			segments == 3 ? WINDOW_CUT_BY_PEER : WINDOW_CUT_BY_APP);
		talk_end(&talk);
	}
}

/* Without timestamps, the receiver's tap shows that flights fill the window
 * that it had offered before them. Data beyond that window was sent with
 * knowledge of a later one. Shorter flights, and answers to requests, may have
 * another cause, but not if flights without requests were full. A late report
 * of a narrow window does not shorten the wait. */
static void test_full_unstamped(void **state)
{
	enum { MSS = 1460, FLIGHTS = 5, APART_MS = 41 };
	static const struct {
		int segments, window, asked_from;
		bool late, full;
	} cases[] = {
		{ 4, 46, FLIGHTS, false, true },
		{ 4, 46, FLIGHTS, true, true },
		{ 4, 46, 2, false, true },
		{ 4, 46, 1, false, false },
		{ 4, 58, FLIGHTS, false, false },
		{ 6, 46, FLIGHTS, false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;
		int64_t seq = 0, said = 0;

		talk_begin(&talk, TAP_SERVER);
		talk.flow.timestamps = false;
		SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = MSS,
			.wscale = 8);
		SAY(&talk, .ms = 0.05, .side = SERVER,
			.flags = TCP_SYN | TCP_ACK, .seq = -1, .mss = MSS,
			.wscale = 8, .window = cases[i].window * 128);
		SAY(&talk, .ms = 40);
		for (int flight = 1; flight <= FLIGHTS; flight++) {
			double ms = APART_MS * flight;
			int asks = flight >= cases[i].asked_from;

			for (int k = 0; k < cases[i].segments; k++)
				SAY(&talk, .ms = ms, .seq = MSS * k + seq,
					.length = MSS);
			seq += MSS * cases[i].segments;
			if (cases[i].late)
				SAY(&talk, .ms = ms + 5, .side = SERVER,
					.ack = seq, .window = 1);
			SAY(&talk, .ms = ms + (cases[i].late ? 6 : 0.1),
				.side = SERVER, .ack = seq, .seq = said,
				.length = asks, .window = cases[i].window);
			said += asks;
		}
		const struct side *side = talk_side(&talk, CLIENT);
		const int64_t waits_ns = (FLIGHTS - 1) * APART_MS * 1000000;
		assert_int_equal(side->rounds.basis, ROUNDS_ESTIMATED);
		assert_int_equal(side->full_ns, cases[i].full ? waits_ns : 0);
		assert_int_equal(side_exit(side).reason == EXIT_WINDOW,
			cases[i].full);
		assert_false(side_exit(side).certain);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scaled),
		cmocka_unit_test(test_zero_window),
		cmocka_unit_test(test_still_closed),
		cmocka_unit_test(test_refused_probe),
		cmocka_unit_test(test_data_probe),
		cmocka_unit_test(test_keepalive),
		cmocka_unit_test(test_byte_again),
		cmocka_unit_test(test_late_ack),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_beyond_missed),
		cmocka_unit_test(test_beyond_discarded),
		cmocka_unit_test(test_large_segments),
		cmocka_unit_test(test_update),
		cmocka_unit_test(test_mtu),
		cmocka_unit_test(test_initial_beyond),
		cmocka_unit_test(test_full_unstamped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
