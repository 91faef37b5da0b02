/* Lists of connections: order and filter. */
#include "annotation_text.h"
#include "connection_list.h"

#include <string.h>

#include "golden_text.h"
#include "unit/packet/talk.h"

/* Three connections: a server that sends a segment twice, a refused one, and a
 * client that repeats its SYN. */
static void three(struct talk *talk)
{
	talk_start(talk);
	SAY(talk, .ms = 21, .length = 100);
	SAY(talk, .ms = 42, .side = SERVER, .ack = 100, .length = 1000);
	SAY(talk, .ms = 400, .side = SERVER, .ack = 100, .length = 1000);
	SAY(talk, .ms = 401, .seq = 100, .ack = 1000);
	talk->flow = flow_new();
	talk->flow.port[0]++;
	SAY(talk, .ms = 450, .flags = TCP_SYN, .seq = -1, .mss = 1460);
	SAY(talk, .ms = 462, .side = SERVER, .flags = TCP_RST | TCP_ACK,
		.seq = -1);
	talk->flow = flow_new();
	talk->flow.port[0] += 2;
	talk->flow.port[1] = 443;
	for (int i = 0; i < 3; i++)
		SAY(talk, .ms = 500 + 1000 * i, .flags = TCP_SYN, .seq = -1,
			.mss = 1460);
}

static void numbers(const struct annotator *annotator, enum list_order order,
	bool reversed, char *found)
{
	struct listed rows[3];

	for (size_t i = 0; i < 3; i++)
		rows[i] = (struct listed){ annotator_connection(annotator, i),
			i, 0 };
	list_sort(rows, 3, order, reversed);
	for (size_t i = 0; i < 3; i++)
		found[i] = (char)('1' + rows[i].index);
	found[3] = '\0';
}

static void test_order(void **state)
{
	static const struct {
		enum list_order order;
		bool reversed;
		const char *numbers;
	} cases[] = {
		{ ORDER_START, false, "123" },
		{ ORDER_START, true, "321" },
		{ ORDER_RESENT, false, "312" },
		{ ORDER_RESENT, true, "213" },
		{ ORDER_BYTES, false, "123" },
		{ ORDER_TIME, false, "312" },
		{ ORDER_RTT, false, "123" },
		{ ORDER_END, false, "213" },
	};
	struct talk talk;
	char found[4];

	three(&talk);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		numbers(talk.annotator, cases[i].order, cases[i].reversed,
			found);
		assert_string_equal(found, cases[i].numbers);
	}
	assert_int_equal(order_named("retx"), ORDER_RESENT);
	assert_int_equal(order_named("colour"), LIST_ORDERS);
	talk_end(&talk);
}

/* Of connections without loss, the one whose window was closed is first by
 * retransmissions. */
static void test_window_shut(void **state)
{
	struct talk talk;
	char found[4];

	talk_begin(&talk, TAP_CLIENT);
	for (int i = 0; i < 3; i++) {
		talk.flow.port[0]++;
		talk_open(&talk, 20);
		SAY(&talk, .ms = 30, .length = 1000);
		SAY(&talk, .ms = 50, .side = SERVER, .ack = 1000,
			.window = i == 1 ? -1 : 1000);
		SAY(&talk, .ms = 4050, .side = SERVER, .ack = 1000,
			.window = 1000);
		SAY(&talk, .ms = 4051, .seq = 1000, .length = 100);
	}
	numbers(talk.annotator, ORDER_RESENT, false, found);
	assert_string_equal(found, "213");
	numbers(talk.annotator, ORDER_RESENT, true, found);
	assert_string_equal(found, "132");
	talk_end(&talk);
}

/* Of connections without loss, the one that waited longest for the server is
 * first by retransmissions. The pause of a client means nothing. */
static void test_stalled(void **state)
{
	struct talk talk;
	char found[4];

	talk_begin(&talk, TAP_CLIENT);
	for (int i = 0; i < 3; i++) {
		double answer_ms = i == 1 ? 5050 : 60;
		double next_ms = answer_ms + (i == 2 ? 9000 : 100);

		talk.flow.port[0]++;
		talk_open(&talk, 20);
		SAY(&talk, .ms = 30, .length = 1000);
		SAY(&talk, .ms = 50, .side = SERVER, .ack = 1000);
		SAY(&talk, .ms = answer_ms, .side = SERVER, .ack = 1000,
			.length = 500);
		SAY(&talk, .ms = answer_ms + 1, .seq = 1000, .ack = 500);
		SAY(&talk, .ms = next_ms, .seq = 1000, .ack = 500,
			.length = 1000);
		SAY(&talk, .ms = next_ms + 20, .side = SERVER, .seq = 500,
			.ack = 2000, .length = 500);
		assert_int_equal(talk_connection(&talk)->stall_ns,
			i == 1 ? 5000000000 : 20000000);
		assert_int_equal(talk_connection(&talk)->stall_answered,
			i == 1);
	}
	numbers(talk.annotator, ORDER_RESENT, false, found);
	assert_string_equal(found, "213");
	talk_end(&talk);
}

