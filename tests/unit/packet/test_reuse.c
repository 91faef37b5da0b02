/* A port that is used again although no close was captured. */
#include "packet_log.h"
#include "talk.h"

/* The sequence numbers of another connection over 10 ms between the same ends,
 * of which no close was captured. */
static void renumber(struct talk *talk, uint32_t client, uint32_t server)
{
	talk->flow.isn[0] += client;
	talk->flow.isn[1] += server;
}

static void say_request(struct talk *talk, double ms, uint32_t length)
{
	SAY(talk, .ms = ms, .length = length);
	SAY(talk, .ms = ms + 10, .side = SERVER, .ack = length);
}

static void say_syn(struct talk *talk, double ms)
{
	SAY(talk, .ms = ms, .flags = TCP_SYN, .seq = -1, .mss = 1460,
		.wscale = 8, .sack_permitted = true);
}

static void say_synack(struct talk *talk, double ms)
{
	SAY(talk, .ms = ms, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = 1460, .wscale = 8, .sack_permitted = true);
}

/* The first has 300 bytes, and the second 400. */
static void check_two(const struct talk *talk, uint64_t packets, uint32_t syns)
{
	const struct connection *one = annotator_connection(talk->annotator, 0);
	const struct connection *two = talk_connection(talk);

	assert_int_equal(annotator_count(talk->annotator), 2);
	assert_int_equal(one->packets, 5);
	assert_int_equal(one->event_count, 0);
	assert_int_equal(one->last_ns - one->first_ns, 30000000);
	assert_int_equal(side_stream_bytes(&one->side[0]), 300);
	assert_int_equal(one->side[0].payload_bytes, 300);
	assert_true(two->port_reused);
	assert_int_equal(two->packets, packets);
	assert_int_equal(two->handshake.syn.count, syns);
	const struct side *client = &two->side[two->client];
	assert_int_equal(two->end[two->client].port, 40000);
	assert_int_equal(side_stream_bytes(client), 400);
	assert_int_equal(client->payload_bytes, 400);
	assert_int_equal(two->side[0].gaps_open + two->side[1].gaps_open, 0);
}

/* A port is used again within the lifetime of a segment, at any distance of
 * sequence numbers. */
static void test_reuse_unclosed(void **state)
{
	static const uint32_t isns[][2] = { { 3000000000, 2500000000 },
		{ 123456789, 4000000000 }, { 20000, 9000000 },
		{ 1448, 7 } };

	for (size_t i = 0; i < sizeof isns / sizeof *isns; i++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		talk_open(&talk, 10);
		say_request(&talk, 20, 300);
		renumber(&talk, isns[i][0], isns[i][1]);
		say_syn(&talk, 95000);
		say_synack(&talk, 95010);
		SAY(&talk, .ms = 95010.1);
		say_request(&talk, 95020, 400);
		check_two(&talk, 5, 1);
		assert_int_equal(talk_connection(&talk)->handshake.a.took_ns,
			10000000);
		talk_end(&talk);
	}
}

/* A client that begins with the same number again is a repeat only as long as
 * no SYN/ACK with another number answers it. */
static void test_reuse_same_number(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk_open(&talk, 10);
	say_request(&talk, 20, 300);
	renumber(&talk, 0, 9000000);
	say_syn(&talk, 94000);
	say_syn(&talk, 95000);
	const struct connection *one = annotator_connection(talk.annotator, 0);
	assert_int_equal(annotator_count(talk.annotator), 1);
	assert_int_equal(one->side[0].retransmissions[RETRANSMIT_SYN], 2);
	say_synack(&talk, 95010);
	SAY(&talk, .ms = 95010.1);
	say_request(&talk, 95020, 400);
	check_two(&talk, 6, 2);
	assert_int_equal(one->side[0].retransmitted_segments, 0);
	assert_int_equal(one->handshake.syn.count, 1);
	talk_end(&talk);
}

