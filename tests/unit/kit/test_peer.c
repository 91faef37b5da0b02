/* The far end's session: which OPEN frames and which connections it accepts. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "network.h"
#include "peer.h"
#include "tcp.h"

/* ---- an experiment ---------------------------------------------------- */

struct args {
	const char *host;
	int64_t size;
	double share;
	int way;
};
static const char *const ways[] = { "there", "back", NULL };
static const struct param params[] = {
	{ .name = "host", .preset = "x", TEXT_FIELD(struct args, host) },
	{ .name = "size",
		.preset = "1",
		WHOLE_FIELD(struct args, size),
		.min = 1,
		.max = 100,
		.automatic = true },
	{ .name = "share",
		.preset = "0",
		REAL_FIELD(struct args, share),
		.min = 0,
		.max = 1 },
	{ .name = "way",
		.preset = "there",
		CHOICE_FIELD(struct args, way),
		.choices = ways },
	{ .name = NULL },
};

/* Sends the received values over a data connection and by datagram. */
static int peer(struct peer *peer)
{
	const struct args *args = peer->args;
	char byte = (char)args->size;

	if (peer_ready(peer))
		return -1;
	int fd = peer_accept(peer);
	if (fd < 0 || peer_write(peer, fd, &byte, 1) < 0 || peer_meet(peer))
		return -1;
	send(peer->datagram, &byte, 1, 0);
	close(fd);
	struct wire_in in;
	return peer_receive(peer, &in, 5000);
}

static const struct experiment experiment = {
	.name = "net.test",
	.params = params,
	.args_size = sizeof(struct args),
	.peer = peer,
};
static const struct experiment *const list[] = { &experiment, NULL };

static struct wire_out opened(struct args args)
{
	struct wire_out out = { 0 };

	peer_put_open(&out, &experiment, &args);
	return out;
}

static const struct experiment *believed(const struct wire_out *out,
	size_t length, struct args *args)
{
	struct wire_in in = { .at = out->bytes, .left = length };
	enum wire_refusal why;
	char sentence[256];
	union {
		char bytes[PEER_ARGS_MAX];
		struct args args;
	} room;
	const struct experiment *found = peer_get_open(&in, list, room.bytes,
		&why, sentence, sizeof sentence);

	*args = room.args;
	if (!found)
		assert_true(*sentence);
	return found;
}

static void test_arguments_cross(void **state)
{
	struct args args;
	struct wire_out out = opened((struct args){ "secret", 42, .25, 1 });

	assert_ptr_equal(believed(&out, out.length, &args), &experiment);
	assert_int_equal(args.size, 42);
	assert_true(args.share == .25);
	assert_int_equal(args.way, 1);
	/* The near end does not send its names of hosts. */
	assert_string_equal(args.host, "");
	assert_null(memmem(out.bytes, out.length, "secret", 6));
	out = opened((struct args){ "", PARAM_AUTO, 0, 0 });
	assert_non_null(believed(&out, out.length, &args));
}

static void test_no_part_is_believed(void **state)
{
	struct args args;
	struct wire_out out = opened((struct args){ "", 42, .25, 1 });

	for (size_t cut = 0; cut < out.length; cut++)
		assert_null(believed(&out, cut, &args));
}

static void test_values_are_held_to_their_rows(void **state)
{
	const struct args wrong[] = {
		{ "", 0, 0, 0 },
		{ "", 101, 0, 0 },
		{ "", INT64_MAX, 0, 0 },
		{ "", 1, 1.5, 0 },
		{ "", 1, NAN, 0 },
		{ "", 1, -INFINITY, 0 },
	};
	struct args args;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct wire_out out = opened(wrong[i]);

		assert_null(believed(&out, out.length, &args));
	}
}

static void test_no_other_name_is_known(void **state)
{
	struct args args;
	struct wire_out out = opened((struct args){ "", 42, .25, 1 });

	/* Each letter of each name and word in turn. */
	for (size_t i = 0; i < out.length; i++) {
		uint8_t was = out.bytes[i];

		if (was < 'a' || was > 'z')
			continue;
		out.bytes[i] = '?';
		assert_null(believed(&out, out.length, &args));
		out.bytes[i] = was;
	}
}

/* ---- a session -------------------------------------------------------- */

struct near {
	struct wire wire;
	pid_t child;
	uint16_t tcp_port, udp_port;
	uint8_t cookie[WIRE_COOKIE];
};

