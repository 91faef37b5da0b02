/* What the text states of packets that stand twice or come late, and of an
 * unknown end of slow start. */
#include <string.h>

#include "unit/lab/flat_text.h"

/* A packet that comes after the one that skipped it was overtaken only if the
 * receiver reported that: else the recorder may have been late. */
static void test_overtaken(void **state)
{
	for (int reported = 0; reported < 2; reported++) {
		struct text text = { 0 };
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 50, .seq = 0, .length = 1000);
		SAY(&talk, .ms = 52, .seq = 2000, .length = 1000,
			.tsval = 100052);
		SAY(&talk, .ms = 52.1, .side = SERVER, .ack = 1000,
			.sacks = reported, .sack = { { 2000, 3000 } });
		SAY(&talk, .ms = 52.5, .seq = 1000, .length = 1000,
			.tsval = 100051);
		SAY(&talk, .ms = 52.6, .side = SERVER, .ack = 3000);
		flat(&talk, &text);
		assert_non_null(strstr(text.chars, "1 packet reordered"));
		const char *doubt =
			strstr(text.chars, "1 packet reordered or recorded");
		assert_int_equal(doubt == NULL, reported);
		text_free(&text);
		talk_end(&talk);
	}
}

/* Most packets come twice, 0.4 ms apart: perhaps from two points. One that does
 * was duplicated by the network. */
static void test_apart(void **state)
{
	for (int twice = 1; twice <= 8; twice += 7) {
		struct text text = { 0 };
		struct talk talk;

		talk_start(&talk);
		for (int i = 0; i < 8; i++)
			for (int copy = 0; copy < (i < twice ? 2 : 1); copy++)
				SAY(&talk, .ms = 50 + i + 0.4 * copy,
					.seq = i * 1000, .length = 1000,
					.ip_id = 70 + i, .tsval = 100050 + i);
		flat(&talk, &text);
		assert_non_null(strstr(text.chars, "captured twice"));
		assert_true(!strstr(text.chars, "up to 0.400 ms apart: if") ==
			(twice < 8));
		text_free(&text);
		talk_end(&talk);
	}
}

/* Without a round trip, timestamps, requests and the order of sending, data
 * that comes 204 ms after its successor may have been sent again by a timer:
 * unclear, not reordered. */
static void test_after_a_timer(void **state)
{
	for (int late = 20; late < 300; late += 184) {
		struct text text = { 0 };
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk.flow.timestamps = false;
		SAY(&talk, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
			.seq = -1, .mss = 1460);
		SAY(&talk, .ms = .03, .flags = TCP_SYN, .seq = -1, .mss = 1460);
		SAY(&talk, .ms = 4);
		talk.flow.id_next[CLIENT] = 0;
		SAY(&talk, .ms = 5, .seq = 2000, .length = 39);
		SAY(&talk, .ms = 5.1, .side = SERVER, .ack = 1000);
		talk.flow.id_next[CLIENT] = 0;
		SAY(&talk, .ms = 5.2, .seq = 0, .length = 1000);
		talk.flow.id_next[CLIENT] = 0;
		SAY(&talk, .ms = 5 + late, .seq = 1000, .length = 1000);
		SAY(&talk, .ms = 5.1 + late, .side = SERVER, .ack = 2039);
		flat(&talk, &text);
		assert_non_null(strstr(text.chars, late < 200 ?
			"1 packet reordered or recorded late" :
			"or retransmitted (unknown which)"));
		text_free(&text);
		talk_end(&talk);
	}
}

/* Opens a connection and adds rounds of the same number of bytes. */
static void say_equal_rounds(struct talk *talk, int rounds, int bytes)
{
	enum { MSS = 1448 };

	talk_begin(talk, TAP_CLIENT);
	talk->flow.timestamps = false;
	talk_open(talk, 40);
	SAY(talk, .ms = 41, .side = SERVER);
	for (int round = 0; round < rounds; round++) {
		int64_t seq = (int64_t)round * bytes;

		for (int sent = 0; sent < bytes; sent += MSS)
			SAY(talk, .ms = 50 + 40 * round, .seq = seq + sent,
				.length = bytes - sent < MSS ?
					(uint32_t)(bytes - sent) :
					MSS);
		SAY(talk, .ms = 88 + 40 * round, .side = SERVER,
			.ack = seq + bytes);
	}
}

/* A buffer that is full cuts the first flight as an application does. */
static void test_send_buffer(void **state)
{
	struct text text = { 0 };
	struct talk talk;

	say_equal_rounds(&talk, 6, 20000);
	flat(&talk, &text);
	assert_non_null(strstr(text.chars,
		"at least 14 segments, probably limited by the send buffer"));
	assert_null(strstr(text.chars, "limited by the application"));
	text_free(&text);
	talk_end(&talk);
}

/* The event is as unsure as the sentence below the rounds. */
static void test_unknown_end(void **state)
{
	struct text text = { 0 };
	struct talk talk;

	say_equal_rounds(&talk, 12, 1448);
	flat(&talk, &text);
	assert_non_null(strstr(text.chars, "may have ended: growth stopped"));
	assert_non_null(strstr(text.chars,
		"client: slow start may have ended: cause unknown"));
	assert_null(strstr(text.chars, "slow start ended"));
	text_free(&text);
	talk_end(&talk);
}

/* Without the handshake, a packet may be any number of segments. */
static void test_merged_of_unknown_size(void **state)
{
	static const struct {
		uint32_t length;
		const char *says;
	} cases[] = {
		{ 20000, "client: 1 retransmitted packet of one or more "
			 "segments (" },
		{ 1448, "client: 1 retransmission (" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t length = cases[i].length;
		struct text text = { 0 };
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		SAY(&talk, .ms = 50, .length = length);
		SAY(&talk, .ms = 51, .seq = length, .length = length);
		SAY(&talk, .ms = 3050, .length = length);
		flat(&talk, &text);
		assert_non_null(strstr(text.chars, cases[i].says));
		text_free(&text);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overtaken),
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_after_a_timer),
		cmocka_unit_test(test_send_buffer),
		cmocka_unit_test(test_unknown_end),
		cmocka_unit_test(test_merged_of_unknown_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
