/* Output of connections_write() reads back as its source; other input is
 * harmless. */
#include <stdlib.h>

#include "connections.h"
#include "connections_read.h"
#include "json.h"
#include "unit/packet/path.h"
#include "unit/packet/talk.h"

static cJSON *written(const struct connection *connection)
{
	cJSON *tree = connection_json(connection);
	char *printed = cJSON_PrintUnformatted(tree);
	struct error error = { 0 };

	/* Numbers are raw text until they have been parsed once. */
	cJSON_Delete(tree);
	tree = json_parse(printed, strlen(printed), "made", &error);
	assert_non_null(tree);
	free(printed);
	return tree;
}

static void assert_same(const cJSON *a, const cJSON *b, const char *name)
{
	const cJSON *x = cJSON_GetObjectItemCaseSensitive(a, name);
	const cJSON *y = cJSON_GetObjectItemCaseSensitive(b, name);

	assert_non_null(x);
	if (cJSON_Compare(x, y, true))
		return;
	fail_msg("%s is\n%s\nexpected\n%s", name, cJSON_PrintUnformatted(y),
		cJSON_PrintUnformatted(x));
}

static void read_back(const struct annotator *annotator)
{
	static const char *const members[] = { "number", "client", "server",
		"role", "tap", "tap_basis", "start_ns", "took_ns", "packets",
		"duplicates", "handshake", "options", "sender", "iw",
		"rounds_basis", "rounds", "exit", "retransmissions", "teardown",
		"events" };
	const struct capture_origin origin = { .file = "made" };
	struct stored_connections stored;
	struct text json = { 0 };

	connections_write(annotator, &origin, &json);
	stored_connections_read(json.chars, &stored);
	assert_int_equal(stored.count, annotator_count(annotator));
	assert_int_equal(stored.resolution_ns,
		annotator_facts(annotator)->resolution_ns);
	for (size_t i = 0; i < stored.count; i++) {
		cJSON *was = written(annotator_connection(annotator, i));
		cJSON *is = written(&stored.list[i]);

		for (size_t k = 0; k < sizeof members / sizeof *members; k++)
			assert_same(was, is, members[k]);
		cJSON_Delete(was);
		cJSON_Delete(is);
	}
	stored_connections_free(&stored);
	text_free(&json);
}

static void test_a_transfer(void **state)
{
	static struct path path;

	path = (struct path){ .rtt_ms = 40,
		.segment_ms = 0.1,
		.initial = 10,
		.threshold = PATH_SEGMENTS,
		.total = 900,
		.timestamps = true,
		.drop = 300 };
	path_run(&path);
	read_back(path.near.annotator);
	read_back(path.far.annotator);
	path_end(&path);
}

/* A loss after which the flight did not fall. */
static void test_flight_kept(void **state)
{
	struct talk talk;

	talk_start(&talk);
	for (int round = 0; round < 4; round++) {
		for (int i = 0; i < 10; i++)
			SAY(&talk, .ms = 50 + 300 * round,
				.seq = round * 10000 + i * 1000,
				.length = 1000);
		if (round == 1)
			SAY(&talk, .ms = 600, .seq = 10000, .length = 1000);
		SAY(&talk, .ms = 340 + 300 * round, .side = SERVER,
			.ack = round * 10000 + 10000);
	}
	const struct side *side = talk_side(&talk, CLIENT);
	assert_true(side_exit(side).flight_kept);
	read_back(talk.annotator);
	talk_end(&talk);
}

/* A repeat that only a timer shows to be of lost data. */
static void test_unproven(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .length = 1000);
	SAY(&talk, .ms = 350, .length = 1000);
	assert_true(side_exit(talk_side(&talk, CLIENT)).unproven);
	read_back(talk.annotator);
	talk_end(&talk);
}

/* A reset that its side ignored, and tries that were not answered, for a short
 * time or until the sender gave up. */
static void test_no_end(void **state)
{
	for (int tries = 2; tries < 14; tries += 11) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 50, .side = SERVER, .flags = TCP_RST,
			.seq = 500);
		SAY(&talk, .ms = 51, .length = 1000);
		SAY(&talk, .ms = 90, .side = SERVER, .ack = 1000);
		assert_int_equal(connection_close(talk_connection(&talk)),
			CLOSE_NONE);
		read_back(talk.annotator);
		for (int k = 0; k <= tries; k++)
			SAY(&talk, .ms = 100 + 70000 * k, .seq = 1000,
				.length = 1000);
		assert_int_equal(connection_close(talk_connection(&talk)),
			tries == 2 ? CLOSE_UNANSWERED : CLOSE_TIMEOUT);
		read_back(talk.annotator);
		talk_end(&talk);
	}
}