static void begin(struct near *near)
{
	struct wire_out out = opened((struct args){ "", 42, 0, 0 });
	struct wire_in in;
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	near->child = fork();
	if (!near->child) {
		struct wire wire;
		struct peer_session session = { .wire = &wire,
			.experiments = list };
		struct sockaddr_in *at = (struct sockaddr_in *)&session.address;
		char verdict[200];

		close(ends[0]);
		wire_init(&wire, ends[1]);
		at->sin_family = AF_INET;
		at->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		_exit(peer_session(&session, verdict, sizeof verdict) ? 1 : 0);
	}
	close(ends[1]);
	wire_init(&near->wire, ends[0]);
	assert_int_equal(wire_send(&near->wire, WIRE_OPEN, &out), 0);
	assert_int_equal(wire_receive(&near->wire, &in, 10000), WIRE_FRAME);
	assert_int_equal(in.type, WIRE_READY);
	near->tcp_port = wire_get_u16(&in);
	near->udp_port = wire_get_u16(&in);
	wire_get_bytes(&in, near->cookie, WIRE_COOKIE);
	assert_false(in.bad);
}

static int connected(int type, uint16_t port)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_port = htons(port) };
	int fd = socket(AF_INET, type, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
	tcp_timeouts(fd, 10000);
	return fd;
}

/* Waits for data or the end of the connection; returns the length. */
static ssize_t answer(int fd)
{
	char byte;

	return recv(fd, &byte, 1, 0);
}

static int ended(struct near *near)
{
	int status;

	close(near->wire.fd);
	assert_int_equal(waitpid(near->child, &status, 0), near->child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void test_only_the_cookie_opens(void **state)
{
	uint8_t wrong[WIRE_COOKIE];
	struct near near;

	begin(&near);
	memcpy(wrong, near.cookie, sizeof wrong);
	wrong[15] ^= 1;
	int stranger = connected(SOCK_STREAM, near.tcp_port);
	assert_int_equal(write(stranger, wrong, sizeof wrong), sizeof wrong);
	assert_true(answer(stranger) <= 0);
	int friend = connected(SOCK_STREAM, near.tcp_port);
	assert_int_equal(write(friend, near.cookie, 16), 16);
	assert_int_equal(answer(friend), 1);

	/* Datagrams without the cookie get no answer. The answers to the
	 * correct datagrams arrive after all of these were processed. */
	int shouter = connected(SOCK_DGRAM, near.udp_port);
	assert_int_equal(send(shouter, wrong, sizeof wrong, 0), sizeof wrong);
	assert_int_equal(send(shouter, "hello", 5, 0), 5);
	int guest = connected(SOCK_DGRAM, near.udp_port);
	assert_int_equal(send(guest, near.cookie, 16, 0), 16);
	assert_int_equal(answer(guest), 1);
	assert_int_equal(answer(guest), 1);
	assert_int_equal(recv(shouter, wrong, 1, MSG_DONTWAIT), -1);
	assert_int_equal(wire_send(&near.wire, WIRE_END, NULL), 0);
	close(stranger);
	close(friend);
	close(shouter);
	close(guest);
	assert_int_equal(ended(&near), 0);
}

static void test_it_ends_with_the_near_end(void **state)
{
	struct near near;

	begin(&near);
	/* While the far end waits for a data connection. */
	assert_int_equal(ended(&near), 1);
}

/* ---- hosts ------------------------------------------------------------ */

static void test_hosts(void **state)
{
	static const struct {
		const char *text, *name, *port;
	} good[] = {
		{ "lab", "lab", "24117" },
		{ "lab:80", "lab", "80" },
		{ "192.0.2.1:65535", "192.0.2.1", "65535" },
		{ "::1", "::1", "24117" },
		{ "[2001:db8::1]:7", "2001:db8::1", "7" },
	};
	static const char *const bad[] = { "lab:", "lab:0", "lab:65536",
		"lab:x", "lab:+1", ":80", "a b", "[::1", "[::1]80", "u@h" };
	struct network_host host;
	struct error error;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_int_equal(network_host(good[i].text, &host, &error), 0);
		assert_int_equal(host.kind, NETWORK_REMOTE);
		assert_string_equal(host.name, good[i].name);
		assert_string_equal(host.port, good[i].port);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (!network_host(bad[i], &host, &error))
			fail_msg("'%s' is a host", bad[i]);
	assert_int_equal(network_host("link", &host, &error), 0);
	assert_int_equal(host.kind, NETWORK_LINK);
	assert_int_equal(network_host("loopback", &host, &error), 0);
	assert_int_equal(host.kind, NETWORK_LOOPBACK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arguments_cross),
		cmocka_unit_test(test_no_part_is_believed),
		cmocka_unit_test(test_values_are_held_to_their_rows),
		cmocka_unit_test(test_no_other_name_is_known),
		cmocka_unit_test(test_only_the_cookie_opens),
		cmocka_unit_test(test_it_ends_with_the_near_end),
		cmocka_unit_test(test_hosts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
