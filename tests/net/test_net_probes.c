/* The network experiments: as an ordinary user over loopback, through serve
 * with a token, and with a lost remote end. */
#include <grp.h>
#include <sys/prctl.h>

#include "serving.h"

enum { NOBODY = 65534 };

/* Checks that the run measured this metric and that it is in the reply. */
static void assert_measured(const struct ran *ran, const char *metric)
{
	assert_status(*ran, 0);
	assert_contains(ran->out, "\"state\":\"ok\"");
	assert_contains(ran->out, metric);
}

#define MEASURE(...) \
	RUN(PROGRAM, "run", __VA_ARGS__, "budget=100ms", "trials=10", \
		"launches=6", "--json")

static void measure_all(void)
{
	static const char *const closes[] = { "close=fin-client",
		"close=fin-server", "close=rst" };
	static const char *const protos[] = { "proto=tcp", "proto=udp" };
	static const char *const directions[] = { "direction=up",
		"direction=down" };

	for (size_t i = 0; i < 2; i++) {
		struct ran ran = MEASURE("net.rtt", protos[i]);
		assert_measured(&ran, "\"rtt\"");
		ran_free(&ran);
	}
	for (size_t i = 0; i < 3; i++) {
		struct ran ran = MEASURE("net.connect", closes[i]);
		assert_measured(&ran, "\"connect\"");
		ran_free(&ran);
	}
	for (size_t i = 0; i < 2; i++) {
		struct ran ran = MEASURE("net.bandwidth", "mode=message",
			"size=64K", "placement=same-cpu", directions[i]);
		assert_measured(&ran, "\"goodput\"");
		ran_free(&ran);
		ran = MEASURE("net.bandwidth", "mode=stream", "streams=2",
			"size=16K", "duration=20ms", "placement=same-cpu",
			directions[i]);
		assert_measured(&ran, "\"steady\"");
		ran_free(&ran);
	}
}

static void test_over_loopback(void **state)
{
	measure_all();
}

static double figure_of(const struct ran *ran, const char *metric,
	const char *figure)
{
	char begin[64];

	snprintf(begin, sizeof begin, "\"%s\":{", metric);
	const char *at = strstr(ran->out.chars, begin);
	snprintf(begin, sizeof begin, "\"%s\":", figure);
	at = at ? strstr(at, begin) : NULL;
	assert_non_null(at);
	return strtod(strchr(at, ':') + 1, NULL);
}

static double median_of(const struct ran *ran, const char *metric)
{
	return figure_of(ran, metric, "median_all");
}

/* A message that lies in the receiver's buffer before it reads is timed from
 * the sender's first write: it takes at least half a round trip, and is not
 * faster than its reading. */
static void test_a_message_begins_with_its_first_write(void **state)
{
	static const char *const directions[] = { "direction=up",
		"direction=down" };
	const double bits = 8 * 1024, half_s = .01;

	for (size_t i = 0; i < 2; i++) {
		struct ran ran = MEASURE("net.bandwidth", "mode=message",
			"host=link", "rtt=20ms", "size=1K", directions[i]);
		if (contains(&ran.out, "\"unavailable\"")) {
			ran_free(&ran);
			skip_because("not permitted here: a link");
		}
		assert_measured(&ran, "\"bandwidth\"");
		double bandwidth = median_of(&ran, "bandwidth");
		/* A busy machine delays messages, but hardly all of them. */
		double most = figure_of(&ran, "bandwidth", "max");
		print_message("%s: %.0f bit/s, at most %.0f\n", directions[i],
			bandwidth, most);
		assert_true(bandwidth <= bits / half_s);
		assert_true(most > bits / half_s / 2);
		ran_free(&ran);
		ran = MEASURE("net.bandwidth", "mode=message", "size=64K",
			directions[i]);
		assert_true(median_of(&ran, "bandwidth") <
			median_of(&ran, "goodput"));
		ran_free(&ran);
	}
}

/* A result says why a message can be faster than a stream. Not every kernel has
 * bbr. */
static void test_what_bbr_paces(void **state)
{
	static const char *const controls[] = { "congestion=bbr",
		"congestion=reno" };

	for (size_t i = 0; i < 2; i++) {
		struct ran ran = MEASURE("net.bandwidth", "mode=message",
			"size=64K", controls[i]);
		bool paced = contains(&ran.out,
			"\"congestion-control\":\"bbr\"");

		assert_int_equal(contains(&ran.out, "\"name\":\"paced\""),
			paced);
		assert_true(paced == !i ||
			contains(&ran.out, "\"unavailable\""));
		ran_free(&ran);
	}
}

