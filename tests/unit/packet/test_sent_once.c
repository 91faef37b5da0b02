/* Sent once, with numbers of IPv4 missing in front of it at the far tap: what
 * takes such a number though no data had it. */
#include "talk.h"

enum { SEGMENT = 1448, SENT = 10, ALL = SENT * SEGMENT };

static void send(struct talk *talk, double ms, int64_t seq, uint32_t length)
{
	SAY(talk, .ms = ms, .seq = seq, .length = length);
}

/* That many packets of the client's never come. */
static void miss(struct talk *talk, int packets)
{
	talk->flow.id_next[CLIENT] =
		(uint16_t)(talk->flow.id_next[CLIENT] + packets);
}

/* A flight of whole segments over 40 ms, acknowledged at 90 ms. */
static void fly(struct talk *talk)
{
	talk_begin(talk, TAP_SERVER);
	talk_open(talk, 40);
	for (int i = 0; i < SENT; i++)
		send(talk, 50 + i * 0.1, i * SEGMENT, SEGMENT);
	SAY(talk, .ms = 90, .side = SERVER, .ack = ALL);
}

/* The next one comes at 200 ms, and two more. */
static void go_on(struct talk *talk, int64_t from)
{
	for (int i = 0; i < 3; i++)
		send(talk, 200 + i * 0.1, from + i * SEGMENT, SEGMENT);
}

static void assert_once(struct talk *talk)
{
	assert_int_equal(talk_side(talk, CLIENT)->retransmitted_segments, 0);
	assert_true(talk->last.marks & MARK_NEW_DATA);
	talk_end(talk);
}

/* The same without any of what follows: one number is one segment. */
static void test_data(void **state)
{
	struct talk talk;

	fly(&talk);
	miss(&talk, 1);
	go_on(&talk, ALL);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_segments, 1);
	talk_end(&talk);
}

/* The server has sent data, of which the client's application reads when it
 * likes: then the window opens, in a packet that is lost. */
static void test_window_update(void **state)
{
	struct talk talk;

	fly(&talk);
	SAY(&talk, .ms = 91, .side = SERVER, .ack = ALL, .length = SEGMENT);
	SAY(&talk, .ms = 132, .seq = ALL, .ack = SEGMENT, .window = 100);
	miss(&talk, 1);
	for (int i = 0; i < 3; i++)
		SAY(&talk, .ms = 240 + i * 0.1, .seq = ALL + i * SEGMENT,
			.ack = SEGMENT, .length = SEGMENT);
	assert_once(&talk);
}

/* The server asks for an acknowledgement that it has had, and the answer is
 * lost: data for the second time, a keep-alive. */
static void test_answer(void **state)
{
	struct talk talk;

	for (int again = 0; again < 2; again++) {
		talk_begin(&talk, TAP_SERVER);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 41, .side = SERVER, .length = 100);
		for (int i = 0; i < SENT; i++)
			SAY(&talk, .ms = 81 + i * 0.1, .seq = i * SEGMENT,
				.ack = 100, .length = SEGMENT);
		SAY(&talk, .ms = 90, .side = SERVER, .seq = 100, .ack = ALL);
		SAY(&talk, .ms = 95, .side = SERVER, .seq = again ? 0 : 99,
			.ack = ALL, .length = again ? 100 : 0);
		miss(&talk, 1);
		for (int i = 0; i < 3; i++)
			SAY(&talk, .ms = 200 + i * 0.1,
				.seq = ALL + i * SEGMENT, .ack = 100,
				.length = SEGMENT);
		assert_once(&talk);
	}
}

/* Keep-alives of its own, each second: one that came, and one that did not. */
static void test_keepalive(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_SERVER);
	talk_open(&talk, 300);
	for (int i = 0; i < SENT; i++)
		send(&talk, 350 + i * 0.1, i * SEGMENT, SEGMENT);
	SAY(&talk, .ms = 360, .side = SERVER, .ack = ALL);
	send(&talk, 1650, ALL - 1, 0);
	miss(&talk, 1);
	for (int i = 0; i < 3; i++)
		send(&talk, 2700 + i * 0.1, ALL + i * SEGMENT, SEGMENT);
	assert_once(&talk);
}

