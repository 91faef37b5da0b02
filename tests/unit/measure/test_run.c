/* Why a run ends: an experiment with fixed values, so that only the rules
 * decide. */
#include "facts.h"
#include "run_internal.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "check.h"
#include "clock.h"
#include "digest.h"
#include "plan.h"
#include "tape.h"
#include "tape_folder.h"
#include "worker_internal.h"

/* In 20 trials more than a tape has room for that the pilot left. */
enum { CHATTY_VALUES = 999 };
enum law { STEADY, WILD, SHRINKING, FAULTING, CHATTY, FIRST, SECOND };

static const char *const laws[] = { "steady", "wild", "shrinking", "faulting",
	"chatty", "first", "second", NULL };

struct args {
	int law;
	const char *where;
	int placement;
};

static const struct param params[] = {
	{ .name = "law",
		.label = "law",
		.help = "of the values",
		.preset = "steady",
		CHOICE_FIELD(struct args, law),
		.choices = laws },
	{ .name = "where",
		.label = "where",
		.help = "a text",
		.preset = "here",
		TEXT_FIELD(struct args, where) },
	{ .name = "placement",
		.label = "placement",
		.help = "of a second party that there is not",
		.preset = "same-cpu",
		CHOICE_FIELD(struct args, placement),
		.choices = placement_choices },
	{ .name = NULL },
};

static const struct metric metrics[] = {
	{ .name = "value",
		.label = "value",
		.unit = UNIT_NS,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = NULL },
};

/* Touches one page after the other without end; the kernel counts the
 * faults. */
static void fault_for_ever(void)
{
	enum { PAGES = 64, PAGE_BYTES = 4096, SIZE = PAGES * PAGE_BYTES };

	for (;;) {
		char *fresh = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		for (size_t i = 0; fresh != MAP_FAILED && i < PAGES; i++) {
			fresh[i * PAGE_BYTES] = 1;
			poll(NULL, 0, 1);
		}
		munmap(fresh, SIZE);
	}
}

/* The second point of a pair that is set up remembers it. */
static int setup(struct probe *probe)
{
	static unsigned set_ups;
	static char is_second;

	probe->state = set_ups++ % 2 ? &is_second : NULL;
	return 0;
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;

	(void)ops;
	if (args->law == FIRST || args->law == SECOND) {
		probe_value(probe, 0, probe->state ? 1 : 0);
		return;
	}
	if (args->law == FAULTING && probe->launch == 2)
		fault_for_ever();
	if (args->law == SHRINKING && probe->launch == 2)
		atomic_store(&probe->worker->job->tape->header->length, 0);
	bool chatty = args->law == CHATTY && probe->launch == 1;
	for (int i = 0; chatty && i < CHATTY_VALUES; i++)
		probe_value(probe, 0, 100);
	/* Launches with three levels, far apart; or all equal. */
	probe_value(probe, 0,
		args->law == WILD ? 10 + 30 * (probe->launch % 3) : 100);
}

static const struct experiment made_up = {
	.name = "test.values",
	.title = "Made up",
	.question = "When is it enough?",
	.method = "Values without a clock.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1, .trials = 20 },
	.setup = setup,
	.trial = trial,
	.traits = TRAIT_PAIRS,
};

static struct places places;
static struct clock_cache clocks;

static struct facts facts;

static struct run *begin_placed(const char *law, const char *placement,
	int64_t launches, double precision, double budget_s)
{
	struct param_set set;
	struct error error = { 0 };
	struct common common = { .cpu = PARAM_AUTO,
		.launches = launches,
		.trials = PARAM_AUTO,
		.precision = precision,
		.budget_ns = (int64_t)(budget_s * 1e9),
		.seed = 7 };
	struct run_request request = { .experiment = &made_up,
		.args = &set,
		.common = &common,
		.abba = !strcmp(law, "first,second"),
		.facts = &facts,
		.line = "run test.values",
		.places = &places,
		.clocks = &clocks };

	param_set_init(&set, params);
	assert_int_equal(param_set_values(&set, "law", law, &error), 0);
	assert_int_equal(param_set_values(&set, "placement", placement, &error),
		0);
	struct run *run = run_start(&request, &error);
	param_set_free(&set);
	if (!run)
		fail_msg("%s", error.message);
	return run;
}

static struct run *begin(const char *law, int64_t launches, double precision,
	double budget_s)
{
	return begin_placed(law, "same-cpu", launches, precision, budget_s);
}

/* The loop of the lab; progress never decreases. */
static void wait_for(struct run *run, unsigned stop_at_launch)
{
	double share = 0;

	while (!run_over(run)) {
		struct pollfd ended = { run_descriptor(run), POLLIN, 0 };
		struct progress progress;

		poll(&ended, 1, 100);
		run_step(run);
		run_progress(run, &progress);
		assert_true(progress.share >= share && progress.share <= 1);
		assert_true(progress.left_s >= 0);
		share = progress.share;
		if (stop_at_launch && progress.launch >= stop_at_launch)
			run_stop(run);
	}
	assert_true(share == 1);
	assert_int_equal(run_descriptor(run), -1);
}

