/* Claims that the packets support but do not prove. */
#include <stdlib.h>
#include <string.h>

#include "path.h"
#include "rounds.h"

/* Segments from `from` to `to` - 1 and their acknowledgement. */
static void say_flight(struct talk *talk, double ms, int64_t from, int64_t to,
	int64_t without)
{
	for (int64_t i = from; i < to; i++)
		if (i != without)
			SAY(talk, .ms = ms, .seq = i * PATH_MSS,
				.length = PATH_MSS, .tsecr = 200000 + (int)ms);
}

static void say_acked(struct talk *talk, double ms, int64_t acked)
{
	SAY(talk, .ms = ms, .side = SERVER, .ack = acked * PATH_MSS,
		.tsval = 200000 + (int)ms);
}

/* The third duplicate, the data that it releases, and the repair. */
static void say_repaired(struct talk *talk, double ms, int64_t lost)
{
	for (int k = 0; k < 3; k++)
		SAY(talk, .ms = ms, .side = SERVER, .ack = lost * PATH_MSS,
			.tsval = 200000 + (int)ms, .sacks = 1,
			.sack = { { (lost + 1) * PATH_MSS,
				(lost + 2 + k) * PATH_MSS } });
	SAY(talk, .ms = ms + 0.5, .seq = lost * PATH_MSS, .length = PATH_MSS,
		.tsecr = 200000 + (int)ms);
}

/* Flights with a pause after each. If the second one's round trip is longer,
 * HyStart may have stopped the growth before the pause: a window of 16 segments
 * is enough, and a flight of 8 opens it. */
static void test_idle_after_hystart(void **state)
{
	for (int i = 0; i < 4; i++) {
		int late_ms = i % 2 ? 10 : 0, length = i / 2 ? 10 : 7;
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 41, .side = SERVER);
		for (int k = 0; k < 3; k++) {
			double ms = 50 + 200 * k;

			say_flight(&talk, ms, k * length, (k + 1) * length, -1);
			say_acked(&talk, ms + 40 + k * late_ms,
				(k + 1) * length);
		}
		const struct slow_start_exit end =
			side_exit(path_sender(&talk));
		assert_int_equal(end.reason, EXIT_APPLICATION);
		assert_int_equal(end.round, 2);
		assert_int_equal(end.certain, !late_ms || length < 8);
		talk_end(&talk);
	}
}

/* A third of the second flight is sent after all its acknowledgements: it is
 * paced, or written only then. A loss in it is no certain end. */
static void test_loss_or_pacing(void **state)
{
	for (int paced = 0; paced < 2; paced++) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 41, .side = SERVER);
		say_flight(&talk, 50, 0, 8, -1);
		say_acked(&talk, 90, 8);
		say_flight(&talk, 90, 8, 16, 8);
		say_flight(&talk, paced ? 95 : 90, 16, 20, -1);
		say_repaired(&talk, 131, 8);
		const struct slow_start_exit end =
			side_exit(path_sender(&talk));
		assert_int_equal(end.reason, EXIT_LOSS);
		assert_int_equal(end.certain, !paced);
		talk_end(&talk);
	}
}

/* A segment of the third flight is lost. HyStart could have ended slow start
 * before, which the receiver's tap does not show. */
static void test_loss_or_hystart(void **state)
{
	static struct path path;

	path = (struct path){ .rtt_ms = 40,
		.initial = 10,
		.threshold = PATH_SEGMENTS,
		.total = 300,
		.timestamps = true,
		.selective = true,
		.drop = 50 };
	path_begin(&path);
	path_go(&path);
	const struct side *near = path_sender(&path.near),
			  *far = path_sender(&path.far);
	assert_true(side_exit(near).certain);
	assert_string_equal(side_exit_words(near), "loss ended slow start");
	assert_true(side_exit(far).hystart);
	assert_false(side_exit(far).certain);
	assert_string_equal(side_exit_words(far),
		"loss may have ended slow start, if HyStart or pacing did not");
	path_end(&path);
}

/* The flight had stopped growing when it lost a segment. */
static void test_slow_before_loss(void **state)
{
	static const int64_t ends[] = { 0, 10, 30, 58, 87 };
	struct talk talk;

	talk_start(&talk);
	for (int i = 0; i < 4; i++) {
		say_flight(&talk, 50 + 40 * i, ends[i], ends[i + 1], -1);
		if (i < 3)
			say_acked(&talk, 90 + 40 * i, ends[i + 1]);
	}
	say_acked(&talk, 210, 70);
	SAY(&talk, .ms = 210.1, .side = SERVER, .ack = 70 * PATH_MSS,
		.tsval = 210, .sacks = 1,
		.sack = { { 71 * PATH_MSS, 72 * PATH_MSS } });
	say_flight(&talk, 210.2, 87, 99, -1);
	say_repaired(&talk, 211, 70);
	assert_int_equal(path_sender(&talk)->retransmitted_segments, 1);
	assert_int_equal(side_exit(path_sender(&talk)).reason, EXIT_HYSTART);
	talk_end(&talk);
}

