/* The counts of regions in a worker, with a kernel that the test invents. */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "counted_kernel.h"
#include "probe.h"

enum { CYCLES = 1 << COUNTER_CYCLES, FAULTS = 1 << COUNTER_PAGE_FAULTS };

enum { TIME, OTHER, FIRST = 5, PUT_MOST = 64 };

static struct sample put[PUT_MOST];
static size_t put_count;
static uint64_t slot;

static void keep(struct probe *probe, const struct sample *sample)
{
	assert_true(put_count < PUT_MOST);
	put[put_count++] = *sample;
}

static struct probe fresh(void)
{
	put_count = 0;
	return (struct probe){ .put = keep,
		.rseq_slot = &slot,
		.rseq_armed = 77,
		.source = TICK_MONOTONIC_RAW,
		.cpu = 3 };
}

/* Both counters add ten in an empty region. */
static void open_two(struct counters *counters, struct probe *probe)
{
	const struct counted counted = { CYCLES | FAULTS, 0 };

	kernel.step[0] = kernel.step[1] = 10;
	counters_open(counters, &fake, &counted, probe, TIME, FIRST);
}

/* A trial of `ops` operations that adds to both counters. */
static void run_trial(struct counters *counters, struct probe *probe,
	uint64_t cycles, uint64_t faults, uint64_t ops)
{
	counters_begin(counters, probe);
	probe_start(probe);
	kernel.at[0] += cycles;
	kernel.at[1] += faults;
	probe_stop(probe, TIME, ops);
	counters_end(counters, probe);
}

/* Is there a warning at this place of the tape? */
static void says(size_t at, const char *wanted)
{
	const char *text = (const char *)&put[at + 1];

	assert_true(at < put_count);
	assert_int_equal(put[at].metric, TEXT_WARNING);
	if (!strstr(text, wanted))
		fail_msg("'%s' does not say '%s'", text, wanted);
}

static void a_region_is_counted_per_operation(void **state)
{
	struct probe probe = fresh();
	struct counters counters;

	open_two(&counters, &probe);
	assert_int_equal(put_count, 0);
	run_trial(&counters, &probe, 7000, 8, 4);
	assert_int_equal(put_count, 3);
	assert_int_equal(put[0].metric, FIRST);
	assert_near(put[0].value, 1750);
	assert_int_equal(put[1].metric, FIRST + 1);
	assert_near(put[1].value, 2);
	assert_int_equal(put[1].kind, SAMPLE_VALUE);
	assert_int_equal(put[2].kind, SAMPLE_TRIAL);
	assert_null(probe.count);
	counters_close(&counters, &probe);
	assert_int_equal(put_count, 3);
	all_are_closed();
}

static void values_have_the_flags_of_their_region(void **state)
{
	struct probe probe = fresh();
	struct counters counters;

	open_two(&counters, &probe);
	counters_begin(&counters, &probe);
	probe_start(&probe);
	slot = 0; /* as after a context switch */
	probe_stop(&probe, TIME, 1);
	counters_end(&counters, &probe);
	assert_true(put[0].flags & FLAG_PREEMPTED);
	counters_close(&counters, &probe);
}

/* Only the first region of the counted metric has a value. */
static void one_region_of_a_trial_is_counted(void **state)
{
	struct probe probe = fresh();
	struct counters counters;
	size_t values = 0;

	open_two(&counters, &probe);
	counters_begin(&counters, &probe);
	probe_start(&probe);
	kernel.at[0] += 99;
	probe_stop(&probe, OTHER, 1);
	probe_start(&probe);
	kernel.at[0] += 500;
	probe_stop(&probe, TIME, 1);
	probe_start(&probe);
	kernel.at[0] += 9999;
	probe_stop(&probe, TIME, 1);
	counters_end(&counters, &probe);
	for (size_t i = 0; i < put_count; i++)
		if (put[i].kind == SAMPLE_VALUE && put[i].metric == FIRST) {
			assert_near(put[i].value, 500);
			values++;
		}
	assert_int_equal(values, 1);
	counters_close(&counters, &probe);
}

static void a_count_may_overflow(void **state)
{
	struct probe probe = fresh();
	struct counters counters;

	open_two(&counters, &probe);
	kernel.at[0] = UINT64_MAX - 50;
	run_trial(&counters, &probe, 300, 0, 1);
	assert_near(put[0].value, 300);
	counters_close(&counters, &probe);
}

