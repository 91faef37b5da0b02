/*
 * The calibration: what is rejected, with which reason, and what is used
 * instead.
 *
 * The file that decides is part of this program, so that it can be given
 * simulated readings, a simulated kernel and a simulated processor.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "clock.h"
#include "cpuinfo.h"
#include "file.h"
#include "ruler.h"

static const char *clocksource; /* from sysfs; NULL: missing */
static const char *cpuinfo;     /* NULL: the machine's own */
static double made_up_hz;       /* rate of the readings; 0: real ones */
static uint64_t first_ns;
static uint64_t ahead_ticks; /* of a second processor's counter */

static int made_up_peek(const char *path, char *into, size_t size)
{
	if (strstr(path, "clocksource") && clocksource) {
		snprintf(into, size, "%s", clocksource);
		return 0;
	}
	into[0] = '\0';
	return -1;
}

#if defined(__x86_64__)

static bool made_up_flag(const char *flag)
{
	return cpuinfo ? cpuinfo_flag_in(cpuinfo, flag) : cpuinfo_has(flag);
}

#endif

/* Half-widths of 20 and then 30 ticks. */
static struct moment made_up_moment(enum tick_source source)
{
	if (made_up_hz == 0)
		return moment_now(source);
	uint64_t now_ns = tick_raw_ns();
	bool first = !first_ns;

	if (first)
		first_ns = now_ns;
	return (struct moment){
		.ticks = 1e6 + (double)(now_ns - first_ns) * made_up_hz * 1e-9,
		.half_width = first ? 20 : 30,
		.raw_ns = now_ns,
	};
}

/* The counter of the second processor, which a second thread reads. */
static uint64_t made_up_counter(void)
{
	return tick_counter() +
		(syscall(SYS_gettid) == getpid() ? 0 : ahead_ticks);
}

#define file_peek    made_up_peek
#define cpuinfo_has  made_up_flag
#define moment_now   made_up_moment
#define tick_counter made_up_counter
#include "clock_job.c"
#undef tick_counter
#undef file_peek
#undef cpuinfo_has
#undef moment_now

static int forget(void **state)
{
	clocksource = "tsc";
	cpuinfo = NULL;
	made_up_hz = 0;
	first_ns = 0;
	ahead_ticks = 0;
	return 0;
}

/* ---- rejected --------------------------------------------------------- */

static void readings_that_cost_too_much(void **state)
{
	struct overhead overhead = { .least = 500 };
	char why[96] = "";

	check_cost(&overhead, why, sizeof why);
	assert_string_equal(why, "");
	overhead.least = 19050;
	check_cost(&overhead, why, sizeof why);
	assert_string_equal(why,
		"a reading costs 19050 ticks: the counter is trapped");
}

static void readings_that_go_back(void **state)
{
	struct overhead overhead = { .least = 40, .backwards = 3 };
	char why[96] = "";

	check_cost(&overhead, why, sizeof why);
	assert_string_equal(why,
		"the counter stepped back 3 times in 20000 readings");
}

static void readings_off_the_line(void **state)
{
	char why[96] = "";

	check_linearity(10, 2, why, sizeof why);
	check_linearity(-10, 2, why, sizeof why);
	check_linearity(-24, 26, why, sizeof why);
	assert_string_equal(why, "");
	check_linearity(-74.5, 26, why, sizeof why);
	assert_string_equal(why,
		"not linear: chains of additions are off by -74.5 ticks");
	*why = '\0';
	check_linearity(INFINITY, 26, why, sizeof why);
	assert_string_not_equal(why, "");
}

static void kernels_that_do_not_trust_it(void **state)
{
	static const char *const good[] = { "tsc", "kvm-clock",
		"hyperv_clocksource_tsc_page", "arch_sys_counter" };
	char why[96] = "";

	for (size_t i = 0; i < 4; i++) {
		clocksource = good[i];
		check_kernel(why, sizeof why);
	}
	clocksource = NULL; /* no sysfs: no reason to refuse */
	check_kernel(why, sizeof why);
	assert_string_equal(why, "");
	clocksource = "acpi_pm";
	check_kernel(why, sizeof why);
	assert_string_equal(why,
		"the kernel keeps time by acpi_pm, not the counter");
}

#if defined(__x86_64__)

static const char good_flags[] =
	"processor\t: 0\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n";

