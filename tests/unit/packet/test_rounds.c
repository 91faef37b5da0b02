/* Rounds, initial window and the end of slow start, at both ends of a path. */
#include "rounds.h"

/* Doubling windows are counted correctly: by echo at either end, and by
 * ACKs. */
static void test_doubling(void **state)
{
	static const int doubling[] = { 10, 20, 40, 80, 160 };

	for (int stamped = 0; stamped < 2; stamped++) {
		struct path *path = path_new();

		path->timestamps = stamped;
		path_run(path);
		assert_rounds(&path->near, doubling, 5);
		assert_rounds(&path->far, doubling, 5);
		assert_int_equal(path_sender(&path->near)->rounds.basis,
			stamped ? ROUNDS_ECHO : ROUNDS_ACK_CLOCK);
		assert_int_equal(path_sender(&path->far)->rounds.basis,
			stamped ? ROUNDS_ECHO : ROUNDS_ESTIMATED);
		assert_int_equal(talk_connection(&path->near)->tap, TAP_CLIENT);
		assert_int_equal(talk_connection(&path->far)->tap, TAP_SERVER);
		path_free(path);
	}
}

/* Behind a bottleneck, ACKs of two rounds share ticks of the clock. Both ends
 * still count the same, and every segment belongs to one round. */
static void test_bottleneck(void **state)
{
	static const double segment_ms[] = { 0.1, 0.25, 0.6, 1.3 };

	for (size_t i = 0; i < sizeof segment_ms / sizeof *segment_ms; i++) {
		struct path *path = path_new();
		uint64_t sum[2] = { 0 };

		path->segment_ms = segment_ms[i];
		path->total = 1500;
		path->threshold = 300;
		path_run(path);
		const struct rounds *near = &path_sender(&path->near)->rounds;
		const struct rounds *far = &path_sender(&path->far)->rounds;
		assert_int_equal(near->count, far->count);
		assert_int_equal(near->at[0].segments, 10);
		for (uint32_t k = 0; k < near->count; k++) {
			assert_int_equal(near->at[k].segments,
				far->at[k].segments);
			sum[0] += near->at[k].segments;
			sum[1] += far->at[k].segments;
		}
		assert_int_equal(sum[0], 1500);
		assert_int_equal(sum[1], 1500);
		path_free(path);
	}
}

/* Rounds of four segments, each acknowledged in two steps: the last round that
 * is kept has its own segments only, and each later one counts once. */
static void test_most(void **state)
{
	enum { ALL = ROUNDS_MAX + 76, BYTES = 1448 };

	for (int stamped = 0; stamped < 2; stamped++) {
		struct talk talk;

		talk_begin(&talk, TAP_CLIENT);
		talk.flow.timestamps = stamped;
		talk_open(&talk, 40);
		for (int i = 0; i < 2 * ALL; i++) {
			double ms = 50 + i / 2 * 50 + i % 2 * 5;

			if (i > 1)
				SAY(&talk, .ms = ms, .side = SERVER,
					.ack = (2 * i - 2) * BYTES);
			for (int k = 0; k < 2; k++)
				SAY(&talk, .ms = ms + 0.1,
					.seq = (2 * i + k) * BYTES,
					.length = BYTES);
		}
		const struct rounds *rounds =
			&talk_side(&talk, CLIENT)->rounds;
		assert_int_equal(rounds->count, ROUNDS_MAX);
		assert_int_equal(rounds->left_out, 76);
		for (uint32_t i = 0; i < ROUNDS_MAX; i++) {
			assert_int_equal(rounds->at[i].segments, 4);
			assert_int_equal(rounds->at[i].rtt_samples,
				rounds->at[0].rtt_samples);
		}
		talk_end(&talk);
	}
}

static void test_initial_window(void **state)
{
	static const int initials[] = { 1, 2, 4, 10, 32 };

	for (size_t i = 0; i < sizeof initials / sizeof *initials; i++) {
		struct path *path = path_new();

		path->initial = initials[i];
		path_run(path);
		for (int far = 0; far < 2; far++) {
			struct talk *talk = far ? &path->far : &path->near;

			assert_rounds(talk, &initials[i], 1);
			assert_initial(talk, WINDOW_WHOLE, initials[i]);
		}
		path_free(path);
	}
}

/* On a short path, the order of packets separates rounds at the sender's tap.
 * Away from it no rounds are counted. */
static void test_too_short(void **state)
{
	static const int rounds[] = { 10, 20, 40 };
	struct path *path = path_new();

	path->rtt_ms = 0.4;
	path->segment_ms = 0;
	path->initial = rounds[0];
	path_run(path);
	assert_rounds(&path->near, rounds, 3);
	assert_initial(&path->near, WINDOW_WHOLE, rounds[0]);
	assert_int_equal(path_sender(&path->far)->rounds.basis,
		ROUNDS_TOO_SHORT);
	assert_initial(&path->far, WINDOW_NOT_OBSERVABLE, 0);
	path_free(path);
}

