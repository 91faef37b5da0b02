/* The finding of cpu.lock, from results made here: contended beside alone. */
#include "results.h"
#include "unit/probe/named.h"
#include "unit/probe/trials.h"

extern const struct experiment probe_cpu_lock;

/* Adds a mutex; `ns`, and `more` in each launch than in the one before. */
static void measure(struct results *results, const char *threads, uint64_t ns,
	uint64_t more)
{
	const char *typed[] = { "mutex", "100us", "100us", threads };
	struct point *point = results_add_point(results);
	size_t at = results->point_count - 1;

	for (size_t i = 0; i < results->param_count; i++) {
		free(point->values[i]);
		point->values[i] = strdup(typed[i]);
	}
	point->series[0].ops = 1;
	for (unsigned launch = 0; launch < 6; launch++) {
		point_add_visit(results, point)->launch = launch;
		new_trial(results, at, 0, ns + launch * more, 0);
	}
}

/* The times of a mutex with one thread and with two. */
static struct results *locked(uint64_t alone_ns, uint64_t more)
{
	struct results *results = results_new(probe_cpu_lock.name);

	results_describe(results, &probe_cpu_lock);
	results->clock.hz = 1e9;
	for (int i = 0; i < 6; i++)
		results_add_launch(results)->complete = true;
	measure(results, "1", alone_ns, more);
	measure(results, "2", 3000, 0);
	probe_cpu_lock.findings(results, NULL, &results->findings);
	return results;
}

static void contended_beside_alone(void **state)
{
	struct results *results = locked(1000, 0);
	const struct finding *found =
		finding_named(&results->findings, "over-one-thread");

	assert_non_null(found);
	assert_near(found->value, 3);
	results_free(results);
}

/* Work that is subtracted leaves noise of a lock that is rarely taken. */
static void noise_is_not_compared(void **state)
{
	struct results *results = locked(100, 400);

	assert_null(finding_named(&results->findings, "over-one-thread"));
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contended_beside_alone),
		cmocka_unit_test(noise_is_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