/* The capture lost a segment before the retransmission, and may have lost
 * another cause too. */
static void test_incomplete(void **state)
{
	struct talk talk;

	talk_start(&talk);
	say_flight(&talk, 50, 0, 4, 2);
	say_acked(&talk, 90, 4);
	say_flight(&talk, 90, 4, 12, -1);
	say_repaired(&talk, 130, 4);
	const struct slow_start_exit end = side_exit(path_sender(&talk));
	assert_int_equal(end.reason, EXIT_LOSS);
	assert_true(end.incomplete);
	assert_false(end.certain);
	assert_non_null(strstr(side_exit_words(path_sender(&talk)),
		"the capture lost packets before"));
	assert_initial(&talk, WINDOW_RECORDED_LATE, 0);
	talk_end(&talk);
}

/* The first flight fills the window of the handshake, which the receiver's tap
 * shows too. */
static void test_window_of_handshake(void **state)
{
	enum { MSS = 1460, SEGMENTS = 5 };
	struct talk talk;

	talk_begin(&talk, TAP_SERVER);
	talk.flow.timestamps = false;
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = MSS, .tsval = -1);
	SAY(&talk, .ms = 0.1, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = MSS, .window = SEGMENTS * MSS, .tsval = -1);
	SAY(&talk, .ms = 40, .tsval = -1);
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < SEGMENTS; k++)
			SAY(&talk, .ms = 41 + 40 * i + k * 0.01,
				.seq = (i * SEGMENTS + k) * MSS, .length = MSS,
				.tsval = -1);
		SAY(&talk, .ms = 41.1 + 40 * i, .side = SERVER,
			.ack = (i + 1) * SEGMENTS * MSS,
			.window = SEGMENTS * MSS, .tsval = -1);
	}
	assert_initial(&talk, WINDOW_CUT_BY_PEER, SEGMENTS);
	talk_end(&talk);
}

/* The last data before a pause of 200 ms waits in a queue, which is no idle
 * time of the application. */
static void test_idle_in_queue(void **state)
{
	static struct path path;
	int64_t idle_ns = 0;

	path = (struct path){ .rtt_ms = 20,
		.segment_ms = 1,
		.initial = 10,
		.threshold = PATH_SEGMENTS,
		.total = 140,
		.timestamps = true,
		.pause_after = 70,
		.pause_ms = 200,
		.drop = -1 };
	path_begin(&path);
	path_go(&path);
	const struct rounds *rounds = &path_sender(&path.near)->rounds;
	for (uint32_t i = 0; i < rounds->count; i++)
		idle_ns += rounds->at[i].idle_ns;
	assert_in_range(idle_ns, 100000000, 130000000);
	path_end(&path);
}

/* Flights of so many segments, each acknowledged 40 ms later, and a segment
 * that shows that the last of them is complete. */
static int64_t say_flights(struct talk *talk, double ms, int64_t from,
	const int *lengths, int count)
{
	for (int i = 0; i < count && lengths[i]; i++, ms += 40) {
		say_flight(talk, ms, from, from + lengths[i], -1);
		from += lengths[i];
		say_acked(talk, ms + 40, from);
	}
	say_flight(talk, ms, from, from + 1, -1);
	return from;
}

/* A retransmission that the receiver did not need, or that repairs a loss. The
 * flight after it grows as in slow start, or as congestion avoidance allows. */
static void test_growth_after_repeat(void **state)
{
	static const struct {
		bool needless;
		int length;
		enum exit_reason reason;
	} cases[] = {
		{ true, 40, EXIT_NONE },
		{ true, 30, EXIT_LOSS },
		{ false, 40, EXIT_LOSS },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_start(&talk);
		say_flight(&talk, 50, 0, 10, -1);
		say_acked(&talk, 90, 10);
		say_flight(&talk, 90, 10, 30, -1);
		say_repaired(&talk, 130, 10);
		SAY(&talk, .ms = 171, .side = SERVER, .ack = 30 * PATH_MSS,
			.tsval = 171, .sacks = cases[i].needless,
			.sack = { { 10 * PATH_MSS, 11 * PATH_MSS } });
		const struct side *side = path_sender(&talk);
		assert_int_equal(side->rounds.exit.reason, EXIT_LOSS);
		say_flights(&talk, 171, 30, &cases[i].length, 1);
		assert_int_equal(side_exit(side).reason, cases[i].reason);
		assert_int_equal(count_events(talk_connection(&talk),
					 EVENT_EXIT),
			cases[i].reason != EXIT_NONE);
		talk_end(&talk);
	}
}