/* On such a path, a flight that takes most of a round trip hides its end. The
 * earlier rounds are withdrawn. */
static void test_crowded(void **state)
{
	for (int long_path = 0; long_path < 2; long_path++) {
		double rtt_ms = long_path ? 40 : 0.4;
		struct talk talk;

		talk_begin(&talk, TAP_CLIENT);
		talk.flow.timestamps = false;
		talk_open(&talk, rtt_ms);
		for (int i = 0; i < 30; i++) {
			int round = i < 10 ? 1 : 2, k = i < 10 ? i : i - 10;

			if (!k && round == 2)
				SAY(&talk, .ms = rtt_ms * 3, .side = SERVER,
					.ack = 10 * PATH_MSS);
			SAY(&talk,
				.ms = rtt_ms * (2 * round + 0.1 +
						k * round / 60.0),
				.seq = i * PATH_MSS, .length = PATH_MSS);
		}
		const struct rounds *rounds = &talk_side(&talk, CLIENT)->rounds;
		assert_int_equal(rounds->basis, ROUNDS_ACK_CLOCK);
		assert_int_equal(rounds->count, 2);
		SAY(&talk, .ms = rtt_ms * 5, .side = SERVER,
			.ack = 30 * PATH_MSS);
		SAY(&talk, .ms = rtt_ms * 6, .seq = 30 * PATH_MSS,
			.length = PATH_MSS);
		assert_int_equal(rounds->basis,
			long_path ? ROUNDS_ACK_CLOCK : ROUNDS_TOO_SHORT);
		if (!long_path)
			assert_initial(&talk, WINDOW_NOT_OBSERVABLE, 0);
		talk_end(&talk);
	}
}

static void assert_exit(struct path *path, enum exit_reason reason)
{
	for (int far = 0; far < 2; far++) {
		const struct talk *talk = far ? &path->far : &path->near;

		if (path_sender(talk)->rounds.exit.reason != reason)
			fail_msg("%s: %s, expected %s", far ? "far" : "near",
				exit_name(
					path_sender(talk)->rounds.exit.reason),
				exit_name(reason));
	}
}

/* A queue that overflows, compared with the sender's own count of
 * retransmissions. */
static void test_overshoot(void **state)
{
	struct path *path = path_new();

	path->segment_ms = 0.6;
	path->queue = 60;
	path->total = 900;
	path_run(path);
	assert_true(path->retransmissions > 3);
	assert_exit(path, EXIT_LOSS);
	assert_int_equal(path_sender(&path->near)->retransmitted_segments,
		path->retransmissions);
	assert_int_equal(path_sender(&path->near)->reordered, 0);
	/* A loss at the front of the data leaves no hole: at the far end the
	 * retransmission is the first copy seen. */
	uint64_t far = path_sender(&path->far)->retransmitted_segments;
	assert_true(far <= (uint64_t)path->retransmissions &&
		far + 3 >= (uint64_t)path->retransmissions);
	assert_int_equal(path_sender(&path->far)->reordered, 0);
	path_free(path);
}

static void test_one_loss(void **state)
{
	struct path *path = path_new();

	path->drop = 100;
	path_run(path);
	assert_int_equal(path->retransmissions, 1);
	for (int far = 0; far < 2; far++) {
		const struct side *side =
			path_sender(far ? &path->far : &path->near);

		assert_int_equal(side->retransmissions[RETRANSMIT_FAST], 1);
		assert_int_equal(side->retransmitted_segments, 1);
		assert_int_equal(side->gaps, far);
		assert_int_equal(side->gaps_open, 0);
	}
	assert_exit(path, EXIT_LOSS);
	path_free(path);
}

static void test_window_limit(void **state)
{
	struct path *path = path_new();

	path->window = 50;
	path_run(path);
	assert_exit(path, EXIT_WINDOW);
	assert_true(path_sender(&path->near)->window_fulls > 0);
	assert_true(path_sender(&path->far)->window_fulls > 0);
	path_free(path);
}

static void test_application(void **state)
{
	struct path *path = path_new();

	path->pause_after = 25;
	path->pause_ms = 400;
	path_run(path);
	assert_exit(path, EXIT_APPLICATION);
	path_free(path);
}