/* A group that was not running all the time is dropped, not scaled. */
static void a_multiplexed_count_is_dropped(void **state)
{
	struct probe probe = fresh();
	struct counters counters;

	open_two(&counters, &probe);
	run_trial(&counters, &probe, 100, 1, 1);
	kernel.lost_ns = 1;
	run_trial(&counters, &probe, 100, 1, 1);
	kernel.lost_ns = 1000;
	run_trial(&counters, &probe, 100, 1, 1);
	kernel.lost_ns = 0;
	run_trial(&counters, &probe, 100, 1, 1);
	/* Two of the four have counts, all have times. */
	assert_int_equal(put_count, 4 + 2 * 2);
	counters_close(&counters, &probe);
	says(8, "counts were dropped: the processor's counters were shared");
}

static void a_short_reading_is_dropped(void **state)
{
	struct probe probe = fresh();
	struct counters counters;

	open_two(&counters, &probe);
	kernel.short_bytes = sizeof(uint64_t);
	run_trial(&counters, &probe, 100, 1, 1);
	assert_int_equal(put_count, 1);
	counters_close(&counters, &probe);
	says(1, "counts were dropped: the kernel did not return them");
}

/* The launch goes on with its times. */
static void a_worker_without_a_counter_warns(void **state)
{
	struct probe probe = fresh();
	struct counters counters;

	offers.missing[COUNTER_PAGE_FAULTS] = EMFILE;
	open_two(&counters, &probe);
	says(0, "a launch counted nothing: too many open files");
	all_are_closed();
	put_count = 0;
	run_trial(&counters, &probe, 100, 1, 1);
	assert_int_equal(put_count, 1);
	assert_int_equal(put[0].kind, SAMPLE_TRIAL);
	counters_close(&counters, &probe);
	assert_int_equal(put_count, 1);
}

/* Work between the end of a region and its sample is not of the region. */
static void work_after_the_end_is_not_counted(void **state)
{
	struct probe probe = fresh();
	struct counters counters;

	open_two(&counters, &probe);
	counters_begin(&counters, &probe);
	probe_start(&probe);
	kernel.at[0] += 7000;
	uint64_t end = probe_end(&probe);
	kernel.at[0] += 123;
	/* The first end is that of the region. */
	probe_end(&probe);
	kernel.at[0] += 456;
	probe_stop_judged(&probe, TIME, 4, end, true);
	counters_end(&counters, &probe);
	assert_int_equal(put_count, 3);
	assert_near(put[0].value, 1750);
	assert_near(put[1].value, 0);
	assert_true(put[0].flags & FLAG_PREEMPTED);
	counters_close(&counters, &probe);
}

/* A region without a begin has no counts, whatever was read before. */
static void a_region_needs_its_begin(void **state)
{
	struct probe probe = fresh();
	struct counters counters;

	open_two(&counters, &probe);
	run_trial(&counters, &probe, 100, 1, 1);
	counters_begin(&counters, &probe);
	probe_stop_at(&probe, TIME, 1, probe_end(&probe));
	counters_end(&counters, &probe);
	assert_int_equal(put_count, 4);
	counters_close(&counters, &probe);
	says(4, "counts were dropped: the kernel did not return them");
}

/* The region of times that an experiment sums is unknown. */
static void summed_times_are_not_counted(void **state)
{
	struct probe probe = fresh();
	struct counters counters;

	open_two(&counters, &probe);
	counters_begin(&counters, &probe);
	probe_start(&probe);
	probe_took(&probe, TIME, 1, 1234);
	counters_end(&counters, &probe);
	assert_int_equal(put_count, 1);
	counters_close(&counters, &probe);
	says(1, "nothing is counted: the experiment sums its times");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_region_is_counted_per_operation),
		CASE(work_after_the_end_is_not_counted),
		CASE(a_region_needs_its_begin),
		CASE(values_have_the_flags_of_their_region),
		CASE(one_region_of_a_trial_is_counted),
		CASE(a_count_may_overflow),
		CASE(a_multiplexed_count_is_dropped),
		CASE(a_short_reading_is_dropped),
		CASE(a_worker_without_a_counter_warns),
		CASE(summed_times_are_not_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
