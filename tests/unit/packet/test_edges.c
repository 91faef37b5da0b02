/* Boundaries of rounds if packets are lost, and the initial window. */
#include "rounds.h"

static void assert_same_rounds(const struct path *path)
{
	const struct rounds *near = &path_sender(&path->near)->rounds;
	const struct rounds *far = &path_sender(&path->far)->rounds;

	assert_int_equal(near->count, far->count);
	for (uint32_t k = 0; k < near->count; k++)
		if (near->at[k].segments != far->at[k].segments ||
			near->at[k].bytes != far->at[k].bytes)
			fail_msg("round %u: %llu segments near, %llu far",
				k + 1, (unsigned long long)near->at[k].segments,
				(unsigned long long)far->at[k].segments);
}

/* The sender's end counts the whole initial window. At the other end, a loss at
 * the edge of the window leaves it unknown which side the lost segments belong
 * to. */
static void assert_initial_of(const struct path *path, int drop)
{
	bool edge = drop == 9 || drop == 10;

	assert_initial(&path->near, WINDOW_WHOLE, 10);
	assert_initial(&path->far, edge ? WINDOW_CUT_BY_LOSS : WINDOW_WHOLE,
		edge ? drop : 10);
}

/* Any segment may be lost, also the first of a round. Data released by
 * duplicate ACKs belongs to the next round, with and without SACK. */
static void test_lost_edge(void **state)
{
	/* One segment less, and the two that duplicate ACKs released. */
	static const int third[] = { 10, 21, 40 - 1, 2 }, first[] = { 10, 2 };

	for (int drop = 0; drop < 160 * 2; drop++) {
		struct path *path = path_new();

		path->limited = true;
		path->selective = drop % 2;
		path->drop = drop / 2;
		path_run(path);
		assert_same_rounds(path);
		assert_initial_of(path, drop / 2);
		for (int far = 0; far < 2; far++) {
			struct talk *talk = far ? &path->far : &path->near;

			if (drop / 2 == 30)
				assert_rounds(talk, third, 4);
			if (drop / 2 == 0)
				assert_rounds(talk, first, 2);
		}
		path_free(path);
	}
}

/* Every second segment is acknowledged until one is missing. Two segments of a
 * flight were then released by earlier acknowledgements. */
static void test_delayed(void **state)
{
	struct talk talk;

	talk_start(&talk);
	for (int i = 0; i < 6; i++)
		SAY(&talk, .ms = 50, .seq = i * PATH_MSS, .length = PATH_MSS,
			.tsecr = 41);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 2 * PATH_MSS, .tsval = 90);
	for (int i = 6; i < 10; i++)
		SAY(&talk, .ms = 90, .seq = i * PATH_MSS, .length = PATH_MSS,
			.tsecr = 90);
	/* The rest of the first flight; the first segment of the second is
	 * missing. */
	SAY(&talk, .ms = 94, .side = SERVER, .ack = 6 * PATH_MSS, .tsval = 94);
	assert_int_equal(talk_side(&talk, CLIENT)->rounds.at[1].segments, 4);
	SAY(&talk, .ms = 95, .seq = 10 * PATH_MSS, .length = PATH_MSS,
		.tsecr = 94);
	assert_int_equal(talk_side(&talk, CLIENT)->rounds.at[1].segments, 5);
	SAY(&talk, .ms = 130, .side = SERVER, .ack = 6 * PATH_MSS, .tsval = 130,
		.sacks = 1, .sack = { { 7 * PATH_MSS, 8 * PATH_MSS } });
	SAY(&talk, .ms = 130, .seq = 11 * PATH_MSS, .length = PATH_MSS,
		.tsecr = 130);
	const struct rounds *rounds = &talk_side(&talk, CLIENT)->rounds;
	assert_int_equal(rounds->count, 3);
	assert_int_equal(rounds->at[0].segments, 6);
	assert_int_equal(rounds->at[1].segments, 5);
	assert_int_equal(rounds->at[2].segments, 1);
	talk_end(&talk);
}

/* The client's acknowledgement of the server's latest data comes later, so its
 * data echoes an older time stamp. The server's acknowledgement has still
 * released this data. The client's end sees this. The other end sees it if it
 * has all earlier data and the segment was sent late enough. */