/* A tail loss probe that the receiver did not need reduces no window, and the
 * silence around it is not the application's. */
static void test_needless_probe(void **state)
{
	const int next = 40;
	struct talk talk;

	talk_start(&talk);
	say_flight(&talk, 50, 0, 10, -1);
	say_acked(&talk, 90, 10);
	say_flight(&talk, 90, 10, 30, -1);
	say_acked(&talk, 130, 29);
	SAY(&talk, .ms = 215, .seq = 29 * PATH_MSS, .length = PATH_MSS,
		.tsecr = 130);
	assert_int_equal(talk.last.why, RETRANSMIT_TAIL_PROBE);
	const struct side *side = path_sender(&talk);
	assert_int_equal(side->rounds.exit.reason, EXIT_LOSS);
	SAY(&talk, .ms = 255, .side = SERVER, .ack = 30 * PATH_MSS,
		.tsval = 255, .sacks = 1,
		.sack = { { 29 * PATH_MSS, 30 * PATH_MSS } });
	assert_int_equal(side_exit(side).reason, EXIT_NONE);
	assert_int_equal(count_events(talk_connection(&talk), EVENT_EXIT), 0);
	say_flights(&talk, 295, 30, &next, 1);
	assert_int_equal(side_exit(side).reason, EXIT_NONE);
	talk_end(&talk);
}

/* Two flights that hardly grow look like the end of slow start, until one of
 * them is longer than congestion avoidance allows. */
