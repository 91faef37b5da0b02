/* mem.loaded: the curve, refusals, and nothing left behind. */
#include <sched.h>

#include "run.h"

/* That this test may use: a container may have fewer than are online. */
static int processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

static void test_curve(void **state)
{
	struct ran ran;

	if (processors() < 2)
		skip_because("one processor only");
	ran = RUN(PROGRAM, "run", "mem.loaded", "pause=0,1us,idle",
		"op=read,write,copy", "threads=2", "size=8M", "launches=6",
		"trials=8", "budget=20s", "-v");
	assert_verified(ran);
	assert_status(ran, 0);
	assert_contains(ran.out, "peak");
	assert_contains(ran.out, "at-95");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

/* The time of a load is comparable with mem.latency: a trial has as many. */
static void test_trials_as_in_latency(void **state)
{
	struct ran loaded = RUN(PROGRAM, "run", "mem.loaded", "pause=idle",
		"threads=2", "size=64M", "launches=6", "trials=8", "--json");
	struct ran latency = RUN(PROGRAM, "run", "mem.latency", "size=64M",
		"order=local", "launches=6", "trials=8", "--json");

	assert_status(latency, 0);
	assert_contains(latency.out, "\"ops\":1000,");
	if (processors() > 1)
		assert_contains(loaded.out, "\"ops\":1000,");
	ran_free(&loaded);
	ran_free(&latency);
}

static void test_threads_need_processors(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "mem.loaded", "pause=idle",
		"threads=1024", "size=8M", "launches=6", "trials=8");

	assert_contains(ran.out,
		processors() > 1 ? "threads=1024: there are " :
				   "this run has one processor: ");
	assert_contains(ran.out, "unavailable");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_curve),
		cmocka_unit_test(test_trials_as_in_latency),
		cmocka_unit_test(test_threads_need_processors),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