static void processors_whose_counter_may_stop(void **state)
{
	static const char *const stops[] = {
		"flags\t\t: fpu tsc constant_tsc\n",
		"flags\t\t: fpu tsc nonstop_tsc\n",
		"flags\t\t: constant_tsc nonstop_tsc_s3\n",
		"processor\t: 0\n",
		"",
	};
	char why[96] = "";

	cpuinfo = good_flags;
	check_invariance(why, sizeof why);
	assert_string_equal(why, "");
	for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
		*why = '\0';
		cpuinfo = stops[i];
		check_invariance(why, sizeof why);
		assert_string_equal(why,
			"the counter may stop or change its rate "
			"(constant_tsc, nonstop_tsc missing)");
	}
}

#endif

/* ---- the fallback ----------------------------------------------------- */

static void the_kernels_clock_is_used_instead(void **state)
{
	struct clock_facts facts = { 0 };
	int second = -1;

	clocksource = "hpet";
#if defined(__x86_64__)
	cpuinfo = good_flags;
#endif
	assert_int_equal(clock_body(&facts, &second), 0);
	assert_string_equal(facts.why,
		"the kernel keeps time by hpet, not the counter");
	assert_int_equal(facts.source, TICK_MONOTONIC_RAW);
	/* Its ticks are nanoseconds, by definition. */
	assert_true(facts.hz == 1e9);
	assert_true(facts.hz_error_ppm == 0);
	assert_true(facts.overhead > 0);
	assert_true(facts.quantum >= 1);
	assert_true(facts.core_hz > 0);
}

/* ---- calibration ------------------------------------------------------ */

static void the_rate_has_an_uncertainty(void **state)
{
	struct clock_facts facts = { .overhead = 40 };

	made_up_hz = 2.3e9;
	calibrate(&facts);
	assert_near(facts.hz, 2.3e9);
	/* At least 50 ms apart; the error includes the half-widths of both
	 * ends. */
	double apart_ticks = 50 / (facts.hz_error_ppm * 1e-6);
	assert_true(apart_ticks >= .05 * 2.3e9);
	assert_true(facts.hz_error_ppm <= 50 / (.05 * 2.3e9) * 1e6);
}

/* Recent cores execute additions of a constant at rename. The resulting 17 GHz
 * are not the frequency of a core. */
static void an_impossible_core_is_refused(void **state)
{
	struct clock_facts facts = { .overhead = 40 };

	made_up_hz = 1e12;
	calibrate(&facts);
	assert_true(facts.core_hz > 8e9);
	assert_false(facts.cycles_trusted);
}

/* ---- on this machine --------------------------------------------------- */

static int usable_cpu(void)
{
	cpu_set_t set;
	int cpu = 0;

	assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
	while (!CPU_ISSET((size_t)cpu, &set))
		cpu++;
	return cpu;
}

static void a_child_measures_the_clock(void **state)
{
	struct clock_facts facts;
	struct error error = { 0 };

	assert_int_equal(clock_measure(usable_cpu(), &facts, &error), 0);
	if (*facts.why)
		assert_int_equal(facts.source, TICK_MONOTONIC_RAW);
	else
		assert_int_equal(facts.source, TICK_COUNTER);
	assert_true(facts.hz > 1e6);
	assert_true(facts.quantum >= 1);
	assert_true(facts.overhead > 0);
	assert_true(facts.jitter >= 0);
	assert_true(facts.canary_kind < CANARY_KINDS);
	assert_true(facts.canary_alone > .25 && facts.canary_alone < 4);
	assert_true(facts.canary_cycles > 0);
	assert_true(facts.timer_hz >= 10 && facts.timer_hz <= 10000);
	if (facts.cycles_trusted)
		assert_true(facts.core_hz > 1e8 && facts.core_hz < 8e9);
	/* Even on a busy machine, an accepted counter is linear, to a step. */
	if (facts.source == TICK_COUNTER)
		assert_true(fabs(facts.residual) <=
			fmax(RESIDUAL_MOST, facts.quantum));
}

/* A fenced region reads some ticks too few. A canary that reads longer than its
 * work was disturbed, and is not used to convert ticks to cycles. */
static void a_canary_that_reads_long_is_not_believed(void **state)
{
	assert_near(read_cycles(600, 591.7, -8.8), 591.7);
	assert_near(read_cycles(600, 600, -8.8), 600);
	assert_near(read_cycles(600, 601.5, -8.8), 591.2);
	assert_near(read_cycles(600, 640, -8.8), 591.2);
	assert_near(read_cycles(600, 0, -8.8), 591.2);
	/* If the clock reads too many ticks, a canary is disturbed only beyond
	 * that. */
	assert_near(read_cycles(600, 603, 5), 603);
	assert_near(read_cycles(600, 607, 5), 605);
	/* Such a large residual was itself disturbed, and is ignored. */
	assert_near(read_cycles(600, 640, -200), 600);
	assert_near(read_cycles(600, 591.7, -200), 591.7);
}