/* Growth that stops without a visible cause, in the round of 74 segments. */
static void test_hystart(void **state)
{
	struct path *path = path_new();

	path->threshold = 74;
	path->total = 900;
	path_run(path);
	for (int far = 0; far < 2; far++) {
		const struct slow_start_exit *end =
			&path_sender(far ? &path->far : &path->near)
				 ->rounds.exit;

		assert_true(end->reason >= EXIT_HYSTART &&
			end->reason <= EXIT_HYSTART_TRAIN);
		assert_false(end->certain);
		assert_int_equal(end->round, 4);
	}
	path_free(path);
}

/* The sender's data in flight is known at both ends. */
static void test_in_flight(void **state)
{
	struct path *path = path_new();

	path_run(path);
	for (uint32_t i = 0; i < 5; i++)
		for (int far = 0; far < 2; far++) {
			const struct round *round =
				&path_sender(far ? &path->far : &path->near)
					 ->rounds.at[i];
			uint64_t wanted = PATH_MSS * 10u << i;

			assert_true(round->in_flight_bytes <= wanted);
			assert_true(round->in_flight_bytes * 10 >= wanted * 9);
			assert_true(round->rtt_ns >= 39000000 &&
				round->rtt_ns <= 42000000);
		}
	path_free(path);
}

/* Results do not depend on when the state is read. */
static void test_read_any_time(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	assert_int_equal(annotator_count(talk.annotator), 0);
	talk_open(&talk, 40);
	assert_int_equal(path_sender(&talk)->rounds.count, 0);
	for (int i = 0; i < 10; i++) {
		SAY(&talk, .ms = 50 + i * 0.01, .seq = i * 1448,
			.length = 1448);
		assert_int_equal(path_sender(&talk)->rounds.count, 1);
		assert_int_equal(path_sender(&talk)->rounds.at[0].segments,
			i + 1);
		assert_int_equal(side_in_flight(path_sender(&talk)),
			(i + 1) * 1448);
	}
	talk_end(&talk);
}

/* Segments are bytes divided by the segment size, however the host or its card
 * merges frames. */
static void test_merged(void **state)
{
	static const uint32_t frames[][4] = { { 14480 }, { 5000, 5000, 4480 },
		{ 1448, 7240, 5792 }, { 2172, 2172, 5068, 5068 } };

	for (size_t k = 0; k < sizeof frames / sizeof *frames; k++) {
		struct talk talk;
		int64_t seq = 0;

		talk_start(&talk);
		SAY(&talk, .ms = 41, .side = SERVER, .tsval = 200041);
		for (size_t i = 0; i < 4 && frames[k][i]; i++) {
			SAY(&talk, .ms = 50, .seq = seq,
				.length = frames[k][i], .tsecr = 200041);
			seq += frames[k][i];
		}
		SAY(&talk, .ms = 90, .side = SERVER, .ack = 14480,
			.tsval = 200090);
		SAY(&talk, .ms = 90, .seq = 14480, .length = 100,
			.tsecr = 200090);
		assert_initial(&talk, WINDOW_WHOLE, 10);
		assert_int_equal(path_sender(&talk)->segments, 11);
		talk_end(&talk);
	}
}

/* Without timestamps in mid-path, data follows its ACK after the leg between
 * tap and sender, which is shorter than the round trip. */
static void test_mid_path(void **state)
{
	struct talk talk;
	int64_t seq = 0, segments = 10;

	talk_begin(&talk, TAP_UNKNOWN);
	talk.flow.timestamps = false;
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = 1460, .wscale = 8);
	SAY(&talk, .ms = 20, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = 1460, .wscale = 8, .window = 65535);
	SAY(&talk, .ms = 40);
	for (int flight = 0; flight < 3; flight++, segments *= 2) {
		for (int64_t i = 0; i < segments; i++, seq += 1460)
			SAY(&talk, .ms = 50 + flight * 40 + (double)i * 0.01,
				.seq = seq, .length = 1460);
		SAY(&talk, .ms = 70 + flight * 40, .side = SERVER, .ack = seq);
	}
	assert_int_equal(talk_connection(&talk)->tap, TAP_MIDDLE);
	assert_int_equal(path_sender(&talk)->rounds.count, 3);
	assert_initial(&talk, WINDOW_WHOLE, 10);
	talk_end(&talk);
}

/* Without timestamps at the receiver, a first flight that fills the path has no
 * visible end. */
static void test_full_path(void **state)
{
	struct path *path = path_new();

	path->timestamps = false;
	path->rtt_ms = 4;
	path->segment_ms = 1.2;
	path_run(path);
	assert_int_equal(path_sender(&path->near)->rounds.at[0].segments, 10);
	assert_initial(&path->far, WINDOW_NOT_OBSERVABLE, 0);
	assert_int_not_equal(path_sender(&path->far)->rounds.exit.reason,
		EXIT_UNKNOWN);
	path_free(path);
}

