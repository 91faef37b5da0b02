/* Runs that capture: results from packets compared with the program's times, in
 * its session and in the exported file. */
#include <ctype.h>
#include <grp.h>
#include <sys/prctl.h>

#include "annotated.h"

enum { NOBODY = 65534, LAUNCHES = 6, CONNECTIONS = 400 };

static cJSON *session_of(const char *path)
{
	struct error error = { 0 };
	char *chars = read_whole(path);
	cJSON *tree = json_parse(chars, strlen(chars), path, &error);

	if (!tree)
		fail_msg("%s", error.message);
	free(chars);
	return tree;
}

static const char *word(const cJSON *tree, const char *path)
{
	const cJSON *item = member(tree, path);

	assert_true(cJSON_IsString(item));
	return item->valuestring;
}

/* Runs, saves the session, verifies it, exports the packets. */
static cJSON *captured(const char *run)
{
	struct text script = { 0 };
	const char *path = in_folder("session.json");

	text_add(&script,
		"run %s launches=%d; save %s --force; verify %s; "
		"export pcap %s --force",
		run, LAUNCHES, path, path, in_folder("run.pcap"));
	struct ran ran = RUN(PROGRAM, "-c", script.chars);
	if (ran.status != 0 && contains(&ran.err, "the run has no packets")) {
		cJSON *tree = session_of(path);

		print_message("SKIP: not permitted here: %s\n",
			word(tree, "runs.0.points.0.notes.capture"));
		cJSON_Delete(tree);
		skip();
	}
	assert_status(ran, 0);
	assert_contains(ran.out, "every figure follows");
	ran_free(&ran);
	text_free(&script);
	return session_of(path);
}

/* The session stores the same results that `annotate` gives for the exported
 * packets. */
static void test_same_connections(void **state)
{
	cJSON *session = captured("net.slowstart congestion=reno rtt=20ms "
				  "rate=50Mbit bytes=1M");
	cJSON *file = annotated(in_folder("run.pcap"));
	const cJSON *kept = member(session, "runs.0.annotation");

	assert_string_equal(word(kept, "schema"), word(file, "schema"));
	/* Including the pilot's launch. */
	assert_int_equal(cJSON_GetArraySize(member(kept, "connections")),
		LAUNCHES + 1);
	assert_true(cJSON_Compare(member(kept, "connections"),
		member(file, "connections"), true));
	/* The kernel's counts are stored beside the packets, because packets do
	 * not show them. */
	const cJSON *kernel = member(kept, "kernel");
	assert_int_equal(cJSON_GetArraySize(kernel), LAUNCHES + 1);
	for (const cJSON *of = kernel->child; of; of = of->next)
		assert_true(cJSON_IsTrue(member(of, "tcp_info_check.agree")));
	const cJSON *notes = member(session, "runs.0.points.0.notes");
	member(notes, "sent-again");
	assert_null(
		cJSON_GetObjectItemCaseSensitive(notes, "sent-again-differs"));
	cJSON_Delete(session);
	cJSON_Delete(file);
}

static void assert_ended(const char *run, const char *by)
{
	cJSON *session = captured(run);
	const char *ended = word(session, "runs.0.points.0.notes.ended");

	if (strncmp(ended, by, strlen(by)))
		fail_msg("%s: ended by %s, not %s", run, ended, by);
	cJSON_Delete(session);
}

static void test_why_it_ended(void **state)
{
	/* One flight: a busy machine delays later ones like an application. */
	assert_ended("net.slowstart congestion=reno rtt=20ms bytes=10K",
		"the end of the data");
	assert_ended("net.slowstart congestion=reno rtt=20ms bytes=300K "
		     "receive-buffer=32K",
		"the receive window");
	assert_ended("net.slowstart congestion=reno bytes=1M",
		"loss after overshoot");
}

static void test_not_on_loopback(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "net.slowstart", "host=loopback",
		"congestion=reno");

	assert_status(ran, 4);
	assert_contains(ran.out, "not observable");
	assert_null(strstr(ran.out.chars, "initial window"));
	ran_free(&ran);
}

/* For each connection SYN to SYN/ACK lies within connect(). The third packet
 * was captured for 999 in 1000. */
