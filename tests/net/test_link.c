/* What the link forwards, and what it does not. */
#include <netinet/ip_icmp.h>

#include "on_link.h"

/* ---- sockets ---------------------------------------------------------- */

static void check_echo(struct link *link, int family)
{
	int far = bound(link, LINK_FAR, family, SOCK_DGRAM, 7);
	int near = socket_on(link, LINK_NEAR, family, SOCK_DGRAM, 0);
	struct sockaddr_storage address, from;
	socklen_t size = at_port(link, LINK_FAR, family, 7, &address);
	socklen_t from_size = sizeof from;
	char got[64];

	assert_int_equal(sendto(near, "out", 4, 0, (struct sockaddr *)&address,
				 size),
		4);
	assert_true(readable(far, 20000));
	assert_int_equal(recvfrom(far, got, sizeof got, 0,
				 (struct sockaddr *)&from, &from_size),
		4);
	assert_string_equal(got, "out");
	assert_int_equal(sendto(far, "back", 5, 0, (struct sockaddr *)&from,
				 from_size),
		5);
	assert_true(readable(near, 20000));
	assert_int_equal(recv(near, got, sizeof got, 0), 5);
	assert_string_equal(got, "back");
	close(near);
	close(far);
}

static void datagrams_cross(void **state)
{
	struct link_settings settings = quick_path();
	struct link *link = opened(&settings);
	struct sockaddr_storage address;

	check_echo(link, AF_INET);
	assert_int_equal(settled(link, LINK_NEAR, 1).packets, 1);
	struct link_counters back = settled(link, LINK_FAR, 1);
	assert_int_equal(back.bytes, 20 + 8 + 5);
	assert_int_equal(back.delivered_bytes, back.bytes);
	if (link_address(link, LINK_FAR, AF_INET6, &address)) {
		check_echo(link, AF_INET6);
		assert_int_equal(settled(link, LINK_NEAR, 2).bytes,
			20 + 8 + 4 + 40 + 8 + 4);
	}
	assert_int_equal(link_address(link, LINK_FAR, AF_UNIX, &address), 0);
	link_close(link);
}

static uint16_t icmp_sum(const void *bytes, size_t size)
{
	const uint16_t *word = bytes;
	uint32_t sum = 0;

	for (size_t i = 0; i < size / 2; i++)
		sum += word[i];
	sum = (sum >> 16) + (sum & 0xffff);
	return (uint16_t) ~(sum + (sum >> 16));
}

/* The far side's kernel answers an echo request from a raw socket, for every
 * user. */
static void raw_echo(void **state)
{
	struct link_settings settings = quick_path();
	struct link *link = opened(&settings);
	int near = socket_on(link, LINK_NEAR, AF_INET, SOCK_RAW, IPPROTO_ICMP);
	struct icmphdr request = { .type = ICMP_ECHO, .un.echo.id = 77 };
	struct sockaddr_storage address;
	socklen_t size = at_port(link, LINK_FAR, AF_INET, 0, &address);
	char got[256];

	request.checksum = icmp_sum(&request, sizeof request);
	assert_int_equal(sendto(near, &request, sizeof request, 0,
				 (struct sockaddr *)&address, size),
		sizeof request);
	assert_true(readable(near, 20000));
	ssize_t length = recv(near, got, sizeof got, 0);
	assert_int_equal(length, 20 + sizeof request);
	struct icmphdr answer;
	memcpy(&answer, got + 20, sizeof answer);
	assert_int_equal(answer.type, ICMP_ECHOREPLY);
	assert_int_equal(answer.un.echo.id, 77);
	close(near);
	link_close(link);
}

/* Segments have the size of Ethernet: 1460 bytes, or 1448 bytes of data with
 * timestamps. */
static void segments_of_1448(void **state)
{
	struct link_settings settings = quick_path();
	struct link *link = opened(&settings);
	int ends[2], segment;
	socklen_t size = sizeof segment;

	connected(link, 5001, ends);
	assert_int_equal(getsockopt(ends[0], IPPROTO_TCP, TCP_MAXSEG, &segment,
				 &size),
		0);
	assert_int_equal(segment, 1448);
	close(ends[0]);
	close(ends[1]);
	link_close(link);
}

/* Every congestion control that the kernel has loaded is available by name to
 * every user. */