/* A server that answers after 30 s stalls its connection. Connections without a
 * stall follow by their retransmissions. */
static void test_by_stall(void **state)
{
	static const double waits_ms[] = { 50, 30000, 400 };
	struct talk talk;
	char found[4];

	talk_begin(&talk, TAP_CLIENT);
	for (int i = 0; i < 3; i++) {
		talk.flow.port[0]++;
		talk_open(&talk, 20);
		SAY(&talk, .ms = 30, .length = 1000);
		if (i == 2)
			SAY(&talk, .ms = 300, .length = 1000);
		SAY(&talk, .ms = 30 + waits_ms[i], .side = SERVER, .ack = 1000,
			.length = 500);
	}
	numbers(talk.annotator, ORDER_RESENT, false, found);
	assert_string_equal(found, "321");
	numbers(talk.annotator, ORDER_STALL, false, found);
	assert_string_equal(found, "231");
	talk_end(&talk);
}

/* The list counts what every output counts: a repeated SYN and FIN too, but not
 * as data. */
static void test_resent(void **state)
{
	const struct side *side;
	struct text words = { 0 };
	struct talk talk;

	talk_begin(&talk, TAP_CLIENT);
	SAY(&talk, .flags = TCP_SYN, .seq = -1, .mss = 1460);
	SAY(&talk, .ms = 1000, .flags = TCP_SYN, .seq = -1, .mss = 1460);
	/* The other direction is not captured yet. */
	connection_resent_words(talk_connection(&talk), &words);
	assert_string_equal(text_chars(&words), "1+-");
	text_free(&words);
	SAY(&talk, .ms = 1040, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = 1460);
	SAY(&talk, .ms = 1041);
	for (int i = 0; i < 3; i++)
		SAY(&talk, .ms = 1042 + 400 * i, .flags = TCP_FIN | TCP_ACK);
	side = talk_side(&talk, CLIENT);
	assert_int_equal(side_resent(side), side->retransmitted_segments);
	assert_int_equal(side_resent(side), 3);
	assert_int_equal(side_resent_data(side), 0);
	connection_resent_words(talk_connection(&talk), &words);
	assert_string_equal(text_chars(&words), "3+0");
	text_free(&words);
	talk_end(&talk);
}

static void print(const void *what, const struct text_layout *layout,
	struct text *text)
{
	const struct list_choice by_retx = { .order = ORDER_RESENT };

	list_text(&(struct list_rows){ 0 }, what, &by_retx, layout, text);
}

static void list_all(const struct talk *talk, const struct text_layout *layout,
	struct text *text)
{
	const struct list_choice all = { .order = ORDER_START };
	struct list_rows rows = { 0 };

	list_text(&rows, talk->annotator, &all, layout, text);
	assert_null(rows.at);
}

static void test_text(void **state)
{
	struct talk talk;

	three(&talk);
	golden_text("annotate-summary", print, talk.annotator);
	talk_end(&talk);
}

/* A connection in a VLAN for each direction, with a closed window. */
static void in_vlans(struct talk *talk, struct flow *flow, unsigned client,
	unsigned server)
{
	static const struct segment segments[] = {
		{ .flags = TCP_SYN, .seq = -1 },
		{ .ms = 20, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
			.seq = -1 },
		{ .ms = 20.1 },
		{ .ms = 30.123, .length = 1000 },
		{ .ms = 30.2, .length = 1000, .seq = 1000 },
		{ .ms = 50.123, .side = SERVER, .ack = 2000, .window = -1 },
		{ .ms = 123456, .flags = TCP_FIN | TCP_ACK, .seq = 2000 },
		{ .ms = 123476, .side = SERVER, .flags = TCP_FIN | TCP_ACK,
			.ack = 2001 },
	};

	for (size_t i = 0; i < sizeof segments / sizeof *segments; i++) {
		struct made ip = segment_make(flow, segments[i]);
		struct made made = made_on(&ip, ON_VLAN, flow->six);

		put16(made.bytes + 14, segments[i].side ? server : client);
		struct packet_record record = made_record(&made, LINK_ETHERNET,
			segment_ns(flow, &segments[i]));
		annotator_add(talk->annotator, &record);
	}
}

/* At 80 columns, long addresses are cut, and no column is left out. Equal ends
 * in two VLANs are told apart. */
static void test_narrow(void **state)
{
	struct text_layout layout = { .width = 80 };
	struct text text = { 0 };
	struct talk talk;

	talk_begin(&talk, TAP_CLIENT);
	for (unsigned vlan = 10; vlan <= 11; vlan++) {
		struct flow flow = flow_new();

		flow.six = true;
		in_vlans(&talk, &flow, vlan, vlan);
	}
	list_all(&talk, &layout, &text);
	assert_non_null(strstr(text.chars, " RTT  limit     end\n"));
	assert_non_null(strstr(text.chars, "    1  10    ..:1]:40000  :80 "));
	assert_non_null(strstr(text.chars, "    2  11    ..:1]:40000  :80 "));
	assert_null(strstr(text.chars, "without room"));
	text_clear(&text);
	layout.width = 60;
	list_all(&talk, &layout, &text);
	assert_null(strstr(text.chars, "RTT  "));
	assert_non_null(strstr(text.chars, "without room: RTT, limit\n"));
	text_free(&text);
	talk_end(&talk);
}

