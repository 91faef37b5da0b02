/* A receiver that reads slowly: its window limits the sender also while it is
 * not closed. */
#include "rounds.h"

enum { MSS = 1448, MS = 1000000 };

static int64_t send_two(struct talk *talk, double ms, int64_t seq)
{
	for (int i = 0; i < 2; i++, seq += MSS)
		SAY(talk, .ms = ms, .seq = seq, .length = MSS);
	return seq;
}

/* What an acknowledgement of all data leaves of the window is too small to
 * send, until it is a segment or half the widest window. Then the sender has no
 * data. */
static void test_narrow(void **state)
{
	static const struct {
		int widest, left, full_ms, idle_ms;
	} cases[] = {
		{ 512, 9, 100, 110 },
		{ 512, -1, 100, 110 },
		{ 512, 12, 0, 210 },
		{ 9, 9, 0, 210 },
		{ 18, 9, 0, 210 },
		{ 19, 9, 100, 110 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 45, .side = SERVER, .window = cases[i].widest);
		SAY(&talk, .ms = 50, .length = 200);
		SAY(&talk, .ms = 90, .side = SERVER, .ack = 200,
			.window = cases[i].left);
		SAY(&talk, .ms = 190, .side = SERVER, .ack = 200,
			.window = 512);
		SAY(&talk, .ms = 300, .seq = 200, .length = MSS);
		const struct side *sender = talk_side(&talk, CLIENT);
		const struct round *round = &sender->rounds.at[0];
		if (sender->full_ns != cases[i].full_ms * MS ||
			sender->idle_ns != cases[i].idle_ms * MS)
			fail_msg("case %zu: full %lld ns, idle %lld ns", i,
				(long long)sender->full_ns,
				(long long)sender->idle_ns);
		assert_int_equal(round->window_full, cases[i].full_ms > 0);
		talk_end(&talk);
	}
}

/* Data fills the window. Rounded, its end then grows by less than a segment
 * with each acknowledgement: it is full until the receiver reads. */
static void test_rounded(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 45, .side = SERVER, .window = 32);
	send_two(&talk, 50, 0);
	assert_true(talk.last.marks & MARK_WINDOW_FULL);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = MSS, .window = 21);
	SAY(&talk, .ms = 91, .side = SERVER, .ack = 2 * MSS, .window = 10);
	SAY(&talk, .ms = 190, .side = SERVER, .ack = 2 * MSS, .window = 32);
	send_two(&talk, 200, 2 * MSS);
	assert_int_equal(talk_side(&talk, CLIENT)->full_ns, 140 * MS);
	assert_int_equal(talk_side(&talk, CLIENT)->idle_ns, 10 * MS);
	talk_end(&talk);
}

/* The same seen at the receiver, without timestamps. */
static void test_far(void **state)
{
	struct talk talk;
	int64_t seq = 0;

	talk_begin(&talk, TAP_SERVER);
	talk_open(&talk, 1);
	SAY(&talk, .ms = 5, .side = SERVER, .window = 32, .tsval = -1);
	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < 2; k++, seq += MSS)
			SAY(&talk, .ms = 10 + 100 * i, .seq = seq,
				.length = MSS, .tsval = -1);
		SAY(&talk, .ms = 10 + 100 * i, .side = SERVER, .ack = seq,
			.window = 9, .tsval = -1);
		SAY(&talk, .ms = 109 + 100 * i, .side = SERVER, .ack = seq,
			.window = 32, .tsval = -1);
	}
	assert_true(talk_side(&talk, CLIENT)->full_ns >= 3 * 99 * MS);
	assert_true(talk_side(&talk, CLIENT)->idle_ns <= 3 * MS);
	talk_end(&talk);
}

/* The window widens once after it was full: slow start ends where the wider
 * one is full, at either tap. */
static void test_widened(void **state)
{
	struct path *path = path_new();

	path->window = 10;
	path->wide_from = 20;
	path->wide = 19;
	path_run(path);
	for (int far = 0; far < 2; far++) {
		const struct side *sender =
			path_sender(far ? &path->far : &path->near);

		assert_int_equal(sender->rounds.exit.reason, EXIT_WINDOW);
		assert_true(sender->rounds.exit.certain);
		assert_int_equal(sender->rounds.exit.round, 4);
	}
	path_free(path);
}

/* No window of the receiver was ever wider than closed. */
static void test_closed(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .length = 200);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 200, .window = -1);
	SAY(&talk, .ms = 190, .side = SERVER, .ack = 200, .window = -1);
	SAY(&talk, .ms = 290, .side = SERVER, .ack = 200);
	SAY(&talk, .ms = 300, .seq = 200, .length = MSS);
	assert_int_equal(talk_side(&talk, CLIENT)->full_ns, 200 * MS);
	assert_int_equal(talk_side(&talk, CLIENT)->idle_ns, 10 * MS);
	talk_end(&talk);
}

/* The SYN/ACK closes the window, which opens when the server accepts. */
static void test_closed_at_first(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_CLIENT);
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = 1460, .wscale = 8);
	SAY(&talk, .ms = 40, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = 1460, .wscale = 8, .window = -1);
	SAY(&talk, .ms = 40.05);
	SAY(&talk, .ms = 190, .side = SERVER);
	send_two(&talk, 190, 0);
	assert_int_equal(talk_side(&talk, SERVER)->zero_windows, 1);
	assert_int_equal(talk_side(&talk, SERVER)->zero_window_ns, 150 * MS);
	/* No round was limited: the first one begins afterwards. */
	assert_int_equal(talk_side(&talk, CLIENT)->full_ns, 0);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_narrow),
		cmocka_unit_test(test_rounded),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_widened),
		cmocka_unit_test(test_closed),
		cmocka_unit_test(test_closed_at_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
