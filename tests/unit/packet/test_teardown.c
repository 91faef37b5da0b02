/* How a connection ends: FINs and resets, in every order of recording. */
#include "talk.h"

static void close_by(struct talk *talk, double ms, int side, int64_t seq,
	int64_t ack)
{
	SAY(talk, .ms = ms, .side = side, .flags = TCP_FIN | TCP_ACK,
		.seq = seq, .ack = ack);
}

static void test_orderly(void **state)
{
	struct talk talk;

	talk_start(&talk);
	close_by(&talk, 50, CLIENT, 0, 0);
	close_by(&talk, 90, SERVER, 0, 1);
	SAY(&talk, .ms = 90.1, .seq = 1, .ack = 1);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(connection_close(connection), CLOSE_ORDERLY);
	assert_int_equal(connection->teardown.first, CLIENT);
	assert_int_equal(connection->teardown.leg[CLIENT].ack_number,
		connection->teardown.leg[SERVER].fin_number);
	assert_int_equal(connection->teardown.leg[SERVER].ack_ns -
			connection->teardown.leg[SERVER].fin_ns,
		100000);
	assert_false(connection->teardown.crossed);
	talk_end(&talk);
}

static void test_half(void **state)
{
	struct talk talk;

	talk_start(&talk);
	close_by(&talk, 50, CLIENT, 0, 0);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 1);
	SAY(&talk, .ms = 91, .side = SERVER, .ack = 1, .length = 700);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(connection_close(connection), CLOSE_HALF);
	assert_int_equal(connection->teardown.half_close_bytes, 700);
	/* A retransmitted FIN, before the timer could expire and after. */
	close_by(&talk, 92, CLIENT, 0, 700);
	close_by(&talk, 900, CLIENT, 0, 700);
	assert_int_equal(connection->side[0].fin_retransmissions, 2);
	assert_int_equal(connection->side[0].retransmitted_segments, 2);
	assert_int_equal(count_events(connection, EVENT_FIN_AGAIN), 2);
	talk_end(&talk);
}

/* The server's FIN was not captured, but its acknowledgement was. */
static void test_fin_missing(void **state)
{
	struct talk talk;

	talk_start(&talk);
	close_by(&talk, 50, CLIENT, 0, 0);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 1);
	SAY(&talk, .ms = 91, .seq = 1, .ack = 1);
	assert_int_equal(connection_close(talk_connection(&talk)), CLOSE_NONE);
	talk_end(&talk);
}

static void test_resets(void **state)
{
	static const struct {
		int64_t seq;
		bool after_fin, goes_on;
		enum reset_kind kind;
		enum close_kind close;
	} cases[] = {
		{ 1000, false, false, RESET_ABORT, CLOSE_RESET },
		{ 1001, true, false, RESET_AFTER_FIN, CLOSE_RESET },
		{ 90000000, false, false, RESET_SUSPICIOUS, CLOSE_RESET },
		{ 1000, false, true, RESET_SUSPICIOUS, CLOSE_NONE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const uint32_t text = i == 0 ? 6 : 0;
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 50, .length = 1000);
		if (cases[i].after_fin)
			SAY(&talk, .ms = 51, .flags = TCP_FIN, .seq = 1000);
		SAY(&talk, .ms = 60, .flags = TCP_RST, .seq = cases[i].seq,
			.length = text);
		if (cases[i].goes_on)
			SAY(&talk, .ms = 61, .seq = 1000, .length = 10);
		const struct connection *c = talk_connection(&talk);
		assert_int_equal(c->teardown.reset, cases[i].kind);
		assert_int_equal(connection_close(c), cases[i].close);
		assert_int_equal(strlen(c->teardown.reset_text), text);
		talk_end(&talk);
	}
}

/* A closed socket answers an acknowledgement that was overtaken: the reset has
 * its number, below the window. One with an acknowledgement answers nothing,
 * and one whose sender continues is not of a closed socket. */
