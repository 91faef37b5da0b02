/* serve under abuse: whatever clients do, a correct client is served within a
 * second. */
#include <sys/prctl.h>

#include "serving.h"

enum { IDLE = 100 };

static void test_idle_guests_are_forgotten(void **state)
{
	int idle[IDLE];
	char byte;

	for (int i = 0; i < IDLE; i++) {
		idle[i] = connect_to(SOCK_STREAM, test_port());
		if (i % 25 == 24)
			assert_served();
	}
	assert_served();
	/* Each idle connection is closed without a message. */
	for (int i = 0; i < IDLE; i++) {
		assert_true(recv(idle[i], &byte, 1, 0) <= 0);
		close(idle[i]);
	}
	assert_true(log_says("too many are waiting"));
	assert_true(log_says("no complete greeting"));
	assert_served();
}

/* The first bytes of a valid HELLO. */
static void make_hello(uint8_t *raw, size_t length)
{
	struct wire_out out = { 0 };
	struct wire wire;
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	wire_init(&wire, ends[0]);
	out.length = 48;
	wire_send(&wire, WIRE_HELLO, &out);
	assert_int_equal(read(ends[1], raw, length), length);
	close(ends[0]);
	close(ends[1]);
}

static void test_a_byte_a_second_is_too_slow(void **state)
{
	uint8_t raw[64];
	int sent = 0, fd = connect_to(SOCK_STREAM, test_port());
	struct pollfd closed = { .fd = fd, .events = POLLIN };

	make_hello(raw, sizeof raw);
	/* The deadline covers the whole greeting and is not renewed by each
	 * byte. The server waits with poll(), so it notices at once when the
	 * client closes. */
	while (sent < 20) {
		if (send(fd, raw + sent++, 1, MSG_NOSIGNAL) != 1 ||
			poll(&closed, 1, 1000) > 0)
			break;
		if (sent == 2)
			assert_served();
	}
	assert_true(sent < 20);
	close(fd);
}

static void test_half_a_header(void **state)
{
	uint8_t raw[64];
	int fd[10];

	make_hello(raw, sizeof raw);
	for (int i = 0; i < 10; i++) {
		fd[i] = connect_to(SOCK_STREAM, test_port());
		assert_int_equal(write(fd[i], raw, 8), 8);
	}
	assert_served();
	for (int i = 0; i < 10; i++)
		close(fd[i]);
	assert_served();
}

/* Checks that the server drops the connection at once, not after its timeout of
 * five seconds. */
static void assert_dropped(const void *bytes, size_t length)
{
	int fd = connect_to(SOCK_STREAM, test_port());
	struct pollfd closed = { .fd = fd, .events = POLLIN };

	send(fd, bytes, length, MSG_NOSIGNAL);
	assert_true(poll(&closed, 1, 4000) > 0);
	close(fd);
}

static void test_a_huge_length(void **state)
{
	uint8_t raw[64];

	make_hello(raw, sizeof raw);
	memset(raw + 8, 0xff, 4);
	assert_dropped(raw, sizeof raw);
	memset(raw + 8, 0x7f, 4);
	assert_dropped(raw, 16);
	assert_served();
}

static void test_garbage(void **state)
{
	static const char http[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
	char brackets[10000];
	uint64_t seed = 7;

	assert_dropped(http, sizeof http - 1);
	memset(brackets, '[', sizeof brackets);
	assert_dropped(brackets, sizeof brackets);
	for (int i = 0; i < 200; i++) {
		uint8_t noise[64];

		for (size_t k = 0; k < sizeof noise; k++) {
			seed = seed * 6364136223846793005u + 1;
			noise[k] = (uint8_t)(seed >> 56);
		}
		assert_dropped(noise, sizeof noise);
	}
	assert_served();
}

/* Invalid bytes instead of OPEN reach the child of the session, not the
 * parent. */
static void test_garbage_in_a_session(void **state)
{
	enum wire_refusal refusal;
	char why[512], byte;

	for (int i = 0; i < 20; i++) {
		struct far far = { 0 };

		wire_init(&far.wire, connect_to(SOCK_STREAM, test_port()));
		assert_int_equal(far_greet(&far, &refusal, why, sizeof why), 0);
		assert_int_equal(write(far.wire.fd, "garbage, garbage", 16),
			16);
		assert_true(recv(far.wire.fd, &byte, 1, 0) <= 0);
		close(far.wire.fd);
	}
	assert_served();
}

static void test_third_parties_get_no_datagram(void **state)
{
	char shout[WIRE_COOKIE] = { 0 }, message[56] = { 0 };
	struct client client;

	assert_true(client_open(&client, "udp"));
	int stranger = connect_to(SOCK_DGRAM, client.far.udp_port);
	for (int i = 0; i < 100; i++)
		send(stranger, shout, sizeof shout, 0);
	client.data = connect_to(SOCK_DGRAM, client.far.udp_port);
	send(client.data, client.far.cookie, WIRE_COOKIE, 0);
	assert_int_equal(recv(client.data, message, 56, 0), WIRE_COOKIE);
	/* During a session, strangers get no answer either. */
	send(stranger, message, sizeof message, 0);
	send(client.data, message, sizeof message, 0);
	assert_int_equal(recv(client.data, message, 56, 0), 56);
	assert_int_equal(recv(stranger, shout, 1, MSG_DONTWAIT), -1);
	close(stranger);
	client_close(&client);
	assert_served();
}

/* A client in a separate process that has measured a round trip. */
static pid_t other_client(void)
{
	int ready[2];
	char byte;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (!pid) {
		struct client client;
		int left = 100; /* a busy server asks to return later */

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (!client_open(&client, "tcp") ||
			!client_round_trip(&client)) {
			client_close(&client);
			if (!--left)
				_exit(1);
			usleep(100000);
		}
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void test_a_killed_client_frees_its_place(void **state)
{
	pid_t clients[2];

	for (int i = 0; i < 2; i++)
		clients[i] = other_client();
	assert_served();
	for (int i = 0; i < 2; i++) {
		kill(clients[i], SIGKILL);
		waitpid(clients[i], NULL, 0);
	}
	assert_served();
}

static void test_a_stopped_client_does_not_keep_its_place(void **state)
{
	pid_t client = other_client();

	kill(client, SIGSTOP);
	assert_served();
	await_log("the client was silent for too long");
	kill(client, SIGKILL);
	waitpid(client, NULL, 0);
	assert_served();
}

static void test_more_than_its_sessions_are_busy(void **state)
{
	struct client clients[5];
	int served = 0;

	for (int i = 0; i < 5; i++)
		served += client_open(&clients[i], "tcp");
	assert_in_range(served, 1, 3);
	assert_true(log_says("refused: busy"));
	for (int i = 0; i < 5; i++)
		client_close(&clients[i]);
	assert_served();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle_guests_are_forgotten),
		cmocka_unit_test(test_a_byte_a_second_is_too_slow),
		cmocka_unit_test(test_half_a_header),
		cmocka_unit_test(test_a_huge_length),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_garbage_in_a_session),
		cmocka_unit_test(test_third_parties_get_no_datagram),
		cmocka_unit_test(test_a_killed_client_frees_its_place),
		cmocka_unit_test(test_a_stopped_client_does_not_keep_its_place),
		cmocka_unit_test(test_more_than_its_sessions_are_busy),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, serving_begin, serving_end);
}
