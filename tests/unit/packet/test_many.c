/* More connections than an annotator keeps. */
#include "talk.h"

enum { MANY = CONNECTIONS_MAX + 100, FIRST_PORT = 20000 };

static void count_one(void *context, const struct connection *connection)
{
	uint64_t *numbers = context;

	*numbers += connection->number;
}

/* A SYN each. The first connections use port 443 of the server. */
static void connect_all(struct annotator *annotator, int first)
{
	struct flow flow = flow_new();

	for (int i = 0; i < MANY; i++) {
		flow.port[0] = (uint16_t)(FIRST_PORT + i);
		flow.port[1] = i < first ? 443 : 80;
		struct segment syn = { .ms = i, .flags = TCP_SYN, .seq = -1 };
		struct made made = segment_make(&flow, syn);
		struct packet_record record =
			made_record(&made, LINK_RAW, segment_ns(&flow, &syn));

		annotator_add(annotator, &record);
	}
}

/* Without a choice the latest are kept, and the others are reported. */
static void test_latest(void **state)
{
	uint64_t numbers = 0;
	const struct annotator_options options = { .forget = count_one,
		.forget_context = &numbers };
	struct annotator *annotator = annotator_new(&options);

	connect_all(annotator, 3);
	assert_int_equal(annotator_count(annotator), CONNECTIONS_MAX);
	assert_int_equal(annotator_facts(annotator)->forgotten, 100);
	assert_int_equal(annotator_connection(annotator, 0)->number, 101);
	assert_int_equal(numbers, 100 * 101 / 2);
	annotator_free(annotator);
}

/* Connections that were asked for stay, however old they are. If there are too
 * many of them, the latest stay. */
static void test_wanted(void **state)
{
	static const int firsts[] = { 3, MANY };

	for (int i = 0; i < 2; i++) {
		const struct annotator_options options = { .only.port = 443 };
		struct annotator *annotator = annotator_new(&options);

		connect_all(annotator, firsts[i]);
		assert_int_equal(annotator_count(annotator), CONNECTIONS_MAX);
		for (size_t k = 0; k < 3; k++)
			assert_int_equal(
				annotator_connection(annotator, k)->number,
				i == 0 ? k + 1 : k + 101);
		assert_int_equal(annotator_connection(annotator, 3)->number,
			104);
		annotator_free(annotator);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latest),
		cmocka_unit_test(test_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
