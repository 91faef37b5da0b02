/* Roles and durations of handshakes: orderly, retransmitted, crossed, refused,
 * reused, and a socket connected to itself. */
#include "talk.h"

static void test_legs(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk_open(&talk, 40);
	const struct connection *connection = talk_connection(&talk);
	const struct handshake *handshake = &connection->handshake;
	assert_int_equal(handshake->a.state, LEG_KNOWN);
	assert_int_equal(handshake->a.took_ns, 40000000);
	assert_int_equal(handshake->b.took_ns, 50000);
	assert_int_equal(handshake->path_ns, 40050000);
	assert_true(handshake->complete);
	assert_int_equal(connection->tap, TAP_CLIENT);
	assert_int_equal(connection->client, 0);
	assert_int_equal(connection->seen, 7);
	assert_int_equal(connection->side[0].mss_bytes, 1448);
	assert_true(connection->scaling);
	talk_end(&talk);
}

/* A SYN without MSS: the other side sends 536 bytes, with IPv6 1220 (RFC 9293,
 * 3.7.1). Its own segments are as long as the other side accepts. */
static void test_no_mss(void **state)
{
	static const struct {
		int mss[2];
		unsigned four[2], six[2];
	} cases[] = {
		{ { 0, 0 }, { 536, 536 }, { 1220, 1220 } },
		{ { 1460, 0 }, { 536, 1460 }, { 1220, 1460 } },
		{ { 0, 1440 }, { 1440, 536 }, { 1440, 1220 } },
		{ { 500, 0 }, { 500, 500 }, { 500, 500 } },
		{ { 1460, 1400 }, { 1400, 1400 }, { 1400, 1400 } },
	};

	for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		bool six = i & 1;
		struct talk talk;

		talk_begin(&talk, TAP_CLIENT);
		talk.flow.six = six;
		talk.flow.timestamps = false;
		for (int side = CLIENT; side <= SERVER; side++)
			SAY(&talk, .ms = 40 * side, .side = side, .seq = -1,
				.flags = TCP_SYN | (side ? TCP_ACK : 0),
				.mss = cases[i / 2].mss[side]);
		for (int side = CLIENT; side <= SERVER; side++)
			assert_int_equal(talk_side(&talk, side)->mss_bytes,
				six ? cases[i / 2].six[side] :
				      cases[i / 2].four[side]);
		talk_end(&talk);
	}
}

/* SYNs whose timestamps the capture cut off: those of data show that segments
 * have room for 12 bytes less. */
static void test_cut_options(void **state)
{
	enum { TO_MSS = 20 + 20 + 4 };
	struct segment syns[] = {
		{ .flags = TCP_SYN, .seq = -1, .mss = 1460 },
		{ .ms = 40, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
			.seq = -1, .mss = 1460 },
	};
	struct talk talk;

	talk_begin(&talk, TAP_CLIENT);
	talk.flow.timestamps = true;
	for (int i = 0; i < 2; i++) {
		struct made made = segment_make(&talk.flow, syns[i]);
		struct packet_record record = made_record(&made, LINK_RAW,
			segment_ns(&talk.flow, &syns[i]));

		record.captured_bytes = TO_MSS;
		annotator_add(talk.annotator, &record);
	}
	assert_int_equal(talk_side(&talk, CLIENT)->mss_bytes, 1460);
	SAY(&talk, .ms = 40.1);
	for (int i = 0; i < 2; i++)
		SAY(&talk, .ms = 40.2, .seq = i * 1448, .length = 1448);
	assert_int_equal(talk_side(&talk, CLIENT)->mss_bytes, 1448);
	assert_int_equal(talk_side(&talk, CLIENT)->super_frames, 0);
	assert_int_equal(talk_side(&talk, SERVER)->mss_bytes, 1460);
	SAY(&talk, .ms = 80, .side = SERVER, .ack = 2896);
	assert_int_equal(talk_side(&talk, SERVER)->mss_bytes, 1448);
	talk_end(&talk);
}

/* The capture cuts the timestamps off every packet: the length of the header
 * shows that they are in the segments with data. */
