/* The list of connections and the filter of `annotate`, on a public capture. */
#include "annotated.h"

static const char capture[] =
	SOURCE_FOLDER "/../shared/captures/zeek-206_example_a.pcap";

/* The position of a number in the first column of the list. */
static const char *row_of(const char *text, const char *number)
{
	struct text row = { 0 };

	text_add(&row, "\n    %s  ", number);
	const char *at = strstr(text, text_chars(&row));
	text_free(&row);
	assert_non_null(at);
	return at;
}

static void test_list(void **state)
{
	struct ran ran = RUN(PROGRAM, "annotate", capture, "--summary");

	assert_status(ran, 0);
	assert_true(row_of(ran.out.chars, "1") < row_of(ran.out.chars, "2"));
	ran_free(&ran);
	ran = RUN(PROGRAM, "annotate", capture, "--summary", "--sort=retx");
	assert_true(row_of(ran.out.chars, "2") < row_of(ran.out.chars, "1"));
	/* A SYN of the client, and 18 segments of the server. */
	assert_contains(ran.out, " 1+18 ");
	ran_free(&ran);
	ran = RUN(PROGRAM, "annotate", capture, "--text", "port=10978");
	assert_contains(ran.out, "client: 1 retransmission (1 of the SYN)");
	assert_contains(ran.out, "server: 18 retransmissions (");
	ran_free(&ran);
	ran = RUN(PROGRAM, "annotate", capture, "--sort=retx");
	assert_status(ran, 2);
	ran_free(&ran);
	ran = RUN(PROGRAM, "annotate", capture, "--summary", "--sort=colour");
	assert_status(ran, 2);
	assert_contains(ran.err,
		"expected one of start, retx, end, stall, limit, bytes, time, "
		"rtt");
	ran_free(&ran);
}

/* The list as JSON: the same rows in the same order, whose members are those of
 * the whole document, in the same places. */
static void test_list_json(void **state)
{
	static const char *const shared[] = { "number", "client", "server",
		"start_ns", "took_ns", "payload_bytes", "rtt_ns", "limit",
		"retransmissions", "stall_ns",
		"sides.client.retransmissions", "sides.server.retransmissions",
		"sides.client.vlan", "teardown.kind" };
	struct ran list = RUN(PROGRAM, "annotate", capture, "--summary",
		"--json", "--sort=retx");
	struct ran whole = RUN(PROGRAM, "annotate", capture, "--json");
	struct error error;

	assert_status(list, 0);
	cJSON *rows = json_parse(list.out.chars, list.out.length, "", &error);
	cJSON *tree = json_parse(whole.out.chars, whole.out.length, "", &error);
	assert_int_equal(cJSON_GetArraySize(member(rows, "connections")), 2);
	assert_null(cJSON_GetObjectItem(member(rows, "connections.0"),
		"events"));
	for (size_t i = 0; i < 2 * sizeof shared / sizeof *shared; i++) {
		const char *name = shared[i / 2];
		struct text row = { 0 }, same = { 0 };

		text_add(&row, "connections.%zu.%s", i % 2, name);
		text_add(&same, "connections.%zu.%s", 1 - i % 2, name);
		assert_true(cJSON_Compare(member(rows, row.chars),
			member(tree, same.chars), true));
		text_free(&row);
		text_free(&same);
	}
	assert_true(cJSON_Compare(member(rows, "capture.packets"),
		member(tree, "capture.packets"), true));
	assert_number(rows, "connections.0.payload_bytes", 523548);
	assert_number(rows, "connections.0.rtt_ns", 358066000);
	assert_string_equal(member(rows, "connections.0.limit")->valuestring,
		"network");
	cJSON_Delete(rows);
	cJSON_Delete(tree);
	ran_free(&list);
	ran_free(&whole);
}

/* Text, list and JSON contain only the connections asked for. */
static void test_filter(void **state)
{
	struct ran ran = RUN(PROGRAM, "annotate", capture, "port=10978", "--json");
	struct error error;

	assert_status(ran, 0);
	cJSON *tree = json_parse(ran.out.chars, ran.out.length, "", &error);
	assert_int_equal(cJSON_GetArraySize(member(tree, "connections")), 1);
	assert_number(tree, "connections.0.number", 2);
	cJSON_Delete(tree);
	ran_free(&ran);
	ran = RUN(PROGRAM, "annotate", capture, "host=10.101.84.70", "port=10977");
	assert_contains(ran.out, "10.101.84.70:10977 ->");
	assert_null(strstr(ran.out.chars, ":10978"));
	ran_free(&ran);
	ran = RUN(PROGRAM, "annotate", capture, "port=9");
	assert_status(ran, 2);
	assert_contains(ran.err, "port=9");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_list_json),
		cmocka_unit_test(test_filter),
	};

	if (access(capture, R_OK)) {
		printf("SKIP: no public captures here\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