static void assert_legs(const cJSON *session)
{
	double tick_ns = 1e9 / member(session, "runs.0.clock.hz")->valuedouble;
	const cJSON *series = member(session, "runs.0.points.0.metrics");
	size_t connections = 0, thirds = 0, compared = 0;

	for (int launch = 0; launch < LAUNCHES; launch++) {
		const cJSON *ticks =
			cJSON_GetArrayItem(member(series, "connect.ticks"),
				launch);
		const cJSON *legs = cJSON_GetArrayItem(
			member(series, "syn-to-synack.values"), launch);
		const cJSON *acks = cJSON_GetArrayItem(
			member(series, "synack-to-ack.values"), launch);
		int count = cJSON_GetArraySize(ticks);

		connections += (size_t)count;
		thirds += (size_t)cJSON_GetArraySize(acks);
		if (cJSON_GetArraySize(legs) != count)
			continue;
		compared++;
		const cJSON *leg = legs->child;
		for (const cJSON *tick = ticks->child; tick;
			tick = tick->next, leg = leg->next)
			/* One of the two clocks may be slewed. */
			assert_true(leg->valuedouble <=
				tick->valuedouble * tick_ns * 1.001 + 50);
	}
	assert_int_equal(connections, CONNECTIONS * LAUNCHES);
	assert_true(compared * 2 > LAUNCHES);
	assert_true(thirds * 1000 >= connections * 999);
}

/* Thousands of connections are all stored: as many as the file has. */
static void test_many_connections(void **state)
{
	char run[64];

	snprintf(run, sizeof run, "net.connect count=%d capture=on",
		CONNECTIONS);
	cJSON *session = captured(run);
	cJSON *file = annotated(in_folder("run.pcap"));
	const cJSON *kept = member(session, "runs.0.annotation");
	int count = cJSON_GetArraySize(member(kept, "connections"));

	assert_true(count >= CONNECTIONS * LAUNCHES);
	assert_int_equal(count,
		cJSON_GetArraySize(member(file, "connections")));
	assert_true(count +
			member(kept, "capture.connections_forgotten")
				->valuedouble ==
		member(kept, "capture.connections")->valuedouble);
	assert_int_equal(member(kept, "capture.connections_left_out")->valueint,
		0);
	assert_legs(session);
	cJSON_Delete(session);
	cJSON_Delete(file);
}

/* More connections than an annotator stores: the run states how many are
 * missing. */
static void test_too_many_connections(void **state)
{
	cJSON *session = captured("net.connect count=1200 trials=800 capture=on budget=10min");
	const cJSON *capture = member(session, "runs.0.annotation.capture");
	bool told = false;
	char says[64];

	snprintf(says, sizeof says, "%.0f connections of the capture are not",
		member(capture, "connections_forgotten")->valuedouble);
	for (const cJSON *line = member(session, "runs.0.warnings")->child;
		line; line = line->next)
		told |= strstr(line->valuestring, says) != NULL;
	if (member(capture, "connections")->valuedouble <= 4096)
		fail_msg("%.0f connections, stopped: %s; %s",
			member(capture, "connections")->valuedouble,
			word(session, "runs.0.stopped"),
			cJSON_Print(member(session, "runs.0.warnings")));
	assert_true(told);
	cJSON_Delete(session);
}

static void test_bandwidth(void **state)
{
	cJSON *session = captured("net.bandwidth capture=on mode=message size=1M "
				  "budget=2s");
	bool told = false;

	for (const cJSON *finding = member(session, "runs.0.findings")->child;
		finding; finding = finding->next)
		told |= strstr(word(finding, "name"), "capture-cost") != NULL;
	assert_true(told);
	member(session, "runs.0.points.0.notes.sent-again");
	cJSON_Delete(session);
}

static void test_round_trip(void **state)
{
	cJSON *session = captured("net.rtt capture=on trials=200");
	const cJSON *between =
		member(session, "runs.0.points.0.metrics.between");

	assert_true(member(between, "trials")->valuedouble > 0);
	cJSON_Delete(session);
}

/* Joins broken lines. */
static void join_lines(char *chars)
{
	char *to = chars;
	bool blank = false;

	for (; *chars; chars++) {
		bool was = blank;

		blank = isspace((unsigned char)*chars);
		if (!blank || !was)
			*to++ = blank ? ' ' : *chars;
	}
	*to = '\0';
}

