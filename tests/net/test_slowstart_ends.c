/* Why slow start ended and what was sent again, at both ends of the path,
 * against the kernel's own account and its namespace's counters. */
#include <sys/mman.h>

#include "annotate.h"
#include "behaviours.h"
#include "capture_link.h"
#include "on_link.h"
#include "packets.h"

static struct behaved behaved;

struct taps {
	int file[LINK_SIDES];
	struct capture *capture[LINK_SIDES];
};

static void tap_begin(struct link *link, void *context)
{
	struct taps *taps = context;

	for (int side = 0; side < LINK_SIDES; side++) {
		struct packet_record record;
		struct error error = { 0 };
		int64_t until_ns = now_ns() + 20 * S;

		taps->file[side] = memfd_create("packets", MFD_CLOEXEC);
		assert_true(taps->file[side] >= 0);
		const struct capture_ask ask = {
			.use = CAPTURE_FOR_LATENCY,
			.into = taps->file[side],
			.into_most = PACKETS_BYTES_MOST,
		};
		taps->capture[side] = capture_open_link(link,
			(enum link_side)side, &ask, &error);
		if (!taps->capture[side])
			fail_msg("%s", error.message);
		struct packets *packets = packets_follow(taps->file[side]);
		while (!packets_state(packets)->begun && now_ns() < until_ns)
			if (!packets_next(packets, &record))
				usleep(1000);
		assert_int_equal(packets_state(packets)->begun, 1);
		packets_unfollow(packets);
	}
}

static void tap_end(void *context)
{
	struct taps *taps = context;

	for (int side = 0; side < LINK_SIDES; side++) {
		capture_stop(taps->capture[side]);
		assert_true(capture_gone(taps->capture[side], 20000));
		capture_close(taps->capture[side]);
	}
}

static struct annotator *annotated_at(const struct taps *taps,
	enum link_side side)
{
	const struct annotator_options options = {
		.tap = side == LINK_NEAR ? TAP_CLIENT : TAP_SERVER,
	};
	struct annotator *annotator = annotator_new(&options);
	struct packets *packets = packets_follow(taps->file[side]);
	struct packet_record record;

	while (packets_next(packets, &record))
		annotator_add(annotator, &record);
	assert_int_equal(packets_state(packets)->ended, 1);
	assert_int_equal(packets_state(packets)->counts.dropped, 0);
	assert_int_equal(annotator_count(annotator), 1);
	packets_unfollow(packets);
	close(taps->file[side]);
	return annotator;
}

static const struct side *sender(const struct annotator *annotator)
{
	const struct connection *connection =
		annotator_connection(annotator, 0);

	return &connection->side[connection->client];
}

/* Makes it, holds both taps' counts against the kernel's, and calls back. */
static void check(enum behaviour what,
	void (*more)(const struct side *near, const struct side *far))
{
	struct taps taps;
	const struct behaviour_watch watch = { tap_begin, tap_end, &taps };
	struct annotator *at[LINK_SIDES];
	struct error error = { 0 };

	if (behave(what, &watch, &behaved, &error)) {
		if (!strstr(error.message, "cubic: "))
			fail_msg("%s", error.message);
		print_message("SKIP: not permitted here: %s\n", error.message);
		skip();
	}
	for (int side = 0; side < LINK_SIDES; side++)
		at[side] = annotated_at(&taps, (enum link_side)side);
	const struct side *near = sender(at[LINK_NEAR]);
	const struct side *far = sender(at[LINK_FAR]);
	assert_int_equal(near->retransmitted_segments -
			near->fin_retransmissions,
		behaved.retransmits);
	assert_int_equal(near->reordered, 0);
	/* Those that are lost again never pass the far tap. */
	assert_true(far->retransmitted_segments <=
		behaved.retransmits + near->fin_retransmissions);
	assert_int_equal(far->reordered, 0);
	more(near, far);
	for (int side = 0; side < LINK_SIDES; side++)
		annotator_free(at[side]);
}

/* A receiver that is late may have filled its window before. */
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
	(void)state;
	check(BEHAVIOUR_LOSS, lost_once);
}

static void lost_tail(const struct side *near, const struct side *far)
{
	assert_true(near->retransmitted_segments >= 5);
	assert_true(far->retransmitted_segments >= 1);
	assert_true(near->retransmissions[RETRANSMIT_TAIL_PROBE] +
			near->retransmissions[RETRANSMIT_TIMEOUT] >=
		1);
}

static void test_tail(void **state)
{
	(void)state;
	check(BEHAVIOUR_TAIL_LOSS, lost_tail);
}

static void same_rounds(const struct side *near, const struct side *far)
{
	/* test_capture_link.c looks at more of them, and tries again where the
	 * machine was busy. */
	assert_true(near->rounds.count >= 6 && far->rounds.count >= 6);
	for (int i = 0; i < 3; i++)
		assert_int_equal(near->rounds.at[i].segments,
			far->rounds.at[i].segments);
	/* Where acknowledgements are late a probe follows the window. */
	assert_in_range(near->rounds.at[0].segments, 10, 11);
}

static bool is_hystart(const struct side *side)
{
	return side->rounds.exit.reason >= EXIT_HYSTART &&
		side->rounds.exit.reason <= EXIT_HYSTART_TRAIN;
}

/* Cubic leaves by HyStart where the kernel says so: a machine that is late
 * with acknowledgements makes it leave sooner, never otherwise. */
static void left_by_hystart(const struct side *near, const struct side *far)
{
	same_rounds(near, far);
	assert_true(
		behaved_counter(&behaved, LINK_NEAR, "TCPHystartTrainDetect") +
			behaved_counter(&behaved, LINK_NEAR,
				"TCPHystartDelayDetect") >=
		1);
	if (!behaved.retransmits) {
		assert_true(is_hystart(near));
		assert_true(is_hystart(far));
	}
}

static void test_hystart(void **state)
{
	(void)state;
	check(BEHAVIOUR_HYSTART, left_by_hystart);
}

/* 69 packets of bandwidth x delay, 80 of the queue: more are in flight when
 * the first is missed. */
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
	(void)state;
	check(BEHAVIOUR_OVERSHOOT, overshot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_tail),
		cmocka_unit_test(test_hystart),
		cmocka_unit_test(test_overshoot),
	};

	need_link();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
