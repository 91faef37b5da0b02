/* The order of sending, by IPv4 identifications that count packets: it supports
 * what the times show, or doubts it. */
#include "talk.h"

#define UNCLEAR (MARK_RETRANSMISSION | MARK_REORDERED)

/* At the receiver's tap, without timestamps, packet 4 of ten comes at `ms`. The
 * identifications of the others count by `step`. */
static void receive(struct talk *talk, int step, double ms, int id)
{
	talk_begin(talk, TAP_SERVER);
	talk->flow.timestamps = false;
	talk_open(talk, 40);
	for (int i = 0; i < 10; i++)
		if (i != 4)
			SAY(talk, .ms = 50 + i * 0.1, .seq = i * 1448,
				.length = 1448, .ip_id = 100 + i * step);
	SAY(talk, .ms = ms, .seq = 4 * 1448, .length = 1448, .ip_id = id);
}

static void test_order(void **state)
{
	static const struct {
		double ms;
		int step, id;
		unsigned marks;
	} cases[] = {
		/* More than a round trip late, but sent before packet 5. */
		{ 95, 1, 104, UNCLEAR },
		{ 95, 1, 110, MARK_RETRANSMISSION },
		/* Half a round trip late. */
		{ 75, 1, 104, MARK_REORDERED },
		{ 75, 1, 110, UNCLEAR },
		/* Soon, but sent after packet 9: no repair is that fast. */
		{ 51.5, 1, 110, UNCLEAR },
		{ 51.5, 1, 104, MARK_REORDERED },
		/* These count nothing, count down, or in the other byte. */
		{ 95, 4099, 104, MARK_RETRANSMISSION },
		{ 95, 0, 99, MARK_RETRANSMISSION },
		{ 95, -1, 101, MARK_RETRANSMISSION },
		{ 95, 256, 104, MARK_RETRANSMISSION },
		{ 51.5, 4099, 50000, MARK_REORDERED },
		/* After a timer the count may have started again. */
		{ 300, 1, 104, MARK_RETRANSMISSION },
		/* This one is of another count. */
		{ 51.5, 1, 40000, MARK_REORDERED },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		receive(&talk, cases[i].step, cases[i].ms, cases[i].id);
		assert_int_equal(talk.last.marks, cases[i].marks);
		talk_end(&talk);
	}
}

/* The original comes after what may be its repeat: then one of them is. */
static void test_original(void **state)
{
	for (int newer = 0; newer < 2; newer++) {
		struct talk talk;

		receive(&talk, 1, 75, 110);
		assert_int_equal(talk.last.marks, UNCLEAR);
		SAY(&talk, .ms = 95, .seq = 4 * 1448, .length = 1448,
			.ip_id = newer ? 111 : 104);
		assert_int_equal(talk.last.marks,
			newer ? MARK_RETRANSMISSION : UNCLEAR);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_original),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
