/* More connections than an annotator keeps. */
#include "talk.h"

enum { MANY = CONNECTIONS_MAX + 100, FIRST_PORT = 20000 };

static void count_one(void *context, const struct connection *connection)
{
	uint64_t *numbers = context;

	*numbers += connection->number;
}

static struct talk begin(const struct annotator_options *options)
{
	return (struct talk){
		.flow = flow_new(),
		.annotator = annotator_new(options),
	};
}

/* The same data twice, a second apart. */
static void send_twice(struct talk *talk)
{
	SAY(talk, .length = 100);
	SAY(talk, .ms = 1000, .length = 100);
}

/* A SYN each. The first connections use port 443 of the server. */
static void connect_all(struct talk *talk, int first)
{
	talk->flow = flow_new();
	for (int i = 0; i < MANY; i++) {
		talk->flow.port[0] = (uint16_t)(FIRST_PORT + i);
		talk->flow.port[1] = i < first ? 443 : 80;
		SAY(talk, .ms = i, .flags = TCP_SYN, .seq = -1);
	}
}

static uint64_t number(const struct talk *talk, size_t i)
{
	return annotator_connection(talk->annotator, i)->number;
}

/* Without a choice the latest are kept, and the others are reported. */
static void test_latest(void **state)
{
	uint64_t numbers = 0;
	const struct annotator_options options = { .forget = count_one,
		.forget_context = &numbers };
	struct talk talk = begin(&options);

	connect_all(&talk, 3);
	assert_int_equal(annotator_count(talk.annotator), CONNECTIONS_MAX);
	assert_int_equal(annotator_facts(talk.annotator)->forgotten, 100);
	assert_int_equal(number(&talk, 0), 101);
	assert_int_equal(numbers, 100 * 101 / 2);
	talk_end(&talk);
}

/* A connection that continues after it was forgotten keeps its number. */
static void test_continues(void **state)
{
	struct talk talk = begin(NULL);
	const struct capture_facts *facts = annotator_facts(talk.annotator);

	connect_all(&talk, 0);
	for (int i = 0; i < 200; i++) {
		talk.flow.port[0] = (uint16_t)(FIRST_PORT + i % 100);
		talk.flow.port[1] = 80;
		SAY(&talk, .ms = MANY + i, .length = 100, .seq = i * 100);
		assert_int_equal(facts->connections, MANY);
		assert_int_equal(facts->forgotten, 100);
	}
	assert_int_equal(number(&talk, CONNECTIONS_MAX - 1), 100);
	assert_true(annotator_connection(talk.annotator, CONNECTIONS_MAX - 1)
			    ->continued);
	/* A SYN begins another connection. */
	talk.flow.port[0] = FIRST_PORT + 150;
	SAY(&talk, .ms = 2 * MANY, .flags = TCP_SYN, .seq = -1);
	assert_int_equal(facts->connections, MANY + 1);
	assert_int_equal(facts->forgotten, 101);
	talk_end(&talk);
}

/* Connections that were asked for stay, however old they are. If there are too
 * many of them, the latest stay. */
static void test_wanted(void **state)
{
	static const int firsts[] = { 3, MANY };

	for (int i = 0; i < 2; i++) {
		const struct annotator_options options = { .only.port = 443 };
		struct talk talk = begin(&options);

		connect_all(&talk, firsts[i]);
		assert_int_equal(annotator_count(talk.annotator),
			CONNECTIONS_MAX);
		for (size_t k = 0; k < 3; k++)
			assert_int_equal(number(&talk, k),
				i == 0 ? k + 1 : k + 101);
		assert_int_equal(number(&talk, 3), 104);
		talk_end(&talk);
	}
}

/* Old connections with retransmitted data stay, up to a limit. */
static void test_resent(void **state)
{
	static const int sick[] = { 3, CONNECTIONS_RESENT_MAX + 3 };
	static const int kept[] = { 3, CONNECTIONS_RESENT_MAX };

	for (int i = 0; i < 2; i++) {
		struct talk talk = begin(NULL);

		for (int k = 0; k < sick[i]; k++) {
			talk.flow.port[0] = (uint16_t)(1000 + k);
			send_twice(&talk);
		}
		connect_all(&talk, 0);
		assert_int_equal(annotator_count(talk.annotator),
			CONNECTIONS_MAX);
		for (size_t k = 0; k < 3; k++)
			assert_int_equal(number(&talk, k), k + 1);
		assert_int_equal(number(&talk, (size_t)kept[i]),
			sick[i] + MANY - (CONNECTIONS_MAX - kept[i]) + 1);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latest),
		cmocka_unit_test(test_continues),
		cmocka_unit_test(test_wanted),
		cmocka_unit_test(test_resent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
