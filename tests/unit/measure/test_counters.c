/* Counters in one group, with system calls that the test invents. */
#include "counters.h"

#include <errno.h>
#include <string.h>

#include "check.h"
#include "probe.h"

/* ---- a kernel --------------------------------------------------------- */

enum { FDS = 32, FIRST_FD = 100 };

/* What the kernel of a case offers. */
static struct {
	int missing[COUNTERS]; /* error of each counter; 0: it exists */
	int kernel;            /* error if the kernel's work is to be counted */
	int all;               /* error of every call */
	unsigned fits;         /* of the processor in a group; 0: all */
} offers;

/* What was opened and is read. */
static struct {
	bool open[FDS];
	unsigned opened, in_group;
	bool on;
	uint64_t at[COUNTERS]; /* present counts, in the order of the group */
	uint64_t step[COUNTERS]; /* added by each read */
	uint64_t enabled_ns, running_ns;
	uint64_t lost_ns; /* of the time, in which the group is not running */
	size_t short_bytes;
} kernel;

static const struct {
	uint32_t type;
	uint64_t config;
} known[COUNTERS] = { { PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ PERF_TYPE_HW_CACHE, 0x10003 },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS } };

static unsigned counter_of(const struct perf_event_attr *attr)
{
	unsigned i = 0;

	while (known[i].type != attr->type || known[i].config != attr->config)
		assert_true(++i < COUNTERS);
	return i;
}

static int refuse(int number)
{
	errno = number;
	return -1;
}

static int fake_open(const struct perf_event_attr *attr, int group)
{
	unsigned i = counter_of(attr);
	bool hardware = attr->type != PERF_TYPE_SOFTWARE;

	assert_int_equal(attr->size, sizeof *attr);
	assert_int_equal(attr->disabled, group < 0);
	if (group < 0)
		kernel.in_group = 0;
	if (offers.all)
		return refuse(offers.all);
	if (!attr->exclude_kernel && offers.kernel)
		return refuse(offers.kernel);
	if (offers.missing[i])
		return refuse(offers.missing[i]);
	if (hardware && offers.fits && kernel.in_group == offers.fits)
		return refuse(EINVAL);
	kernel.in_group += hardware;
	assert_true(kernel.opened < FDS);
	kernel.open[kernel.opened] = true;
	return FIRST_FD + (int)kernel.opened++;
}

static ssize_t fake_read(int fd, void *into, size_t size_bytes)
{
	struct counter_reading reading = { .enabled_ns = kernel.enabled_ns,
		.running_ns = kernel.running_ns };
	size_t head = offsetof(struct counter_reading, values);

	assert_true(kernel.open[fd - FIRST_FD] && kernel.on);
	reading.count = (size_bytes - head) / sizeof *reading.values;
	memcpy(reading.values, kernel.at, sizeof kernel.at);
	memcpy(into, &reading, size_bytes);
	for (unsigned i = 0; i < COUNTERS; i++)
		kernel.at[i] += kernel.step[i];
	kernel.enabled_ns += 1000;
	kernel.running_ns += 1000 - kernel.lost_ns;
	return (ssize_t)(size_bytes - kernel.short_bytes);
}

static int fake_enable(int fd, bool on)
{
	assert_true(kernel.open[fd - FIRST_FD]);
	kernel.on = on;
	return 0;
}

static int fake_close(int fd)
{
	assert_true(kernel.open[fd - FIRST_FD]);
	kernel.open[fd - FIRST_FD] = false;
	return 0;
}

static const struct counter_calls fake = { fake_open, fake_read, fake_enable,
	fake_close };

static int begin_case(void **state)
{
	memset(&offers, 0, sizeof offers);
	memset(&kernel, 0, sizeof kernel);
	return 0;
}

static void all_are_closed(void)
{
	for (unsigned i = 0; i < FDS; i++)
		assert_false(kernel.open[i]);
}

/* ---- before a run ----------------------------------------------------- */

enum {
	AUTO = 1 << COUNT_AUTO,
	INSTRUCTIONS = 1 << COUNTER_INSTRUCTIONS,
	CYCLES = 1 << COUNTER_CYCLES,
	CACHES = 1 << COUNTER_CACHE_MISSES,
	TLB = 1 << COUNTER_TLB_MISSES,
	FAULTS = 1 << COUNTER_PAGE_FAULTS,
	SWITCHES = 1 << COUNTER_SWITCHES,
};

static void hide_hardware(int number)
{
	for (int i = 0; i < COUNTER_PAGE_FAULTS; i++)
		offers.missing[i] = number;
}

/* Chooses, and checks what is counted and the note. */
static void chosen(unsigned asked, unsigned mask, bool user_only,
	const char *said)
{
	struct counted counted;
	struct text note = { 0 };
	struct error error;

	assert_int_equal(counters_choose(&fake, asked, &counted, &note, &error),
		0);
	assert_int_equal(counted.mask, mask);
	assert_int_equal(counted.user_only, user_only);
	if (!said)
		assert_int_equal(note.length, 0);
	else if (!strstr(text_chars(&note), said))
		fail_msg("'%s' does not say '%s'", text_chars(&note), said);
	text_free(&note);
	all_are_closed();
}

