/* What timestamps show, by the tick of the clock that made them. */
#include "rounds.h"

enum { SEGMENT = 1448 };

/* A segment is late, after others with its timestamp; the round trip is 40 ms.
 * Within one tick it may have been sent again, and was if it is a round trip
 * late. If the tick is known to be shorter, it was delayed on the way. */
static void test_equal_stamps(void **state)
{
	static const struct {
		int tick_ms;
		double ms; /* since the SYN */
		double late_ms;
		bool reordered, again;
	} cases[] = {
		/* Too early to know the tick. */
		{ 1, 50, 30, false, false },
		{ 1, 150, 30, true, false },
		{ 10, 150, 30, true, false },
		{ 100, 150, 30, false, false },
		{ 100, 1050, 15, true, false },
		{ 100, 1050, 30, false, false },
		{ 100, 1050, 45, false, true },
		{ 500, 150, 30, false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;
		double ms = cases[i].ms;
		int clock = 7000 + (int)ms / cases[i].tick_ms;

		talk_begin(&talk, TAP_SERVER);
		SAY(&talk, .flags = TCP_SYN, .seq = -1, .tsval = 7000);
		SAY(&talk, .ms = 0.05, .side = SERVER, .seq = -1,
			.flags = TCP_SYN | TCP_ACK);
		SAY(&talk, .ms = 40, .tsval = 7000 + 40 / cases[i].tick_ms);
		for (int k = 1; k < 5; k++)
			SAY(&talk, .ms = ms, .seq = k * SEGMENT,
				.length = SEGMENT, .tsval = clock, .tsecr = 1);
		SAY(&talk, .ms = ms + cases[i].late_ms, .length = SEGMENT,
			.tsval = clock, .tsecr = 1);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->reordered, cases[i].reordered);
		assert_int_equal(side->retransmitted_frames, cases[i].again);
		assert_int_equal(side->unclear,
			!cases[i].reordered && !cases[i].again);
		assert_int_equal(side->payload_bytes, 5 * SEGMENT);
		talk_end(&talk);
	}
}

/* Four segments are lost at the end of a flight, and nothing skips them until,
 * in recovery, the sender sends new data and then them, within one tick. The
 * link spaces them: the delay does not show that they were overtaken. Outside
 * recovery it does. */
static void test_sent_with_new_data(void **state)
{
	for (int recovery = 0; recovery < 2; recovery++) {
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk_open(&talk, 40);
		for (int i = 0; i < 6; i++)
			if (i != 2)
				SAY(&talk, .ms = 50 + i * .1,
					.seq = i * SEGMENT, .length = SEGMENT,
					.ip_id = 3 + i);
		for (int i = 0; i < 3 && recovery; i++)
			SAY(&talk, .ms = 50.6 + i * .1, .side = SERVER,
				.ack = 2 * SEGMENT, .sacks = 1,
				.sack = { { 3 * SEGMENT,
					(4 + i) * SEGMENT } });
		SAY(&talk, .ms = recovery ? 92 : 50.6, .seq = 2 * SEGMENT,
			.length = SEGMENT, .tsval = recovery ? 100092 : 100050,
			.ip_id = recovery ? 20 : 5);
		assert_int_equal(!(talk.last.marks & MARK_RETRANSMISSION),
			!recovery);
		SAY(&talk, .ms = 92.5, .seq = 10 * SEGMENT, .length = SEGMENT,
			.tsval = 100092, .ip_id = recovery ? 21 : 12);
		for (int i = 6; i < 10; i++)
			SAY(&talk, .ms = 90 + i, .seq = i * SEGMENT,
				.length = SEGMENT, .tsval = 100092,
				.ip_id = recovery ? 16 + i : 2 + i);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->unclear, recovery ? 4 : 0);
		assert_int_equal(side->reordered, recovery ? 0 : 5);
		assert_int_equal(side->retransmitted_segments, recovery);
		talk_end(&talk);
	}
}

/* Data recorded a few milliseconds after its acknowledgement was recorded late
 * if its timestamp is not newer than the echo of the acknowledgement, or is
 * that of the packet which skipped it, and a tick is shorter. It was sent
 * again if
 * its timestamp is newer than that of the packet which skipped it. Otherwise it
 * may be either: delayed ACKs echo the oldest timestamp. */
