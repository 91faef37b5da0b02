/* Shared by the tests of serve. */
#include "serving.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/wait.h>

enum { SECOND_MS = 1000, BLOCKED_MS = 3000 };

uint16_t test_port(void)
{
	static uint16_t port;

	if (!port)
		port = (uint16_t)(20000 + getpid() % 10000);
	return port;
}

const char *test_host(void)
{
	static char host[32];

	snprintf(host, sizeof host, "host=127.0.0.1:%u", test_port());
	return host;
}

static char serve_log_path[256];

pid_t serve_with(const char *option, const char *value)
{
	const char *const words[] = { "serve", "--listen", test_host() + 5,
		option, value, NULL };

	snprintf(serve_log_path, sizeof serve_log_path, "%s/serve.log", folder);
	int log = open(serve_log_path,
		O_CREAT | O_TRUNC | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
	assert_true(log >= 0);
	pid_t pid = start(PROGRAM, words, log, log);
	close(log);
	for (int i = 0; i < 1000; i++) {
		char *said = read_whole(serve_log_path);
		bool listens = strstr(said, "listening") != NULL;

		free(said);
		if (listens)
			return pid;
		assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
		usleep(10000);
	}
	fail_msg("serve does not listen");
	return -1;
}

void serve_stop(pid_t pid)
{
	int status;

	kill(pid, SIGTERM);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

pid_t serving_pid;

int serving_begin(void **state)
{
	if (make_folder(state))
		return -1;
	serving_pid = serve_with(NULL, NULL);
	return 0;
}

int serving_end(void **state)
{
	serve_stop(serving_pid);
	return remove_folder(state);
}

char *read_log(void)
{
	return read_whole(serve_log_path);
}

bool log_says(const char *what)
{
	char *said = read_log();
	bool found = strstr(said, what) != NULL;

	free(said);
	return found;
}

void await_log(const char *what)
{
	for (int i = 0; i < 2000; i++) {
		if (log_says(what))
			return;
		usleep(10000);
	}
	char *said = read_whole(serve_log_path);
	fail_msg("the log never said '%s':\n%s", what, said);
}

int connect_to(int type, uint16_t port)
{
	return connect_from("127.0.0.1", type, port);
}

int connect_from(const char *address, int type, uint16_t port)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_port = htons(port) };
	struct sockaddr_in from = { .sin_family = AF_INET };
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_true(fd >= 0);
	assert_int_equal(inet_aton(address, &from.sin_addr), 1);
	assert_int_equal(bind(fd, (struct sockaddr *)&from, sizeof from), 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
	tcp_timeouts(fd, 10000);
	return fd;
}

/* ---- a good client ---------------------------------------------------- */

/* Sends OPEN of net.rtt, built by hand: names and values as any implementation
 * would send them. */
static void put_rtt(struct wire_out *out, const char *proto)
{
	static const struct {
		const char *name;
		uint64_t value;
	} wholes[] = {
		{ "rtt", 40000000 },
		{ "rate", 20000000 },
		{ "queue", UINT64_C(80) << 40 },
		{ "payload", 56 },
		{ "reply", 56 },
	};
	const char *const choices[][2] = { { "proto", proto },
		{ "nodelay", "on" }, { "placement", "same-cpu" },
		{ "busy-poll", "off" } };

	wire_put_text(out, "net.rtt");
	wire_put_u16(out, 11);
	for (size_t i = 0; i < 5; i++) {
		wire_put_text(out, wholes[i].name);
		wire_put_u8(out, 0);
		wire_put_u64(out, wholes[i].value);
	}
	for (size_t i = 0; i < 2; i++) {
		wire_put_text(out, i ? "loss" : "reorder");
		wire_put_u8(out, 1);
		wire_put_f64(out, 0);
	}
	for (size_t i = 0; i < 4; i++) {
		wire_put_text(out, choices[i][0]);
		wire_put_u8(out, 2);
		wire_put_text(out, choices[i][1]);
	}
}

bool client_open(struct client *client, const char *proto)
{
	struct wire_out out = { 0 };
	enum wire_refusal refusal;
	struct wire_in in;
	char why[512];

	memset(client, 0, sizeof *client);
	client->data = -1;
	wire_init(&client->far.wire, connect_to(SOCK_STREAM, test_port()));
	if (far_greet(&client->far, &refusal, why, sizeof why))
		return false;
	put_rtt(&out, proto);
	assert_int_equal(wire_send(&client->far.wire, WIRE_OPEN, &out), 0);
	if (wire_receive(&client->far.wire, &in, 10000) != WIRE_FRAME ||
		in.type != WIRE_READY)
		return false;
	client->far.tcp_port = wire_get_u16(&in);
	client->far.udp_port = wire_get_u16(&in);
	wire_get_bytes(&in, client->far.cookie, WIRE_COOKIE);
	return !in.bad;
}

bool client_round_trip(struct client *client)
{
	char message[56] = "there and back";
	size_t done = 0;

	if (client->data < 0) {
		client->data = connect_to(SOCK_STREAM, client->far.tcp_port);
		if (write(client->data, client->far.cookie, WIRE_COOKIE) !=
			WIRE_COOKIE)
			return false;
	}
	if (write(client->data, message, sizeof message) != sizeof message)
		return false;
	while (done < sizeof message) {
		ssize_t got =
			read(client->data, message, sizeof message - done);

		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

void client_close(struct client *client)
{
	if (client->data >= 0)
		close(client->data);
	wire_send(&client->far.wire, WIRE_END, NULL);
	close(client->far.wire.fd);
}

/* A client that the server asks to return later does so, like net.rtt. */
static bool served_in_time(double *took_ms)
{
	uint64_t begin_ns = tick_raw_ns();
	bool served;

	do {
		struct client client;

		served = client_open(&client, "tcp") &&
			client_round_trip(&client);
		client_close(&client);
		*took_ms = (double)(tick_raw_ns() - begin_ns) * 1e-6;
	} while (!served && *took_ms < SECOND_MS && !usleep(20000));
	return served && *took_ms < SECOND_MS;
}

/* What blocks the server ends after the seconds that it gives a guest: a later
 * attempt would not show it. */
void assert_served(void)
{
	double took_ms = 0;

	for (int attempt = 0; attempt < 3 && took_ms < BLOCKED_MS; attempt++)
		if (served_in_time(&took_ms))
			return;
	fail_msg("not served within a second, but in %.0f ms", took_ms);
}
