/* Samples of the round trip. */
#include "talk.h"

enum { SEGMENT = 1448, SENT = 10 };

/* Ten segments are sent over 40 ms, and the first one is lost. Its repair is
 * acknowledged together with the rest, after two round trips: a sample of the
 * other segments would be twice the round trip. */
static void test_behind_hole(void **state)
{
	struct talk talk;

	talk_start(&talk);
	for (int i = 0; i < SENT; i++)
		SAY(&talk, .ms = 50, .seq = i * SEGMENT, .length = SEGMENT);
	for (int i = 1; i < SENT; i++)
		SAY(&talk, .ms = 90, .side = SERVER, .sacks = 1,
			.sack = { { SEGMENT, (i + 1) * SEGMENT } });
	SAY(&talk, .ms = 90.1, .length = SEGMENT);
	SAY(&talk, .ms = 130.1, .side = SERVER, .ack = SENT * SEGMENT);
	const struct rtt *rtt = &talk_side(&talk, CLIENT)->rtt;
	assert_int_equal(rtt->samples, 0);
	/* The next acknowledgement covers no retransmission. */
	SAY(&talk, .ms = 131, .seq = SENT * SEGMENT, .length = SEGMENT);
	SAY(&talk, .ms = 171, .side = SERVER, .ack = (SENT + 1) * SEGMENT);
	assert_int_equal(rtt->samples, 1);
	assert_int_equal(rtt->least_ns, 40000000);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_behind_hole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