static void test_not_echoed(void **state)
{
	for (int tap = TAP_CLIENT; tap <= TAP_SERVER; tap++)
		for (int lost = 0; lost < 2; lost++) {
			bool near = tap == TAP_CLIENT;
			struct talk talk;

			talk_begin(&talk, (enum tap)tap);
			talk_open(&talk, 40);
			for (int i = 0; i < 4; i++)
				SAY(&talk, .ms = 41 + i, .seq = i * 100,
					.length = 100, .tsval = 100041,
					.tsecr = 200002);
			SAY(&talk, .ms = 50, .side = SERVER, .length = 100,
				.tsval = 200050, .tsecr = 100040);
			SAY(&talk, .ms = 51, .side = SERVER, .seq = 100,
				.ack = 400, .tsval = 200051, .tsecr = 100041);
			/* In transit when the other was sent. */
			if (!near)
				SAY(&talk, .ms = 95, .seq = 400, .length = 100,
					.tsval = 100042, .tsecr = 200002);
			SAY(&talk, .ms = 96, .seq = near ? 400 : 500,
				.length = 100, .ack = lost ? 0 : 100,
				.tsval = 100091,
				.tsecr = lost ? 200002 : 200050);
			struct initial_window window =
				side_initial_window(talk_connection(&talk),
					CLIENT);
			uint32_t rounds =
				talk_side(&talk, CLIENT)->rounds.count;
			assert_int_equal(rounds, near || !lost ? 2 : 1);
			assert_int_equal(window.segments, near ? 4 : 5);
			if (!near && lost)
				assert_int_equal(window.state,
					WINDOW_CUT_BY_LOSS);
			talk_end(&talk);
		}
}

/* Missing IPv4 identifications may belong to any other packet, so no loss is
 * reported, neither in the initial window nor at the tail. */
static void test_missing_numbers(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_SERVER);
	talk_open(&talk, 40);
	for (int i = 0; i < 10; i++)
		SAY(&talk, .ms = 50, .seq = i * PATH_MSS, .length = PATH_MSS,
			.tsecr = 41, .ip_id = 13 + i);
	SAY(&talk, .ms = 50, .side = SERVER, .ack = 10 * PATH_MSS,
		.tsval = 200050);
	SAY(&talk, .ms = 90, .seq = 10 * PATH_MSS, .length = PATH_MSS,
		.tsecr = 200050, .ip_id = 24);
	assert_initial(&talk, WINDOW_WHOLE, 10);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_frames, 0);
	talk_end(&talk);
}

/* Data that was only overtaken at the boundary of two rounds belongs to the one
 * whose acknowledgement it echoes, and the initial window is known. `first`:
 * how many of the four segments are the first round's. */
static void test_overtaken(void **state)
{
	for (int first = 1; first < 4; first++) {
		const int wanted[] = { first, 4 - first };
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 50, .length = PATH_MSS, .tsval = 100041,
			.tsecr = 200002);
		SAY(&talk, .ms = 50, .side = SERVER, .ack = PATH_MSS,
			.tsval = 200050);
		for (int i = 3; i > 0; i--)
			SAY(&talk, .ms = 100 - i, .seq = i * PATH_MSS,
				.length = PATH_MSS, .tsval = 100090 + i,
				.tsecr = i < first ? 200002 : 200050);
		assert_rounds(&talk, wanted, 2);
		assert_initial(&talk, WINDOW_WHOLE, first);
		talk_end(&talk);
	}
}

/* Many losses at once, in a short queue. The lengths avoid a second loss of the
 * same segment, because this sender has no timer. */
static void test_lost_edges(void **state)
{
	int many = 0;

	for (int queue = 5; queue < 50; queue++) {
		struct path *path = path_new();

		path->segment_ms = 0.6;
		path->queue = queue;
		path->total = 700;
		path->limited = true;
		path_run(path);
		many += path->dropped > 1;
		assert_same_rounds(path);
		path_free(path);
	}
	assert_true(many > 20);
}

/* Bytes retransmitted one by one move the edge of a round, but are not counted
 * as a segment each. */
