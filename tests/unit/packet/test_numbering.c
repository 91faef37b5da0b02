/* Sent again though no copy was seen: what the numbers of IPv4 say at the far
 * tap, and where they say nothing. */
#include "talk.h"

enum { SEGMENT = 1448, SENT = 10, LOST = 5, SKIPPED = (LOST - 1) * SEGMENT };

/* One segment after SENT that arrived; 90 ms is the last acknowledgement. */
struct arrival {
	const char *what;
	int missing; /* packets, by its number */
	int skipped; /* bytes */
	double ms;   /* 0: 200 */
	int odd;     /* this one of those before had another number */
	/* The tap is the sender's; the last segment is not acknowledged; IPv6;
	 * the window is shut; the receiver has sent data. */
	bool near, unsettled, six, shut, asked;
};

static const struct arrival shown[] = {
	{ .what = "a probe of the tail", .missing = LOST, .skipped = SKIPPED },
	{ .what = "a tail of one", .missing = 1 },
	{ .what = "a timeout", .missing = LOST + 1, .ms = 350 },
};
static const enum retransmission shown_as[] = { RETRANSMIT_TAIL_PROBE,
	RETRANSMIT_TAIL_PROBE, RETRANSMIT_TIMEOUT };

/* Each lacks one thing of those above. */
static const struct arrival not_shown[] = {
	{ .what = "a number for each",
		.missing = LOST - 1,
		.skipped = SKIPPED },
	{ .what = "bytes of any number of packets",
		.missing = LOST,
		.skipped = SKIPPED - 1 },
	{ .what = "nothing is missing" },
	{ .what = "all pass this tap", .missing = 1, .near = true },
	{ .what = "sooner than a timer", .missing = 1, .ms = 100 },
	{ .what = "later than any", .missing = 1, .ms = 5000 },
	{ .what = "later than a probe",
		.missing = LOST,
		.skipped = SKIPPED,
		.ms = 400 },
	{ .what = "not counting", .missing = 1, .odd = 5 },
	{ .what = "more on its way", .missing = 1, .unsettled = true },
	{ .what = "probes of the window", .missing = 1, .shut = true },
	{ .what = "acknowledgements", .missing = 1, .asked = true },
	{ .what = "no numbers in IPv6", .missing = 1, .six = true },
};

static void skip_numbers(struct talk *talk, int missing)
{
	talk->flow.id_next[CLIENT] =
		(uint16_t)(talk->flow.id_next[CLIENT] + missing);
}

static void send(struct talk *talk, double ms, int segment)
{
	SAY(talk, .ms = ms, .seq = segment * SEGMENT, .length = SEGMENT);
}

static void arrive(struct talk *talk, const struct arrival *arrival)
{
	talk_begin(talk, arrival->near ? TAP_CLIENT : TAP_SERVER);
	talk->flow.six = arrival->six;
	talk_open(talk, 40);
	for (int i = 0; i < SENT; i++)
		SAY(talk, .ms = 50 + i * 0.1, .seq = i * SEGMENT,
			.length = SEGMENT,
			.ip_id = arrival->odd && arrival->odd == i ? 30000 : 0);
	SAY(talk, .ms = 90, .side = SERVER,
		.ack = (SENT - arrival->unsettled) * SEGMENT,
		.window = arrival->shut ? -1 : 0);
	if (arrival->asked)
		SAY(talk, .ms = 91, .side = SERVER, .ack = SENT * SEGMENT,
			.length = 100);
	skip_numbers(talk, arrival->missing);
	SAY(talk, .ms = arrival->ms > 0 ? arrival->ms : 200,
		.seq = SENT * SEGMENT + arrival->skipped, .length = SEGMENT);
}

static void check(const struct arrival *arrival, uint64_t again)
{
	struct talk talk;

	arrive(&talk, arrival);
	const struct side *side = talk_side(&talk, CLIENT);
	if (side->retransmitted_segments != again)
		fail_msg("%s: %d", arrival->what,
			(int)side->retransmitted_segments);
	assert_true(talk.last.marks & MARK_NEW_DATA);
	assert_int_equal(!!(talk.last.marks & MARK_RETRANSMISSION), again);
	if (again)
		assert_int_equal(talk.last.why, shown_as[arrival - shown]);
	assert_int_equal(side->payload_bytes, (SENT + 1) * SEGMENT);
	assert_int_equal(side_offset(side, side->next),
		(SENT + 1) * SEGMENT + arrival->skipped);
	talk_end(&talk);
}