static void test_all_options_cut(void **state)
{
	for (int timestamps = 0; timestamps < 2; timestamps++) {
		struct segment all[] = {
			{ .flags = TCP_SYN, .seq = -1, .mss = 1460 },
			{ .ms = 40, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
				.seq = -1, .mss = 1460 },
			{ .ms = 40.1 },
			{ .ms = 40.2, .length = 1448 },
			{ .ms = 40.2, .seq = 1448, .length = 1448 },
		};
		struct talk talk;

		talk_begin(&talk, TAP_CLIENT);
		talk.flow.timestamps = timestamps;
		for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
			struct made made = segment_make(&talk.flow, all[i]);
			struct packet_record record = made_record(&made,
				LINK_RAW, segment_ns(&talk.flow, &all[i]));

			if (record.captured_bytes > 20 + 20 + 6)
				record.captured_bytes = 20 + 20 + 6;
			annotator_add(talk.annotator, &record);
		}
		assert_int_equal(talk_side(&talk, CLIENT)->mss_bytes,
			timestamps ? 1448 : 1460);
		talk_end(&talk);
	}
}

static void test_tap(void **state)
{
	static const struct {
		double a_ms, b_ms;
		enum tap tap;
	} cases[] = {
		{ 40, 0.1, TAP_CLIENT },
		{ 0.1, 40, TAP_SERVER },
		{ 15, 25, TAP_MIDDLE },
		{ 40, 2, TAP_MIDDLE }, /* near one end, but not at it */
		{ 0.2, 0.5, TAP_UNKNOWN }, /* a slow host looks the same */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		SAY(&talk, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = cases[i].a_ms, .side = SERVER,
			.flags = TCP_SYN | TCP_ACK, .seq = -1);
		SAY(&talk, .ms = cases[i].a_ms + cases[i].b_ms);
		assert_int_equal(talk_connection(&talk)->tap, cases[i].tap);
		talk_end(&talk);
	}
}

/* A slow SYN/ACK looks like a path; a later reply within microseconds shows
 * that it was not. The same holds for a slow third packet. A reply that is only
 * faster than the handshake changes nothing. */
static void test_slow_host(void **state)
{
	static const struct {
		double a_ms, b_ms, reply_ms;
		int answers;
		enum tap tap;
	} cases[] = {
		{ 10, 0.43, 0.001, SERVER, TAP_UNKNOWN },
		{ 0.43, 4, 0.001, CLIENT, TAP_UNKNOWN },
		{ 0.215, 3.864, 0.391, CLIENT, TAP_UNKNOWN },
		{ 40, 0.03, 30, SERVER, TAP_CLIENT },
		{ 40, 0.03, 0.001, CLIENT, TAP_CLIENT },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		SAY(&talk, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = cases[i].a_ms, .side = SERVER,
			.flags = TCP_SYN | TCP_ACK, .seq = -1);
		SAY(&talk, .ms = cases[i].a_ms + cases[i].b_ms);
		assert_int_not_equal(talk_connection(&talk)->tap, TAP_UNKNOWN);
		SAY(&talk, .ms = 100, .side = !cases[i].answers, .length = 100);
		SAY(&talk, .ms = 100 + cases[i].reply_ms,
			.side = cases[i].answers, .ack = 100);
		const struct connection *connection = talk_connection(&talk);

		assert_int_equal(connection->tap, cases[i].tap);
		assert_int_equal(connection->handshake.path_ns == UNKNOWN_NS,
			cases[i].tap == TAP_UNKNOWN);
		if (cases[i].tap == TAP_UNKNOWN)
			assert_int_equal(
				talk_side(&talk, CLIENT)->rtt.samples +
				talk_side(&talk, SERVER)->rtt.samples, 0);
		talk_end(&talk);
	}
}

/* A reply that echoes the last SYN answers it. A reply that echoes an earlier
 * one may be a repetition; without timestamps the answered SYN is unknown. */
static void test_syn_again(void **state)
{
	static const int echoes[] = { 103000, 101000, 0 };

	for (int i = 0; i < 3; i++) {
		struct talk talk;
		bool known = !i;

		talk_begin(&talk, TAP_UNKNOWN);
		talk.flow.timestamps = echoes[i];
		SAY(&talk, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = 1000, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = 3000, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = 3040, .side = SERVER,
			.flags = TCP_SYN | TCP_ACK, .seq = -1,
			.tsecr = echoes[i]);
		SAY(&talk, .ms = 3040.1);
		const struct connection *connection = talk_connection(&talk);
		const struct leg *leg = &connection->handshake.a;

		assert_int_equal(connection->handshake.syn.count, 3);
		assert_int_equal(count_events(connection, EVENT_SYN_AGAIN), 2);
		assert_int_equal(leg->state,
			known ? LEG_KNOWN : LEG_AMBIGUOUS);
		assert_int_equal(leg->took_ns, known ? 40000000 : UNKNOWN_NS);
		assert_int_equal(leg->least_ns, 40000000);
		assert_int_equal(connection->side[0].retransmitted_frames, 0);
		assert_int_equal(connection->side[0].retransmitted_segments, 2);
		assert_int_equal(
			connection->side[0].retransmissions[RETRANSMIT_SYN], 2);
		talk_end(&talk);
	}
}

