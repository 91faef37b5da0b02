/* The verb `link`: a program on an emulated path. */
#include "device.h"
#include "cli/run.h"

/* ---- what passes through ---------------------------------------------- */

static void exit_codes(void **state)
{
	static const struct {
		const char *line;
		int code;
	} rows[] = {
		{ "true", 0 },
		{ "exit 7", 7 },
		{ "exit 130", 130 },
		{ "kill -9 $$", 137 },
		{ "kill -TERM $$", 143 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ran ran = RUN(PROGRAM, "link", "rtt=1ms", "--", "sh",
			"-c", rows[i].line);

		assert_status(ran, rows[i].code);
		assert_int_equal(ran.out.length, 0);
		assert_int_equal(ran.err.length, 0);
		ran_free(&ran);
	}
}

/* Only the program's own output, even if its words look like options of the
 * verb. */
static void output(void **state)
{
	struct ran ran = RUN(PROGRAM, "link", "--", "sh", "-c",
		"echo $0 $* $BENCHTOP_LINK_NEAR $BENCHTOP_LINK_FAR; echo no >&2",
		"rtt=5ms", "--json", "--", "x");

	assert_status(ran, 0);
	assert_string_equal(text_chars(&ran.out),
		"rtt=5ms --json -- x 10.77.0.1 10.77.0.2\n");
	assert_string_equal(text_chars(&ran.err), "no\n");
	ran_free(&ran);
}

static void in_a_script(void **state)
{
	struct ran ran = RUN(PROGRAM, "-c",
		"link rtt=1ms -- echo one; link rtt=2ms -- sh -c \"exit 3\"; "
		"link rtt=3ms -- echo two");

	assert_status(ran, 3);
	assert_string_equal(text_chars(&ran.out), "one\ntwo\n");
	ran_free(&ran);
}

/* One datagram to a closed port, and the ICMP answer. */
static void counters(void **state)
{
	static const char line[] =
		"exec 3<>/dev/udp/$BENCHTOP_LINK_FAR/9; echo hello >&3; "
		"read -t 20 <&3; exit 5";

	struct ran ran = RUN(PROGRAM, "link", "rtt=1ms", "--json", "--", "bash",
		"-c", line);
	assert_status(ran, 5);
	assert_contains(ran.out, "\"rtt_ns\":1000000");
	assert_contains(ran.out, "\"queue\":\"80p\"");
	assert_contains(ran.out,
		"\"near_to_far\":{\n  \"packets\":1,\n  \"bytes\":34,\n  "
		"\"delivered\":1,");
	assert_contains(ran.out, "\"far_to_near\":{\n  \"packets\":1,");
	assert_contains(ran.out, "\"exit_code\":5");
	ran_free(&ran);
	ran = RUN(PROGRAM, "link", "loss=100%", "--counters", "--", "bash",
		"-c",
		"exec 3<>/dev/udp/$BENCHTOP_LINK_FAR/9; echo hello >&3; "
		"read -t 0.1 <&3");
	assert_contains(ran.out, "near to far           1           34");
	assert_int_equal(lines_beginning(&ran.out, "far to near           0"),
		1);
	ran_free(&ran);
}

/* The near program starts only when the far program is ready, even if the
 * latter starts slowly. */
static void far_side(void **state)
{
	static const char server[] =
		"--far=sleep 0.3; exec python3 -c 'import socket; "
		"s = socket.create_server((\"\", 5000)); "
		"c = s.accept()[0]; c.sendall(b\"from afar\"); c.close()'";

	struct ran ran = RUN(PROGRAM, "link", "rtt=1ms", server, "--", "bash",
		"-c", "exec 3<>/dev/tcp/$BENCHTOP_LINK_FAR/5000; cat <&3");
	assert_status(ran, 0);
	assert_string_equal(text_chars(&ran.out), "from afar");
	ran_free(&ran);
	ran = RUN(PROGRAM, "link", "--far=exit 3", "--", "echo", "never");
	assert_status(ran, 6);
	assert_int_equal(ran.out.length, 0);
	assert_string_equal(text_chars(&ran.err),
		"benchtop: the far end's program exited with 3 before it "
		"listened\n");
	ran_free(&ran);
}

/* ---- refusals --------------------------------------------------------- */

static void refused(void **state)
{
	static const struct {
		const char *words[5], *sentence;
	} rows[] = {
		{ { "link", "rtt=5ms" },
			"no program to run on the link: expected `--` and a "
			"command after the settings" },
		{ { "link", "rtx=5ms", "--", "true" },
			"no parameter 'rtx': did you mean 'rtt'?" },
		{ { "link", "rate=2Gbit", "--", "true" },
			"rate: '2Gbit' is outside 64Kbit..1Gbit" },
		{ { "link", "queue=80q", "--", "true" },
			"queue: '80q' is not valid from character 3 on: expected "
			"packets or bytes, such as 80p or 64K" },
		{ { "link", "queue=512M", "--", "true" },
			"queue=512M is out of range: expected at most 256M "
			"bytes, or whole packets" },
		{ { "link", "rtt=1ms,2ms", "--", "true" },
			"rtt: '1ms,2ms' is a sweep, expected one value: a "
			"program runs on one link" },
		{ { "link", "--", "/no/such/program" },
			"cannot run '/no/such/program': No such file or "
			"directory" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ran ran = run_words(PROGRAM, rows[i].words);
		char line[256];

		snprintf(line, sizeof line, "benchtop: %s\n", rows[i].sentence);
		assert_status(ran, 2);
		assert_string_equal(text_chars(&ran.err), line);
		ran_free(&ran);
	}
}

/* ---- endings ---------------------------------------------------------- */

/* Starts a program that takes long, and waits until it runs. The shell
 * computes the number, so that no other command line contains it. */
static pid_t begin(void)
{
	const char *const words[] = { "link", "--", "sh", "-c",
		"exec sleep $((10000 + 10))", NULL };
	pid_t pid = start(PROGRAM, words, 1, 2);

	for (int i = 0; !processes_of("sleep 10010") && i < 2000; i++)
		usleep(10000);
	assert_int_equal(processes_of("sleep 10010"), 1);
	return pid;
}

static void expect_gone(void)
{
	for (int i = 0; i < 2000 &&
		(processes_of("sleep 10010") || processes_of(PROGRAM));
		i++)
		usleep(10000);
	assert_int_equal(processes_of("sleep 10010"), 0);
	assert_int_equal(processes_of(PROGRAM), 0);
}

static void terminated(void **state)
{
	int status;

	pid_t pid = begin();
	kill(pid, SIGTERM);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 143);
	expect_gone();
}

static void killed(void **state)
{
	int status;

	pid_t pid = begin();
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	expect_gone();
}

/* ---- an ordinary user ------------------------------------------------- */

/* The status is 77 if there is no device, and 78 if nobody may not execute the
 * program, as in the home of root. */
static struct ran run_as_nobody(mode_t rights, const char *const *words)
{
	struct ran ran = { 0 };
	int out[2], err[2], status;

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(err, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (!pid) {
		if (bring_device(rights) || become_nobody())
			_exit(77);
		if (access(PROGRAM, X_OK))
			_exit(78);
		setenv("HOME", "/nonexistent", 1);
		unsetenv("XDG_STATE_HOME");
		unsetenv("XDG_RUNTIME_DIR");
		waitpid(start(PROGRAM, words, out[1], err[1]), &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128);
	}
	close(out[1]);
	close(err[1]);
	collect(out[0], err[0], &ran);
	close(out[0]);
	close(err[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	ran.status = WEXITSTATUS(status);
	return ran;
}

static void ordinary(void **state)
{
	static const char *const words[] = { "link", "rtt=1ms", "--", "bash",
		"-c",
		"exec 3<>/dev/udp/$BENCHTOP_LINK_FAR/9; echo hello >&3; "
		"id -u; grep -c . /proc/net/dev; exit 9",
		NULL };

	struct ran ran = run_as_nobody(0666, words);
	if (ran.status == 77) {
		print_message("SKIP: not permitted here: a device of the "
			      "test's own\n");
		skip();
	}
	if (ran.status == 78) {
		print_message("SKIP: not permitted here: nobody cannot run "
			      "the program\n");
		skip();
	}
	assert_status(ran, 9);
	/* The user is root in its namespace: uid 0, two devices and two heading
	 * lines. */
	assert_string_equal(text_chars(&ran.out), "0\n4\n");
	ran_free(&ran);
	ran = run_as_nobody(0600, words);
	assert_status(ran, 4);
	assert_string_equal(text_chars(&ran.err),
		"benchtop: cannot open /dev/net/tun: the link needs access for "
		"this user, as by `chmod 0666 /dev/net/tun`\n");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exit_codes),
		cmocka_unit_test(output),
		cmocka_unit_test(in_a_script),
		cmocka_unit_test(counters),
		cmocka_unit_test(far_side),
		cmocka_unit_test(refused),
		cmocka_unit_test(terminated),
		cmocka_unit_test(killed),
		cmocka_unit_test(ordinary),
	};
	int skipped = make_folder_for_links();

	return skipped ? skipped :
			 cmocka_run_group_tests(tests, NULL, remove_folder);
}
