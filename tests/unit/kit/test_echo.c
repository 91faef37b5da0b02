/* Round trips of datagrams: what counts as lost and as duplicate, and that the
 * far end sends the cookie again. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "datagrams.h"
#include "echo.h"
#include "far.h"
#include "tcp.h"

enum { PAYLOAD = 8 };

static void stay_alive(struct probe *probe)
{
	(void)probe;
}

/* ---- the near end ----------------------------------------------------- */

struct there_and_back {
	struct probe probe;
	struct far far;
	struct datagrams datagrams;
	int far_fd;
};

static void open_both(struct there_and_back *both)
{
	int ends[2];

	memset(both, 0, sizeof *both);
	both->probe.alive = stay_alive;
	both->probe.random = 1;
	both->far.patience_ns = UINT64_MAX;
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
	datagrams_init(&both->datagrams, &both->far, &both->probe, PAYLOAD,
		PAYLOAD);
	both->datagrams.fd = ends[0];
	both->far_fd = ends[1];
	tcp_timeouts(ends[0], 10);
}

static void close_both(struct there_and_back *both)
{
	close(both->datagrams.fd);
	close(both->far_fd);
	datagrams_free(&both->datagrams);
}

static void answer(const struct there_and_back *both, uint64_t mark)
{
	uint8_t reply[PAYLOAD];

	mark_put(reply, sizeof reply, mark);
	assert_int_equal(send(both->far_fd, reply, sizeof reply, 0), PAYLOAD);
}

/* A late answer to an abandoned datagram is not counted as a duplicate. */
static void a_late_answer_is_no_second_one(void **state)
{
	struct there_and_back both;
	struct datagrams *d = &both.datagrams;

	open_both(&both);
	uint64_t first = d->mark + 1;
	assert_int_equal(datagrams_exchange(d, &both.probe), 0);
	assert_int_equal(d->lost, 1);
	answer(&both, first + 1);
	assert_int_equal(datagrams_exchange(d, &both.probe), 1);
	answer(&both, first);
	answer(&both, first + 2);
	assert_int_equal(datagrams_exchange(d, &both.probe), 1);
	assert_int_equal(d->duplicated, 0);
	/* Both answers arrive once more. */
	answer(&both, first);
	answer(&both, first + 1);
	answer(&both, first + 3);
	assert_int_equal(datagrams_exchange(d, &both.probe), 1);
	assert_int_equal(d->duplicated, 2);
	assert_int_equal(d->lost, 1);
	close_both(&both);
}

/* ---- the far end ------------------------------------------------------ */

static int peer(struct peer *peer)
{
	const struct echo_plan plan = { .payload_bytes = PAYLOAD,
		.reply_bytes = PAYLOAD };

	return echo_serve(peer, &plan);
}

static const struct param none[] = { { .name = NULL } };
static const struct experiment experiment = {
	.name = "net.test",
	.params = none,
	.peer = peer,
};
static const struct experiment *const list[] = { &experiment, NULL };

static pid_t serve(int fd, int other)
{
	pid_t child = fork();

	if (child)
		return child;
	struct wire wire;
	struct peer_session session = { .wire = &wire, .experiments = list };
	struct sockaddr_in *at = (struct sockaddr_in *)&session.address;
	char verdict[200];

	close(other);
	wire_init(&wire, fd);
	at->sin_family = AF_INET;
	at->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	_exit(peer_session(&session, verdict, sizeof verdict) ? 1 : 0);
}

static void show(int fd, const uint8_t *cookie)
{
	uint8_t shown[WIRE_COOKIE + 1];

	assert_int_equal(send(fd, cookie, WIRE_COOKIE, 0), WIRE_COOKIE);
	assert_int_equal(recv(fd, shown, sizeof shown, 0), WIRE_COOKIE);
	assert_memory_equal(shown, cookie, WIRE_COOKIE);
}

/* The far end answers every cookie, because its first answer may have been
 * lost. This also holds if the payload is shorter than a cookie. */
static void the_cookie_comes_back_each_time(void **state)
{
	struct wire_out out = { 0 };
	struct wire_in in;
	struct wire wire;
	struct sockaddr_in to = { .sin_family = AF_INET };
	uint8_t cookie[WIRE_COOKIE];
	int ends[2], status;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	pid_t child = serve(ends[1], ends[0]);
	close(ends[1]);
	wire_init(&wire, ends[0]);
	peer_put_open(&out, &experiment, NULL);
	assert_int_equal(wire_send(&wire, WIRE_OPEN, &out), 0);
	assert_int_equal(wire_receive(&wire, &in, 10000), WIRE_FRAME);
	wire_get_u16(&in);
	to.sin_port = htons(wire_get_u16(&in));
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	wire_get_bytes(&in, cookie, sizeof cookie);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
	tcp_timeouts(fd, 5000);
	show(fd, cookie);
	show(fd, cookie);
	assert_int_equal(wire_send(&wire, WIRE_END, NULL), 0);
	close(ends[0]);
	close(fd);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_late_answer_is_no_second_one),
		cmocka_unit_test(the_cookie_comes_back_each_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
