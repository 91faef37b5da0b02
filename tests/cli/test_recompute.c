/* Every figure of a session follows from its trials by the definitions in
 * recompute.py, which shares no code with benchtop. */
#include "schema.h"

#define QUICK " budget=1s launches=7 trials="

static struct ran recomputed(const char *path)
{
	return RUN("/usr/bin/env", "python3",
		SOURCE_FOLDER "/tests/cli/recompute.py", path);
}

/* Timed, derived, by clones, rates, and values that an experiment reports, also
 * one per visit. */
static void measure(const char *path)
{
	struct text line = { 0 };

	text_add(&line,
		"run cpu.call args=0,7" QUICK "20;"
		"run cpu.syscall call=getppid,clock-gettime" QUICK "60;"
		"run mem.latency size=4K,256K order=local" QUICK "30;"
		"run mem.bandwidth op=read,copy size=1M" QUICK "12;"
		"run mem.fault size=1M counters=auto" QUICK "12;"
		"run cpu.clock" QUICK "12;"
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
	unsigned figures = 0, points = 0, wrong = 1, trials = 0;

	if (!has_python())
		skip();
	measure(path);
	struct ran ran = recomputed(path);
	const char *counts = strstr(text_chars(&ran.out), "session.json: ");
	if (ran.status || !counts)
		fail_msg("%s%s", text_chars(&ran.out), text_chars(&ran.err));
	assert_int_equal(
		sscanf(counts,
			"session.json: %u figures of %u points recomputed, %u "
			"differ; %u trials",
			&figures, &points, &wrong, &trials),
		4);
	assert_int_equal(points, 10);
	assert_int_equal(wrong, 0);
	/* 10 points of 1 to 4 metrics, some 40 figures each. */
	assert_true(figures > 10 * 40);
	/* 7 launches of 12 trials and more at each. */
	assert_true(trials >= 9 * 7 * 12);
	ran_free(&ran);
}

/* Recomputes the session after changing the first digit that follows
 * `piece`. */
static struct ran recomputed_with(const char *piece)
{
	char *content = read_whole(in_folder("session.json"));
	char *at = strstr(content, piece);

	assert_non_null(at);
	at = strpbrk(at + strlen(piece), "123456789");
	assert_non_null(at);
	*at = *at == '9' ? '1' : (char)(*at + 1);
	write_file(in_folder("changed.json"), content);
	free(content);
	return recomputed(in_folder("changed.json"));
}

/* The program detects a changed figure. */
static void a_figure_that_does_not_is_named(void **state)
{
	if (!has_python())
		skip();
	struct ran ran = recomputed_with("\"sd_between\":");
	assert_int_equal(ran.status, 1);
	assert_contains(ran.out, ".sd_between: ");
	assert_contains(ran.out, " 1 differ");
	ran_free(&ran);
}

/* Recomputes the session after changing the first cut between unshared and
 * shared canaries. */
static struct ran recomputed_with_cut(const char *cut)
{
	char *content = read_whole(in_folder("session.json"));
	const char *at = strstr(content, "\"cut\":");
	struct text changed = { 0 };

	assert_non_null(at);
	text_add_chars(&changed, content, (size_t)(at - content));
	text_add(&changed, "\"cut\":%s,\"old\":%s", cut, at + strlen("\"cut\":"));
	write_file(in_folder("changed.json"), changed.chars);
	text_free(&changed);
	free(content);
	return recomputed(in_folder("changed.json"));
}

/* Flags that do not follow from the canaries: no trial is below the low cut,
 * and none is above the high one. All trials of a calm core, and all of a
 * shared one, follow from one of the two. */
static void a_flag_that_does_not_is_named(void **state)
{
	if (!has_python())
		skip();
	struct ran ran = recomputed_with_cut("0.01");

	if (!ran.status) {
		ran_free(&ran);
		ran = recomputed_with_cut("1e9");
	}
	assert_int_equal(ran.status, 1);
	assert_contains(ran.out, "in the file, by its canaries ");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_follow_from_the_trials),
		cmocka_unit_test(a_figure_that_does_not_is_named),
		cmocka_unit_test(a_flag_that_does_not_is_named),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
