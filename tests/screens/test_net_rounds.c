/* The Net screen of a connection with more rounds than are kept. */
#include "net_fixture.h"

#include "seated.h"

enum { ROUNDS = ROUNDS_MAX + 476, BYTES = 1448 };

/* The receive window limits each round to a segment. That of the last kept
 * round is sent again as a tail loss probe. A long time later, that of the last
 * round is sent again by a time-out. */
static int open_lab(void **state)
{
	static struct talk talk;

	net_lossy_open(&lab, &screen, "rounds");
	talk = (struct talk){ .flow = flow_new() };
	talk.annotator = net_capture(&lab, "/tmp/long.pcap");
	talk_open(&talk, 40);
	double ms = 50;
	for (int i = 0; i < ROUNDS; i++, ms += 41) {
		SAY(&talk, .ms = ms, .seq = i * BYTES, .length = BYTES);
		if (i + 1 == ROUNDS_MAX)
			SAY(&talk, .ms = ms += 90, .seq = i * BYTES,
				.length = BYTES);
		if (i + 1 < ROUNDS)
			SAY(&talk, .ms = ms + 40, .side = SERVER,
				.ack = (i + 1) * BYTES, .window = 12);
	}
	SAY(&talk, .ms = ms + 2000, .seq = (ROUNDS - 1) * BYTES,
		.length = BYTES);
	return 0;
}

/* The last kept round has its own repeats, not those of later rounds. */
static void test_last_kept(void **state)
{
	struct net_scene at = net_shown(&screen);
	const struct rounds *rounds = net_rounds(&at);

	assert_int_equal(rounds->left_out, ROUNDS - ROUNDS_MAX);
	assert_int_equal(rounds->at[ROUNDS_MAX - 1].retransmissions, 1);
	assert_int_equal(net_sending(&at)->retransmissions[RETRANSMIT_TIMEOUT],
		1);
	assert_int_equal(net_phase(&at, ROUNDS_MAX - 1), PHASE_PROBE);
}

/* The screen names what it lacks, and counts all rounds. */
static void test_named(void **state)
{
	assert_true(drawn_has(120, 40, "1024 of 1500 rounds kept"));
	assert_true(drawn_has(80, 24, "1024 of 1500 rounds kept"));
	assert_true(drawn_has(120, 40, "then 476 rounds not kept"));
	assert_true(drawn_has(120, 40, "in rounds    1..1024 of 1500"));
	screen_execute(&screen, "focus connections");
	assert_true(drawn_has(200, 60, " 1500 "));
	assert_false(drawn_has(200, 60, " 1024 rounds:"));
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_last_kept),
		IN_LAB(test_named),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
