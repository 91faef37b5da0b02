/* Installed under any prefix, the program finds its parts, and all its files
 * are in their standard places. */
#include "run.h"

/* The prefix lies on a disk: /dev/shm may forbid execution. */
static char prefix[] = "/tmp/benchtop-prefix-XXXXXX";

static const char *installed(const char *name)
{
	static char paths[4][512];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", prefix, name);
	return path;
}

static int install(void **state)
{
	if (make_folder(state) || !mkdtemp(prefix))
		return -1;
	struct ran ran = RUN("/usr/bin/env", "cmake", "--install", BUILD_FOLDER,
		"--prefix", prefix);
	int failed = ran.status;
	if (failed)
		print_error("%s\n", text_chars(&ran.err));
	ran_free(&ran);
	/* The result must not depend on the current folder. */
	return failed || chdir("/") ? -1 : 0;
}

static int uninstall(void **state)
{
	struct ran ran = RUN("/usr/bin/env", "rm", "-rf", prefix);

	ran_free(&ran);
	return remove_folder(state);
}

static void test_there(void **state)
{
	static const char *const names[] = {
		"bin/benchtop",
		"libexec/benchtop/benchtop-capture",
		"share/benchtop/session.schema.json",
		"share/benchtop/connection-list.schema.json",
		"share/benchtop/scripts/quick.lab",
		"share/benchtop/sessions/a.json",
		"share/bash-completion/completions/benchtop",
		"share/zsh/site-functions/_benchtop",
		"share/fish/vendor_completions.d/benchtop.fish",
		"share/man/man1/benchtop.1",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (access(installed(names[i]), R_OK))
			fail_msg("%s is not installed", names[i]);
	assert_int_equal(access(installed("bin/benchtop"), X_OK), 0);
}

static void test_says(void **state)
{
	const char *program = installed("bin/benchtop");
	struct ran ran = RUN(program, "list");

	assert_status(ran, 0);
	assert_contains(ran.out, "cpu.syscall");
	ran_free(&ran);
	ran = RUN(program, "help");
	assert_status(ran, 0);
	assert_contains(ran.out, "run EXPERIMENT|GROUP");
	ran_free(&ran);
	ran = RUN(program, "--version");
	assert_status(ran, 0);
	assert_contains(ran.out, "benchtop ");
	ran_free(&ran);
}

/* A script's name without a path means a script of the program, unless the
 * current folder has one. */
static void test_scripts(void **state)
{
	const char *program = installed("bin/benchtop");
	struct ran ran = RUN(program, "complete", "--", "--script q");

	assert_string_equal(text_chars(&ran.out), "quick.lab\nFILE\n");
	ran_free(&ran);
	assert_int_equal(chdir(folder), 0);
	write_file(in_folder("quick.lab"), "list\n");
	ran = RUN(program, "--script", "quick.lab");
	assert_status(ran, 0);
	assert_contains(ran.out, "cpu.switch       What");
	ran_free(&ran);
	ran = RUN(program, "--script", "./tour.lab");
	assert_status(ran, 3);
	assert_contains(ran.err, "cannot open './tour.lab'");
	ran_free(&ran);
	ran = RUN(program, "--script", "no.lab");
	assert_status(ran, 3);
	assert_contains(ran.err, "cannot open 'no.lab'");
	ran_free(&ran);
	assert_int_equal(chdir("/"), 0);
}

/* The program alone has its scripts and the published sessions. */
static void test_alone(void **state)
{
	struct ran ran = RUN("/usr/bin/env", "cp", installed("bin/benchtop"),
		in_folder("alone"));

	assert_status(ran, 0);
	ran_free(&ran);
	ran = RUN(in_folder("alone"), "complete", "--", "--script q");
	assert_string_equal(text_chars(&ran.out), "quick.lab\nFILE\n");
	ran_free(&ran);
	ran = RUN(in_folder("alone"), "verify", "published:a");
	assert_status(ran, 0);
	assert_contains(ran.out, "published figures have no trials");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there),
		cmocka_unit_test(test_says),
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_alone),
	};

	return cmocka_run_group_tests(tests, install, uninstall);
}
