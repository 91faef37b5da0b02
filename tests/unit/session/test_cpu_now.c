/* Frequency and activity of processors, from /sys and /proc. */
#include "cpu_now.h"

#include <math.h>

#include "fake_tree.h"

static void frequency(int cpu, const char *khz)
{
	struct text path = { 0 };

	text_add(&path,
		"/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu);
	fake_file(path.chars, khz);
	text_free(&path);
}

/* Four processors with these busy seconds, out of a hundred seconds. */
static void stat_of(const double busy_s[4])
{
	struct text stat = { 0 };

	text_add(&stat, "cpu  1 1 1 1 1 1 1 1 1 1\n");
	for (int i = 0; i < 4; i++)
		text_add(&stat, "cpu%d %.0f 0 0 %.0f 0 0 0 0 0 0\n", i,
			busy_s[i] * 100, 10000 - busy_s[i] * 100);
	text_add(&stat, "intr 5 0 0 5\n");
	fake_file("/proc/stat", stat.chars);
	text_free(&stat);
}

static void test_cpufreq_first(void **state)
{
	static const double idle[4] = { 0 };
	struct cpu_now now = { 0 };

	stat_of(idle);
	frequency(0, "5312000\n");
	frequency(1, "400000\n");
	frequency(2, "<unknown>\n");
	fake_file("/proc/cpuinfo",
		"processor\t: 0\nmodel name\t: X @ 3.00GHz\n"
		"cpu MHz\t\t: 1000.000\nflags\t\t: fpu cpuid\n\n"
		"processor\t: 2\ncpu MHz\t\t: 2600.125\n\n"
		"processor\t: 3\nBogoMIPS\t: 48.00\n\n"
		"processor\t: 9\ncpu MHz\t\t: 2600.000\n");
	cpu_now_look(fake_root, &now);
	assert_true(fabs(now.hz[0] - 5.312e9) < 1);
	assert_true(fabs(now.hz[1] - .4e9) < 1);
	assert_true(fabs(now.hz[2] - 2600.125e6) < 1);
	assert_true(now.hz[3] <= 0); /* reported by neither file */
	assert_true(now.hz[9] <= 0); /* does not exist */
}

/* Without cpufreq, /proc/cpuinfo reports the counter's rate. */
static void test_counter_is_no_core(void **state)
{
	static const double idle[4] = { 0 };
	struct cpu_now now = { 0 };

	stat_of(idle);
	fake_file("/proc/cpuinfo",
		"processor\t: 0\ncpu MHz\t\t: 2445.404\n\n"
		"processor\t: 1\ncpu MHz\t\t: 2445.404\n\n");
	cpu_now_look(fake_root, &now);
	for (int i = 0; i < 4; i++)
		assert_true(now.hz[i] <= 0);
}

static void test_share_since_the_last_look(void **state)
{
	static const double first[4] = { 10, 20, 30, 0 };
	struct cpu_now now = { 0 };

	stat_of(first);
	cpu_now_look(fake_root, &now);
	assert_true(now.span_s <= 0);
	assert_true(isnan(now.busy[0]));
	fake_file("/proc/stat",
		"cpu  1 1 1 1 1 1 1 1 1 1\n"
		"cpu0 1100 0 0 9300 0 0 0 0 0 0\n"
		"cpu1 2000 0 0 8400 0 0 0 0 0 0\n"
		"cpu2 3400 0 0 7000 0 0 0 0 0 0\n");
	cpu_now_look(fake_root, &now);
	assert_true(fabs(now.span_s - 4) < 1e-9);
	assert_true(fabs(now.busy[0] - .25) < 1e-9);
	assert_true(fabs(now.busy[1]) < 1e-9);
	assert_true(fabs(now.busy[2] - 1) < 1e-9);
	assert_true(isnan(now.busy[3])); /* now offline */
	/* Forgetting the shares keeps the last sample. */
	cpu_now_forget(&now);
	assert_true(isnan(now.busy[0]) && now.span_s <= 0);
	assert_true(now.times.busy_s[0] > 10);
	/* Sampled at once again: the span is too short. */
	cpu_now_look(fake_root, &now);
	assert_true(isnan(now.busy[0]));
	assert_true(now.span_s <= 0);
}

static void test_nothing_told(void **state)
{
	struct cpu_now now = { 0 };

	cpu_now_look("/nowhere", &now);
	for (size_t i = 0; i < CPUS_MAX; i++)
		if (now.hz[i] > 0 || !isnan(now.busy[i]))
			fail_msg("processor %zu of nowhere", i);
}

/* The real machine: every reported value is plausible. */
static void test_this_machine(void **state)
{
	struct cpu_now now = { 0 };

	cpu_now_look("", &now);
	for (size_t i = 0; i < CPUS_MAX; i++)
		if (now.hz[i] > 0 && (now.hz[i] < 1e6 || now.hz[i] > 20e9))
			fail_msg("processor %zu runs at %g Hz", i, now.hz[i]);
}

int main(void)
{
#define IN_ROOT(test) \
	cmocka_unit_test_setup_teardown(test, fake_open, fake_close)
	const struct CMUnitTest tests[] = {
		IN_ROOT(test_cpufreq_first),
		IN_ROOT(test_counter_is_no_core),
		IN_ROOT(test_share_since_the_last_look),
		IN_ROOT(test_nothing_told),
		IN_ROOT(test_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
