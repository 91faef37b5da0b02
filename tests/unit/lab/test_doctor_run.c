/* The doctor's run if it cannot begin, and if it is cancelled. */
#include <sched.h>
#include <sys/resource.h>

#include "check.h"
#include "doctor_run.h"
#include "say.h"

static cpu_set_t where(void)
{
	cpu_set_t set;

	assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
	return set;
}

static const struct doctor_request all = { .reply = DOCTOR_TABLE };

/* No descriptor is free to watch the doctor's child. */
static int start_without_descriptors(struct lab *lab, struct error *error)
{
	struct rlimit usual, none;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
	none = (struct rlimit){ 0, usual.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	int failed = doctor_run(lab, &all, error);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
	return failed;
}

static void test_a_visit_that_cannot_begin_is_none(void **state)
{
	struct lab *lab = *state;
	struct error error = { 0 };
	cpu_set_t before = where(), after;

	assert_int_equal(start_without_descriptors(lab, &error), -1);
	assert_non_null(strstr(error.message, "cannot watch the worker"));
	assert_false(lab_busy(lab));
	after = where();
	assert_true(CPU_EQUAL(&before, &after));
	/* The same with a calibrated clock, so that gaps are measured first. */
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		lab->clocks->measured_ns[cpu] = 1;
	assert_int_equal(start_without_descriptors(lab, &error), -1);
	assert_false(lab_busy(lab));
}

static void test_a_visit_is_given_up(void **state)
{
	struct lab *lab = *state;
	struct error error = { 0 };
	struct reply reply = { 0 };

	assert_int_equal(doctor_run(lab, &all, &error), 0);
	assert_true(lab_busy(lab));
	assert_true(lab_descriptor(lab) >= 0);
	lab_stop(lab);
	assert_false(lab_busy(lab));
	assert_null(lab->doing);
	assert_true(lab_ended(lab, &reply));
	assert_int_equal(reply.error.status, STATUS_INTERRUPTED);
	reply_free(&reply);
}

/* A queued run would be added to another session than the one for which it was
 * typed. */
static void test_load_waits_for_what_is_queued(void **state)
{
	struct lab *lab = *state;

	free(said(lab, "run cpu.syscall"));
	assert_null(lab->run);
	assert_refused(lab,
		&(struct refused){ "load x.json", "1:1",
			"during a run: stop the run first" });
	assert_refused(lab,
		&(struct refused){ "recover", "1:1",
			"during a run: stop the run first" });
	lab_stop(lab);
	char *sentence = checked(lab, "load x.json");
	assert_string_equal(sentence, "");
	free(sentence);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_LAB(test_a_visit_that_cannot_begin_is_none),
		WITH_LAB(test_a_visit_is_given_up),
		WITH_LAB(test_load_waits_for_what_is_queued),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
