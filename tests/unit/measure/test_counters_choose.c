/* Which counters a run can have, with a kernel that the test invents. */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "counted_kernel.h"

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
	const struct {
		int number;
		const char *said;
	} cases[] = {
		{ EACCES, "CAP_PERFMON" },
		{ EPERM, "CAP_PERFMON" },
		{ ENOSYS, "seccomp" },
		{ EMFILE, "ulimit -n" },
		{ EBUSY, "another program" },
		{ EIO, strerror(EIO) },
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
