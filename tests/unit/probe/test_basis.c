/* Predictions are based on the sources that they state. */

#include "basis.h"
#include "trials.h"

static const char *const switch_names[] = { "between", "through", "parties",
	"footprint", "placement" };
enum { SWITCH_NAMES = sizeof switch_names / sizeof *switch_names };

static const struct experiment provider = {
	PROVIDES({ QUANTITY_PIPE_SWITCH, "switch",
		"between=processes through=pipe parties=2 footprint=0 "
		"placement=same-cpu" })
};

static struct results *results_named(const char *experiment, const char *metric,
	const char *const *names, size_t count)
{
	struct results *results = new_results();

	free(results->experiment);
	results->experiment = xstrdup(experiment);
	results->descriptor = &provider;
	results->param_names = xcalloc(count, sizeof *results->param_names);
	for (size_t i = 0; i < count; i++)
		results->param_names[i] = xstrdup(names[i]);
	results->param_count = count;
	timed_metric(results, metric);
	new_launch(results)->overhead = 0;
	return results;
}

static void add_point(struct results *results, const char *const *values,
	uint64_t ns)
{
	struct point *point = results_add_point(results);

	for (size_t i = 0; i < results->param_count; i++)
		point->values[i] = xstrdup(values[i]);
	point_add_visit(results, point)->trials = 1;
	*(uint64_t *)column_add(&point->series[0].raw) = ns;
	put_flags(&point->series[0], 0);
	point->series[0].slices[0].count = 1;
	point->series[0].ops = 1;
}

/* Threads, a ring and a footprint are measured by other points of
 * cpu.switch. */
static void a_switch_is_between_two_processes(void **state)
{
	static const char *const others[][SWITCH_NAMES] = {
		{ "threads", "pipe", "2", "0", "same-cpu" },
		{ "processes", "pipe", "16", "0", "same-cpu" },
		{ "processes", "pipe", "2", "1M", "same-cpu" },
		{ "processes", "pipe", "2", "0", "other" },
	};
	static const char *const wanted[] = { "processes", "pipe", "2", "0",
		"same-cpu" };
	struct results *results = results_named("cpu.switch", "switch",
		switch_names, SWITCH_NAMES);
	const struct results *earlier[] = { results };
	struct facts facts = { .earlier = earlier, .earlier_count = 1 };
	struct basis basis = { .facts = &facts };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		add_point(results, others[i], 77000);
	assert_true(basis_switch_ns(&basis).high < 77000);
	assert_string_equal(basis.taken, "");
	add_point(results, wanted, 1500);
	assert_near(basis_switch_ns(&basis).low, 1500);
	assert_string_equal(basis.taken, "cpu.switch");
	results_free(results);
}

static void assert_rate(double core_hz, double kernel_hz, const char *words)
{
	struct facts facts = { .core_hz = core_hz, .kernel_hz = kernel_hz };
	struct basis basis = { .facts = &facts, .cycles = true };
	struct prediction prediction = { 0 };

	basis_say(&basis, &prediction, "x");
	assert_string_equal(prediction.why, words);
}

static void a_rate_is_what_it_is_said_to_be(void **state)
{
	assert_rate(2.5e9, 2.3e9, "x; at 2.500 GHz, measured");
	assert_rate(0, 2299998027, "x; at 2.300 GHz, the nominal rate");
	/* The rate of the arm64 counter is not that of the core. */
	assert_rate(0, 25e6, "x; at 3.000 GHz, assumed");
	assert_rate(0, 0, "x; at 3.000 GHz, assumed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_switch_is_between_two_processes),
		cmocka_unit_test(a_rate_is_what_it_is_said_to_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