static void test_answers_old(void **state)
{
	enum { ANSWERS, ACKS, OTHER_NUMBER, CONTINUES, CASES };

	for (int i = 0; i < CASES; i++) {
		struct talk talk;

		talk_start(&talk);
		for (int k = 0; k < 3; k++)
			SAY(&talk, .ms = 50 + k, .seq = k * 1000,
				.length = 1000);
		SAY(&talk, .ms = 60, .side = SERVER, .ack = 3000);
		SAY(&talk, .ms = 61, .side = SERVER, .ack = 1000);
		SAY(&talk, .ms = 62, .seq = i == OTHER_NUMBER ? 500 : 1000,
			.flags = i == ACKS ? TCP_RST | TCP_ACK : TCP_RST);
		if (i == CONTINUES)
			SAY(&talk, .ms = 70, .seq = 3000);
		assert_int_equal(talk_connection(&talk)->teardown.reset,
			i == ANSWERS ? RESET_ABORT : RESET_SUSPICIOUS);
		talk_end(&talk);
	}
}

/* The client's FIN answers the server's FIN, which is recorded after it. */
static void test_answer_first(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .side = SERVER, .length = 1000);
	close_by(&talk, 60, CLIENT, 0, 2001);
	SAY(&talk, .ms = 60.001, .side = SERVER, .seq = 1000, .length = 1000,
		.flags = TCP_FIN | TCP_ACK);
	SAY(&talk, .ms = 60.1, .seq = 0, .ack = 2001);
	SAY(&talk, .ms = 100, .side = SERVER, .seq = 2001, .ack = 1);
	const struct connection *connection = talk_connection(&talk);
	const struct close_leg *leg = connection->teardown.leg;
	assert_int_equal(connection_close(connection), CLOSE_ORDERLY);
	assert_int_equal(connection->teardown.first, SERVER);
	assert_int_equal(leg[SERVER].ack_number, leg[CLIENT].fin_number);
	assert_int_equal(leg[CLIENT].ack_number, 8);
	talk_end(&talk);
}

/* The FINs cross; the acknowledgements after them do not change that. */
static void test_crossed(void **state)
{
	struct talk talk;

	talk_start(&talk);
	close_by(&talk, 50, CLIENT, 0, 0);
	close_by(&talk, 60, SERVER, 0, 0);
	SAY(&talk, .ms = 60.1, .seq = 1, .ack = 1);
	SAY(&talk, .ms = 90, .side = SERVER, .seq = 1, .ack = 1);
	assert_int_equal(connection_close(talk_connection(&talk)),
		CLOSE_SIMULTANEOUS);
	assert_int_equal(talk_connection(&talk)->teardown.first, CLIENT);
	talk_end(&talk);
}

/* The client's reset precedes the server's FIN, as of a client that closed
 * with data under way: aborted, though both sent a FIN. */
static void test_reset_between(void **state)
{
	for (int after = 0; after < 2; after++) {
		struct talk talk;

		talk_start(&talk);
		close_by(&talk, 50, CLIENT, 0, 0);
		if (after)
			close_by(&talk, 88, SERVER, 31, 1);
		SAY(&talk, .ms = 89, .side = SERVER, .length = 31);
		SAY(&talk, .ms = 90, .flags = TCP_RST);
		if (!after)
			close_by(&talk, 92, SERVER, 31, 0);
		assert_int_equal(connection_close(talk_connection(&talk)),
			after ? CLOSE_ORDERLY : CLOSE_RESET);
		talk_end(&talk);
	}
}

/* Data below the sequence number of its sender's reset was sent before it, and
 * recorded late or overtaken. Data above it ignores the reset. */
static void test_after_reset(void **state)
{
	for (int more = 0; more < 2; more++) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 45, .side = SERVER);
		SAY(&talk, .ms = 50, .length = 1000);
		SAY(&talk, .ms = 50.2, .flags = TCP_RST, .seq = 2000);
		SAY(&talk, .ms = 50.3, .seq = more ? 2000 : 1000,
			.length = 1000);
		const struct connection *connection = talk_connection(&talk);
		assert_int_equal(connection->teardown.reset,
			more ? RESET_SUSPICIOUS : RESET_ABORT);
		assert_int_equal(connection_close(connection),
			more ? CLOSE_NONE : CLOSE_RESET);
		talk_end(&talk);
	}
}