/* The data of a SYN is retransmitted with it, and counted once. */
static void test_syn_data_again(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .length = 10);
	SAY(&talk, .ms = 1000, .flags = TCP_SYN, .seq = -1, .length = 10);
	assert_int_equal(
		talk_side(&talk, CLIENT)->retransmitted_segments, 1);
	talk_end(&talk);
}

/* SYNs beyond the number stored are still counted. */
static void test_many_syns(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	for (int i = 0; i < 20; i++)
		SAY(&talk, .ms = i * 1000, .flags = TCP_SYN, .seq = -1);
	const struct handshake *handshake = &talk_connection(&talk)->handshake;
	assert_int_equal(handshake->syn.count, 20);
	assert_int_equal(handshake->syn.at[TRIES_MAX - 1].number, 20);
	talk_end(&talk);
}

static void test_synack_again(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk.flow.timestamps = false;
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 0.4, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	SAY(&talk, .ms = 3002, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	SAY(&talk, .ms = 3372);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(connection->handshake.a.took_ns, 400000);
	assert_int_equal(connection->handshake.b.state, LEG_AMBIGUOUS);
	assert_int_equal(connection->handshake.b.took_ns, UNKNOWN_NS);
	assert_int_equal(connection->handshake.b.least_ns, 370000000);
	assert_int_equal(count_events(connection, EVENT_SYNACK_AGAIN), 1);
	assert_int_equal(connection->side[0].retransmitted_segments, 0);
	assert_int_equal(connection->side[1].retransmitted_segments, 1);
	assert_int_equal(connection->tap, TAP_SERVER);
	talk_end(&talk);
}

/* Two SYNs within one tick: the echo does not show which was answered. */
static void test_same_tick(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .tsval = 7);
	SAY(&talk, .ms = 50, .flags = TCP_SYN, .seq = -1, .tsval = 7);
	SAY(&talk, .ms = 70, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .tsecr = 7);
	const struct handshake *handshake = &talk_connection(&talk)->handshake;
	assert_int_equal(handshake->a.state, LEG_AMBIGUOUS);
	assert_int_equal(handshake->a.took_ns, UNKNOWN_NS);
	assert_int_equal(handshake->a.least_ns, 20000000);
	talk_end(&talk);
}

/* A simultaneous open of two Linux hosts over 100 ms, captured at the first. */
static void begin_crossed(struct talk *talk)
{
	talk_begin(talk, TAP_UNKNOWN);
	SAY(talk, .flags = TCP_SYN, .seq = -1);
	SAY(talk, .ms = 50, .side = SERVER, .flags = TCP_SYN, .seq = -1);
	SAY(talk, .ms = 50.1, .flags = TCP_SYN | TCP_ACK, .seq = -1);
	SAY(talk, .ms = 100, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
}

/* The first host completes it. */
static void test_simultaneous(void **state)
{
	struct talk talk;

	begin_crossed(&talk);
	SAY(&talk, .ms = 100.1);
	const struct connection *connection = talk_connection(&talk);
	assert_true(connection->handshake.simultaneous);
	assert_true(connection->handshake.complete);
	assert_int_equal(connection->handshake.a.took_ns, 50000000);
	assert_int_equal(connection->handshake.b.took_ns, 100000);
	assert_int_equal(connection->handshake.ack_side, CLIENT);
	/* The SYN/ACK of a side is not a retransmission of its SYN. */
	assert_int_equal(connection->event_count, 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(connection->side[i].retransmitted_segments, 0);
	talk_end(&talk);
}

/* The other side may complete a simultaneous open. */
static void test_simultaneous_server(void **state)
{
	struct talk talk;

	begin_crossed(&talk);
	SAY(&talk, .ms = 150, .side = SERVER);
	const struct handshake *handshake = &talk_connection(&talk)->handshake;
	assert_true(handshake->complete);
	assert_int_equal(handshake->ack_number, 5);
	assert_int_equal(handshake->ack_side, SERVER);
	talk_end(&talk);
}

static void test_self(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk.flow.self = true;
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = 65495);
	SAY(&talk, .ms = 0.01, .flags = TCP_SYN | TCP_ACK, .seq = -1,
		.mss = 65495);
	SAY(&talk, .ms = 0.02, .length = 100);
	SAY(&talk, .ms = 0.03, .seq = 100, .ack = 100);
	SAY(&talk, .ms = 1, .flags = TCP_FIN | TCP_ACK, .seq = 100, .ack = 100);
	SAY(&talk, .ms = 1.1, .seq = 101, .ack = 101);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(annotator_count(talk.annotator), 1);
	assert_true(connection->self_connect);
	assert_int_equal(connection->tap, TAP_LOOPBACK);
	assert_int_equal(connection->side[0].mss_bytes, 65495 - 12);
	assert_int_equal(connection->side[0].payload_bytes, 100);
	assert_int_equal(connection->side[0].retransmitted_segments, 0);
	assert_int_equal(connection->side[1].packets, 0);
	assert_int_equal(connection_close(connection), CLOSE_ORDERLY);
	talk_end(&talk);
}

static void test_refused(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 1, .side = SERVER, .flags = TCP_RST | TCP_ACK,
		.seq = -5001);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(connection_close(connection), CLOSE_REFUSED);
	assert_int_equal(connection->teardown.reset, RESET_REFUSED);
	assert_int_equal(connection->teardown.reset_side, SERVER);
	talk_end(&talk);
}