static void test_growth_resumed(void **state)
{
	static const struct {
		int lengths[6];
		bool ended;
	} cases[] = {
		{ { 10, 20, 40, 42, 44 }, true },
		{ { 10, 20, 40, 42, 44, 60 }, true },
		{ { 10, 20, 40, 42, 44, 88 }, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_start(&talk);
		say_flights(&talk, 50, 0, cases[i].lengths, 6);
		assert_int_equal(side_exit(path_sender(&talk)).reason,
			cases[i].ended ? EXIT_HYSTART : EXIT_NONE);
		talk_end(&talk);
	}
}

/* One flight did not grow, but the one that lost a segment had. */
static void test_loss_after_growth(void **state)
{
	static const int lengths[] = { 10, 20, 40, 34 };
	struct talk talk;

	talk_start(&talk);
	int64_t from = say_flights(&talk, 50, 0, lengths, 4);
	say_flight(&talk, 210, from + 1, from + 80, -1);
	say_repaired(&talk, 250, from);
	assert_int_equal(side_exit(path_sender(&talk)).reason, EXIT_LOSS);
	talk_end(&talk);
}

/* A queue fills: in the fourth flight and later, data arrives without pauses.
 * Away from the sender and without timestamps its rounds have no visible ends.
 * The estimated ones must not become shorter, nor give a cause. */
static void test_estimated_in_queue(void **state)
{
	static struct path path;

	path = (struct path){ .rtt_ms = 50,
		.segment_ms = 0.6,
		.initial = 10,
		.threshold = PATH_SEGMENTS,
		.total = 2000,
		.drop = -1 };
	path_begin(&path);
	path_go(&path);
	const struct side *far = path_sender(&path.far);
	assert_int_equal(far->rounds.basis, ROUNDS_ESTIMATED);
	/* It takes 1200 ms; no round trip is shorter than 50 ms. */
	assert_in_range(far->rounds.count, 5, 1200 / 50 * 5 / 4 + 4);
	assert_int_equal(side_exit(far).reason, EXIT_UNKNOWN);
	path_end(&path);
}

enum { PAUSES_MAX = 9, OF_27_SEGMENTS = 306 };

struct pauses {
	int flights[PAUSES_MAX]; /* segments; negative: then a pause */
	int repaired; /* this flight, from 0, loses a segment; 0: none */
	int window;   /* 0: large */
	enum exit_reason reason;
	uint32_t round;
};

/* Flights, and the end of the data. */
static void say_pauses(struct talk *talk, const struct pauses *pauses)
{
	int64_t sent = 0;
	double ms = 50;

	talk_start(talk);
	SAY(talk, .ms = 45, .side = SERVER, .tsval = 45,
		.window = pauses->window);
	for (int i = 0; i < PAUSES_MAX && pauses->flights[i]; i++) {
		int64_t from = sent;

		sent += abs(pauses->flights[i]);
		say_flight(talk, ms, from, sent, -1);
		ms += 40;
		if (pauses->repaired && i == pauses->repaired) {
			say_repaired(talk, ms, from);
			ms += 40;
		}
		SAY(talk, .ms = ms, .side = SERVER, .ack = sent * PATH_MSS,
			.tsval = 200000 + (int)ms, .window = pauses->window);
		ms += pauses->flights[i] < 0 ? 90 : 0.1;
	}
	SAY(talk, .ms = ms, .seq = sent * PATH_MSS, .flags = TCP_FIN | TCP_ACK);
}

/* The sender's application pauses, as a program does that has no processor
 * time. If flights then grow until they fill the receive window, that is the
 * limit. A wide window, a repeat, or two flights that hardly grew leave the
 * pause as the end. */
static void test_full_after_pause(void **state)
{
	static const struct pauses cases[] = {
		{ { 10, 20, -2, 27, 27, 27 }, 0, OF_27_SEGMENTS, EXIT_WINDOW,
			5 },
		{ { 10, 20, -4, 10, 20, 27, 27 }, 0, OF_27_SEGMENTS,
			EXIT_WINDOW, 6 },
		{ { 10, 20, -13, 10, 19, 25, 27, 27 }, 0, OF_27_SEGMENTS,
			EXIT_WINDOW, 7 },
		{ { 10, 20, -26, 27, 27, 27 }, 0, OF_27_SEGMENTS, EXIT_WINDOW,
			4 },
		{ { 10, 20, -4, 10, 20, 40, 80 }, 0, 0, EXIT_APPLICATION, 3 },
		{ { 10, 20, -4, 22, 25, 27, 27 }, 0, OF_27_SEGMENTS,
			EXIT_WINDOW, 6 },
		{ { 10, 20, -4, 20, 22, 24, 27, 27 }, 0, OF_27_SEGMENTS,
			EXIT_APPLICATION, 3 },
		{ { 10, 20, -4, 10, 20, 27, 27 }, 4, OF_27_SEGMENTS,
			EXIT_APPLICATION, 3 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		say_pauses(&talk, &cases[i]);
		const struct slow_start_exit end =
			side_exit(path_sender(&talk));
		if (end.reason != cases[i].reason ||
			end.round != cases[i].round)
			fail_msg("case %zu: %s in round %u", i,
				exit_name(end.reason), end.round);
		assert_int_equal(count_events(talk_connection(&talk),
					 EVENT_EXIT),
			1);
		talk_end(&talk);
	}
}

/* A time-out repairs data, and the acknowledgement of the repair shows that
 * more is missing: lost on the way, or discarded if it exceeded the window. */
static void test_loss_or_discarded(void **state)
{
	enum { BYTES = 1024, WITHIN = 125, SENT = 127 };

	for (int exceeds = 0; exceeds < 2; exceeds++) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 41, .side = SERVER,
			.window = exceeds ? WITHIN * BYTES >> 7 : 2000,
			.tsval = 200041);
		for (int k = 0; k < SENT; k++)
			SAY(&talk, .ms = 50, .seq = k * BYTES, .length = BYTES,
				.tsecr = 200041);
		SAY(&talk, .ms = 90, .side = SERVER, .ack = WITHIN * BYTES,
			.window = exceeds ? -1 : 2000, .tsval = 200090);
		for (int k = WITHIN; k < SENT; k++) {
			int ms = 400 + (k - WITHIN) * 80;

			SAY(&talk, .ms = ms, .seq = k * BYTES, .length = BYTES,
				.tsecr = 200090 + (k - WITHIN) * 350);
			SAY(&talk, .ms = ms + 40, .side = SERVER,
				.ack = (k + 1) * BYTES, .window = 32,
				.tsval = 200040 + ms);
		}
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side_exit(side).reason, EXIT_LOSS);
		assert_int_equal(side_exit(side).certain, !exceeds);
		assert_string_equal(side_exit_words(side),
			exceeds ? "loss ended slow start, or the receiver "
				  "discarded data beyond its window" :
				  "loss ended slow start");
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle_after_hystart),
		cmocka_unit_test(test_loss_or_hystart),
		cmocka_unit_test(test_loss_or_pacing),
		cmocka_unit_test(test_loss_or_discarded),
		cmocka_unit_test(test_slow_before_loss),
		cmocka_unit_test(test_incomplete),
		cmocka_unit_test(test_window_of_handshake),
		cmocka_unit_test(test_idle_in_queue),
		cmocka_unit_test(test_growth_after_repeat),
		cmocka_unit_test(test_needless_probe),
		cmocka_unit_test(test_growth_resumed),
		cmocka_unit_test(test_loss_after_growth),
		cmocka_unit_test(test_estimated_in_queue),
		cmocka_unit_test(test_full_after_pause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