/* How the list of events calls the first reset. */
static int reset_event(const struct connection *connection)
{
	for (uint32_t i = 0; i < connection->event_count; i++)
		if (connection->events[i].kind == EVENT_RESET)
			return connection->events[i].why;
	return RESET_NONE;
}

/* A reset in the window that its side ignores (RFC 5961): it acknowledges data
 * that was sent after it. An acknowledgement of older data, or one that was
 * recorded with its data just behind the reset, is no proof. The next reset
 * counts. */
static void test_ignored(void **state)
{
	static const struct {
		int64_t ack;
		double ms;
		bool ignored, again;
	} cases[] = {
		{ 1000, 130, false, false },
		{ 2000, 50.7, false, false },
		{ 2000, 130, true, false },
		{ 2000, 130, true, true },
		{ 3000, 130, false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 50, .length = 1000);
		SAY(&talk, .ms = 50.2, .side = SERVER, .flags = TCP_RST,
			.seq = 500);
		SAY(&talk, .ms = 50.3, .seq = 1000, .length = 1000);
		SAY(&talk, .ms = cases[i].ms, .side = SERVER,
			.ack = cases[i].ack);
		if (cases[i].again)
			SAY(&talk, .ms = 140, .side = SERVER, .flags = TCP_RST);
		bool ignored = cases[i].ignored && !cases[i].again;
		const struct connection *connection = talk_connection(&talk);
		assert_int_equal(connection->teardown.reset,
			ignored ? RESET_SUSPICIOUS : RESET_ABORT);
		assert_int_equal(connection_close(connection),
			ignored ? CLOSE_NONE : CLOSE_RESET);
		assert_int_equal(reset_event(connection),
			cases[i].ignored ? RESET_SUSPICIOUS : RESET_ABORT);
		talk_end(&talk);
	}
}

/* What a reset left unacknowledged: it may acknowledge data itself, and data
 * that crossed it is not a part. */
static void test_reset_acked(void **state)
{
	enum { BY_NONE, BY_ACK, BY_RESET, WAYS };

	for (int by = 0; by < WAYS; by++) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 50, .length = 1000);
		if (by == BY_ACK)
			SAY(&talk, .ms = 90, .side = SERVER, .ack = 1000);
		SAY(&talk, .ms = 92, .side = SERVER,
			.ack = by == BY_NONE ? 0 : 1000,
			.flags = TCP_RST | TCP_ACK);
		SAY(&talk, .ms = 93, .seq = 1000, .length = 50);
		assert_int_equal(talk_connection(&talk)
					 ->teardown.reset_unacked_bytes,
			by == BY_NONE ? 1000 : 0);
		talk_end(&talk);
	}
}

/* If one direction was not captured, what was acknowledged is unknown. */
static void test_reset_unanswered(void **state)
{
	for (int captured = 0; captured < 2; captured++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		SAY(&talk, .ms = 50, .side = SERVER, .length = 1000);
		if (captured)
			SAY(&talk, .ms = 90, .ack = 1000);
		SAY(&talk, .ms = 92, .side = SERVER, .seq = 1000,
			.flags = TCP_RST | TCP_ACK);
		const struct teardown *teardown =
			&talk_connection(&talk)->teardown;
		assert_int_equal(teardown->reset, RESET_ABORT);
		assert_int_equal(teardown->reset_unacked_known, captured);
		talk_end(&talk);
	}
}

/* A SYN with data is refused like one without. */
static void test_refused_data(void **state)
{
	for (int tries = 1; tries < 3; tries++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		for (int i = 0; i < tries; i++) {
			SAY(&talk, .ms = 1000 * i, .flags = TCP_SYN, .seq = -1,
				.length = 100);
			SAY(&talk, .ms = 1000 * i + 1, .side = SERVER,
				.flags = TCP_RST | TCP_ACK, .seq = -5001);
		}
		const struct connection *connection = talk_connection(&talk);
		assert_int_equal(connection->teardown.reset, RESET_REFUSED);
		assert_int_equal(connection_close(connection), CLOSE_REFUSED);
		int resets = 0;
		for (uint32_t i = 0; i < connection->event_count; i++) {
			if (connection->events[i].kind != EVENT_RESET)
				continue;
			assert_int_equal(connection->events[i].why,
				RESET_REFUSED);
			resets++;
		}
		assert_true(resets > 0);
		talk_end(&talk);
	}
}