/* Does a run without permission state once what would permit the capture? */
static bool says_why(const char *experiment, const char *more)
{
	static const char why[] = "capture is off: cannot capture on lo";
	struct ran ran = RUN(PROGRAM, "run", experiment, "capture=on",
		"launches=6", more);
	join_lines(ran.out.chars);
	const char *said = ran.status ? NULL : strstr(ran.out.chars, why);
	bool good =
		said && !strstr(said + 1, why) && strstr(said, "sudo setcap");

	ran_free(&ran);
	return good;
}

static bool warns(void)
{
	static const char why[] = "capture is off: cannot capture on lo";
	struct ran ran = RUN(PROGRAM, "run", "net.rtt", "capture=on",
		"launches=6", "trials=20", "--json");
	bool good = !ran.status && contains(&ran.out, "\"off: cannot capture");
	const char *warnings = strstr(ran.out.chars, "\"warnings\"");
	const char *said = warnings ? strstr(warnings, why) : NULL;

	good &= said && strstr(said, "`sudo setcap cap_net_raw+ep ");
	ran_free(&ran);
	return good;
}

/* A run without permission is measured without packets, and states what would
 * permit the capture. */
static void test_not_permitted(void **state)
{
	char own[256];
	int status;

	if (geteuid())
		skip_because("not permitted here: another user");
	assert_int_equal(chmod(folder, 0755), 0);
	snprintf(own, sizeof own, "%s", in_folder("nobody"));
	assert_int_equal(mkdir(own, 0700), 0);
	assert_int_equal(chown(own, NOBODY, NOBODY), 0);
	pid_t pid = fork();
	if (!pid) {
		if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY) ||
			access(PROGRAM, X_OK))
			_exit(77);
		prctl(PR_SET_DUMPABLE, 1);
		setenv("XDG_STATE_HOME", own, 1);
		setenv("XDG_CONFIG_HOME", own, 1);
		setenv("XDG_RUNTIME_DIR", own, 1);
		_exit(!warns() || !says_why("net.rtt", "trials=20") ||
			!says_why("net.connect", "count=50"));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("SKIP: not permitted here: nobody cannot run "
			      "the program\n");
		skip();
	}
	assert_int_equal(status, 0);
}

/* A capture helper that does not start in one launch and dies in the next. */
static const char failing[] =
	"#!/bin/sh\n"
	"cd \"$(dirname \"$0\")\"; echo >>launches\n"
	"case $(wc -l <launches) in\n"
	"3) exit 1 ;;\n"
	"4) mkfifo open; exec timeout -s KILL 3 ./real \"$@\" <>open ;;\n"
	"*) exec ./real \"$@\" ;;\n"
	"esac\n";

static void test_helper_fails(void **state)
{
	char program[256];

	snprintf(program, sizeof program, "%s", in_folder("benchtop"));
	struct ran ran = RUN("/usr/bin/env", "cp", PROGRAM, program);
	assert_status(ran, 0);
	ran_free(&ran);
	ran = RUN("/usr/bin/env", "cp", BUILD_FOLDER "/benchtop-capture",
		in_folder("real"));
	assert_status(ran, 0);
	ran_free(&ran);
	write_file(in_folder("benchtop-capture"), failing);
	assert_int_equal(chmod(in_folder("benchtop-capture"), 0755), 0);
	ran = RUN(program, "run", "net.rtt", "capture=on", "launches=6",
		"trials=20", "--json");
	assert_status(ran, 0);
	if (contains(&ran.out, "\"off: cannot capture"))
		skip_because("not permitted here: capture");
	assert_contains(ran.out, "\"a launch has no packets: the capture "
				 "helper did not start\"");
	assert_contains(ran.out, "\"the capture of a launch is incomplete: "
				 "benchtop-capture died\"");
	ran_free(&ran);
}

/* The error names the line that would capture packets. */
static void test_nothing_to_export(void **state)
{
	struct ran ran = RUN(PROGRAM, "export", "pcap", in_folder("none.pcap"));

	assert_status(ran, 2);
	ran_free(&ran);
	ran = RUN(PROGRAM, "-c", "export pcap");
	assert_status(ran, 2);
	assert_contains(ran.err, "`export pcap FILE`");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_connections),
		cmocka_unit_test(test_why_it_ended),
		cmocka_unit_test(test_not_on_loopback),
		cmocka_unit_test(test_many_connections),
		cmocka_unit_test(test_too_many_connections),
		cmocka_unit_test(test_bandwidth),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_not_permitted),
		cmocka_unit_test(test_helper_fails),
		cmocka_unit_test(test_nothing_to_export),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
