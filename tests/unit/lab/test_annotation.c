/* Connections as text, with unusual time stamps. */
#include "annotation_text.h"

#include <string.h>

#include "golden_text.h"
#include "unit/lab/flat_text.h"

static const struct connection_filter every;

/* The time stamp of the answer is slightly earlier than that of the question:
 * no duration is negative. */
static void test_backwards(void **state)
{
	struct text text = { 0 };
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .flags = TCP_FIN | TCP_ACK);
	SAY(&talk, .ms = 49.9, .side = SERVER, .flags = TCP_FIN | TCP_ACK,
		.ack = 1);
	SAY(&talk, .ms = 49.8, .seq = 1, .ack = 1);
	annotation_text(talk.annotator, "made", &every, &text_layout_plain,
		&text);
	assert_non_null(strstr(text.chars, "FIN, ACK"));
	assert_null(strstr(text.chars, " -0.1"));
	assert_non_null(strstr(text.chars, "with a timestamp before"));
	text_free(&text);
	talk_end(&talk);
}

/* A SYN is sent again after a second: the second is reported. If the reply
 * echoes the first SYN, the leg is ambiguous. */
static void test_syn_lost(void **state)
{
	for (int first = 0; first < 2; first++) {
		struct text text = { 0 };
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		SAY(&talk, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = 1000, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = 1060, .side = SERVER,
			.flags = TCP_SYN | TCP_ACK, .seq = -1,
			.tsecr = first ? 100000 : 101000);
		SAY(&talk, .ms = 1060.1);
		flat(&talk, &text);
		assert_non_null(strstr(text.chars,
			first ? "connecting probably took 1000.000" :
				"connecting took 1000.000"));
		assert_int_equal(first,
			handshake_path_ns(&talk_connection(&talk)->handshake) ==
				UNKNOWN_NS);
		assert_int_equal(first,
			strstr(text.chars, "SYN to SYN/ACK: ambiguous") != 0);
		text_free(&text);
		talk_end(&talk);
	}
}

/* In a simultaneous open each side sends a SYN/ACK, and repeats neither. */
static void test_crossed(void **state)
{
	struct text text = { 0 };
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 5, .side = SERVER, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 5.1, .flags = TCP_SYN | TCP_ACK, .seq = -1);
	SAY(&talk, .ms = 10, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	SAY(&talk, .ms = 10.1);
	annotation_text(talk.annotator, "made", &every, &text_layout_plain,
		&text);
	assert_non_null(strstr(text.chars, " 3  |--- SYN, ACK ---"));
	assert_non_null(strstr(text.chars, " 4  |<-- SYN, ACK ---"));
	text_free(&text);
	talk_end(&talk);
}

/* One segment after the handshake, then several: the events name who sent an
 * acknowledgement, not whose data it is about. */
static void test_who(void **state)
{
	static const char *const said[] = { "initial window: 1 segment\n",
		"server: third duplicate ACK, bytes 1000..5000",
		"server: received twice (DSACK), bytes 0..1000",
		"grew in flight, B  round trip\n" };
	struct text text = { 0 };
	struct talk talk;

	talk_begin(&talk, TAP_CLIENT);
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = 1012, .wscale = 8,
		.sack_permitted = true);
	SAY(&talk, .ms = 40, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = 1012, .wscale = 8, .sack_permitted = true,
		.window = 65535);
	SAY(&talk, .ms = 40.1, .length = 1000, .tsecr = 200041);
	SAY(&talk, .ms = 80, .side = SERVER, .ack = 1000, .tsval = 200080);
	for (int i = 1; i < 5; i++)
		SAY(&talk, .ms = 80.1, .seq = i * 1000, .length = 1000,
			.tsecr = 200080);
	for (int i = 2; i < 5; i++)
		SAY(&talk, .ms = 120, .side = SERVER, .ack = 1000,
			.tsval = 200120, .sacks = 1,
			.sack = { { 2000, i * 1000 + 1000 } });
	SAY(&talk, .ms = 121, .side = SERVER, .ack = 1000, .tsval = 200121,
		.sacks = 2, .sack = { { 0, 1000 }, { 2000, 5000 } });
	annotation_text(talk.annotator, "made", &every, &text_layout_plain,
		&text);
	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		if (!strstr(text.chars, said[i]))
			fail_msg("no '%s' in\n%s", said[i], text.chars);
	text_free(&text);
	talk_end(&talk);
}