/* Unanswered repeats prove that the sender gave up only after as many, and as
 * long, as a kernel takes: the timer doubles from 0.2 s up to 120 s. */
static void test_given_up(void **state)
{
	static const struct {
		int tries;
		enum close_kind kind;
		double silence_s;
	} cases[] = {
		{ 1, CLOSE_NONE, 0.2 },
		{ 2, CLOSE_UNANSWERED, 0.6 },
		{ 9, CLOSE_UNANSWERED, 102.2 },
		{ 14, CLOSE_UNANSWERED, 684.6 },
		{ 15, CLOSE_TIMEOUT, 804.6 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double ms = 50, wait_ms = 200;
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = ms, .length = 100);
		for (int k = 0; k < cases[i].tries; k++) {
			ms += wait_ms;
			SAY(&talk, .ms = ms, .length = 100);
			wait_ms = wait_ms < 60000 ? 2 * wait_ms : 120000;
		}
		const struct connection *connection = talk_connection(&talk);
		assert_int_equal(connection_close(connection), cases[i].kind);
		assert_int_equal(connection->teardown.unanswered_ns,
			cases[i].silence_s * 1e9);
		SAY(&talk, .ms = ms + 40, .side = SERVER, .ack = 100);
		assert_int_equal(connection_close(talk_connection(&talk)),
			CLOSE_NONE);
		talk_end(&talk);
	}
}

/* What a session says is read back; an older one says too much. */
static void test_restored(void **state)
{
	static const struct {
		const char *stored;
		enum close_kind kind;
	} cases[] = {
		{ "timed_out", CLOSE_TIMEOUT },
		{ "unanswered", CLOSE_UNANSWERED },
		{ "timeout", CLOSE_UNANSWERED },
		{ "none", CLOSE_NONE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 50, .length = 100);
		SAY(&talk, .ms = 90, .side = SERVER, .ack = 100);
		struct connection connection = *talk_connection(&talk);
		teardown_restore(&connection, cases[i].stored);
		assert_int_equal(connection_close(&connection), cases[i].kind);
		talk_end(&talk);
	}
}

/* A third host sends a reset in the server's name. Then data of the server
 * reaches the closed socket of the client, which answers with a reset that
 * acknowledges nothing. One that acknowledges aborts the connection. */
static void test_closed_by_another(void **state)
{
	for (int acks = 0; acks < 2; acks++) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 50, .side = SERVER,
			.flags = TCP_RST | TCP_ACK);
		SAY(&talk, .ms = 60, .side = SERVER, .length = 100);
		SAY(&talk, .ms = 61, .flags = acks ? TCP_RST | TCP_ACK :
						     TCP_RST);
		const struct connection *connection = talk_connection(&talk);
		const struct teardown *teardown = &connection->teardown;
		assert_int_equal(teardown->reset,
			acks ? RESET_ABORT : RESET_SUSPICIOUS);
		assert_int_equal(teardown->reset_side == connection->client,
			acks);
		assert_int_equal(connection_close(connection), CLOSE_RESET);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orderly),
		cmocka_unit_test(test_half),
		cmocka_unit_test(test_fin_missing),
		cmocka_unit_test(test_resets),
		cmocka_unit_test(test_answers_old),
		cmocka_unit_test(test_answer_first),
		cmocka_unit_test(test_crossed),
		cmocka_unit_test(test_reset_between),
		cmocka_unit_test(test_after_reset),
		cmocka_unit_test(test_ignored),
		cmocka_unit_test(test_closed_by_another),
		cmocka_unit_test(test_reset_acked),
		cmocka_unit_test(test_reset_unanswered),
		cmocka_unit_test(test_refused_data),
		cmocka_unit_test(test_given_up),
		cmocka_unit_test(test_restored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