/* Measuring needs no privilege. ICMP uses any permitted kind of socket, or the
 * sentence states what would permit it. */
static void test_as_an_ordinary_user(void **state)
{
	int status;

	if (geteuid()) {
		measure_all();
		return;
	}
	assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(system("true"), 0);
	pid_t pid = fork();
	if (!pid) {
		static char own[64];

		snprintf(own, sizeof own, "%s/nobody", folder);
		if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY) ||
			mkdir(own, 0700) || access(PROGRAM, X_OK))
			_exit(77);
		prctl(PR_SET_DUMPABLE, 1);
		setenv("XDG_STATE_HOME", own, 1);
		setenv("XDG_CONFIG_HOME", own, 1);
		setenv("XDG_RUNTIME_DIR", own, 1);
		measure_all();
		struct ran ran = MEASURE("net.rtt", "proto=icmp");
		if (!contains(&ran.out, "icmp-socket"))
			assert_contains(ran.out, "ping_group_range");
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("SKIP: not permitted here: nobody cannot run "
			      "the program\n");
		skip();
	}
	assert_int_equal(status, 0);
}

static void test_words_that_do_not_go_together(void **state)
{
	static const char *const wrong[][3] = {
		{ "net.rtt", "rtt=20ms", "host=link" },
		{ "net.bandwidth", "loss=1%", "host=link" },
		{ "net.rtt", "host=a b", "expected loopback, link" },
		{ "net.connect", "host=x:0", "1 to 65535" },
		{ "net.connect", "host=", "expected text" },
	};

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct ran ran = RUN(PROGRAM, "run", wrong[i][0], wrong[i][1]);

		assert_status(ran, 2);
		assert_contains(ran.err, wrong[i][2]);
		ran_free(&ran);
	}
	struct ran ran =
		RUN(PROGRAM, "run", "net.rtt", "proto=icmp", "payload=100");
	assert_status(ran, 2);
	assert_contains(ran.err, "expected reply=100");
	ran_free(&ran);
}

/* ---- serve ------------------------------------------------------------ */

static void test_through_serve_with_a_token(void **state)
{
	char token[256], other[256];

	snprintf(token, sizeof token, "%s", in_folder("token"));
	snprintf(other, sizeof other, "%s", in_folder("other"));
	write_file(token, "0123456789abcdef0123456789abcdef\n");
	write_file(other, "0123456789abcdef0123456789abcdeF\n");
	chmod(token, 0600);
	chmod(other, 0600);
	pid_t server = serve_with("--token-file", token);
	setenv("BENCHTOP_TOKEN_FILE", token, 1);
	struct ran ran = MEASURE("net.rtt", test_host());
	assert_measured(&ran, "\"rtt\"");
	/* The description of the far end is stored with the run. */
	assert_contains(ran.out, "\"far-end\"");
	assert_contains(ran.out, "both ends hold the same token");
	ran_free(&ran);
	/* The host is remembered: completion offers it from now on. */
	struct ran known = RUN(PROGRAM, "complete", "--", "run net.rtt host=");
	assert_contains(known.out, test_host());
	ran_free(&known);
	ran = MEASURE("net.connect", test_host());
	assert_measured(&ran, "\"connect\"");
	ran_free(&ran);
	ran = MEASURE("net.bandwidth", test_host(), "mode=message",
		"size=64K");
	assert_measured(&ran, "\"bandwidth\"");
	assert_contains(ran.out, "less half a round trip of");
	assert_true(median_of(&ran, "bandwidth") <= median_of(&ran, "goodput"));
	ran_free(&ran);
	setenv("BENCHTOP_TOKEN_FILE", other, 1);
	ran = MEASURE("net.rtt", test_host());
	assert_status(ran, 6);
	assert_contains(ran.err, "tokens of the two ends differ");
	ran_free(&ran);
	unsetenv("BENCHTOP_TOKEN_FILE");
	ran = MEASURE("net.rtt", test_host());
	assert_status(ran, 6);
	assert_contains(ran.err, "requires a token: put the token");
	ran_free(&ran);
	/* The sentence shows that the local token file cannot be opened. */
	setenv("BENCHTOP_TOKEN_FILE", in_folder("nowhere"), 1);
	ran = MEASURE("net.rtt", test_host());
	assert_status(ran, 6);
	assert_contains(ran.err, "requires a token: cannot open");
	ran_free(&ran);
	unsetenv("BENCHTOP_TOKEN_FILE");
	serve_stop(server);
}

