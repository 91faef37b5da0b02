/* A state folder that cannot be written, on a read-only file system or without
 * the permission: what reads sessions prints the same as in a folder that can,
 * with an index, with an old one, and without. A run prints its result, and one
 * sentence states that it is not kept and that `recover` restores it. */
#include <sys/prctl.h>
#include <linux/capability.h>

#include "namespace.h"
#include "run.h"

#define STATE    "state/benchtop"
#define SESSIONS STATE "/sessions"

static const char *const readers[] = {
	"sessions",
	"sessions --json",
	"history selftest.adds",
	"history selftest.adds --json",
	"compare 1 2",
	"load 1",
	"load last; export csv",
	"verify 1",
	"fleet " SESSIONS,
	"list selftest",
	"show selftest.adds",
};
enum { READERS = sizeof readers / sizeof *readers };

static const char run[] =
	"run selftest.adds links=10 launches=6 trials=20 budget=2s";

static int on_read_only_files(const void *context)
{
	return own_namespaces(CLONE_NEWNS) ||
		mount("state", "state", NULL, MS_BIND, NULL) ||
		mount(NULL, "state", NULL,
			MS_REMOUNT | MS_BIND | MS_RDONLY, NULL);
}

/* Root may write everywhere, unless it executes a program without this
 * capability. The folders are closed for their owner. */
static int without_permission(const void *context)
{
	return !geteuid() && prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
}

static const struct {
	const char *name, *why;
	int (*enter)(const void *);
} closed[] = {
	{ "a read-only file system", "Read-only file system",
		on_read_only_files },
	{ "no permission", "Permission denied", without_permission },
};
enum { CLOSED = sizeof closed / sizeof *closed };

static void set_mode(mode_t mode)
{
	assert_int_equal(chmod(SESSIONS, mode), 0);
	assert_int_equal(chmod(STATE, mode), 0);
}

/* The status is -1 if the machine does not permit it. */
static struct ran run_closed(size_t how, const char *line)
{
	const char *const words[] = { "-c", line, NULL };
	size_t files = entries_in(STATE), sessions = entries_in(SESSIONS);

	set_mode(0500);
	struct ran ran = run_after(closed[how].enter, NULL, SELFTEST, words);
	set_mode(0700);
	assert_int_equal(entries_in(STATE), files);
	assert_int_equal(entries_in(SESSIONS), sessions);
	if (ran.status == -1)
		print_message("SKIP: not permitted here: %s\n",
			closed[how].name);
	return ran;
}

static void measure(void)
{
	struct ran ran = RUN(SELFTEST, "-c", run);

	assert_status(ran, 0);
	ran_free(&ran);
}

/* Before the folder is opened again, which fills the index. */
static void compare_readers(void)
{
	struct ran is[CLOSED][READERS];

	for (size_t how = 0; how < CLOSED; how++)
		for (size_t i = 0; i < READERS; i++)
			is[how][i] = run_closed(how, readers[i]);
	for (size_t i = 0; i < READERS; i++) {
		struct ran open = RUN(SELFTEST, "-c", readers[i]);

		assert_status(open, 0);
		assert_true(open.out.length > 0);
		for (size_t how = 0; how < CLOSED; how++) {
			if (is[how][i].status != -1) {
				assert_status(is[how][i], 0);
				assert_string_equal(is[how][i].out.chars,
					open.out.chars);
				assert_string_equal(text_chars(&is[how][i].err),
					text_chars(&open.err));
			}
			ran_free(&is[how][i]);
		}
		ran_free(&open);
	}
}

static void test_readers(void **state)
{
	measure();
	measure();
	assert_int_not_equal(access(STATE "/index.sqlite", F_OK), 0);
	compare_readers();
	assert_int_equal(access(STATE "/index.sqlite", F_OK), 0);
	measure();
	compare_readers();
}

static void test_run(void **state)
{
	for (size_t how = 0; how < CLOSED; how++) {
		struct ran ran = run_closed(how, run);
		char says[200];

		if (ran.status == -1)
			continue;
		assert_status(ran, 74);
		assert_contains(ran.out, "selftest.adds");
		snprintf(says, sizeof says,
			"benchtop: 1 run not kept: cannot write to folder "
			"'%s': %s; `recover` restores the trials from memory\n",
			in_folder(STATE), closed[how].why);
		assert_string_equal(ran.err.chars, says);
		ran_free(&ran);
		ran = RUN(SELFTEST, "recover");
		assert_status(ran, 0);
		assert_contains(ran.out, "now in '");
		ran_free(&ran);
	}
}

static void test_notes(void **state)
{
	for (size_t how = 0; how < CLOSED; how++) {
		struct ran ran = run_closed(how, "note a note");

		if (ran.status == -1)
			continue;
		assert_status(ran, 74);
		assert_contains(ran.err, "benchtop: notes not kept: cannot "
					 "write to folder '");
		assert_contains(ran.err, closed[how].why);
		ran_free(&ran);
		ran = run_closed(how, "note a note; save noted.json --force");
		assert_status(ran, 0);
		assert_int_equal(ran.err.length, 0);
		ran_free(&ran);
	}
}

static int prepare(void **state)
{
	return make_folder(state) || chdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_readers),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_notes),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