static void test_shown(void **state)
{
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		check(&shown[i], 1);
}

static void test_not_shown(void **state)
{
	for (size_t i = 0; i < sizeof not_shown / sizeof *not_shown; i++)
		check(&not_shown[i], 0);
}

static void assert_again(const struct talk *talk, uint64_t segments)
{
	const struct side *side = talk_side(talk, CLIENT);

	assert_int_equal(side->retransmitted_segments, segments);
	assert_int_equal(side->reordered, 0);
	assert_int_equal(side->holes.count, 0);
}

/* The rest of the tail follows its probe: sent after what opened its hole. */
static void test_probe(void **state)
{
	struct talk talk;

	arrive(&talk, &shown[0]);
	for (int i = 0; i < LOST - 1; i++)
		send(&talk, 240 + i * 0.1, SENT + i);
	assert_again(&talk, LOST);
	/* The tail belongs to the round it was lost with. */
	const struct side *side = talk_side(&talk, CLIENT);
	assert_int_equal(side->rounds.count, 1);
	assert_int_equal(side->rounds.at[0].bytes, (SENT + LOST) * SEGMENT);
	assert_int_equal(side->idle_ns, 0);
	talk_end(&talk);
}

/* All of the tail after a timeout, and what comes then is new. */
static void test_timeout(void **state)
{
	struct talk talk;

	arrive(&talk, &shown[2]);
	for (int i = 1; i < LOST; i++)
		send(&talk, 400 + i * 0.1, SENT + i);
	assert_again(&talk, LOST);
	send(&talk, 440, SENT + LOST);
	assert_again(&talk, LOST);
	talk_end(&talk);
}

/* A burst loses its second segment and its last two: the sender goes back to
 * the one, and sends the others again after it. `ms` is when it goes back. */
static void lose_end(struct talk *talk, double ms)
{
	talk_begin(talk, TAP_SERVER);
	talk_open(talk, 40);
	for (int i = 0; i < SENT; i++)
		send(talk, 50 + i * 0.1, i);
	SAY(talk, .ms = 90, .side = SERVER, .ack = SENT * SEGMENT);
	for (int i = 0; i < SENT; i++)
		if (i == 1)
			skip_numbers(talk, 1);
		else
			send(talk, 130 + i * 0.1, SENT + i);
	SAY(talk, .ms = 130.1, .side = SERVER, .ack = (SENT + 1) * SEGMENT);
	skip_numbers(talk, 2);
	send(talk, ms, SENT + 1);
	for (int i = 0; i < 3; i++)
		send(talk, ms + 1 + i * 0.1, 2 * SENT + i);
}

static void test_goes_back(void **state)
{
	struct talk talk;

	lose_end(&talk, 132);
	assert_again(&talk, 3);
	assert_true(talk.last.marks & MARK_NEW_DATA);
	assert_false(talk.last.marks & MARK_RETRANSMISSION);
	talk_end(&talk);
	/* Late enough that the missing ones may be of what it goes back to. */
	lose_end(&talk, 200);
	assert_again(&talk, 1);
	talk_end(&talk);
}

/* How many bytes the missing one had is not known: behind a gap of no whole
 * segments it may have been that, and nothing else is sure either. */
static void test_small_lost(void **state)
{
	struct talk talk;

	lose_end(&talk, 132);
	skip_numbers(&talk, 1);
	SAY(&talk, .ms = 150, .side = SERVER, .ack = (2 * SENT + 3) * SEGMENT);
	for (int i = 0; i < 8; i++)
		send(&talk, 400 + i, 2 * SENT + 3 + (i > 3) + i);
	SAY(&talk, .ms = 408, .side = SERVER, .ack = (2 * SENT + 7) * SEGMENT);
	skip_numbers(&talk, 1);
	send(&talk, 409, 2 * SENT + 7);
	SAY(&talk, .ms = 410, .side = SERVER, .ack = (2 * SENT + 12) * SEGMENT);
	uint64_t before = talk_side(&talk, CLIENT)->retransmitted_segments;
	SAY(&talk, .ms = 411, .seq = (2 * SENT + 12) * SEGMENT + 1000,
		.length = 100);
	SAY(&talk, .ms = 412, .seq = (2 * SENT + 12) * SEGMENT + 1100,
		.length = 100);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_segments,
		before);
	talk_end(&talk);
}