static int start_places(void **state)
{
	/* As in every lab, orphaned children of a worker become children of
	 * this process. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	places_read(&places);
	return make_tape_folder(state);
}

static void a_precise_run_ends_at_the_first_look(void **state)
{
	struct run *run = begin("steady", PARAM_AUTO, .01, 100);

	wait_for(run, 0);
	const struct results *results = run_results(run);
	assert_int_equal(run_status(run), STATUS_OK);
	assert_int_equal(results->state, RUN_DONE);
	assert_int_equal(results->stopped.reason, STOP_PRECISION);
	assert_int_equal(results->launch_count, LAUNCHES_PRECISE);
	/* Twenty trials per launch, as in the experiment's plan. */
	assert_int_equal(results->points[0].series[0].raw.count,
		20 * LAUNCHES_PRECISE);
	run_close(run, false);
}

/* The share of the trials of a point that was set up second. */
static double second_share(const struct results *results, size_t point)
{
	const struct column *raw = &results->points[point].series[0].raw;
	const double *values = raw->data;
	double sum = 0;

	for (size_t i = 0; i < raw->count; i++)
		sum += values[i];
	return sum / (double)raw->count;
}

/* Each comes first in a part of the launches, so what the second is given
 * does not make one of them faster. */
static void the_points_of_a_pair_are_set_up_in_random_order(void **state)
{
	struct run *run = begin("first,second", 30, .01, 100);

	wait_for(run, 0);
	double share = second_share(run_results(run), 0);
	assert_true(share > .1 && share < .9);
	assert_true(fabs(second_share(run_results(run), 1) + share - 1) < 1e-9);
	run_close(run, false);
}

/* Two processors, which are SMT siblings. False if this process may use only
 * one. */
static bool only_siblings(void)
{
	int a = places_last(&places);

	CPU_CLR((size_t)a, &places.allowed);
	int b = places_last(&places);
	bool are_two = CPU_ISSET((size_t)b, &places.allowed);
	CPU_ZERO(&places.allowed);
	CPU_SET((size_t)a, &places.allowed);
	CPU_SET((size_t)b, &places.allowed);
	places.siblings[a] = (struct sibling){ SIBLING_FOUND, b };
	places.siblings[b] = (struct sibling){ SIBLING_FOUND, a };
	places.siblings_ns[a] = places.siblings_ns[b] = tick_raw_ns();
	return are_two;
}

static bool says_beside(const struct results *results)
{
	for (size_t i = 0; i < results->warning_count; i++)
		if (strstr(results->warnings[i], "and may disturb trials"))
			return true;
	return false;
}

/* A lab on the SMT sibling is reported by the first run of a session only. */
static void a_lab_beside_is_said_once(void **state)
{
	struct places before = places;
	const struct results *first;

	if (only_siblings()) {
		struct run *run = begin("steady", PARAM_AUTO, .01, 100);
		wait_for(run, 0);
		first = run_results(run);
		assert_true(first->place.lab_beside);
		assert_true(says_beside(first));
		facts.earlier = &first;
		facts.earlier_count = 1;
		/* The relation is found anew when it is old. */
		assert_true(only_siblings());
		struct run *next = begin("steady", PARAM_AUTO, .01, 100);
		wait_for(next, 0);
		assert_true(run_results(next)->place.lab_beside);
		assert_false(says_beside(run_results(next)));
		run_close(next, false);
		run_close(run, false);
		facts = (struct facts){ 0 };
	}
	places = before;
}

static void an_imprecise_run_ends_at_the_most(void **state)
{
	struct run *run = begin("wild", PARAM_AUTO, .01, 100);

	wait_for(run, 0);
	assert_int_equal(run_results(run)->stopped.reason, STOP_MAXIMUM);
	assert_int_equal(run_results(run)->launch_count, LAUNCHES_MOST);
	run_close(run, false);
}

/* One imprecise point prevents the end of the run. */
static void every_point_must_be_precise(void **state)
{
	struct run *run = begin("steady,wild", PARAM_AUTO, .01, 100);

	wait_for(run, 0);
	assert_int_equal(run_results(run)->stopped.reason, STOP_MAXIMUM);
	assert_int_equal(run_results(run)->point_count, 2);
	run_close(run, false);
}

static void launches_that_are_asked_for_are_made(void **state)
{
	struct run *run = begin("steady", 7, .01, 100);

	wait_for(run, 0);
	assert_int_equal(run_results(run)->stopped.reason, STOP_MAXIMUM);
	assert_int_equal(run_results(run)->launch_count, 7);
	run_close(run, false);
}

/* The first launch fills the tape, and ends early; the others have room. */
static void a_full_tape_grows(void **state)
{
	struct run *run = begin("chatty", 7, .01, 100);

	wait_for(run, 0);
	const struct results *results = run_results(run);
	const struct point *point = &results->points[0];
	assert_int_equal(results->stopped.reason, STOP_MAXIMUM);
	assert_int_equal(results->launch_count, 7);
	assert_int_equal(point->visit_count, 7);
	/* Fewer values than 20 trials have. */
	assert_in_range(point->series[0].slices[0].count, 1 << 13, 1 << 14);
	for (size_t i = 1; i < point->visit_count; i++)
		assert_int_equal(point->series[0].slices[i].count, 20);
	run_close(run, false);
}

