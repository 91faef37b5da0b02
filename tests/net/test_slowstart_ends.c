/* Why slow start ended and what was retransmitted, at both ends of the path,
 * compared with the kernel's own report and its namespace's counters. */
#include "behaviours.h"
#include "on_link.h"
#include "taps.h"

static struct behaved behaved;

static const struct side *sender_at(struct taps *taps, enum link_side side)
{
	struct error error = { 0 };
	const struct connection *connection = taps_annotate(taps, side, &error);

	if (!connection)
		fail_msg("%s", error.message);
	return &connection->side[connection->client];
}

/* Retransmissions that are lost never pass the far tap. */
static void assert_far_tap_tells(const struct taps *taps,
	const struct side *far)
{
	struct taps_again again = taps_again(taps);

	if (again.told + again.fresh != again.arrived)
		fail_msg("of %u retransmissions that arrived, %u are "
			 "recognised and %u look new; %llu reordered, %llu "
			 "recorded late, %llu unclear",
			again.arrived, again.told, again.fresh,
			(unsigned long long)far->reordered,
			(unsigned long long)far->recorded_late,
			(unsigned long long)far->unclear);
	assert_int_equal(again.wrong, 0);
	assert_int_equal(far->reordered, 0);
}

/* Produces the behaviour, compares the counts of both taps with the kernel's,
 * and calls `more`. */
static void check(enum behaviour what,
	void (*more)(const struct side *near, const struct side *far))
{
	struct taps taps = { 0 };
	const struct behaviour_watch watch = { taps_begin, taps_end, &taps };
	struct error error = { 0 };

	if (behave(what, &watch, &behaved, &error)) {
		if (!strstr(error.message, "cubic: "))
			fail_msg("%s", error.message);
		print_message("SKIP: not permitted here: %s\n", error.message);
		skip();
	}
	const struct side *near = sender_at(&taps, LINK_NEAR);
	const struct side *far = sender_at(&taps, LINK_FAR);
	assert_int_equal(near->retransmitted_segments -
			near->fin_retransmissions,
		behaved.retransmits);
	assert_int_equal(near->reordered, 0);
	assert_far_tap_tells(&taps, far);
	more(near, far);
	taps_close(&taps);
}

/* A slow receiver may have filled its window before the loss. */
static void assert_ended_by_loss(const struct side *side)
{
	if (!side->window_fulls)
		assert_int_equal(side->rounds.exit.reason, EXIT_LOSS);
}

static void lost_once(const struct side *near, const struct side *far)
{
	assert_ended_by_loss(near);
	assert_ended_by_loss(far);
	assert_true(far->retransmitted_segments >= 1);
}

static void test_loss(void **state)
{
	check(BEHAVIOUR_LOSS, lost_once);
}

static void lost_tail(const struct side *near, const struct side *far)
{
	assert_true(near->retransmitted_segments >= 5);
	/* The first retransmission that arrives is beyond all data that the far
	 * tap has seen, so it looks like new data there. */
	assert_in_range(far->retransmitted_segments,
		near->retransmitted_segments - 1,
		near->retransmitted_segments);
	assert_true(near->retransmissions[RETRANSMIT_TAIL_PROBE] +
			near->retransmissions[RETRANSMIT_TIMEOUT] >=
		1);
}

static void test_tail(void **state)
{
	check(BEHAVIOUR_TAIL_LOSS, lost_tail);
}

static void same_rounds(const struct side *near, const struct side *far)
{
	/* test_capture_link.c compares more rounds, and repeats the transfer if
	 * the machine was busy. */
	assert_true(near->rounds.count >= 6 && far->rounds.count >= 6);
	for (int i = 0; i < 3; i++)
		assert_int_equal(near->rounds.at[i].segments,
			far->rounds.at[i].segments);
	/* If acknowledgements are late, a probe follows the window. */
	assert_in_range(near->rounds.at[0].segments, 10, 11);
}

static bool is_hystart(const struct side *side)
{
	return side->rounds.exit.reason >= EXIT_HYSTART &&
		side->rounds.exit.reason <= EXIT_HYSTART_TRAIN;
}

/* The round, from 1, that was open at a time. */
static uint32_t round_at(const struct side *near, int64_t t_ns)
{
	uint32_t i = 0;

	while (i < near->rounds.count && near->rounds.at[i].start_ns <= t_ns)
		i++;
	return i;
}

static bool explained;

/* Cubic leaves slow start by HyStart if the kernel's counters show it, in the
 * round in which the kernel set its threshold. Late acknowledgements only make
 * it leave sooner; the far tap does not see them, and may be a round away. */
static void left_by_hystart(const struct side *near, const struct side *far)
{
	uint32_t from = round_at(near, behaved.unlimited_ns);
	uint32_t to = round_at(near, behaved.threshold_ns);
	const struct slow_start_exit *at_near = &near->rounds.exit;
	const struct slow_start_exit *at_far = &far->rounds.exit;

	same_rounds(near, far);
	assert_true(
		behaved_counter(&behaved, LINK_NEAR, "TCPHystartTrainDetect") +
			behaved_counter(&behaved, LINK_NEAR,
				"TCPHystartDelayDetect") >=
		1);
	explained = behaved.retransmits ||
		(is_hystart(near) && is_hystart(far) &&
			at_near->round >= from && at_near->round <= to &&
			at_far->round + 1 >= from && at_far->round <= to + 1);
	if (!explained)
		print_message("slow start ended by: %s in round %u, %s in "
			      "round %u; by the kernel in round %u to %u\n",
			exit_name(at_near->reason), at_near->round,
			exit_name(at_far->reason), at_far->round, from, to);
}

/* If the machine is busy, the sender may pause earlier. */
static void check_hystart(enum behaviour what)
{
	explained = false;
	for (int i = 0; i < 5 && !explained; i++)
		check(what, left_by_hystart);
	assert_true(explained);
}

static void test_hystart(void **state)
{
	check_hystart(BEHAVIOUR_HYSTART);
}

static void test_delayed(void **state)
{
	check_hystart(BEHAVIOUR_DELAYED);
}

/* The path holds 69 packets, and the queue 80. When the first loss is detected,
 * more than that are in flight. */
static void overshot(const struct side *near, const struct side *far)
{
	same_rounds(near, far);
	assert_ended_by_loss(near);
	assert_ended_by_loss(far);
	assert_true(near->rounds.exit.in_flight_bytes > 149 * 1448);
	assert_true(far->retransmitted_segments >=
		behaved.counters[LINK_NEAR].refused / 2);
}

static void test_overshoot(void **state)
{
	check(BEHAVIOUR_OVERSHOOT, overshot);
}

/* The receiver's buffer is smaller than a flight. */
static void stopped_by_window(const struct side *near, const struct side *far)
{
	assert_int_equal(near->rounds.exit.reason, EXIT_WINDOW);
	assert_int_equal(far->rounds.exit.reason, EXIT_WINDOW);
}

static void test_window(void **state)
{
	check(BEHAVIOUR_WINDOW, stopped_by_window);
}

static void stopped_by_application(const struct side *near,
	const struct side *far)
{
	assert_int_equal(near->rounds.exit.reason, EXIT_APPLICATION);
	assert_int_equal(far->rounds.exit.reason, EXIT_APPLICATION);
}

static void test_application(void **state)
{
	check(BEHAVIOUR_APPLICATION, stopped_by_application);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_tail),
		cmocka_unit_test(test_hystart),
		cmocka_unit_test(test_delayed),
		cmocka_unit_test(test_overshoot),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_application),
	};

	need_link();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
