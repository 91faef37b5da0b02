/* More connections than an annotator keeps. */
#include "talk.h"

enum { MANY = CONNECTIONS_MAX + 100, FIRST_PORT = 20000 };

static void count_one(void *context, const struct connection *connection)
{
	uint64_t *numbers = context;

	*numbers += connection->number;
}

static void add(struct annotator *annotator, struct flow *flow,
	const struct segment segment)
{
	struct made made = segment_make(flow, segment);
	struct packet_record record =
		made_record(&made, LINK_RAW, segment_ns(flow, &segment));

	annotator_add(annotator, &record);
}

/* The same data twice, a second apart. */
static void send_twice(struct annotator *annotator, struct flow *flow)
{
	add(annotator, flow, (struct segment){ .length = 100 });
	add(annotator, flow, (struct segment){ .ms = 1000, .length = 100 });
}

/* A SYN each. The first connections use port 443 of the server. */
static void connect_all(struct annotator *annotator, int first)
{
	struct flow flow = flow_new();

	for (int i = 0; i < MANY; i++) {
		flow.port[0] = (uint16_t)(FIRST_PORT + i);
		flow.port[1] = i < first ? 443 : 80;
		add(annotator, &flow,
			(struct segment){
				.ms = i, .flags = TCP_SYN, .seq = -1 });
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

/* Old connections with retransmitted data stay, up to half of all. */
static void test_resent(void **state)
{
	enum { HALF = CONNECTIONS_MAX / 2 };
	static const int sick[] = { 3, HALF + 3 };

	for (int i = 0; i < 2; i++) {
		struct annotator *annotator = annotator_new(NULL);
		struct flow flow = flow_new();

		for (int k = 0; k < sick[i]; k++) {
			flow.port[0] = (uint16_t)(1000 + k);
			send_twice(annotator, &flow);
		}
		connect_all(annotator, 0);
		assert_int_equal(annotator_count(annotator), CONNECTIONS_MAX);
		for (size_t k = 0; k < 3; k++)
			assert_int_equal(
				annotator_connection(annotator, k)->number,
				k + 1);
		int kept = sick[i] < HALF ? sick[i] : HALF;
		assert_int_equal(
			annotator_connection(annotator, (size_t)kept)->number,
			sick[i] + MANY - (CONNECTIONS_MAX - kept) + 1);
		annotator_free(annotator);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latest),
		cmocka_unit_test(test_wanted),
		cmocka_unit_test(test_resent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
