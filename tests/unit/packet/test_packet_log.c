/* The log stores each packet as annotated, up to its limit. */
#include "packet_log.h"

#include <math.h>
#include <stdlib.h>

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
	assert_int_equal(data->in_flight_bytes[data->side], 2000);
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
	assert_int_equal(packet_log_count(log) + packet_log_left_out(log),
		5008);
	talk_end(&talk);
	packet_log_free(log);
}

/* ---- one connection ------------------------------------------------------ */

/* Two connections in turns: the second, with losses and acknowledgements of
 * every second segment, has a third of the packets. */
static void say_two(struct packet_log *log, const struct endpoint *only,
	int rounds, struct talk *talk)
{
	struct annotator_options options = { .tap = TAP_CLIENT };
	struct talk other;

	if (only)
		options.only = *only;
	packet_log_watch(log, &options);
	*talk = (struct talk){ .flow = flow_new(),
		.annotator = annotator_new(&options) };
	other = *talk;
	other.flow.port[CLIENT]++;
	talk_open(&other, 20);
	talk_open(talk, 20);
	for (int i = 0; i < rounds; i++) {
		/* A silence in the middle. */
		double ms = 21 + i + (i > rounds / 2 ? 5 * rounds : 0);

		for (int k = 0; k < 4; k++)
			SAY(&other, .ms = ms, .seq = 4000 * i + 1000 * k,
				.length = 1000);
		SAY(talk, .ms = ms + 0.1, .seq = 500 * i, .length = 500,
			.window = 1000);
		if (i % 100 == 50)
			SAY(talk, .ms = ms + 0.2, .seq = 500 * (i - 40),
				.length = 500);
		if (i % 2 && i > 30)
			SAY(talk, .ms = ms + 0.3, .side = SERVER,
				.ack = 500 * (i - i % 29),
				.window = 500 + i % 97);
	}
}

static struct log_scope scope_of(const struct talk *talk)
{
	const struct connection *connection = talk_connection(talk);

	return (struct log_scope){ .connection = connection->number,
		.packets = connection->packets + connection->duplicates,
		.first_ns = connection->first_ns,
		.last_ns = connection->last_ns };
}

/* Packets of other connections need no room: by the filter, and by the
 * scope. */
static void test_only(void **state)
{
	enum { MOST = 3000, ROUNDS = 1200 };
	const struct flow flow = flow_new();
	const struct endpoint only = { .port = flow.port[CLIENT] };
	struct packet_log *log = packet_log_new(MOST);
	struct talk talk;

	say_two(log, NULL, ROUNDS, &talk);
	assert_true(packet_log_left_out(log) > 0);
	struct log_scope scope = scope_of(&talk);
	talk_end(&talk);
	packet_log_free(log);

	log = packet_log_new(MOST);
	say_two(log, &only, ROUNDS, &talk);
	assert_int_equal(packet_log_left_out(log), 0);
	assert_int_equal(packet_log_count(log), scope.packets);
	talk_end(&talk);
	packet_log_free(log);

	log = packet_log_of(MOST, &scope);
	say_two(log, NULL, ROUNDS, &talk);
	assert_int_equal(packet_log_left_out(log), 0);
	assert_int_equal(packet_log_count(log), scope.packets);
	talk_end(&talk);
	packet_log_free(log);
}

enum { PLOTTED = 6 };

/* The figures that plots draw; NAN: none. */
static double plotted(const struct logged *at, int figure)
{
	bool data = at->side == 0 && at->packet.payload_bytes;
	bool acks = at->side == 1;

	switch (figure) {
	case 0:
		return data ? (double)at->end : NAN;
	case 1:
		return acks ? (double)at->ack : NAN;
	case 2:
		return acks ? (double)at->ack + 128. * at->packet.window : NAN;
	case 3:
		return (double)at->in_flight_bytes[0];
	case 4:
		return (double)at->rtt_ns;
	default:
		return at->marks & MARK_RETRANSMISSION ?
			(double)at->position :
			NAN;
	}
}

/* Within `width_ns` of a packet the log has one whose figure is as large, and
 * one whose figure is as small. */
