/* Counters of a whole run, from the kernel of this machine. */
#include "facts.h"
#include "run_internal.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "check.h"
#include "clock.h"
#include "digest.h"
#include "tape_folder.h"

enum { PAGE_BYTES = 4096, PAGES_PER_OP = 3, OPS = 16 };

struct args {
	int64_t unused;
};

static const struct param params[] = {
	{ .name = NULL },
};

static const struct metric metrics[] = {
	{ .name = "time", .label = "time", .unit = UNIT_NS },
	{ .name = NULL },
};

static const struct metric values[] = {
	{ .name = "value", .label = "value", .kind = METRIC_VALUE },
	{ .name = NULL },
};

/* Touches fresh pages: one operation touches PAGES_PER_OP of them. Twice as
 * many are touched before the clock starts, and not counted. */
static void trial(struct probe *probe, uint64_t ops)
{
	size_t pages = ops * PAGES_PER_OP;
	char *fresh = mmap(NULL, 3 * pages * PAGE_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fresh == MAP_FAILED) {
		probe_fail(probe, "no memory");
		return;
	}
	madvise(fresh, 3 * pages * PAGE_BYTES, MADV_NOHUGEPAGE);
	for (size_t i = pages; i < 3 * pages; i++)
		*(volatile char *)&fresh[i * PAGE_BYTES] = 1;
	probe_start(probe);
	for (size_t i = 0; i < pages; i++)
		*(volatile char *)&fresh[i * PAGE_BYTES] = 1;
	probe_stop(probe, 0, ops);
	munmap(fresh, 3 * pages * PAGE_BYTES);
}

static void emit_value(struct probe *probe, uint64_t ops)
{
	probe_value(probe, 0, (double)ops);
}

static void emit_sum(struct probe *probe, uint64_t ops)
{
	uint64_t start = probe_now(probe);

	while (probe_now(probe) - start < 1000)
		;
	probe_took(probe, 0, ops, probe_now(probe) - start);
}

#define MADE_UP(rows, function) \
	{ .name = "test.pages", \
		.title = "Made up", \
		.question = "How many pages?", \
		.method = "Fresh pages.", \
		.params = params, \
		.args_size = sizeof(struct args), \
		.metrics = (rows), \
		.plan = { .ops = OPS, .trials = 40 }, \
		.traits = TRAIT_FAULTS, \
		.trial = (function) }

static const struct experiment timed = MADE_UP(metrics, trial);
static const struct experiment summed = MADE_UP(metrics, emit_sum);
static const struct experiment untimed = MADE_UP(values, emit_value);

static struct places places;
static struct clock_cache clocks;

static int start_places(void **state)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	places_read(&places);
	return make_tape_folder(state);
}

/* A whole run that counts these. */
static struct run *counted_run(const struct experiment *experiment, int asked,
	struct error *error)
{
	static struct facts facts;
	struct param_set set;
	struct common common = { .cpu = PARAM_AUTO,
		.launches = LAUNCHES_LEAST,
		.trials = PARAM_AUTO,
		.precision = .01,
		.budget_ns = 1000000000,
		.seed = 7,
		.counters = asked };
	struct run_request request = { .experiment = experiment,
		.args = &set,
		.common = &common,
		.facts = &facts,
		.line = "run test.pages",
		.places = &places,
		.clocks = &clocks };

	param_set_init(&set, params);
	struct run *run = run_start(&request, error);
	param_set_free(&set);
	while (run && !run_over(run)) {
		struct pollfd ended = { run_descriptor(run), POLLIN, 0 };

		poll(&ended, 1, 100);
		run_step(run);
	}
	return run;
}

static const int wanted = 1 << (COUNT_NAMED + COUNTER_PAGE_FAULTS);

/* The run, or NULL where the kernel counts nothing for this process. */
static struct run *faults_counted(const struct experiment *experiment)
{
	struct error error = { 0 };
	struct run *run = counted_run(experiment, wanted, &error);

	if (run)
		return run;
	assert_int_equal(error.status, STATUS_PERMISSION);
	assert_non_null(strstr(error.message, "cannot count page-faults: "));
	printf("SKIP: not permitted here: %s\n", error.message);
	exit(77);
}

static void fresh_pages_are_counted(void **state)
{
	struct run *run = faults_counted(&timed);
	const struct results *results = run_results(run);
	const struct point *point = &results->points[0];
	struct digest digest;

	assert_int_equal(run_status(run), STATUS_OK);
	assert_int_equal(results->metric_count, 2);
	assert_string_equal(results->metrics[1].name, "page-faults");
	assert_true(digest_of(results, point, 1, &digest));
	assert_near(digest.headline, PAGES_PER_OP);
	/* Once per millisecond at most, and never in the pilot. */
	assert_true(point->series[1].raw.count >= LAUNCHES_LEAST);
	assert_true(point->series[1].raw.count <= point->series[0].raw.count);
	run_close(run, false);
}

static void none_adds_no_metric(void **state)
{
	struct error error = { 0 };
	struct run *run = counted_run(&timed, 1 << COUNT_NONE, &error);
	const struct results *results = run_results(run);

	assert_int_equal(results->metric_count, 1);
	run_close(run, false);
}

static void values_without_a_clock_are_not_counted(void **state)
{
	struct error error = { 0 };
	struct run *run = counted_run(&untimed, wanted, &error);
	const struct results *results = run_results(run);

	assert_int_equal(run_status(run), STATUS_OK);
	assert_int_equal(results->metric_count, 1);
	assert_string_equal(results->warnings[0],
		"nothing is counted: test.pages times no operations");
	run_close(run, false);
}

/* Which counters the machine has is of no interest then. */
static void nothing_is_counted_for_one_reason(void **state)
{
	struct error error = { 0 };
	struct run *run = counted_run(&summed, 1 << COUNT_AUTO, &error);
	const struct results *results = run_results(run);
	size_t about = 0;

	assert_int_equal(run_status(run), STATUS_OK);
	for (size_t i = 0; i < results->warning_count; i++)
		if (strstr(results->warnings[i], "counted")) {
			assert_non_null(strstr(results->warnings[i],
				"nothing is counted: "));
			about++;
		}
	assert_int_equal(about, 1);
	run_close(run, false);
}

/* What a killed lab leaves has the counters as well. */
static void a_tape_names_its_counters(void **state)
{
	static struct facts facts;
	struct run *run = faults_counted(&timed);
	struct param_set set;
	struct error error = { 0 };
	struct digest digest;
	char *path = strdup(run->tape.path);

	run_close(run, true);
	param_set_init(&set, params);
	struct results *results =
		run_recover(&timed, &set, &facts, path, &error);
	param_set_free(&set);
	assert_non_null(results);
	assert_int_equal(results->metric_count, 2);
	assert_true(digest_of(results, &results->points[0], 1, &digest));
	assert_near(digest.headline, PAGES_PER_OP);
	results_free(results);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fresh_pages_are_counted),
		cmocka_unit_test(none_adds_no_metric),
		cmocka_unit_test(values_without_a_clock_are_not_counted),
		cmocka_unit_test(nothing_is_counted_for_one_reason),
		cmocka_unit_test(a_tape_names_its_counters),
	};

	return cmocka_run_group_tests(tests, start_places, remove_tape_folder);
}
