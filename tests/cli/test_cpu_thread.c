/* cpu.thread: a fresh stack is one, whatever point was measured before. */
#include "run.h"

/* The page faults per thread of both points of a run. */
static void count_faults(const char *stack, double faults[2])
{
	skip_if_instrumented();
	struct ran ran = RUN(PROGRAM, "run", "cpu.thread",
		"until=joined,returned", stack, "launches=6", "trials=50",
		"budget=20s", "counters=page-faults", "--json");

	if (contains(&ran.err, "cannot count page-faults"))
		skip_because("not permitted here: perf_event_open");
	assert_status(ran, 0);
	const char *at = strstr(text_chars(&ran.out), "\"points\":");
	assert_non_null(at);
	faults[0] = median_after(&at, "page-faults");
	faults[1] = median_after(&at, "page-faults");
	ran_free(&ran);
}

/* Both points follow each other in one process, in either order. A mapped stack
 * has no pages, so the first write to it is a page fault. A stack that the C
 * library kept from the other point would have some. */
static void test_fresh_stacks_are_mapped(void **state)
{
	double faults[2];

	count_faults("stack=fresh", faults);
	assert_true(faults[0] >= 1 && faults[1] >= 1);
}

static void test_kept_stacks_have_their_pages(void **state)
{
	double faults[2];

	count_faults("stack=cached", faults);
	assert_near(faults[0], 0);
	assert_near(faults[1], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fresh_stacks_are_mapped),
		cmocka_unit_test(test_kept_stacks_have_their_pages),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