/* The directions of one connection in two VLANs, or one of them in none. */
static void test_two_vlans(void **state)
{
	static const char *const cells[] = { "    1  10/20  ", "    1  10/-  " };
	const struct text_layout layout = { .width = 80 };

	for (unsigned i = 0; i < 2; i++) {
		struct flow flow = flow_new();
		struct text text = { 0 };
		struct talk talk;

		talk_begin(&talk, TAP_CLIENT);
		in_vlans(&talk, &flow, 10, i ? 0 : 20);
		list_all(&talk, &layout, &text);
		assert_non_null(strstr(text.chars, cells[i]));
		text_free(&text);
		talk_end(&talk);
	}
}

/* Equal timestamps show an upper bound. */
static void test_equal_times(void **state)
{
	const struct text_layout layout = { .width = 80 };
	struct text text = { 0 };
	struct talk talk;

	talk_begin(&talk, TAP_CLIENT);
	SAY(&talk, .ms = 1.5, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 1.5, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	SAY(&talk, .ms = 1.5);
	list_all(&talk, &layout, &text);
	assert_non_null(strstr(text.chars, "  <1 us     0  <1 us  "));
	text_free(&text);
	talk_end(&talk);
}

static bool matches(const struct connection *connection, const char *one,
	const char *two)
{
	struct connection_filter filter = { 0 };
	struct error error;

	assert_int_equal(connection_filter_read(&filter, one, &error), 0);
	if (two)
		assert_int_equal(connection_filter_read(&filter, two, &error),
			0);
	return connection_matches(connection, &filter);
}

static void test_filter(void **state)
{
	static const char *const wrong[] = { "host=", "host=ten", "port=0",
		"port=65536", "port=80x", "hosts=10.0.0.1", "ten", ":", "",
		":65536", "10.0.0", "host=[10.0.0.1]", "host=[::1",
		"host=[]", "host=[" };
	const struct connection *connection;
	struct connection_filter filter = { 0 };
	struct error error;
	struct talk talk;

	three(&talk);
	connection = annotator_connection(talk.annotator, 2);
	assert_true(matches(connection, "port=443", NULL));
	assert_true(matches(connection, "host=10.0.0.2", "port=443"));
	/* Both words are about the same end. */
	assert_false(matches(connection, "host=10.0.0.1", "port=443"));
	assert_true(matches(connection, "host=10.0.0.1", NULL));
	assert_false(matches(connection, "host=10.0.0.3", NULL));
	assert_false(matches(connection, "host=::1", NULL));
	assert_false(matches(connection, "port=80", NULL));
	assert_true(matches(connection, "10.0.0.2", ":443"));
	assert_true(matches(connection, "443", NULL));
	assert_false(matches(connection, "80", NULL));
	assert_false(matches(connection, "::1", NULL));
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_int_equal(connection_filter_read(&filter, wrong[i],
					 &error),
			-1);
	talk_end(&talk);
}

/* An IPv6 address as the output has it, in brackets, or without. */
static void test_filter_six(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_CLIENT);
	talk.flow.six = true;
	talk_open(&talk, 40);
	const struct connection *connection = talk_connection(&talk);
	assert_true(matches(connection, "host=[2001:db8::1]", NULL));
	assert_true(matches(connection, "[2001:db8::1]", NULL));
	assert_true(matches(connection, "2001:db8::1", NULL));
	assert_false(matches(connection, "host=[2001:db8::3]", NULL));
	talk_end(&talk);
}

/* Of two ports or two hosts, neither is silently ignored. */
static void test_filter_twice(void **state)
{
	static const struct {
		const char *one, *two, *says;
	} cases[] = {
		{ "port=80", "port=443", "is a second port" },
		{ "port=80", ":80", "is a second port" },
		{ "host=10.0.0.1", "host=::1", "is a second address" },
	};
	struct error error;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct connection_filter filter = { 0 };

		assert_int_equal(connection_filter_read(&filter, cases[i].one,
					 &error),
			0);
		assert_int_equal(connection_filter_read(&filter, cases[i].two,
					 &error),
			-1);
		assert_non_null(strstr(error.message, cases[i].says));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_window_shut),
		cmocka_unit_test(test_stalled),
		cmocka_unit_test(test_by_stall),
		cmocka_unit_test(test_resent),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_narrow),
		cmocka_unit_test(test_two_vlans),
		cmocka_unit_test(test_equal_times),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_filter_six),
		cmocka_unit_test(test_filter_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
