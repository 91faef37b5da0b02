/* Congestion marks: reported as in RFC 3168, and counted as in RFC 9768. */
#include "talk.h"

enum { SEGMENT = 1448, CLASSIC = TCP_ECE | TCP_CWR, ALL = CLASSIC | TCP_AE };

/* The three flags that carry the counter. */
static unsigned counted(unsigned count)
{
	return (count & 4 ? TCP_AE : 0) | (count & 2 ? TCP_CWR : 0) |
		(count & 1 ? TCP_ECE : 0);
}

static void open_with(struct talk *talk, unsigned syn, unsigned synack,
	unsigned ack)
{
	talk_begin(talk, TAP_CLIENT);
	SAY(talk, .flags = TCP_SYN | syn, .seq = -1, .mss = 1460, .wscale = 8);
	SAY(talk, .ms = 40, .side = SERVER, .flags = TCP_SYN | TCP_ACK | synack,
		.seq = -1, .mss = 1460, .wscale = 8);
	SAY(talk, .ms = 40.1, .flags = TCP_ACK | ack);
}

/* Data of the client and acknowledgements of the server, with flags. */
static void exchange(struct talk *talk, int number, unsigned data,
	unsigned acks)
{
	double ms = 50 + 50 * number;

	SAY(talk, .ms = ms, .seq = number * SEGMENT, .length = SEGMENT,
		.flags = TCP_ACK | data);
	SAY(talk, .ms = ms + 40, .side = SERVER, .ack = (number + 1) * SEGMENT,
		.flags = TCP_ACK | acks);
}

static void assert_told(const struct talk *talk, uint64_t echoes)
{
	const struct connection *connection = talk_connection(talk);

	assert_int_equal(connection->side[SERVER].ece_acks, echoes);
	assert_int_equal(connection->side[CLIENT].ece_acks, 0);
	assert_int_equal(count_events(connection, EVENT_ECN_ECHO), echoes > 0);
	if (!echoes)
		assert_int_not_equal(
			connection->side[CLIENT].rounds.exit.reason, EXIT_ECN);
}

static void test_classic(void **state)
{
	struct talk talk;

	open_with(&talk, CLASSIC, TCP_ECE, 0);
	exchange(&talk, 0, 0, 0);
	assert_told(&talk, 0);
	exchange(&talk, 1, 0, TCP_ECE);
	exchange(&talk, 2, TCP_CWR, TCP_ECE);
	assert_told(&talk, 2);
	assert_int_equal(talk_side(&talk, CLIENT)->rounds.exit.reason,
		EXIT_ECN);
	assert_int_equal(count_events(talk_connection(&talk), EVENT_CWR), 1);
	assert_true(talk_side(&talk, SERVER)->offer.ecn);
	assert_false(talk_side(&talk, SERVER)->offer.accurate_ecn);
	talk_end(&talk);
}

/* The counters begin at 5, which looks like the flag ECE but is not. */
static void test_accurate(void **state)
{
	static const unsigned answers[] = { TCP_CWR, TCP_CWR | TCP_ECE,
		TCP_AE };
	struct talk talk;

	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
		open_with(&talk, ALL, answers[i], TCP_CWR);
		for (int k = 0; k < 5; k++)
			exchange(&talk, k, counted(5), counted(5));
		assert_told(&talk, 0);
		assert_int_equal(count_events(talk_connection(&talk),
					 EVENT_CWR),
			0);
		assert_true(talk_side(&talk, CLIENT)->offer.accurate_ecn);
		assert_true(talk_side(&talk, SERVER)->offer.accurate_ecn);
		/* One more mark, then none, then two: the counter wraps to
		 * 0. */
		exchange(&talk, 5, counted(5), counted(6));
		exchange(&talk, 6, counted(5), counted(6));
		assert_told(&talk, 1);
		exchange(&talk, 7, counted(5), counted(0));
		assert_told(&talk, 2);
		talk_end(&talk);
	}
}

/* A server may answer an offer of all three flags with fewer. */
static void test_fallback(void **state)
{
	struct talk talk;

	open_with(&talk, ALL, TCP_ECE, 0);
	exchange(&talk, 0, 0, TCP_ECE);
	assert_told(&talk, 1);
	assert_false(talk_side(&talk, SERVER)->offer.accurate_ecn);
	talk_end(&talk);
	/* A nonce (RFC 3540) is not a counter. */
	open_with(&talk, CLASSIC, TCP_AE | TCP_ECE, 0);
	assert_false(talk_side(&talk, SERVER)->offer.accurate_ecn);
	talk_end(&talk);
}

/* If one side refuses, the flags are no marks. */
static void test_refused(void **state)
{
	struct talk talk;

	open_with(&talk, CLASSIC, 0, 0);
	exchange(&talk, 0, TCP_CWR, TCP_ECE);
	assert_told(&talk, 0);
	assert_int_equal(talk_side(&talk, CLIENT)->cwr_packets, 0);
	talk_end(&talk);
}

/* A SYN or SYN/ACK that was not captured: the other one shows whether marks
 * were refused. What it does not show ends no slow start. */
static void test_half_seen(void **state)
{
	static const struct {
		unsigned flags;
		int side;
		uint64_t told;
	} cases[] = {
		{ 0, CLIENT, 0 },
		{ 0, SERVER, 0 },
		{ CLASSIC, CLIENT, 1 },
		{ TCP_ECE, SERVER, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool server = cases[i].side == SERVER;
		struct talk talk;

		talk_begin(&talk, TAP_CLIENT);
		SAY(&talk, .side = cases[i].side, .seq = -1, .mss = 1460,
			.flags = TCP_SYN | (server ? TCP_ACK : 0) |
				cases[i].flags);
		SAY(&talk, .ms = 0.1);
		const struct side *client =
			&talk_connection(&talk)->side[server];
		exchange(&talk, 0, 0, 0);
		exchange(&talk, 1, 0, TCP_ECE);
		assert_int_equal(talk_connection(&talk)->side[!server].ece_acks,
			cases[i].told);
		assert_int_not_equal(client->rounds.exit.reason, EXIT_ECN);
		talk_end(&talk);
	}
}

/* A sender also reports that it reduced its window after a loss. */
static void test_reduced(void **state)
{
	struct talk talk;

	open_with(&talk, CLASSIC, TCP_ECE, 0);
	exchange(&talk, 0, TCP_CWR, 0);
	assert_told(&talk, 0);
	assert_int_equal(count_events(talk_connection(&talk), EVENT_CWR), 1);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classic),
		cmocka_unit_test(test_accurate),
		cmocka_unit_test(test_fallback),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_half_seen),
		cmocka_unit_test(test_reduced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