/* A FIN is not a byte of the stream, so it has no range. */
static void test_early_fin(void **state)
{
	struct text text = { 0 };
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 5, .flags = TCP_FIN, .seq = 0);
	SAY(&talk, .ms = 10, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	annotation_text(talk.annotator, "made", &every, &text_layout_plain,
		&text);
	assert_non_null(strstr(text.chars,
		"client: FIN before the handshake completed\n"));
	text_free(&text);
	talk_end(&talk);
}

/* Each side repeats what it sent itself. */
static void test_synack_lost(void **state)
{
	struct text text = { 0 };
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	for (int i = 0; i < 2; i++)
		SAY(&talk, .ms = 1000 * i, .flags = TCP_SYN, .seq = -1);
	for (int i = 0; i < 2; i++)
		SAY(&talk, .ms = 1060 + 1000 * i, .side = SERVER,
			.flags = TCP_SYN | TCP_ACK, .seq = -1);
	SAY(&talk, .ms = 2060.1);
	annotation_text(talk.annotator, "made", &every, &text_layout_plain,
		&text);
	assert_non_null(strstr(text.chars,
		"client: 1 retransmission (1 of the SYN)"));
	assert_non_null(strstr(text.chars,
		"server: 1 retransmission (1 of the SYN/ACK)"));
	text_free(&text);
	talk_end(&talk);
}

/* Bytes that were acknowledged and not captured: if the capture begins in
 * mid-connection, they may have been sent before it. */
static void test_sent_before(void **state)
{
	for (int opened = 0; opened < 2; opened++) {
		struct text text = { 0 };
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		if (opened)
			talk_open(&talk, 40);
		SAY(&talk, .ms = 50, .length = 1448);
		SAY(&talk, .ms = 90, .side = SERVER, .ack = 5 * 1448);
		SAY(&talk, .ms = 95, .seq = 5 * 1448);
		annotation_text(talk.annotator, "made", &every,
			&text_layout_plain, &text);
		assert_int_equal(opened,
			strstr(text.chars, "not by the network") != NULL);
		assert_int_equal(!opened,
			strstr(text.chars, "or sent before it") != NULL);
		assert_int_equal(opened,
			strstr(text.chars, "not captured may hide") != NULL);
		text_free(&text);
		talk_end(&talk);
	}
}

/* The capture lost the FIN, and the other side acknowledged it. */
static void test_lost_fin(void **state)
{
	struct text text = { 0 };
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk_open(&talk, 40);
	SAY(&talk, .ms = 50, .length = 100);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 101);
	annotation_text(talk.annotator, "made", &every, &text_layout_plain,
		&text);
	assert_non_null(strstr(text.chars, "1 byte acknowledged"));
	assert_non_null(strstr(text.chars, "the last may be a FIN)"));
	text_free(&text);
	talk_end(&talk);
}

/* A reset of a connection whose begin was not captured, and of one that was
 * not answered; then its side continues. */
static void test_reset_when(void **state)
{
	for (int begun = 0; begun < 2; begun++) {
		struct text text = { 0 };
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		if (begun)
			SAY(&talk, .flags = TCP_SYN, .seq = -1);
		else
			SAY(&talk, .ack = 1);
		SAY(&talk, .ms = 10, .flags = TCP_RST);
		flat(&talk, &text);
		assert_int_equal(begun,
			strstr(text.chars, "aborted before the") != NULL);
		assert_non_null(strstr(text.chars, "aborted"));
		SAY(&talk, .ms = 20, .length = 1);
		flat(&talk, &text);
		assert_non_null(strstr(text.chars, ": reset, outside the "));
		text_free(&text);
		talk_end(&talk);
	}
}

/* A server that thinks for 50 ms, captured at its client: what the round trip
 * includes is stated. At the server it needs no such sentence. Growth is that
 * of the segments, of whatever size. */