/* TCP Fast Open: data that the server sends before the handshake is complete is
 * its first flight. */
static void test_fast_open(void **state)
{
	struct talk talk;
	int64_t seq = 0;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = 1460, .wscale = 8,
		.length = 700);
	SAY(&talk, .ms = 0.05, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .ack = 700, .mss = 1460, .wscale = 8);
	for (; seq < 10 * 1448; seq += 1448)
		SAY(&talk, .ms = 0.4, .side = SERVER, .seq = seq,
			.length = 1448, .ack = 700);
	SAY(&talk, .ms = 40, .seq = 700);
	SAY(&talk, .ms = 41, .seq = 700, .ack = seq);
	for (; seq < 30 * 1448; seq += 1448)
		SAY(&talk, .ms = 41.1, .side = SERVER, .seq = seq,
			.length = 1448, .ack = 700);
	const struct side *server = talk_side(&talk, SERVER);
	assert_int_equal(talk_connection(&talk)->tap, TAP_SERVER);
	assert_int_equal(server->rounds.count, 2);
	assert_int_equal(server->rounds.at[0].segments, 10);
	assert_int_equal(server->rounds.at[1].segments, 20);
	assert_int_equal(
		side_initial_window(talk_connection(&talk), SERVER).segments,
		10);
	assert_int_equal(talk_side(&talk, CLIENT)->rounds.count, 0);
	talk_end(&talk);
}

/* A probe of new data, two round trips after the first flight, which the host
 * sent late_ms after it could. */
static void check_probe(enum tap tap, int segments, int late_ms)
{
	struct talk talk;
	int64_t seq = 0;

	talk_begin(&talk, tap);
	talk_open(&talk, 40);
	SAY(&talk, .ms = 45, .side = SERVER);
	for (; seq < 10 * 1448; seq += 1448)
		SAY(&talk, .ms = 50 + late_ms, .seq = seq, .length = 1448,
			.tsval = 100050 + late_ms);
	for (int i = 0; i < segments; i++, seq += 1448)
		SAY(&talk, .ms = 134 + late_ms, .seq = seq, .length = 1448,
			.tsval = 100134 + late_ms);
	SAY(&talk, .ms = 170 + late_ms, .side = SERVER, .ack = seq);
	for (int i = 0; i < 20; i++, seq += 1448)
		SAY(&talk, .ms = 171 + late_ms, .seq = seq, .length = 1448,
			.tsval = 100171 + late_ms);
	assert_initial(&talk, segments == 1 ? WINDOW_WHOLE : WINDOW_CUT_BY_APP,
		10);
	talk_end(&talk);
}

/* A tail loss probe sends new data two round trips after the first flight, if
 * the acknowledgements are late. It is not part of the initial window. More
 * data shows that the application wrote no more before. */
static void test_probe(void **state)
{
	for (int tap = TAP_CLIENT; tap <= TAP_SERVER; tap++)
		for (int segments = 1; segments < 3; segments++) {
			check_probe((enum tap)tap, segments, 0);
			check_probe((enum tap)tap, segments, 100);
		}
}

/* The first flight was lost before the tap, and only the probe came. */
static void test_only_probe(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_SERVER);
	talk_open(&talk, 40);
	SAY(&talk, .ms = 45, .side = SERVER);
	SAY(&talk, .ms = 134, .seq = 10 * 1448, .length = 1448);
	SAY(&talk, .ms = 134.1, .side = SERVER, .sacks = 1,
		.sack = { { 10 * 1448, 11 * 1448 } });
	for (int i = 0; i < 10; i++)
		SAY(&talk, .ms = 175 + i, .seq = i * 1448, .length = 1448);
	SAY(&talk, .ms = 185, .side = SERVER, .ack = 11 * 1448);
	SAY(&talk, .ms = 225, .seq = 11 * 1448, .length = 1448);
	assert_initial(&talk, WINDOW_CUT_BY_LOSS, 10);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_doubling),
		cmocka_unit_test(test_bottleneck),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_initial_window),
		cmocka_unit_test(test_too_short),
		cmocka_unit_test(test_crowded),
		cmocka_unit_test(test_overshoot),
		cmocka_unit_test(test_one_loss),
		cmocka_unit_test(test_window_limit),
		cmocka_unit_test(test_application),
		cmocka_unit_test(test_hystart),
		cmocka_unit_test(test_in_flight),
		cmocka_unit_test(test_read_any_time),
		cmocka_unit_test(test_merged),
		cmocka_unit_test(test_mid_path),
		cmocka_unit_test(test_full_path),
		cmocka_unit_test(test_fast_open),
		cmocka_unit_test(test_probe),
		cmocka_unit_test(test_only_probe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