/* One count for all connections to a host, as other systems have it. */
static void test_shared(void **state)
{
	struct talk talk;

	fly(&talk);
	talk.flow.port[CLIENT]++;
	SAY(&talk, .ms = 150, .side = CLIENT, .flags = TCP_SYN, .seq = -1);
	talk.flow.port[CLIENT]--;
	go_on(&talk, ALL);
	const struct connection *connection =
		annotator_connection(talk.annotator, 0);
	assert_int_equal(connection->side[CLIENT].retransmitted_segments, 0);
	/* From then on it is known: also where a packet is lost. */
	SAY(&talk, .ms = 241, .side = SERVER, .ack = ALL + 3 * SEGMENT);
	for (int i = 3; i < 13; i++)
		send(&talk, 242 + i * 0.1, ALL + i * SEGMENT, SEGMENT);
	SAY(&talk, .ms = 245, .side = SERVER, .ack = ALL + 13 * SEGMENT);
	miss(&talk, 1);
	send(&talk, 400, ALL + 13 * SEGMENT, SEGMENT);
	assert_int_equal(connection->side[CLIENT].retransmitted_segments, 0);
	talk_end(&talk);
}

/* What a card has put together from smaller segments than the handshake
 * allows took more numbers than it seems: here 44, not 43. */
static void test_put_together(void **state)
{
	enum { SMALLER = 1388, PIECES = 44 };
	struct talk talk;

	fly(&talk);
	send(&talk, 92, ALL, SMALLER * PIECES);
	miss(&talk, PIECES - 1);
	SAY(&talk, .ms = 93, .side = SERVER, .ack = ALL + SMALLER * PIECES);
	go_on(&talk, ALL + SMALLER * PIECES);
	assert_once(&talk);
}

/* The acknowledgement of everything is lost on its way back, then a probe for
 * what had arrived: the echo tells that the sender did not know. */
static void test_unknowing(void **state)
{
	struct talk talk;

	fly(&talk);
	miss(&talk, 1);
	SAY(&talk, .ms = 200, .seq = ALL, .length = SEGMENT, .tsecr = 200040);
	assert_once(&talk);
}

/* Two timers ran out after a probe: of three numbers one was data. */
static void test_second_timeout(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_SERVER);
	talk_open(&talk, 40);
	/* An application that writes now and then: long waits look like long
	 * round trips. */
	for (int i = 0; i < SENT; i++) {
		send(&talk, 100 + i * 200, i * SEGMENT, SEGMENT);
		SAY(&talk, .ms = 101 + i * 200, .side = SERVER,
			.ack = (i + 1) * SEGMENT);
	}
	miss(&talk, 3);
	send(&talk, 2730, ALL, SEGMENT);
	for (int i = 1; i < 3; i++)
		send(&talk, 2770 + i * 0.1, ALL + i * SEGMENT, SEGMENT);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_segments, 1);
	talk_end(&talk);
}

/* A return to the oldest hole overtakes new data that is under way. */
static void test_overtaken(void **state)
{
	struct talk talk;

	fly(&talk);
	for (int i = 0; i < SENT; i++)
		if (i == 1)
			miss(&talk, 1);
		else
			send(&talk, 130 + i * 0.1, ALL + i * SEGMENT, SEGMENT);
	SAY(&talk, .ms = 130.1, .side = SERVER, .ack = ALL + SEGMENT);
	int held = talk.flow.id_next[CLIENT];
	miss(&talk, 1);
	send(&talk, 132, ALL + SEGMENT, SEGMENT);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_segments, 1);
	SAY(&talk, .ms = 132.1, .seq = 2 * ALL, .length = SEGMENT,
		.ip_id = held);
	for (int i = 1; i < 3; i++)
		send(&talk, 133 + i * 0.1, 2 * ALL + i * SEGMENT, SEGMENT);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_segments, 1);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_window_update),
		cmocka_unit_test(test_answer),
		cmocka_unit_test(test_keepalive),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_put_together),
		cmocka_unit_test(test_unknowing),
		cmocka_unit_test(test_second_timeout),
		cmocka_unit_test(test_overtaken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