static void test_serve_is_careful(void **state)
{
	/* A name that only begins like a loopback address is not one. */
	static const char *const open[] = { "0.0.0.0", "localhost.example",
		"127.example", "::1234", "[::10]:99" };
	struct ran ran;

	for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
		ran = RUN(PROGRAM, "serve", "--listen", open[i]);
		assert_status(ran, 2);
		assert_contains(ran.err, "expected --token-file");
		ran_free(&ran);
	}
	write_file(in_folder("open"), "0123456789abcdef0123456789abcdef\n");
	chmod(in_folder("open"), 0644);
	ran = RUN(PROGRAM, "serve", "--token-file", in_folder("open"));
	assert_status(ran, 4);
	assert_contains(ran.err, "chmod 600");
	ran_free(&ran);
	ran = RUN(PROGRAM, "serve", "--sessions", "17");
	assert_status(ran, 2);
	ran_free(&ran);
}

static void test_limits_are_kept(void **state)
{
	pid_t server;

	server = serve_with("--bytes", "1M");
	struct ran ran = RUN(PROGRAM, "run", "net.bandwidth", test_host(),
		"mode=stream", "size=64K", "duration=3s", "budget=1s");
	assert_status(ran, 6);
	assert_contains(ran.err, "exceeds the server's byte limit");
	ran_free(&ran);
	serve_stop(server);
}

/* ---- a far end that is lost ------------------------------------------- */

/* The youngest child of the server. */
static pid_t session_of(pid_t server)
{
	char path[64];
	int child = 0;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)server,
		(int)server);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	for (int next; fscanf(file, "%d", &next) == 1;)
		child = next;
	fclose(file);
	return child;
}

/* Sends a signal to the server of an active run. The run ends with the exit
 * code for the network, and keeps its samples. */
static void lose(int signal)
{
	const char *const words[] = { "run", "net.rtt", test_host(),
		"budget=60s", "launches=30", "trials=10000", "--json", NULL };
	pid_t server = serve_with(NULL, NULL);
	struct ran ran = { 0 };
	int out[2], err[2], status;

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(err, O_CLOEXEC), 0);
	pid_t program = start(PROGRAM, words, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	/* When session 4 begins, the pilot and two launches are complete. */
	await_log("session 4 begins");
	pid_t session = session_of(server);
	while (!session)
		session = session_of(server);
	kill(session, signal);
	kill(server, signal);
	uint64_t begin_ns = tick_raw_ns();
	collect(out[0], err[0], &ran);
	assert_int_equal(waitpid(program, &status, 0), program);
	double took_s = (double)(tick_raw_ns() - begin_ns) * 1e-9;
	print_message("lost after %.1f s\n", took_s);
	ran.status = WEXITSTATUS(status);
	assert_status(ran, 6);
	assert_contains(ran.out, "\"stopped\":\"network\"");
	assert_contains(ran.out, "\"median\"");
	/* The limit is 10 s; on a busy machine the run may end later. */
	assert_true(took_s < 15);
	ran_free(&ran);
	close(out[0]);
	close(err[0]);
	kill(server, SIGKILL);
	kill(session, SIGKILL);
	waitpid(server, NULL, 0);
}

static void test_a_killed_far_end(void **state)
{
	lose(SIGKILL);
}

static void test_a_stopped_far_end(void **state)
{
	lose(SIGSTOP);
}

static void test_nobody_there(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "net.rtt", "host=127.0.0.1:1");

	assert_status(ran, 6);
	assert_contains(ran.err, "does not answer");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_over_loopback),
		cmocka_unit_test(test_a_message_begins_with_its_first_write),
		cmocka_unit_test(test_words_that_do_not_go_together),
		cmocka_unit_test(test_through_serve_with_a_token),
		cmocka_unit_test(test_serve_is_careful),
		cmocka_unit_test(test_limits_are_kept),
		cmocka_unit_test(test_a_killed_far_end),
		cmocka_unit_test(test_a_stopped_far_end),
		cmocka_unit_test(test_nobody_there),
		cmocka_unit_test(test_what_bbr_paces),
		cmocka_unit_test(test_as_an_ordinary_user),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