static void test_edge_of_bytes(void **state)
{
	enum { TICK = 200092 };
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .length = PATH_MSS);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = PATH_MSS);
	SAY(&talk, .ms = 91, .seq = PATH_MSS, .length = PATH_MSS);
	SAY(&talk, .ms = 92, .side = SERVER, .ack = PATH_MSS, .tsval = TICK);
	SAY(&talk, .ms = 92, .seq = 2 * PATH_MSS, .length = PATH_MSS);
	for (int i = 0; i < 3; i++)
		SAY(&talk, .ms = 93, .seq = PATH_MSS + i, .length = 1);
	SAY(&talk, .ms = 94, .side = SERVER, .ack = 2 * PATH_MSS,
		.tsval = TICK);
	const struct rounds *rounds = &talk_side(&talk, CLIENT)->rounds;
	uint64_t bytes = 0;
	assert_int_equal(rounds->count, 3);
	for (uint32_t i = 0; i < rounds->count; i++) {
		assert_in_range(rounds->at[i].segments, 0, 3);
		bytes += rounds->at[i].bytes;
	}
	assert_int_equal(bytes, 3 * PATH_MSS);
	talk_end(&talk);
}

/* Flights of `first` and `second` segments without timestamps. */
static void say_flights(struct talk *talk, int bytes, int first, int second)
{
	talk_begin(talk, TAP_CLIENT);
	talk->flow.timestamps = false;
	SAY(talk, .flags = TCP_SYN, .seq = -1, .mss = 1460, .wscale = 8);
	SAY(talk, .ms = 40, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = 1460, .wscale = 8, .window = 65535);
	SAY(talk, .ms = 40.05);
	for (int i = 0; i < first; i++)
		SAY(talk, .ms = 50, .seq = i * bytes, .length = bytes);
	for (int i = 1; i <= first; i++)
		SAY(talk, .ms = 90, .side = SERVER, .ack = i * bytes);
	for (int i = first; i < first + second; i++)
		SAY(talk, .ms = 90.1, .seq = i * bytes, .length = bytes);
	SAY(talk, .ms = 130.1, .side = SERVER, .ack = (first + second) * bytes);
}

/* Messages of three whole segments, each after the answer to the one before,
 * are no windows. Flights that grow are. */
static void test_messages(void **state)
{
	for (int grows = 0; grows < 2; grows++) {
		int sent = 3, more = grows ? 6 : 3;
		struct talk talk;

		say_flights(&talk, 1460, 3, more);
		for (sent += more; sent < 15; sent++)
			SAY(&talk, .ms = 130.2, .seq = sent * 1460,
				.length = 1460);
		assert_initial(&talk,
			grows ? WINDOW_WHOLE : WINDOW_NOT_GROWN, 3);
		talk_end(&talk);
	}
}

/* At the receiver's tap the first of four segments is missing, and a timer
 * repairs it. The last ones of the flight may be missing too. */
static void test_lost_front(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_SERVER);
	talk_open(&talk, 40);
	for (int i = 1; i < 4; i++)
		SAY(&talk, .ms = 50 + i * .01, .seq = i * PATH_MSS,
			.length = PATH_MSS, .tsval = 100041, .tsecr = 200002);
	SAY(&talk, .ms = 300, .length = PATH_MSS, .tsval = 100290,
		.tsecr = 200050);
	SAY(&talk, .ms = 300.1, .side = SERVER, .ack = 4 * PATH_MSS,
		.tsval = 200300);
	for (int i = 4; i < 9; i++)
		SAY(&talk, .ms = 340, .seq = i * PATH_MSS, .length = PATH_MSS,
			.tsval = 100330, .tsecr = 200300);
	assert_initial(&talk, WINDOW_CUT_BY_LOSS, 4);
	talk_end(&talk);
}

/* A path with a smaller MTU than the handshake allows: all segments have one
 * size, and flights double. Writes of one size do not double the flights. */
static void test_small_segments(void **state)
{
	static const struct {
		int bytes, second;
		enum initial_window_state window;
	} cases[] = {
		{ 1460, 20, WINDOW_WHOLE },
		{ 1400, 20, WINDOW_WHOLE },
		{ 1400, 12, WINDOW_CUT_BY_APP },
		{ 100, 10, WINDOW_CUT_BY_APP },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		say_flights(&talk, cases[i].bytes, 10, cases[i].second);
		assert_int_equal(talk_side(&talk, CLIENT)->rounds.count, 2);
		assert_initial(&talk, cases[i].window, 10);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lost_edge),
		cmocka_unit_test(test_lost_edges),
		cmocka_unit_test(test_delayed),
		cmocka_unit_test(test_not_echoed),
		cmocka_unit_test(test_missing_numbers),
		cmocka_unit_test(test_overtaken),
		cmocka_unit_test(test_edge_of_bytes),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_lost_front),
		cmocka_unit_test(test_small_segments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