/* A first flight fills the window, or exceeds it. */
static void test_exceeded(void **state)
{
	for (int segments = 3; segments <= 4; segments++) {
		struct talk talk;

		talk_start_narrow(&talk, segments);
		read_back(talk.annotator);
		talk_end(&talk);
	}
}

/* A window that is still full at the end limits until then. */
static void test_still_full(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 45, .side = SERVER, .window = 10);
	for (int i = 0; i < 3; i++)
		SAY(&talk, .ms = 50, .seq = i * 1000,
			.length = i < 2 ? 1000 : 560);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 1000, .window = 6);
	cJSON *tree = written(talk_connection(&talk));
	const cJSON *limits = cJSON_GetObjectItem(tree, "limits");
	assert_true(cJSON_GetObjectItem(limits, "receive_window_ns")
			    ->valuedouble == 40000000);
	cJSON_Delete(tree);
	talk_end(&talk);
}

static void test_the_end(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_CLIENT);
	talk.flow.six = true;
	talk_open(&talk, 12.5);
	SAY(&talk, .ms = 13, .length = 300);
	SAY(&talk, .ms = 27, .flags = TCP_FIN | TCP_ACK, .seq = 300);
	SAY(&talk, .ms = 39, .side = SERVER, .flags = TCP_FIN | TCP_ACK,
		.ack = 301);
	SAY(&talk, .ms = 40, .seq = 301, .ack = 1);
	talk.flow = flow_new();
	talk.flow.port[0]++;
	SAY(&talk, .ms = 50, .flags = TCP_SYN, .seq = -1, .mss = 1460);
	SAY(&talk, .ms = 62, .side = SERVER, .flags = TCP_RST | TCP_ACK,
		.seq = -1);
	read_back(talk.annotator);
	talk_end(&talk);
}

/* ---- invalid documents -------------------------------------------------- */

static size_t count_in(const char *json)
{
	struct stored_connections stored;

	stored_connections_read(json, &stored);
	size_t count = stored.count;
	stored_connections_free(&stored);
	return count;
}

/* Both sides send a SYN/ACK. */
static void test_crossed(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 5, .side = SERVER, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 5.1, .flags = TCP_SYN | TCP_ACK, .seq = -1);
	SAY(&talk, .ms = 10, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	read_back(talk.annotator);
	talk_end(&talk);
}

static void test_what_is_none(void **state)
{
	assert_int_equal(count_in(""), 0);
	assert_int_equal(count_in("{"), 0);
	assert_int_equal(count_in("[]"), 0);
	assert_int_equal(count_in("{\"connections\":3}"), 0);
	assert_int_equal(count_in("{\"connections\":[1,null,\"a\",[]]}"), 0);
	assert_int_equal(count_in("{\"connections\":[{},{}]}"), 2);
	assert_int_equal(
		count_in("{\"connections\":[{\"client\":3,\"server\":\":\","
			 "\"start_ns\":\"9223372036854775807\","
			 "\"took_ns\":9007199254740991,\"rounds\":[{},1,{"
			 "\"t_ns\":-5,\"took_ns\":-9,\"bytes\":-1,"
			 "\"offset\":1e308}],\"exit\":{\"round\":1e300,"
			 "\"evidence\":[\"x\"]},\"events\":[3,{\"kind\":7}],"
			 "\"handshake\":[],\"options\":{\"client\":{\"wscale\":"
			 "99999}},\"sides\":{\"client\":4}}]}"),
		1);
}

/* With time stamps at either end of 64 bits, a search for a time near them does
 * not overflow. */
static void test_ends_of_time(void **state)
{
	static const char *const stamps[] = { "9223372036854775807",
		"-9223372036854775807", "4611686018427387904" };
	struct stored_connections stored;

	for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++) {
		struct text json = { 0 };
		size_t at = 0;

		text_add(&json,
			"{\"connections\":[{\"number\":1,\"start_ns\":\"%s\","
			"\"took_ns\":\"%s\",\"rounds\":[{\"t_ns\":\"%s\","
			"\"took_ns\":\"%s\"}]}],\"kernel\":[{\"connection\":1,"
			"\"samples\":{\"t_ns\":[9007199254740991]}}]}",
			stamps[i], stamps[i], stamps[i], stamps[i]);
		stored_connections_read(json.chars, &stored);
		assert_int_equal(stored.count, 1);
		const struct connection *connection = stored.list;
		assert_true(connection->last_ns >= connection->first_ns);
		tcpinfo_path_of(&stored.tcpinfo, connection);
		tcpinfo_next(&stored.tcpinfo, connection, &at);
		stored_connections_free(&stored);
		text_free(&json);
	}
}