static void test_far_columns(void **state)
{
	for (int near = 0; near < 2; near++) {
		struct text text = { 0 };
		struct talk talk;
		int64_t seq = 0;

		talk_begin(&talk, near ? TAP_SERVER : TAP_CLIENT);
		talk_open(&talk, 40);
		for (int i = 0; i < 3; i++) {
			SAY(&talk, .ms = 41 + 90 * i, .seq = 100 * i,
				.length = 100, .ack = seq);
			SAY(&talk, .ms = 131 + 90 * i, .side = SERVER,
				.seq = seq, .length = i ? 900 : 1,
				.ack = 100 * (i + 1));
			seq += i ? 900 : 1;
		}
		flat(&talk, &text);
		assert_int_equal(near,
			!strstr(text.chars, "not captured at the sender: in"));
		assert_null(strstr(text.chars, "x900"));
		assert_non_null(strstr(text.chars, "x1.00"));
		text_free(&text);
		talk_end(&talk);
	}
}

static void print(const void *what, const struct text_layout *layout,
	struct text *text)
{
	annotation_text(what, "a-name.pcap", &every, layout, text);
}

/* A server that retransmits the same segment repeatedly. */
static void test_repeats(void **state)
{
	struct text_layout layout = text_layout_plain;
	struct text text = { 0 };
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .side = SERVER, .length = 1000);
	for (int i = 0; i < 60; i++)
		SAY(&talk, .ms = 300 + 250 * i, .side = SERVER,
			.length = 1000);
	SAY(&talk, .ms = 20000, .ack = 1000);
	golden_text("annotate-repeats", print, talk.annotator);
	layout.verbose = true;
	annotation_text(talk.annotator, "made", &every, &layout, &text);
	size_t lines = 0;
	for (const char *at = text.chars;
		(at = strstr(at, "server: retransmitted")) != NULL; at++)
		lines++;
	assert_int_equal(lines, 60);
	assert_null(strstr(text.chars, " x6"));
	text_free(&text);
	talk_end(&talk);
}

/* More events and rounds than a connection keeps: the text states how many it
 * lacks, and does not refer to another output that lacks them too. */
static void test_left_out(void **state)
{
	enum { ROUNDS = 1500, REPEATS = EVENTS_MAX + 200, BYTES = 1448 };
	struct text_layout layout = text_layout_plain;
	struct text text = { 0 };
	struct talk talk;
	char sentence[64];

	talk_start(&talk);
	for (int i = 0; i < ROUNDS; i++) {
		SAY(&talk, .ms = 50 + 50 * i, .seq = i * BYTES,
			.length = BYTES);
		SAY(&talk, .ms = 90 + 50 * i, .side = SERVER,
			.ack = (i + 1) * BYTES);
	}
	for (int i = 0; i < REPEATS; i++)
		SAY(&talk, .ms = 50 + 50 * ROUNDS + i,
			.seq = (ROUNDS - 1) * BYTES, .length = BYTES);
	const struct connection *connection = talk_connection(&talk);
	const struct rounds *rounds = &connection->side[CLIENT].rounds;
	assert_int_equal(rounds->left_out, ROUNDS - ROUNDS_MAX);
	assert_true(connection->events_left_out >= 200);
	for (int i = 0; i < 2; i++) {
		layout.verbose = i;
		annotation_text(talk.annotator, "made", &every, &layout, &text);
		snprintf(sentence, sizeof sentence,
			"%llu later events were not kept\n",
			(unsigned long long)connection->events_left_out);
		assert_non_null(strstr(text.chars, sentence));
		assert_non_null(
			strstr(text.chars, "476 later rounds were not kept\n"));
		assert_int_equal(!i, strstr(text.chars, "more, see -v") != NULL);
		text_free(&text);
	}
	talk_end(&talk);
}

/* A timeout whose data was acknowledged in the meantime: every line calls it
 * needless once the DSACK is seen. */