static bool is_drawn(const struct packet_log *log, const struct logged *packet,
	int figure, int64_t width_ns)
{
	double value = plotted(packet, figure);
	bool as_large = isnan(value), as_small = isnan(value);

	for (size_t i = 0; i < packet_log_count(log); i++) {
		const struct logged *at = packet_log_at(log, i);

		if (llabs(at->packet.t_ns - packet->packet.t_ns) > width_ns)
			continue;
		as_large |= plotted(at, figure) >= value;
		as_small |= plotted(at, figure) <= value;
	}
	return as_large && as_small;
}

/* Of a connection with too many packets, a plot is as with all of them. Around
 * one packet the list is complete. */
static void test_slots(void **state)
{
	enum { ROUNDS = 30000, MOST = 8000, AROUND = 20000 };
	struct packet_log *all = packet_log_new(1 << 18);
	size_t resent = 0, kept = 0, near = 0;
	struct talk talk;

	say_two(all, NULL, ROUNDS, &talk);
	struct log_scope scope = scope_of(&talk);
	int64_t width_ns = (scope.last_ns - scope.first_ns) / (MOST / 160);
	talk_end(&talk);
	scope.around = AROUND;
	struct packet_log *log = packet_log_of(MOST, &scope);
	say_two(log, NULL, ROUNDS, &talk);
	talk_end(&talk);
	assert_in_range(packet_log_count(log), MOST / 4, MOST);
	assert_int_equal(packet_log_count(log) + packet_log_left_out(log),
		scope.packets);
	for (size_t i = 0; i < packet_log_count(all); i++) {
		const struct logged *at = packet_log_at(all, i);

		if (at->connection != scope.connection)
			continue;
		resent += at->marks & MARK_RETRANSMISSION ? 1 : 0;
		for (int figure = 0; i % 37 == 0 && figure < PLOTTED; figure++)
			assert_true(is_drawn(log, at, figure, width_ns));
	}
	for (size_t i = 0; i < packet_log_count(log); i++) {
		const struct logged *at = packet_log_at(log, i);

		assert_true(!i || at->packet.number > at[-1].packet.number);
		kept += at->marks & MARK_RETRANSMISSION ? 1 : 0;
		near += at->ordinal > AROUND - 900 &&
			at->ordinal < AROUND + 900;
	}
	assert_true(resent >= ROUNDS / 100 - 1);
	assert_int_equal(kept, resent);
	assert_int_equal(near, 2 * 900 - 1);
	packet_log_free(all);
	packet_log_free(log);
}

/* A finding in every packet does not exceed the limit, nor thin a plot. */
static void test_slots_limit(void **state)
{
	enum { MOST = 2000, MANY = 20000 };
	struct log_scope scope = { .connection = 1, .packets = 8 + MANY,
		.last_ns = (400 + MANY) * INT64_C(1000000) };
	const struct flow flow = flow_new();
	struct packet_log *log;
	struct talk talk;

	scope.first_ns = flow.start_ns;
	scope.last_ns += flow.start_ns;
	log = packet_log_of(MOST, &scope);
	open_logged(&talk, log);
	for (int i = 0; i < MANY; i++)
		SAY(&talk, .ms = 400 + i, .seq = 1000 * (i % 2),
			.length = 1000);
	assert_in_range(packet_log_count(log), MOST / 4, MOST);
	assert_int_equal(packet_log_count(log) + packet_log_left_out(log),
		8 + MANY);
	talk_end(&talk);
	packet_log_free(log);
}

static void test_covers(void **state)
{
	const struct log_scope whole = { .connection = 2, .packets = 900 };
	struct log_scope had = { .connection = 2, .packets = 9000 };
	struct log_scope wanted = had;

	assert_true(log_scope_covers(1000, &whole, &whole));
	assert_false(log_scope_covers(1000, &whole, &wanted));
	assert_true(log_scope_covers(1000, &had, &wanted));
	wanted.around = 4000;
	assert_false(log_scope_covers(1000, &had, &wanted));
	had.around = 4010;
	assert_true(log_scope_covers(1000, &had, &wanted));
	had.around = 4200;
	assert_false(log_scope_covers(1000, &had, &wanted));
	wanted.around = 0;
	assert_true(log_scope_covers(1000, &had, &wanted));
	wanted.connection = 3;
	assert_false(log_scope_covers(1000, &had, &wanted));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packets_as_understood),
		cmocka_unit_test(test_thinned),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_only),
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_slots_limit),
		cmocka_unit_test(test_covers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
