/* serve with a token: what an end believes after the greeting is what the other
 * end has sent, whoever relays it. */
#include "serving.h"

#include <arpa/inet.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static pid_t server;

static int begin(void **state)
{
	if (make_folder(state))
		return -1;
	write_file(in_folder("token"), "0123456789abcdef0123456789abcdef\n");
	chmod(in_folder("token"), 0600);
	setenv("BENCHTOP_TOKEN_FILE", in_folder("token"), 1);
	server = serve_with("--token-file", getenv("BENCHTOP_TOKEN_FILE"));
	return 0;
}

static int end(void **state)
{
	serve_stop(server);
	return remove_folder(state);
}

/* ---- the relay -------------------------------------------------------- */

/* A complete CHALLENGE that the relay has made. The server sees its bytes at
 * the end of HELLO, where a newer version may add fields; the client sees them
 * at the beginning of CHALLENGE. */
static struct wire_out own_challenge(void)
{
	struct wire_out out = { 0 };
	uint8_t nonce[WIRE_NONCE] = "a nonce of the relay";

	wire_put_u16(&out, WIRE_VERSION);
	wire_put_u32(&out, 0xffffffff);
	wire_put_u8(&out, 1);
	wire_put_bytes(&out, nonce, sizeof nonce);
	return out;
}

/* Passes one frame on, with bytes before and behind its payload. */
static void pass(struct wire *from, struct wire *to,
	const struct wire_out *before, const struct wire_out *behind)
{
	struct wire_out out = { 0 };
	struct wire_in in;

	if (wire_receive(from, &in, 10000) != WIRE_FRAME)
		_exit(1);
	if (before)
		wire_put_bytes(&out, before->bytes, before->length);
	wire_put_bytes(&out, in.at, in.left);
	if (behind)
		wire_put_bytes(&out, behind->bytes, behind->length);
	if (wire_send(to, in.type, &out))
		_exit(1);
}

/* A process between client and server, until WELCOME or a refusal. */
static pid_t relay(int client, bool moves)
{
	struct wire_out moved = own_challenge();
	struct wire near, far;
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	wire_init(&near, client);
	wire_init(&far, connect_to(SOCK_STREAM, test_port()));
	far.payload_most = WIRE_PAYLOAD_MAX;
	pass(&near, &far, NULL, moves ? &moved : NULL);
	pass(&far, &near, moves ? &moved : NULL, NULL);
	pass(&near, &far, NULL, NULL);
	pass(&far, &near, NULL, NULL);
	_exit(0);
}

/* The greeting through the relay: NULL, or why it failed. */
static const char *greeted(bool moves)
{
	static char why[WIRE_TEXT_MAX + 1];
	enum wire_refusal refusal;
	struct far far = { 0 };
	int ends[2], status;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	pid_t pid = relay(ends[1], moves);
	close(ends[1]);
	wire_init(&far.wire, ends[0]);
	int failed = far_greet(&far, &refusal, why, sizeof why);
	assert_true(failed || far.proved);
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return failed ? why : NULL;
}

static void test_a_relay_of_whole_frames_is_a_path(void **state)
{
	assert_null(greeted(false));
}

static void test_a_relay_that_moves_bytes_is_refused(void **state)
{
	const char *why = greeted(true);

	assert_non_null(why);
	assert_string_equal(why, "the tokens of the two ends differ");
}

/* ---- versions --------------------------------------------------------- */

static void test_an_older_client_learns_both_versions(void **state)
{
	struct wire_out out = { 0 };
	char why[WIRE_TEXT_MAX + 1];
	uint8_t nonce[WIRE_NONCE] = { 0 };
	struct wire_in in;
	struct wire wire;

	wire_init(&wire, connect_to(SOCK_STREAM, test_port()));
	wire_put_u16(&out, 2);
	wire_put_u16(&out, 2);
	wire_put_u32(&out, 0);
	wire_put_bytes(&out, nonce, sizeof nonce);
	wire_put_text(&out, "benchtop");
	assert_int_equal(wire_send(&wire, WIRE_HELLO, &out), 0);
	assert_int_equal(wire_receive(&wire, &in, 10000), WIRE_FRAME);
	assert_int_equal(in.type, WIRE_REFUSED);
	assert_int_equal(wire_get_refusal(&in, why, sizeof why), WIRE_VERSIONS);
	assert_string_equal(why,
		"it speaks protocol version 3, the client 2: install the same "
		"benchtop at both ends");
	close(wire.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_relay_of_whole_frames_is_a_path),
		cmocka_unit_test(test_a_relay_that_moves_bytes_is_refused),
		cmocka_unit_test(test_an_older_client_learns_both_versions),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, begin, end);
}
