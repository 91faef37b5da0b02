/* mem.bandwidth: refusals, names and notes. */
#include "run.h"

#define BANDWIDTH(...) \
	RUN(PROGRAM, "run", "mem.bandwidth", "launches=6", "trials=20", \
		"budget=20s", __VA_ARGS__)

/* A finding, or the reason why there is none. */
static void assert_found(const struct text *out, const char *finding)
{
	if (contains(out, finding) || contains(out, "shared core") ||
		contains(out, "not enough data"))
		return;
	print_error("neither '%s' nor a doubt in:\n%s\n", finding,
		text_chars(out));
	fail();
}

static void test_every_op_has_a_best(void **state)
{
	struct ran ran = BANDWIDTH("size=256K");

	assert_status(ran, 0);
	assert_found(&ran.out, "best read: ");
	assert_found(&ran.out, "best write: ");
	assert_found(&ran.out, "best copy: ");
	assert_found(&ran.out, "GiB/s) by ");
	assert_false(contains(&ran.out, "unavailable"));
	assert_false(contains(&ran.out, "are wrong"));
	ran_free(&ran);
}

/* Wide vectors may slow a core down, so its frequency is stored with each
 * point. */
static void test_frequency(void **state)
{
	struct ran ran =
		BANDWIDTH("op=read", "kernel=best,loop", "size=256K", "--json");
	const char *note = text_chars(&ran.out);
	unsigned notes = 0;

	assert_status(ran, 0);
	/* Flags are counted under the same name. */
	while ((note = strstr(note + 1, "\"frequency\":"))) {
		double ghz;

		if (sscanf(note, "\"frequency\": \"%lf GHz beside", &ghz) != 1)
			continue;
		assert_true(ghz > .1 && ghz < 8);
		notes++;
	}
	/* If the rulers disagreed, the frequency is unknown. */
	assert_int_equal(notes, contains(&ran.out, "no cycles: ") ? 0 : 2);
	ran_free(&ran);
}

/* The estimate is shown beside the bytes that the program moves. It covers the
 * bytes that leave the core, so there is none if a private cache holds the
 * size. */
static void test_estimate(void **state)
{
	struct ran ran = BANDWIDTH("op=write", "kernel=unrolled", "size=64K");

	assert_status(ran, 0);
	assert_contains(ran.out, "bytes the program moves");
	assert_contains(ran.out, "time per line of 64 B");
#if defined(__x86_64__)
	if (contains(&ran.out, "of each core"))
		assert_false(contains(&ran.out, "reads for ownership"));
	else
		assert_contains(ran.out, "estimate with reads for ownership");
#endif
	ran_free(&ran);
}

static void test_refusals(void **state)
{
	struct ran ran = BANDWIDTH("op=read", "kernel=memset", "size=64K");

	assert_contains(ran.out, "unavailable: kernel=memset cannot read");
	ran_free(&ran);
	ran = BANDWIDTH("op=read", "threads=1024", "size=64K");
	assert_contains(ran.out, "threads=1024: this run may use ");
	ran_free(&ran);
	ran = BANDWIDTH("size=1T", "kernel=loop");
	assert_contains(ran.out, "needs 1.000 TiB of memory");
	assert_contains(ran.out, "a copy needs 2.000 TiB of memory");
	assert_contains(ran.out, "are available: expected a smaller size");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
	ran = BANDWIDTH("kernel=sse9");
	assert_status(ran, 2);
	assert_contains(ran.err, "sse9");
	ran_free(&ran);
}

/* A figure that a cache served is marked with that cache, also in the
 * session. */
static void test_notes(void **state)
{
	const char *file = in_folder("notes.json");
	struct text line = { 0 };

	text_add(&line,
		"run mem.bandwidth op=read size=8K launches=6 trials=20; "
		"save %s",
		file);
	struct ran ran = RUN(PROGRAM, "-c", text_chars(&line));
	assert_status(ran, 0);
	char *json = read_whole(file);
	assert_non_null(strstr(json, "\"kernel\""));
	assert_non_null(strstr(json, "\"tried\""));
	assert_non_null(strstr(json, "\"level\""));
	assert_non_null(strstr(json, "\"pages\""));
	free(json);
	ran_free(&ran);
	text_free(&line);
}

static void test_all_threads(void **state)
{
	struct ran ran = BANDWIDTH("op=read,write", "threads=auto", "size=1M");

	assert_status(ran, 0);
	assert_false(contains(&ran.out, "unavailable"));
	assert_false(contains(&ran.out, "are wrong"));
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_op_has_a_best),
		cmocka_unit_test(test_frequency),
		cmocka_unit_test(test_estimate),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_all_threads),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