/* The budget is used at once; six launches are still made, for an interval. */
static void a_budget_leaves_an_interval(void **state)
{
	struct run *run = begin("wild", PARAM_AUTO, .01, .001);
	struct digest digest;

	wait_for(run, 0);
	const struct results *results = run_results(run);
	assert_int_equal(results->stopped.reason, STOP_BUDGET);
	assert_int_equal(results->launch_count, LAUNCHES_LEAST);
	assert_true(digest_of(results, &results->points[0], 0, &digest));
	assert_true(digest.summary.has_interval);
	run_close(run, false);
}

static void a_person_may_end_it(void **state)
{
	struct run *run = begin("wild", PARAM_AUTO, .01, 100);

	wait_for(run, 3);
	const struct results *results = run_results(run);
	assert_int_equal(results->state, RUN_STOPPED);
	assert_int_equal(run_status(run), STATUS_INTERRUPTED);
	assert_int_equal(results->stopped.reason, STOP_USER);
	/* The samples are kept. */
	assert_true(results->launch_count >= 2);
	assert_true(results->points[0].series[0].raw.count >= 40);
	run_close(run, false);
}

/* A clock may have been calibrated without comparing it with the second
 * processor. */
static void a_second_processor_has_its_clock_checked(void **state)
{
	struct place place;
	struct error error;

	assert_int_equal(place_plan(&places, PARAM_AUTO, 1 << PLACEMENT_OTHER,
				 &place, &error),
		0);
	uint64_t before_ns = clocks.measured_ns[place.cpu];
	struct run *run = begin_placed("steady", "other", 6, .01, 100);
	wait_for(run, 1);
	run_close(run, false);
	int second = place.facts.second;
	assert_int_equal(clocks.second[place.cpu], second + 1);
	assert_int_equal(clocks.measured_ns[place.cpu] == before_ns,
		second < 0);
}

/* A worker overwrites the header of its own tape: earlier samples are kept, and
 * nothing before the beginning is read. */
static void a_tape_that_shrinks_ends_it(void **state)
{
	struct run *run = begin("shrinking", PARAM_AUTO, .01, 100);

	wait_for(run, 0);
	struct results *results = run_results(run);
	assert_int_equal(results->state, RUN_FAILED);
	assert_string_equal(results->error,
		"the worker wrote an invalid record: the tape shrank");
	assert_true(results_trials(results) >= 20);
	run_close(run, false);
}

/* The watchdog accepts page faults as progress, but not for ever. */
static void faults_without_end_are_ended(void **state)
{
	struct run *run = begin("faulting", 6, .01, 30);

	run->watch.limit_ns = 3e9;
	wait_for(run, 0);
	const struct results *results = run_results(run);
	assert_int_equal(results->state, RUN_FAILED);
	assert_int_equal(results->stopped.reason, STOP_FAULT);
	assert_non_null(strstr(results->error,
		"the worker faulted pages endlessly, did not respond and was "
		"killed in "));
	/* The samples of the previous launch are kept. */
	assert_true(results->launches[0].complete);
	run_close(run, false);
}

static void arguments_outlive_their_run(void **state)
{
	struct run *run = begin("steady", 6, .01, 100);

	wait_for(run, 1);
	struct results *results = run_take(run);
	run_close(run, false);
	const struct args *args = results->points[0].args;
	assert_ptr_equal(args->where, results->points[0].values[1]);
	assert_string_equal(args->where, "here");
	results_free(results);
}

static void a_run_may_be_closed_at_any_time(void **state)
{
	for (int steps = 0; steps < 12; steps++) {
		struct run *run = begin("wild", PARAM_AUTO, .01, 100);
		char **orphans;

		for (int i = 0; i < steps && !run_over(run); i++) {
			struct pollfd ended = { run_descriptor(run), POLLIN,
				0 };

			poll(&ended, 1, 100);
			run_step(run);
		}
		run_close(run, false);
		assert_int_equal(tape_orphans(&orphans), 0);
		free(orphans);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_precise_run_ends_at_the_first_look),
		cmocka_unit_test(a_lab_beside_is_said_once),
		cmocka_unit_test(an_imprecise_run_ends_at_the_most),
		cmocka_unit_test(every_point_must_be_precise),
		cmocka_unit_test(launches_that_are_asked_for_are_made),
		cmocka_unit_test(
			the_points_of_a_pair_are_set_up_in_random_order),
		cmocka_unit_test(a_full_tape_grows),
		cmocka_unit_test(a_budget_leaves_an_interval),
		cmocka_unit_test(a_person_may_end_it),
		cmocka_unit_test(a_second_processor_has_its_clock_checked),
		cmocka_unit_test(a_tape_that_shrinks_ends_it),
		cmocka_unit_test(faults_without_end_are_ended),
		cmocka_unit_test(arguments_outlive_their_run),
		cmocka_unit_test(a_run_may_be_closed_at_any_time),
	};

	return cmocka_run_group_tests(tests, start_places, remove_tape_folder);
}