static void test_needless(void **state)
{
	struct text text = { 0 };
	struct talk talk;

	talk_start(&talk);
	for (int i = 0; i < 10; i++)
		SAY(&talk, .ms = 41, .seq = i * 1000, .length = 1000);
	SAY(&talk, .ms = 341, .length = 1000);
	print(talk.annotator, &text_layout_plain, &text);
	assert_non_null(strstr(text.chars, "slow start ended: probably loss"));
	text_clear(&text);
	SAY(&talk, .ms = 342, .side = SERVER, .ack = 10000);
	SAY(&talk, .ms = 382, .side = SERVER, .ack = 10000, .sacks = 1,
		.sack = { { 0, 1000 } });
	print(talk.annotator, &text_layout_plain, &text);
	assert_null(strstr(text.chars, "probably loss"));
	assert_non_null(strstr(text.chars,
		"slow start ended: a needless retransmission"));
	assert_non_null(strstr(text.chars,
		"(1 by time-out), 1 DSACK (data received twice)"));
	text_free(&text);
	talk_end(&talk);
}

/* Of a direction that was not captured, the last acknowledged byte may be its
 * FIN. */
static void test_one_direction(void **state)
{
	struct text text = { 0 };
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 40, .ack = 0);
	SAY(&talk, .ms = 41, .length = 200);
	SAY(&talk, .ms = 90, .seq = 200, .ack = 1001);
	annotation_text(talk.annotator, "made", &every, &text_layout_plain,
		&text);
	assert_non_null(strstr(text.chars,
		"1001 bytes were acknowledged; a FIN"));
	text_free(&text);
	talk_end(&talk);
}

/* A packet larger than a segment was split by the card only if it was captured
 * at its sender. */
static void test_merged(void **state)
{
	for (int near = 0; near < 2; near++) {
		struct text text = { 0 };
		struct talk talk;

		talk_begin(&talk, near ? TAP_CLIENT : TAP_SERVER);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 50, .length = 4 * 1448);
		flat(&talk, &text);
		assert_non_null(strstr(text.chars,
			near ? "segment, split by the network card" :
			       "segment, merged by a host or its network"));
		text_free(&text);
		talk_end(&talk);
	}
}

/* A reset after an orderly close ends TIME_WAIT. */
static void test_time_wait(void **state)
{
	for (int reset = 0; reset < 2; reset++) {
		struct text text = { 0 };
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 50, .flags = TCP_FIN | TCP_ACK);
		SAY(&talk, .ms = 90, .side = SERVER, .ack = 1,
			.flags = TCP_FIN | TCP_ACK);
		SAY(&talk, .ms = 91, .seq = 1, .ack = 1);
		if (reset)
			SAY(&talk, .ms = 92, .seq = 1, .flags = TCP_RST);
		flat(&talk, &text);
		assert_non_null(strstr(text.chars, "client closed first"));
		assert_int_equal(!reset,
			strstr(text.chars, "TIME_WAIT") != NULL);
		text_free(&text);
		talk_end(&talk);
	}
}

/* An end of slow start that is only inferred says so in the sentence and in the
 * event. */
static void test_inferred(void **state)
{
	struct text text = { 0 };
	struct talk talk;
	int64_t seq = 0;

	talk_start(&talk);
	for (int round = 0; round < 6; round++) {
		int segments = round < 2 ? 10 << round : 40;

		for (int i = 0; i < segments; i++, seq += 1448)
			SAY(&talk, .ms = 50 + 40 * round, .seq = seq,
				.length = 1448);
		SAY(&talk, .ms = 90 + 40 * round, .side = SERVER, .ack = seq);
	}
	flat(&talk, &text);
	assert_non_null(strstr(text.chars, ": probably HyStart or pacing"));
	assert_non_null(strstr(text.chars, "slow start ended: probably HyStart"));
	text_free(&text);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_backwards),
		cmocka_unit_test(test_syn_lost),
		cmocka_unit_test(test_crossed),
		cmocka_unit_test(test_who),
		cmocka_unit_test(test_early_fin),
		cmocka_unit_test(test_synack_lost),
		cmocka_unit_test(test_sent_before),
		cmocka_unit_test(test_lost_fin),
		cmocka_unit_test(test_reset_when),
		cmocka_unit_test(test_far_columns),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_needless),
		cmocka_unit_test(test_one_direction),
		cmocka_unit_test(test_merged),
		cmocka_unit_test(test_time_wait),
		cmocka_unit_test(test_inferred),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
