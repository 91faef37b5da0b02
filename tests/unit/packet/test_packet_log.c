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

static void test_so_many_and_no_more(void **state)
{
	struct packet_log *log = packet_log_new(5);
	struct talk talk;

	open_logged(&talk, log);
	assert_int_equal(packet_log_count(log), 5);
	assert_int_equal(packet_log_left_out(log), 3);
	assert_int_equal(packet_log_at(log, 4)->packet.number, 5);
	talk_end(&talk);
	packet_log_free(log);
	packet_log_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packets_as_understood),
		cmocka_unit_test(test_so_many_and_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