static void refused(unsigned mask, enum status status, const char *said)
{
	struct counted counted;
	struct text note = { 0 };
	struct error error;

	assert_int_equal(counters_choose(&fake, mask << COUNT_NAMED, &counted,
				 &note, &error),
		-1);
	assert_int_equal(error.status, status);
	assert_int_equal(counted.mask, 0);
	if (!strstr(error.message, said))
		fail_msg("'%s' does not say '%s'", error.message, said);
	all_are_closed();
}

static void names_agree_with_choices(void **state)
{
	for (int i = 0; i < COUNTERS; i++)
		assert_string_equal(counter_choices[COUNT_NAMED + i],
			counter_metrics[i].name);
	assert_null(counter_choices[COUNT_NAMED + COUNTERS]);
	assert_null(counter_metrics[COUNTERS].name);
}

static void auto_takes_the_processor(void **state)
{
	chosen(1 << COUNT_NONE, 0, false, NULL);
	assert_int_equal(kernel.opened, 0);
	chosen(AUTO, COUNTERS_HARDWARE, false, NULL);
}

static void auto_takes_the_kernel_in_a_guest(void **state)
{
	hide_hardware(ENOENT);
	chosen(AUTO, COUNTERS_SOFTWARE, false,
		"hardware counters are missing: hidden by the hypervisor");
}

static void auto_takes_what_there_is(void **state)
{
	offers.missing[COUNTER_TLB_MISSES] = EOPNOTSUPP;
	chosen(AUTO, COUNTERS_HARDWARE & ~TLB, false, "TLB misses: hidden");
	offers.missing[COUNTER_TLB_MISSES] = 0;
	offers.fits = 3;
	chosen(AUTO, INSTRUCTIONS | CYCLES | CACHES, false,
		"TLB misses: it does not fit into one group, which holds 3 "
		"counters of the processor");
}

static void auto_never_fails(void **state)
{
	static const struct {
		int number;
		const char *said;
	} cases[] = {
		{ EACCES, "CAP_PERFMON" },
		{ EPERM, "CAP_PERFMON" },
		{ ENOSYS, "seccomp" },
		{ EMFILE, "ulimit -n" },
		{ EBUSY, "another program" },
		{ EIO, "Input/output error" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		offers.all = cases[i].number;
		chosen(AUTO, 0, false, cases[i].said);
		chosen(AUTO, 0, false, "nothing is counted: ");
	}
}

static void the_kernel_may_be_excluded(void **state)
{
	offers.kernel = EACCES;
	chosen(AUTO, COUNTERS_HARDWARE, true, "of user mode only: ");
	chosen((CYCLES | FAULTS) << COUNT_NAMED, CYCLES | FAULTS, true,
		"of user mode only: ");
	/* Counted without the kernel, switches would be 0. */
	refused(SWITCHES, STATUS_PERMISSION, "cannot count context-switches: ");
	hide_hardware(ENOENT);
	chosen(AUTO, FAULTS, true, "only, without context switches");
}

static void a_named_counter_must_exist(void **state)
{
	offers.missing[COUNTER_CYCLES] = ENOENT;
	chosen(INSTRUCTIONS << COUNT_NAMED, INSTRUCTIONS, false, NULL);
	refused(INSTRUCTIONS | CYCLES, STATUS_PERMISSION,
		"cannot count cycles: hidden by the hypervisor");
	offers.all = ENOSYS;
	refused(FAULTS, STATUS_PERMISSION,
		"cannot count page-faults: no perf_event_open");
}

static void a_list_must_fit(void **state)
{
	unsigned list = CYCLES | CACHES | TLB | FAULTS;

	offers.fits = 2;
	refused(list, STATUS_USAGE,
		"cannot count tlb-misses: it does not fit into one group, "
		"which holds 2 counters of the processor");
	offers.fits = 3;
	chosen(list << COUNT_NAMED, list, false, NULL);
	/* Alone the same error is another one. */
	offers.missing[COUNTER_TLB_MISSES] = EINVAL;
	refused(list, STATUS_PERMISSION, "Invalid argument");
}

/* ---- in a worker ------------------------------------------------------ */

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

#define CASE(name) cmocka_unit_test_setup(name, begin_case)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(names_agree_with_choices),
		CASE(auto_takes_the_processor),
		CASE(auto_takes_the_kernel_in_a_guest),
		CASE(auto_takes_what_there_is),
		CASE(auto_never_fails),
		CASE(the_kernel_may_be_excluded),
		CASE(a_named_counter_must_exist),
		CASE(a_list_must_fit),
		CASE(a_region_is_counted_per_operation),
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
