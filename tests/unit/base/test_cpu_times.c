/* Busy shares of processors, from files like /proc/stat. */
#include "cpu_times.h"

#include <math.h>
#include <unistd.h>

#include "check.h"
#include "fake_root.h"

/* Text of /proc/stat in the kernel's format, with a tick of 10 ms. */
static void read_lines(const char *lines, struct cpu_times *times)
{
	char path[128];

	fake_file("/proc/stat", lines);
	snprintf(path, sizeof path, "%s/proc/stat", fake_root);
	cpu_times_read(path, times);
}

static double busy_between(const char *before, const char *now, size_t cpu)
{
	struct cpu_times first, second;

	read_lines(before, &first);
	read_lines(now, &second);
	return cpu_times_busy(&first, &second, cpu);
}

/* Two processors: the sum of both comes first, other lines follow. */
static const char early[] = "cpu  1000 0 500 8000 100 10 20 30 400 0\n"
			    "cpu0 900 0 400 4000 50 5 10 30 400 0\n"
			    "cpu1 100 0 100 4000 50 5 10 0 0 0\n"
			    "intr 12345 0 0 7\n"
			    "ctxt 99\n"
			    "cpu7 1 1 1 1 1 1 1 1 1 1\n";

static void test_times(void **state)
{
	struct cpu_times times;

	assert_int_equal(sysconf(_SC_CLK_TCK), 100);
	read_lines(early, &times);
	/* 900 + 400 + 5 + 10 + 30: the first field includes the 400 of
	 * guests. */
	assert_true(fabs(times.busy_s[0] - 13.45) < 1e-9);
	assert_true(fabs(times.idle_s[0] - 40.50) < 1e-9);
	assert_true(fabs(times.busy_s[1] - 2.15) < 1e-9);
	/* The lines with counts are together at the beginning. */
	assert_false(cpu_times_have(&times, 7));
}

static void test_share(void **state)
{
	static const char later[] = "cpu  0 0 0 0 0 0 0 0 0 0\n"
				    "cpu0 960 10 420 4290 60 7 15 33 460 0\n"
				    "cpu1 100 0 100 4300 150 5 10 0 0 0\n";

	/* 60 + 10 + 20 + 2 + 5 + 3 of 100 + 290 + 10 ticks. */
	assert_true(fabs(busy_between(early, later, 0) - .25) < 1e-9);
	/* While a task waits for a disk, the processor is idle. */
	assert_true(fabs(busy_between(early, later, 1)) < 1e-9);
	assert_true(isnan(busy_between(early, later, 2)));
	assert_true(isnan(busy_between(early, later, CPUS_MAX)));
}

/* The kernel may reduce iowait; a negative difference counts as 0. */
static void test_going_back(void **state)
{
	assert_true(fabs(busy_between("cpu0 100 0 0 1000 500 0 0 0\n",
				 "cpu0 150 0 0 1000 400 0 0 0\n", 0) -
			    1) < 1e-9);
	assert_true(fabs(busy_between("cpu0 100 0 0 1000 500 0 0 0\n",
			    "cpu0 90 0 0 1100 500 0 0 0\n", 0)) < 1e-9);
}

static void test_too_short(void **state)
{
	assert_true(isnan(busy_between("cpu0 100 0 0 1000 0 0 0 0\n",
		"cpu0 110 0 0 1030 0 0 0 0\n", 0)));
	assert_true(isnan(busy_between("cpu0 100 0 0 1000 0 0 0 0\n",
		"cpu0 100 0 0 1000 0 0 0 0\n", 0)));
}

static void test_nonsense(void **state)
{
	struct cpu_times times;

	cpu_times_read("/nowhere/stat", &times);
	assert_false(cpu_times_have(&times, 0));
	read_lines("cpu0\ncpu1 1 2\ncpu99999 1 2 3 4 5 6 7 8\n"
		   "cpu-2 1 2 3 4 5 6 7 8\ncpux 1 2 3 4\n"
		   "cpu2 1 2 3 4\n",
		&times);
	for (size_t i = 0; i < 2; i++)
		assert_false(cpu_times_have(&times, i));
	/* The fields of an old kernel, which has fewer. */
	assert_true(fabs(times.busy_s[2] - .06) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_going_back),
		cmocka_unit_test(test_too_short),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, fake_open, fake_close);
}