static void test_after_ack(void **state)
{
	static const struct {
		bool hole;
		int tsval;
		bool late, again;
	} cases[] = {
		{ false, 100250, true, false },
		{ false, 100249, true, false },
		{ false, 100290, false, false },
		{ true, 100250, true, false },
		{ true, 100290, false, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool hole = cases[i].hole;
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 250, .length = SEGMENT, .tsval = 100250);
		if (hole)
			SAY(&talk, .ms = 250.1, .seq = 2 * SEGMENT,
				.length = SEGMENT, .tsval = 100250);
		SAY(&talk, .ms = 290, .side = SERVER,
			.ack = (2 + hole) * SEGMENT, .tsecr = 100250);
		SAY(&talk, .ms = 295, .seq = SEGMENT, .length = SEGMENT,
			.tsval = cases[i].tsval);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->recorded_late, cases[i].late);
		assert_int_equal(side->retransmitted_frames, cases[i].again);
		assert_int_equal(side->unclear,
			!cases[i].late && !cases[i].again);
		assert_int_equal(side->gap_bytes, 0);
		talk_end(&talk);
	}
}

/* Rounds by echoes need a clock that ticks at least twice in a round trip. A
 * slower one merges rounds, which shows once the clock is measured. */
static void test_coarse(void **state)
{
	static const int ticks_ms[] = { 1, 10, 100, 500 };

	for (size_t i = 0; i < sizeof ticks_ms / sizeof *ticks_ms; i++) {
		bool coarse = ticks_ms[i] > 20;
		struct talk talk;

		talk_begin(&talk, TAP_CLIENT);
		SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = 1460);
		SAY(&talk, .ms = 40, .side = SERVER, .seq = -1, .mss = 1460,
			.flags = TCP_SYN | TCP_ACK, .tsval = 9000);
		SAY(&talk, .ms = 40.1);
		for (int k = 0; k < 8; k++) {
			int ms = 50 + 40 * k;

			SAY(&talk, .ms = ms, .seq = k * SEGMENT,
				.length = SEGMENT,
				.tsecr = 9000 + (ms - 20) / ticks_ms[i]);
			SAY(&talk, .ms = ms + 40, .side = SERVER,
				.ack = (k + 1) * SEGMENT,
				.tsval = 9000 + (ms + 20) / ticks_ms[i]);
		}
		const struct rounds *rounds = &path_sender(&talk)->rounds;
		assert_int_equal(rounds->coarse, coarse);
		assert_int_equal(rounds->basis,
			coarse ? ROUNDS_NONE : ROUNDS_ECHO);
		assert_int_equal(rounds->count, coarse ? 0 : 8);
		if (coarse)
			assert_initial(&talk, WINDOW_UNKNOWN, 0);
		talk_end(&talk);
	}
}

/* Within 100 ms the clock of the receiver is hardly measured: echoes separate
 * rounds exactly only if its timestamps show two ticks in a round trip. Slower
 * ones merge two rounds, which look like a longer window. */
static void test_too_short_to_measure(void **state)
{
	static const struct {
		int tick_ms;
		bool exact;
	} cases[] = { { 1, true }, { 5, true }, { 10, false }, { 20, false },
		{ 100, false } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int tick_ms = cases[i].tick_ms;
		struct talk talk;

		talk_begin(&talk, TAP_CLIENT);
		SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = 1460);
		SAY(&talk, .ms = 16, .side = SERVER, .seq = -1, .mss = 1460,
			.wscale = 8, .flags = TCP_SYN | TCP_ACK, .tsval = 9000,
			.window = 65535);
		SAY(&talk, .ms = 16.1);
		for (int k = 0; k < 4; k++) {
			int ms = 17 + 17 * k;

			SAY(&talk, .ms = ms, .seq = k * SEGMENT,
				.length = SEGMENT,
				.tsecr = 9000 + (ms - 9) / tick_ms);
			SAY(&talk, .ms = ms + 16, .side = SERVER,
				.ack = (k + 1) * SEGMENT,
				.tsval = 9000 + (ms + 8) / tick_ms);
		}
		assert_int_equal(side_rounds_basis(talk_connection(&talk),
					 CLIENT),
			cases[i].exact ? ROUNDS_ECHO : ROUNDS_ESTIMATED);
		assert_initial(&talk,
			cases[i].exact ? WINDOW_NOT_GROWN :
					 WINDOW_NOT_OBSERVABLE,
			cases[i].exact ? 1 : 0);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_stamps),
		cmocka_unit_test(test_sent_with_new_data),
		cmocka_unit_test(test_after_ack),
		cmocka_unit_test(test_coarse),
		cmocka_unit_test(test_too_short_to_measure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
