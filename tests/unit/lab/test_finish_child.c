/* A child that waits without an end, as for a folder on an NFS server that does
 * not answer, does not keep the lab. */
#include "finish_child.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lab_fixture.h"

static int wait_for_ever(void *context)
{
	(void)context;
	while (pause())
		continue;
	return 0;
}

static int end_at_once(void *context)
{
	(void)context;
	return 1;
}

static void begin(struct finish_child *finish, int (*body)(void *))
{
	struct error error;

	*finish = (struct finish_child){
		.fd = memfd_create("finish", MFD_CLOEXEC),
		.until_ms = INT64_MAX,
	};
	assert_int_equal(child_start(&finish->child, body, NULL, CHILD_ANY_CPU,
				 &error),
		0);
}

static void test_late(void **state)
{
	struct finish_child finish;
	struct lab lab;

	lab_init(&lab, fixture_list);
	begin(&finish, wait_for_ever);
	pid_t child = finish.child.pid;
	assert_int_equal(finish_child_step(&finish, &lab), FINISH_NOT_YET);
	finish.until_ms = 0;
	assert_int_equal(finish_child_step(&finish, &lab), FINISH_LATE);
	assert_int_equal(finish.child.pid, 0);
	assert_int_equal(kill(child, 0), -1);
	lab_release(&lab);
}

static void test_died(void **state)
{
	enum finish_end end = FINISH_NOT_YET;
	struct finish_child finish;
	struct lab lab;

	lab_init(&lab, fixture_list);
	begin(&finish, end_at_once);
	while (end == FINISH_NOT_YET)
		end = finish_child_step(&finish, &lab);
	assert_int_equal(end, FINISH_DIED);
	lab_release(&lab);
}

/* Then the folder is not used again, and the exit reports why. */
static void test_autosaving_ends(void **state)
{
	struct text line = { 0 };
	struct lab lab;

	lab_init(&lab, fixture_list);
	fixture_measure(&lab);
	lab.session->changed = true;
	lab_autosave_end(&lab, 120);
	lab_autosave(&lab);
	assert_null(lab.autosave);
	assert_int_equal(lab_say_kept(&lab, &line), STATUS_OUTPUT);
	assert_non_null(strstr(line.chars, " not kept: the folder of the "
		"sessions did not answer for 120 s"));
	text_free(&line);
	lab_release(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_died),
		cmocka_unit_test(test_autosaving_ends),
	};

	setenv("XDG_STATE_HOME", "/dev/null/state", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
