/* Every figure of a session follows from its trials by the definitions in
 * recompute.py, which knows nothing of benchtop. */
#include "schema.h"

#define QUICK " budget=1s launches=7 trials="

static struct ran recomputed(const char *path)
{
	return RUN("/usr/bin/env", "python3",
		SOURCE_FOLDER "/tests/cli/recompute.py", path);
}

/* Timed, derived, by clones, rates, values of an experiment's own. */
static void measure(const char *path)
{
	struct text line = { 0 };

	text_add(&line,
		"run cpu.call args=0,7" QUICK "20;"
		"run cpu.syscall call=getppid,clock-gettime" QUICK "60;"
		"run mem.latency size=4K,256K order=local" QUICK "30;"
		"run mem.bandwidth op=read,copy size=1M" QUICK "12;"
		"run mem.fault size=1M" QUICK "12;"
		"save %s",
		path);
	struct ran ran = RUN(PROGRAM, "-c", text_chars(&line));
	assert_status(ran, 0);
	ran_free(&ran);
	text_free(&line);
}

static void figures_follow_from_the_trials(void **state)
{
	const char *path = in_folder("session.json");
	unsigned figures = 0, points = 0, wrong = 1;

	(void)state;
	if (!has_python())
		skip();
	measure(path);
	struct ran ran = recomputed(path);
	const char *counts = strstr(text_chars(&ran.out), "session.json: ");
	if (ran.status || !counts)
		fail_msg("%s%s", text_chars(&ran.out), text_chars(&ran.err));
	assert_int_equal(
		sscanf(counts,
			"session.json: %u figures of %u points recomputed, %u",
			&figures, &points, &wrong),
		3);
	assert_int_equal(points, 9);
	assert_int_equal(wrong, 0);
	/* 9 points of 1 to 4 metrics, some 25 figures each. */
	assert_true(figures > 9 * 25);
	ran_free(&ran);
}

/* It would have seen one. */
static void a_figure_that_does_not_is_named(void **state)
{
	char *content;
	struct text path = { 0 };

	(void)state;
	if (!has_python())
		skip();
	text_add(&path, "%s", in_folder("session.json"));
	content = read_whole(text_chars(&path));
	char *median = strstr(content, "\"sd_between\":");
	assert_non_null(median);
	median = strpbrk(median, "123456789");
	assert_non_null(median);
	*median = *median == '9' ? '1' : (char)(*median + 1);
	write_file(text_chars(&path), content);
	free(content);
	struct ran ran = recomputed(text_chars(&path));
	assert_int_equal(ran.status, 1);
	assert_contains(ran.out, ".sd_between: ");
	assert_contains(ran.out, " 1 differ");
	ran_free(&ran);
	text_free(&path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_follow_from_the_trials),
		cmocka_unit_test(a_figure_that_does_not_is_named),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