static void congestion_of_choice(void **state)
{
	FILE *file =
		fopen("/proc/sys/net/ipv4/tcp_available_congestion_control",
			"re");
	struct link_settings settings = quick_path();
	struct link *link = opened(&settings);
	char name[32], is[32];
	unsigned tried = 0;

	assert_non_null(file);
	while (fscanf(file, "%31s", name) == 1) {
		int near = socket_on(link, LINK_NEAR, AF_INET, SOCK_STREAM, 0);
		socklen_t size = sizeof is;

		if (setsockopt(near, IPPROTO_TCP, TCP_CONGESTION, name,
			    (socklen_t)strlen(name)))
			fail_msg("%s: %s", name, strerror(errno));
		assert_int_equal(getsockopt(near, IPPROTO_TCP, TCP_CONGESTION,
					 is, &size),
			0);
		assert_string_equal(is, name);
		close(near);
		tried++;
	}
	assert_true(tried > 0);
	fclose(file);
	link_close(link);
}

/* ---- loss ------------------------------------------------------------- */

enum { DATAGRAMS = 2000 };

/* Sends numbered datagrams and notes which arrive. */
static void send_numbers(struct link *link, bool came[DATAGRAMS])
{
	int far = bound(link, LINK_FAR, AF_INET, SOCK_DGRAM, 7);
	int near = socket_on(link, LINK_NEAR, AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_storage address;
	socklen_t size = at_port(link, LINK_FAR, AF_INET, 7, &address);
	uint32_t number = 0;

	memset(came, 0, DATAGRAMS * sizeof *came);
	/* Sent in groups that fit any receive buffer. */
	while (number < DATAGRAMS) {
		for (int i = 0; i < 50; i++, number++)
			assert_int_equal(sendto(near, &number, sizeof number, 0,
						 (struct sockaddr *)&address,
						 size),
				sizeof number);
		settled(link, LINK_NEAR, number);
		uint32_t got;
		while (recv(far, &got, sizeof got, MSG_DONTWAIT) > 0)
			came[got] = true;
	}
	close(near);
	close(far);
}

static void same_seed_same_packets(void **state)
{
	struct link_settings settings = quick_path();
	static bool first[DATAGRAMS], again[DATAGRAMS];
	struct error error;

	settings.loss = 0.05;
	settings.seed = 42;
	struct link *link = opened(&settings);
	send_numbers(link, first);
	struct link_counters counters = link_counters(link, LINK_NEAR);
	assert_int_equal(counters.packets, DATAGRAMS);
	assert_in_range(counters.lost, 40, 170);
	for (int i = 0; i < LINK_DROPS_MAX && i < (int)counters.lost; i++)
		assert_false(first[counters.lost_index[i]]);
	/* The same seed on the same link, and on another one. */
	assert_int_equal(link_configure(link, &settings, &error), 0);
	send_numbers(link, again);
	assert_memory_equal(first, again, sizeof first);
	settings.seed++;
	assert_int_equal(link_configure(link, &settings, &error), 0);
	send_numbers(link, again);
	assert_true(memcmp(first, again, sizeof first) != 0);
	link_close(link);
	settings.seed--;
	link = opened(&settings);
	send_numbers(link, again);
	assert_memory_equal(first, again, sizeof first);
	link_close(link);
}

static void packets_by_number(void **state)
{
	struct link_settings settings = quick_path();
	static bool came[DATAGRAMS];

	settings.drops[LINK_NEAR] = 3;
	settings.drop[LINK_NEAR][0] = 0;
	settings.drop[LINK_NEAR][1] = 1000;
	settings.drop[LINK_NEAR][2] = 1999;
	struct link *link = opened(&settings);
	send_numbers(link, came);
	for (int i = 0; i < DATAGRAMS; i++)
		assert_int_equal(came[i], i != 0 && i != 1000 && i != 1999);
	link_close(link);
}

/* ---- settings --------------------------------------------------------- */

static void check_refused(const struct link_settings *settings,
	const char *sentence)
{
	struct error error = { 0 };
	struct link *link;

	assert_int_equal(link_open(settings, &link, &error), -1);
	assert_null(link);
	assert_int_equal(error.status, STATUS_USAGE);
	assert_string_equal(error.message, sentence);
}

static void wrong_settings(void **state)
{
	struct link_settings settings = link_preset();
	struct link_settings wrong;

	wrong = settings;
	wrong.rtt_ns = 11 * S;
	check_refused(&wrong, "rtt=11s is out of range: expected 0ns..10s");
	wrong = settings;
	wrong.rate_bit_s = 0;
	check_refused(&wrong,
		"rate=0bit is out of range: expected 64Kbit..1Gbit");
	wrong = settings;
	wrong.queue = 100;
	check_refused(&wrong,
		"queue=100 is out of range: expected 1500..100000p");
	wrong = settings;
	wrong.queue = UNIT_QUEUE_PACKETS - 1024;
	check_refused(&wrong,
		"queue=1073741823K is out of range: expected at most 256M "
		"bytes, or whole packets");
	wrong = settings;
	wrong.loss = 1.5;
	check_refused(&wrong, "loss=150% is out of range: expected 0%..100%");
	wrong = settings;
	wrong.reorder = (double)NAN;
	check_refused(&wrong, "reorder=- is out of range: expected 0%..50%");
	wrong = settings;
	wrong.drops[LINK_FAR] = 2;
	check_refused(&wrong,
		"packets to drop are not in order: expected ascending "
		"indices");
}

/* ---- programs --------------------------------------------------------- */

static int exit_code(struct link *link, enum link_side side,
	const struct link_program *program)
{
	struct error error = { 0 };
	pid_t pid = link_spawn(link, side, program, &error);
	int status;

	if (pid < 0)
		fail_msg("%s", error.message);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int fifty(void *context)
{
	return *(int *)context + 8;
}

/* Runs a line of the shell on one side. */
static int shell(struct link *link, enum link_side side, const char *line,
	const char *const *environment)
{
	const char *const words[] = { "sh", "-c", line, NULL };
	const struct link_program program = {
		.argv = words,
		.environment = environment,
	};

	return exit_code(link, side, &program);
}

static void programs(void **state)
{
	static const char *const more[] = { "EXTRA=what it is", NULL };
	struct link_settings settings = quick_path();
	struct link *link = opened(&settings);
	struct error error = { 0 };
	int context = 42;

	assert_int_equal(shell(link, LINK_NEAR, "exit 37", NULL), 37);
	assert_int_equal(shell(link, LINK_FAR,
				 "test \"$BENCHTOP_LINK_NEAR "
				 "$BENCHTOP_LINK_FAR $EXTRA\" = "
				 "'10.77.0.1 10.77.0.2 what it is'",
				 more),
		0);
	/* Two devices of the namespace, and none of the host. */
	assert_int_equal(shell(link, LINK_NEAR,
				 "test $(grep -c : /proc/net/dev) = 2 && "
				 "grep -q link: /proc/net/dev",
				 NULL),
		0);
	const struct link_program body = { .body = fifty, .context = &context };
	assert_int_equal(exit_code(link, LINK_FAR, &body), 50);
	const char *const words[] = { "/no/such/program", NULL };
	const struct link_program none = { .argv = words };
	assert_int_equal(link_spawn(link, LINK_NEAR, &none, &error), -1);
	assert_string_equal(error.message,
		"cannot run '/no/such/program': No such file or directory");
	link_close(link);
}

/* A program has the descriptors it was given, and no others. */
static void descriptors(void **state)
{
	struct link_settings settings = quick_path();
	struct link *link = opened(&settings);
	int ends[2];
	char got[128] = "";

	assert_int_equal(pipe(ends), 0);
	const int fds[] = { ends[0], ends[1], ends[1] };
	const char *const words[] = { "sh", "-c", "echo /proc/self/fd/*",
		NULL };
	const struct link_program program = {
		.argv = words,
		.fds = fds,
		.fd_count = 3,
	};
	assert_int_equal(exit_code(link, LINK_NEAR, &program), 0);
	assert_true(read(ends[0], got, sizeof got - 1) > 0);
	/* The fourth descriptor is the listed folder. */
	assert_string_equal(got,
		"/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 "
		"/proc/self/fd/3\n");
	close(ends[0]);
	close(ends[1]);
	link_close(link);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(datagrams_cross),
		cmocka_unit_test(raw_echo),
		cmocka_unit_test(segments_of_1448),
		cmocka_unit_test(congestion_of_choice),
		cmocka_unit_test(same_seed_same_packets),
		cmocka_unit_test(packets_by_number),
		cmocka_unit_test(wrong_settings),
		cmocka_unit_test(programs),
		cmocka_unit_test(descriptors),
	};

	need_link();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
