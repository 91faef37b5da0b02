/* Growth that stops without a loss: how far it shows the end of slow start. */
#include "rounds.h"

enum { THRESHOLD = 40 };

/* Rounds of 10, 20 and 40 segments, then of 40 without growth: one complete
 * round and a part of the next, or none. A short last round shows nothing,
 * since the data ended in it; a complete round that did not grow leaves it in
 * doubt whether slow start reached the end. */
static void test_slow_round(void **state)
{
	static const struct {
		int total;
		bool doubtful;
	} cases[] = {
		{ 10 + 20 + 30, false },
		{ 10 + 20 + 40 + 35, false },
		{ 10 + 20 + 40 + 40 + 30, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int closed = 0; closed < 2; closed++) {
			struct path *path = path_new();
			int64_t end = (int64_t)cases[i].total * PATH_MSS;

			path->threshold = THRESHOLD;
			path->total = cases[i].total;
			path_run(path);
			if (closed)
				SAY(&path->near, .ms = path->now_ms + 1,
					.seq = end,
					.flags = TCP_FIN | TCP_ACK);
			const struct side *side = path_sender(&path->near);
			const struct slow_start_exit exit = side_exit(side);
			assert_int_equal(exit.reason,
				cases[i].doubtful ? EXIT_UNKNOWN :
					closed    ? EXIT_END_OF_DATA :
						    EXIT_NONE);
			if (cases[i].doubtful) {
				assert_false(exit.certain);
				assert_int_equal(exit.round, 4);
				assert_int_equal(exit.evidence,
					side->rounds.at[4].number);
			}
			path_free(path);
		}
}

/* The last round doubles again: the slow round before was no end. */
static void test_resumed(void **state)
{
	static const int flights[] = { 10, 20, 20, 40 };
	struct talk talk;
	int64_t seq = 0;

	talk_start(&talk);
	SAY(&talk, .ms = 41, .side = SERVER, .tsval = 41);
	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < flights[i]; k++, seq += PATH_MSS)
			SAY(&talk, .ms = 50 + 40 * i, .seq = seq,
				.length = PATH_MSS, .tsecr = 50 + 40 * i);
		SAY(&talk, .ms = 90 + 40 * i, .side = SERVER, .ack = seq,
			.tsval = 90 + 40 * i);
	}
	assert_int_equal(path_sender(&talk)->rounds.count, 4);
	assert_int_equal(path_sender(&talk)->rounds.slow_rounds, 1);
	assert_int_equal(side_exit(path_sender(&talk)).reason, EXIT_NONE);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slow_round),
		cmocka_unit_test(test_resumed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
