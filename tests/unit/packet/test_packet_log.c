/* The log stores each packet as annotated, up to its limit. */
#include "packet_log.h"
#include "talk.h"

static void open_logged(struct talk *talk, struct packet_log *log)
{
	struct annotator_options options = { .tap = TAP_CLIENT };

	packet_log_watch(log, &options);
	*talk = (struct talk){ .flow = flow_new(),
		.annotator = annotator_new(&options) };
	talk_open(talk, 20);
	for (int i = 0; i < 3; i++)
		SAY(talk, .ms = 21, .seq = i * 1000, .length = 1000);
	SAY(talk, .ms = 41, .side = SERVER, .ack = 1000);
	SAY(talk, .ms = 300, .seq = 1000, .length = 1000);
}

static void test_packets_as_understood(void **state)
{
	struct packet_log *log = packet_log_new(100);
	struct talk talk;

	open_logged(&talk, log);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(packet_log_count(log), 8);
	assert_int_equal(packet_log_left_out(log), 0);
	const struct logged *data = packet_log_at(log, 4);
	const struct side *side = &connection->side[data->side];
	assert_int_equal(data->packet.number, 5);
	assert_int_equal(data->connection, connection->number);
	assert_int_equal(side_offset(side, data->position), 1000);
	assert_int_equal(side_offset(side, data->end), 2000);
	assert_int_equal(data->in_flight_bytes, 2000);
	assert_null(data->packet.payload);
	const struct logged *ack = packet_log_at(log, 6);
	assert_int_equal(ack->side, SERVER);
	assert_int_equal(side_offset(side, ack->ack), 1000);
	const struct logged *again = packet_log_at(log, 7);
	assert_true(again->marks & MARK_RETRANSMISSION);
	talk_end(&talk);
	packet_log_free(log);
}

/* A log that is too small for the capture covers all of it, with every packet
 * that is more than plain progress. */
static void test_thinned(void **state)
{
	enum { MOST = 1000, DATA = 9000, AGAIN = 7777 };
	struct packet_log *log = packet_log_new(MOST);
	struct talk talk;
	size_t noted = 0;

	open_logged(&talk, log);
	for (int i = 0; i < DATA; i++) {
		SAY(&talk, .ms = 400 + i, .seq = 3000 + 1000 * i,
			.length = 1000);
		if (i == AGAIN)
			SAY(&talk, .ms = 400.5 + i, .seq = 3000 + 1000 * i,
				.length = 1000);
	}
	size_t count = packet_log_count(log);
	assert_in_range(count, MOST / 4, MOST);
	assert_int_equal(count + packet_log_left_out(log), 8 + DATA + 1);
	assert_int_equal(packet_log_level(log), 4);
	assert_int_equal(packet_log_noted_level(log), 0);
	for (size_t i = 0; i < count; i++) {
		const struct logged *at = packet_log_at(log, i);

		assert_true(!i || at->packet.number > at[-1].packet.number);
		noted += at->marks & MARK_RETRANSMISSION && at->ordinal > 1000;
	}
	assert_int_equal(noted, 1);
	assert_int_equal(packet_log_at(log, 0)->packet.number, 1);
	assert_int_equal(packet_log_at(log, 7)->packet.number, 8);
	assert_in_range(packet_log_at(log, count - 1)->packet.number, DATA - 8,
		DATA + 9);
	talk_end(&talk);
	packet_log_free(log);
	packet_log_free(NULL);
}

/* However many packets have a finding, the log has a limit. */
static void test_limit(void **state)
{
	struct packet_log *log = packet_log_new(50);
	struct talk talk;

	open_logged(&talk, log);
	for (int i = 0; i < 5000; i++)
		SAY(&talk, .ms = 400 + i, .seq = 0, .length = 1000);
	assert_in_range(packet_log_count(log), 10, 50);
	assert_int_equal(packet_log_noted_level(log),
		packet_log_level(log) - 6);
	assert_int_equal(packet_log_count(log) + packet_log_left_out(log),
		5008);
	talk_end(&talk);
	packet_log_free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packets_as_understood),
		cmocka_unit_test(test_thinned),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