/* A long list of unknown connections is not searched once for each connection:
 * that would take minutes. */
static void test_long_list(void **state)
{
	enum { ITEMS = 40000, CONNECTIONS = 4000 };
	struct stored_connections stored;
	struct text json = { 0 };

	text_add(&json, "{\"connections\":[{\"number\":0}");
	for (int i = 1; i < CONNECTIONS; i++)
		text_add(&json, ",{\"number\":%d}", i);
	text_add(&json, "],\"kernel\":[");
	for (int i = 0; i < ITEMS; i++)
		text_add(&json, "{\"connection\":999999},");
	text_add(&json, "{\"connection\":1}]}");
	stored_connections_read(json.chars, &stored);
	assert_int_equal(stored.count, CONNECTIONS);
	assert_int_equal(stored.tcpinfo.paths.count, 0);
	stored_connections_free(&stored);
	text_free(&json);
}

/* Any byte of a valid text may be changed. */
static void test_damaged(void **state)
{
	static struct path path;
	const struct capture_origin origin = { .file = "made" };
	struct text json = { 0 };
	uint32_t seed = 5;

	path = (struct path){ .rtt_ms = 20,
		.initial = 4,
		.threshold = 20,
		.total = 60,
		.timestamps = true,
		.drop = 30 };
	path_run(&path);
	connections_write(path.near.annotator, &origin, &json);
	for (int i = 0; i < 500; i++) {
		seed = seed * 1664525u + 1013904223u;
		size_t at = seed % json.length;
		char was = json.chars[at];
		json.chars[at] = "0-9\"{}[]:,ntx"[seed >> 24 & 7];
		assert_true(count_in(json.chars) <= 1);
		json.chars[at] = was;
	}
	text_free(&json);
	path_end(&path);
}

/* A document without room for all connections has the first ones and the number
 * of the others. */
static void test_no_room(void **state)
{
	const struct capture_origin origin = { .file = "made" };
	struct stored_connections stored;
	struct text json = { 0 };
	struct talk talk;

	talk_begin(&talk, TAP_CLIENT);
	for (int i = 0; i < 5; i++) {
		talk.flow.port[CLIENT] = (uint16_t)(40000 + i);
		talk_open(&talk, 40);
	}
	assert_int_equal(annotator_count(talk.annotator), 5);
	assert_int_equal(connections_write_within(talk.annotator, &origin, 1,
				 &json),
		4);
	stored_connections_read(json.chars, &stored);
	assert_int_equal(stored.count, 1);
	assert_non_null(strstr(json.chars, "\"connections\":5,"));
	assert_non_null(strstr(json.chars, "\"connections_left_out\":4}"));
	stored_connections_free(&stored);
	text_free(&json);
	connections_write(talk.annotator, &origin, &json);
	stored_connections_read(json.chars, &stored);
	assert_int_equal(stored.count, 5);
	assert_non_null(strstr(json.chars, "\"connections_left_out\":0"));
	stored_connections_free(&stored);
	text_free(&json);
	talk_end(&talk);
}

/* Packets of another link type are counted, also of one that is not read. */
static void test_links(void **state)
{
	static const uint32_t links[] = { LINK_RAW, LINK_NULL, 999, 999 };
	const struct capture_origin origin = { .file = "made" };
	struct text json = { 0 };
	struct talk talk;

	talk_begin(&talk, TAP_CLIENT);
	for (int i = 0; i < 4; i++) {
		const struct segment segment = { .ms = i };
		struct made made = segment_make(&talk.flow, segment);
		struct packet_record record = made_record(&made, links[i],
			segment_ns(&talk.flow, &segment));

		annotator_add(talk.annotator, &record);
	}
	connections_write(talk.annotator, &origin, &json);
	assert_non_null(strstr(json.chars, "\"linktype_others\":3,"));
	assert_non_null(strstr(json.chars,
		"\"unknown_link_type\":null,\"unknown_link_number\":999,"));
	assert_non_null(strstr(json.chars, "\"unknown_link\":2,"));
	text_free(&json);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_transfer),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_flight_kept),
		cmocka_unit_test(test_unproven),
		cmocka_unit_test(test_no_end),
		cmocka_unit_test(test_exceeded),
		cmocka_unit_test(test_still_full),
		cmocka_unit_test(test_the_end),
		cmocka_unit_test(test_crossed),
		cmocka_unit_test(test_what_is_none),
		cmocka_unit_test(test_ends_of_time),
		cmocka_unit_test(test_long_list),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
