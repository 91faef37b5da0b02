/* serve under a flood from one address: clients of other addresses keep their
 * places. */
#include "serving.h"

enum { FLOOD = 200 };
#define FLOODER "127.0.0.2"

static pid_t server;

static int begin(void **state)
{
	if (make_folder(state))
		return -1;
	server = serve_with(NULL, NULL);
	return 0;
}

static int end(void **state)
{
	serve_stop(server);
	return remove_folder(state);
}

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_flood_leaves_others_their_places),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, begin, end);
}