/* Its acknowledgement was lost, and so it comes again: what is missing besides
 * was new, but for a probe. */
static void test_last_again(void **state)
{
	for (int missing = 1; missing <= 3; missing++) {
		struct arrival arrival = { .missing = missing,
			.skipped = -SEGMENT,
			.ms = 350 };
		struct talk talk;

		arrive(&talk, &arrival);
		assert_again(&talk, 1);
		for (int i = 0; i < 3; i++)
			send(&talk, 400 + i, SENT + i);
		assert_again(&talk, (uint64_t)missing);
		talk_end(&talk);
	}
}

/* Where packets come late acknowledgements may too, and one of those is
 * answered with a number. */
static void test_late(void **state)
{
	for (int missing = 1; missing <= 2; missing++) {
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk_open(&talk, 40);
		for (int i = 0; i < SENT; i++)
			SAY(&talk, .ms = 50 + i * 0.1, .seq = i * SEGMENT,
				.length = SEGMENT, .tsval = 50);
		SAY(&talk, .ms = 51.1, .seq = (SENT + 1) * SEGMENT,
			.length = SEGMENT, .tsval = 50,
			.ip_id = talk.flow.id_next[CLIENT] + 1);
		SAY(&talk, .ms = 51.2, .seq = SENT * SEGMENT, .length = SEGMENT,
			.tsval = 50, .ip_id = talk.flow.id_next[CLIENT] - 1);
		talk.flow.id_next[CLIENT]++;
		for (int i = 2; i < SENT; i++)
			SAY(&talk, .ms = 52 + i * 0.1,
				.seq = (SENT + i) * SEGMENT, .length = SEGMENT,
				.tsval = 50);
		assert_int_equal(talk_side(&talk, CLIENT)->reordered, 1);
		SAY(&talk, .ms = 90, .side = SERVER, .ack = 2 * SENT * SEGMENT);
		skip_numbers(&talk, missing);
		send(&talk, 200, 2 * SENT);
		assert_int_equal(
			talk_side(&talk, CLIENT)->retransmitted_segments,
			missing - 1);
		talk_end(&talk);
	}
}

/* Ten segments arrive, five more do not; then data comes the other way, and
 * its acknowledgement stands at `seq`, where the sender is. */
static void tell(struct talk *talk, bool six, bool timestamps, int64_t seq)
{
	talk_begin(talk, TAP_SERVER);
	talk->flow.six = six;
	talk->flow.timestamps = timestamps;
	talk_open(talk, 40);
	for (int i = 0; i < SENT; i++)
		send(talk, 50 + i * 0.1, i);
	SAY(talk, .ms = 90, .side = SERVER, .ack = SENT * SEGMENT);
	skip_numbers(talk, LOST);
	SAY(talk, .ms = 113, .side = SERVER, .ack = SENT * SEGMENT,
		.length = 500);
	SAY(talk, .ms = 154, .seq = seq, .ack = 500);
}

static void test_told(void **state)
{
	for (int i = 0; i < 4; i++) {
		struct talk talk;

		tell(&talk, i & 1, i & 2, (SENT + LOST) * SEGMENT);
		for (int k = 0; k < LOST; k++)
			send(&talk, 340 + k, SENT + k);
		assert_again(&talk, LOST);
		send(&talk, 346, SENT + LOST);
		assert_again(&talk, LOST);
		talk_end(&talk);
	}
}

/* What an acknowledgement overtook was sent once; one outside of the window is
 * nobody's. */
static void test_not_told(void **state)
{
	struct talk talk;

	tell(&talk, true, true, (SENT + LOST) * SEGMENT);
	for (int k = 0; k < LOST; k++)
		SAY(&talk, .ms = 155 + k * 0.1, .seq = (SENT + k) * SEGMENT,
			.length = SEGMENT, .tsval = 100153);
	assert_again(&talk, 0);
	talk_end(&talk);
	tell(&talk, false, true, INT64_C(1) << 29);
	for (int k = 0; k < LOST; k++)
		send(&talk, 340 + k, SENT + k);
	assert_again(&talk, 0);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_not_shown),
		cmocka_unit_test(test_probe),
		cmocka_unit_test(test_timeout),
		cmocka_unit_test(test_goes_back),
		cmocka_unit_test(test_small_lost),
		cmocka_unit_test(test_last_again),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_told),
		cmocka_unit_test(test_not_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
