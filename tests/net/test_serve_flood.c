/* serve under a flood from one address: clients of other addresses keep their
 * places, and the log stays small. */
#include "flood.h"
#include "serving.h"

enum { FLOOD = 200, REFUSED = 3000 };

/* A client that connects before the flood and greets after it. */
static void test_a_flood_leaves_others_their_places(void **state)
{
	enum wire_refusal refusal;
	struct far far = { 0 };
	char why[512];
	int idle[FLOOD];

	wire_init(&far.wire, connect_to(SOCK_STREAM, test_port()));
	for (int i = 0; i < FLOOD; i++)
		idle[i] = connect_from(FLOODER, SOCK_STREAM, test_port());
	await_log("too many are waiting");
	if (far_greet(&far, &refusal, why, sizeof why))
		fail_msg("%s", why);
	close(far.wire.fd);
	assert_served();
	for (int i = 0; i < FLOOD; i++)
		close(idle[i]);
}

/* The greeting from an address. Leaves the session open. */
static int greet_from(const char *address, enum wire_refusal *refusal)
{
	struct far far = { 0 };
	char why[512];

	wire_init(&far.wire, connect_from(address, SOCK_STREAM, test_port()));
	far_greet(&far, refusal, why, sizeof why);
	return far.wire.fd;
}

/* No address has the last place. Sessions of the tests above may still end. */
static void test_one_address_leaves_a_session_to_others(void **state)
{
	enum wire_refusal refusal;
	int fd[4], good = 0;

	for (int i = 0; i < 4; i++) {
		fd[i] = greet_from(FLOODER, &refusal);
		good += !refusal;
	}
	assert_int_equal(refusal, WIRE_BUSY);
	assert_in_range(good, 1, 3);
	for (int i = 0; i < 500; i++) {
		int other = greet_from("127.0.0.3", &refusal);

		close(other);
		if (!refusal)
			break;
		usleep(10000);
	}
	assert_int_equal(refusal, 0);
	for (int i = 0; i < 4; i++)
		close(fd[i]);
}

/* Each refused connection is one line, written or counted. */
static void test_a_flood_does_not_fill_the_log(void **state)
{
	static const char http[] = "GET / HTTP/1.1\r\n\r\n";
	unsigned long long left_out = 0, about = 0;
	size_t written = 0;
	char byte;

	serve_stop(serving_pid);
	serving_pid = serve_with(NULL, NULL);
	for (int i = 0; i < REFUSED; i++) {
		int fd = connect_from(FLOODER, SOCK_STREAM, test_port());

		send(fd, http, sizeof http - 1, MSG_NOSIGNAL);
		assert_true(recv(fd, &byte, 1, 0) <= 0);
		close(fd);
	}
	assert_served();
	await_log("session 1:");
	serve_stop(serving_pid);
	char *log = read_log();
	assert_in_range(strlen(log), 1, 20000);
	for (const char *at = log; (at = strstr(at, "another protocol")); at++)
		written++;
	const char *summary = strstr(log, "left out ");
	assert_non_null(summary);
	assert_int_equal(sscanf(summary,
				 "left out %llu lines in a minute, %llu of "
				 "them about 127.0.0.2",
				 &left_out, &about),
		2);
	assert_true(written > 10);
	/* On a very slow machine the flood takes two minutes. */
	assert_in_range(about, 1, REFUSED - written);
	assert_int_equal(left_out, about);
	free(log);
	serving_pid = serve_with(NULL, NULL);
}

/* The rate that this machine reaches, and how many greetings took less than a
 * second, are printed; bench_serve compares them with their limits. */
static void test_greetings_succeed_in_a_flood(void **state)
{
	struct flood tried;

	flood(&tried);
	print_message("%.0f connections/s; %d of %d greetings within 1 s, the "
		      "slowest after %.0f ms\n",
		tried.rate_per_s, flood_fast(&tried), FLOOD_GREETINGS,
		tried.ms[FLOOD_GREETINGS - 1]);
	assert_int_equal(tried.refused, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_flood_leaves_others_their_places),
		cmocka_unit_test(test_one_address_leaves_a_session_to_others),
		cmocka_unit_test(test_a_flood_does_not_fill_the_log),
		cmocka_unit_test(test_greetings_succeed_in_a_flood),
	};

	signal(SIGPIPE, SIG_IGN);
	flood_permit();
	return cmocka_run_group_tests(tests, serving_begin, serving_end);
}