/* A SYN between the same ends: a new connection after an end, the same one
 * while the first SYN is only retransmitted. */
static void test_reuse(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk_open(&talk, 10);
	SAY(&talk, .ms = 20, .flags = TCP_RST | TCP_ACK);
	talk.flow.isn[0] = 77777;
	SAY(&talk, .ms = 30, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 1030, .flags = TCP_SYN, .seq = -1);
	assert_int_equal(annotator_count(talk.annotator), 2);
	const struct connection *connection = talk_connection(&talk);
	assert_true(connection->port_reused);
	assert_int_equal(connection->handshake.syn.count, 2);
	assert_int_equal(connection->number, 2);
	/* A pause longer than the maximum lifetime of a segment. */
	talk.flow.isn[0] = 88888;
	SAY(&talk, .ms = 1040, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .ack = 77777 - 88888);
	SAY(&talk, .ms = 300000, .flags = TCP_SYN, .seq = -1);
	assert_int_equal(annotator_count(talk.annotator), 3);
	talk_end(&talk);
}

/* A SYN without a matching connection, during an established one. */
static void test_stray_syn(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk_open(&talk, 10);
	talk.flow.isn[0] = 77777;
	SAY(&talk, .ms = 30, .flags = TCP_SYN, .seq = -1);
	assert_int_equal(annotator_count(talk.annotator), 1);
	assert_int_equal(count_events(talk_connection(&talk),
				 EVENT_SYN_MISMATCH),
		1);
	assert_int_equal(talk_connection(&talk)->side[0].gaps, 0);
	talk_end(&talk);
}

static void test_middle(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .ms = 1, .side = SERVER, .seq = 5000, .length = 10);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(connection->role, ROLE_GUESSED);
	assert_int_equal(connection->end[connection->client].port, 40000);
	assert_int_equal(connection->handshake.a.state, LEG_UNSEEN);
	assert_int_equal(connection->tap, TAP_UNKNOWN);
	assert_false(connection->scaling_known);
	talk_end(&talk);
}

static void test_scale_clamped(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_CLIENT);
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = 1460, .wscale = 256);
	SAY(&talk, .ms = 1, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = 1460, .wscale = 3);
	SAY(&talk, .ms = 1.1, .window = 3);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(connection->side[0].offer.options.wscale, 255);
	assert_int_equal(connection->side[0].window_bytes, 3 << 14);
	assert_int_equal(count_events(connection, EVENT_WSCALE_CLAMPED), 1);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_legs),
		cmocka_unit_test(test_no_mss),
		cmocka_unit_test(test_cut_options),
		cmocka_unit_test(test_all_options_cut),
		cmocka_unit_test(test_tap),
		cmocka_unit_test(test_slow_host),
		cmocka_unit_test(test_syn_again),
		cmocka_unit_test(test_many_syns),
		cmocka_unit_test(test_syn_data_again),
		cmocka_unit_test(test_synack_again),
		cmocka_unit_test(test_same_tick),
		cmocka_unit_test(test_simultaneous),
		cmocka_unit_test(test_simultaneous_server),
		cmocka_unit_test(test_self),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_reuse),
		cmocka_unit_test(test_stray_syn),
		cmocka_unit_test(test_middle),
		cmocka_unit_test(test_scale_clamped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