static void a_child_that_cannot_says_why(void **state)
{
	struct clock_facts facts;
	struct error error = { 0 };
	struct job job;

	assert_int_equal(clock_measure(CPU_SETSIZE - 1, &facts, &error), -1);
	assert_int_equal(error.status, STATUS_WORKER);
	assert_string_equal(error.message,
		"cannot pin to the processor: it is offline or not allowed "
		"for this process");
	assert_int_equal(clock_start(&job, usable_cpu(), -1, &error), 0);
	child_kill(&job.child);
	int status = child_wait(&job.child, -1);
	assert_int_equal(clock_finish(&job, status, &facts, &error), -1);
	assert_string_equal(error.message,
		"the child that measures the clock did not end in time and was "
		"killed: expected a clock that neither jumps nor stands still "
		"(as with libfaketime) and enough memory");
	assert_null(job.answer);
}

static struct clock_facts compared(int first, int second)
{
	struct clock_facts facts;
	struct error error = { 0 };
	struct job job;

	assert_int_equal(clock_start(&job, first, second, &error), 0);
	int status = child_wait(&job.child, 60000);
	assert_int_equal(clock_finish(&job, status, &facts, &error), 0);
	return facts;
}

/* Two processors with equal counters are not refused, nor one with itself. A
 * counter that is a second ahead is. */
static void a_second_processor_is_compared(void **state)
{
	cpu_set_t set;
	int first = usable_cpu(), second = first + 1;

	assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
	if (CPU_COUNT(&set) < 2)
		skip_because("one processor only");
	while (!CPU_ISSET((size_t)second, &set))
		second++;
	struct clock_facts facts = compared(first, second);
	assert_null(strstr(facts.why, "apart"));
	bool used = facts.source == TICK_COUNTER;
	assert_null(strstr(compared(first, first).why, "apart"));
	ahead_ticks = used ? (uint64_t)facts.hz : 0;
	facts = compared(first, second);
	assert_int_equal(facts.source, TICK_MONOTONIC_RAW);
	double apart_us = 0;
	sscanf(facts.why, "the counters of two processors are %lf us apart",
		&apart_us);
	assert_true(!used || (apart_us > 9e5 && apart_us < 11e5));
}

/* A clock that stands still has no quantum. Two readings by way of the kernel
 * take longer than a nanosecond. */
static void an_overhead_without_a_quantum(void **state)
{
	struct probe probe = { .source = TICK_MONOTONIC_RAW };

	disturb_arm(&probe);
	struct overhead overhead = overhead_measure(&probe, 100, 0);
	disturb_disarm(&probe);
	assert_true(overhead.least > 1);
	assert_true(overhead.median < 1e6);
}

/* Read between two equal answers of the kernel, because this process may be
 * moved at any moment. */
static void the_armed_probe_knows_its_processor(void **state)
{
	struct probe probe = { .source = TICK_MONOTONIC_RAW };
	uint32_t armed;
	int before;

	if (!disturb_arm(&probe)) {
		assert_null(probe.rseq_cpu);
		return;
	}
	do {
		before = sched_getcpu();
		armed = *probe.rseq_cpu;
	} while (sched_getcpu() != before);
	assert_int_equal(armed, before);
	disturb_disarm(&probe);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup(name, forget)
	const struct CMUnitTest tests[] = {
		CASE(readings_that_cost_too_much),
		CASE(readings_that_go_back),
		CASE(readings_off_the_line),
		CASE(kernels_that_do_not_trust_it),
#if defined(__x86_64__)
		CASE(processors_whose_counter_may_stop),
#endif
		CASE(the_kernels_clock_is_used_instead),
		CASE(the_rate_has_an_uncertainty),
		CASE(an_impossible_core_is_refused),
		CASE(a_child_measures_the_clock),
		CASE(a_canary_that_reads_long_is_not_believed),
		CASE(a_child_that_cannot_says_why),
		CASE(a_second_processor_is_compared),
		CASE(the_armed_probe_knows_its_processor),
		CASE(an_overhead_without_a_quantum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