/* The first SYN was lost; then the capture loses the SYN/ACK, or the SYN. */
static void test_reuse_incomplete(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk_open(&talk, 10);
	say_request(&talk, 20, 300);
	renumber(&talk, 123456789, 4000000000);
	say_syn(&talk, 94000);
	say_syn(&talk, 95000);
	SAY(&talk, .ms = 95010.1);
	say_request(&talk, 95020, 400);
	check_two(&talk, 5, 2);
	talk_end(&talk);
	talk_begin(&talk, TAP_UNKNOWN);
	talk_open(&talk, 10);
	say_request(&talk, 20, 300);
	renumber(&talk, 123456789, 4000000000);
	say_synack(&talk, 95010);
	SAY(&talk, .ms = 95010.1);
	say_request(&talk, 95020, 400);
	check_two(&talk, 4, 0);
	talk_end(&talk);
}

/* A SYN that is answered by an ACK of the connection, and repeats of that
 * connection's own, begin no other. */
static void test_unanswered_syn(void **state)
{
	struct talk talk;
	const uint32_t distance = 123456789;

	talk_begin(&talk, TAP_UNKNOWN);
	talk_open(&talk, 10);
	say_request(&talk, 20, 300);
	renumber(&talk, distance, 0);
	say_syn(&talk, 95000);
	say_syn(&talk, 96000);
	renumber(&talk, -distance, 0);
	SAY(&talk, .ms = 96000.1, .side = SERVER, .ack = 300);
	say_syn(&talk, 96001);
	say_synack(&talk, 96002);
	SAY(&talk, .ms = 96010, .seq = 300, .length = 400);
	SAY(&talk, .ms = 96020, .side = SERVER, .ack = 700);
	assert_int_equal(annotator_count(talk.annotator), 1);
	assert_int_equal(count_events(talk_connection(&talk),
				 EVENT_SYN_MISMATCH),
		2);
	assert_int_equal(side_stream_bytes(talk_side(&talk, CLIENT)), 700);
	assert_int_equal(talk_side(&talk, CLIENT)->gap_bytes, 0);
	talk_end(&talk);
}

/* In a connection whose beginning was not captured, a SYN proves as little. */
static void test_stray_syn_in_middle(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	say_request(&talk, 20, 300);
	renumber(&talk, 123456789, 4000000000);
	say_syn(&talk, 30);
	assert_int_equal(annotator_count(talk.annotator), 1);
	say_synack(&talk, 40);
	assert_int_equal(annotator_count(talk.annotator), 2);
	talk_end(&talk);
}

/* The log shows the SYN in the connection that it began. */
static void test_log(void **state)
{
	struct packet_log *log = packet_log_new(PACKET_LOG_MAX);
	struct annotator_options options = { 0 };
	static const unsigned of[] = { 1, 1, 1, 1, 1, 2, 2, 2 };

	packet_log_watch(log, &options);
	struct talk talk = { .flow = flow_new(),
		.annotator = annotator_new(&options) };
	talk_open(&talk, 10);
	say_request(&talk, 20, 300);
	renumber(&talk, 123456789, 4000000000);
	say_syn(&talk, 95000);
	assert_int_equal(packet_log_at(log, 5)->connection, 1);
	say_synack(&talk, 95010);
	SAY(&talk, .ms = 95010.1);
	assert_int_equal(packet_log_count(log), 8);
	for (size_t i = 0; i < 8; i++) {
		const struct logged *logged = packet_log_at(log, i);

		assert_int_equal(logged->packet.number, i + 1);
		assert_int_equal(logged->connection, of[i]);
	}
	talk_end(&talk);
	packet_log_free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reuse_unclosed),
		cmocka_unit_test(test_reuse_same_number),
		cmocka_unit_test(test_reuse_incomplete),
		cmocka_unit_test(test_unanswered_syn),
		cmocka_unit_test(test_stray_syn_in_middle),
		cmocka_unit_test(test_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
