/* `fleet --hosts`: measures the hosts of a list. ssh is replaced by a script
 * that executes on this machine, or fails as if the host were down. */
#include "run.h"

#define SSH "shift 2; [ $1 != down ] || { echo no route >&2; exit 255; }\n" \
	"[ $1 != evil ] || { cat escapes >&2; exit 9; }\n" \
	"echo $1 >>asked; exec sh -c \"$2\"\n"

static int prepare(void **state)
{
	if (make_folder(state) || chdir(folder))
		return -1;
	write_file("fake_ssh", "#!/bin/sh\n" SSH);
	write_file("short.lab",
		"run selftest.adds launches=6 trials=5 budget=300ms\n");
	setenv("BENCHTOP_SSH", "./fake_ssh", 1);
	setenv("BENCHTOP", SELFTEST, 1);
	setenv("TMPDIR", in_folder("tmp"), 1);
	return mkdir("tmp", 0700) || chmod("fake_ssh", 0700);
}

/* A second call measures the missing host only. */
static void test_continues(void **state)
{
	write_file("hosts", "# two hosts\nfirst\ndown\n");
	struct ran ran = RUN(SELFTEST, "fleet", "nodes", "--hosts", "hosts",
		"--script", "short.lab");
	assert_status(ran, 7);
	assert_contains(ran.err, " of 2: first\n");
	assert_contains(ran.err, "down failed with status 255: no route\n");
	assert_contains(ran.err, "a host of 'hosts' has no session in 'nodes': "
		"the same command continues");
	assert_null(ran.out.chars);
	ran_free(&ran);
	write_file("hosts", "first\nsecond\n");
	ran = RUN(SELFTEST, "fleet", "nodes", "--hosts", "hosts", "--script",
		"short.lab");
	assert_status(ran, 0);
	assert_contains(ran.err, "1 of 1: second\n");
	assert_contains(ran.out, " 2 sessions, ");
	ran_free(&ran);
	char *asked = read_whole("asked");
	assert_string_equal(asked, "first\nsecond\n");
	free(asked);
	assert_int_equal(entries_in("tmp"), 0);
}

/* A host that is down does not keep the next from being measured. */
static void test_one_at_a_time(void **state)
{
	write_file("hosts", "down\nfirst\n");
	struct ran ran = RUN("/bin/sh", SOURCE_FOLDER "/assets/ssh/fleet.sh",
		"others", "short.lab", "hosts", "1");
	assert_status(ran, 1);
	assert_contains(ran.out, "1 of 2: down failed");
	assert_contains(ran.out, "2 of 2: first\n");
	ran_free(&ran);
}

/* A host cannot make the terminal of the user obey. */
static void test_hostile_host(void **state)
{
	write_file("hosts", "evil\n");
	write_file("escapes", "a\033]0;b\a\302\233c\n");
	struct ran ran = RUN(SELFTEST, "fleet", "evils", "--hosts", "hosts",
		"--script", "short.lab");

	assert_status(ran, 7);
	assert_contains(ran.err, "evil failed with status 9: a?]0;b???c\n");
	ran_free(&ran);
}

static void test_refused(void **state)
{
	struct ran ran = RUN(SELFTEST, "fleet", "nodes", "--hosts", "hosts");
	assert_status(ran, 2);
	assert_contains(ran.err, "--hosts and --script: expected both");
	ran_free(&ran);
	ran = RUN(SELFTEST, "fleet", "nodes", "other", "--hosts", "hosts",
		"--script", "short.lab");
	assert_status(ran, 2);
	ran_free(&ran);
	ran = RUN(SELFTEST, "fleet", "nodes", "--hosts", "none", "--script",
		"short.lab");
	assert_status(ran, 3);
	assert_contains(ran.err, "cannot read 'none'");
	ran_free(&ran);
}

static void assert_not_begun(const char *hosts, const char *script,
	const char *words)
{
	struct ran ran = RUN(SELFTEST, "fleet", "new", "--hosts", hosts,
		"--script", script);

	assert_status(ran, 3);
	assert_string_equal(ran.err.chars, words);
	assert_int_equal(access("new", F_OK), -1);
	ran_free(&ran);
}

/* What no second call can mend is refused before a folder is made. */
static void test_not_begun(void **state)
{
	write_file("hosts", "third\n");
	write_file("empty", "");
	write_file("comments", " # first\n\t\n");
	assert_not_begun("empty", "short.lab",
		"benchtop: 'empty' names no host: expected one per line\n");
	assert_not_begun("comments", "short.lab",
		"benchtop: 'comments' names no host: expected one per line\n");
	assert_not_begun("tmp", "short.lab",
		"benchtop: cannot read 'tmp': not a regular file\n");
	assert_not_begun("hosts", "tmp",
		"benchtop: cannot read script 'tmp': not a regular file, and no "
		"script of benchtop has this name\n");
	struct ran ran = RUN("/bin/sh", SOURCE_FOLDER "/assets/ssh/fleet.sh",
		"new", "short.lab", "empty");
	assert_status(ran, 3);
	assert_int_equal(access("new", F_OK), -1);
	ran_free(&ran);
}

/* A misspelt script goes to no host. */
static void test_no_script(void **state)
{
	write_file("hosts", "third\n");
	write_file("asked", "");
	struct ran ran = RUN(SELFTEST, "fleet", "third", "--hosts", "hosts",
		"--script", "shrt.lab");
	assert_status(ran, 3);
	assert_contains(ran.err, "cannot read script 'shrt.lab'");
	assert_int_equal(lines_beginning(&ran.err, ""), 1);
	ran_free(&ran);
	ran = RUN("/bin/sh", SOURCE_FOLDER "/assets/ssh/fleet.sh", "third",
		"shrt.lab", "hosts");
	assert_status(ran, 3);
	assert_string_equal(ran.err.chars, "script shrt.lab: neither a file "
		"nor a script of benchtop\n");
	ran_free(&ran);
	char *asked = read_whole("asked");
	assert_string_equal(asked, "");
	free(asked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_continues),
		cmocka_unit_test(test_one_at_a_time),
		cmocka_unit_test(test_hostile_host),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_not_begun),
		cmocka_unit_test(test_no_script),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
