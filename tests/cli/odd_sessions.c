/* Sessions with many points, launches or trials, and with odd values. */
#include "odd_sessions.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "check.h"
#include "random.h"
#include "session.h"

enum { CANARY_EVERY = 4, TICKS = 1000 };

const char *const odd_names[ODDS] = { "rising", "same", "close", "wide",
	"swapped", "overhead" };

static uint64_t seed = 1;

static double value_of(const struct odd_session *odd, unsigned point)
{
	double part = (double)point / odd->points;

	switch (odd->values) {
	case ODD_SAME:
		return TICKS;
	case ODD_CLOSE:
		return point % 2 ? nextafter(TICKS, INFINITY) : TICKS;
	case ODD_WIDE:
		return pow(10, 600 * part - 300);
	case ODD_SWAPPED:
		return pow(10, (double)random_below(&seed, 600) - 300);
	default:
		return TICKS + point;
	}
}

static void add_canary(struct point *point, struct visit *visit, unsigned i)
{
	struct canary *canary = column_add(&point->canary);

	canary->latency = 1200 + i % 2 * 4000;
	canary->throughput = canary->latency + i % 3 * 900;
	visit->canary_count++;
}

static void add_visit(const struct odd_session *odd, struct results *results,
	struct point *point, unsigned launch)
{
	struct visit *visit = point_add_visit(results, point);
	struct series *series = &point->series[0];
	struct slice *slice = &series->slices[point->visit_count - 1];
	double value = value_of(odd, (unsigned)(point - results->points));

	visit->launch = launch;
	visit->trials = odd->trials;
	visit->canary_every = CANARY_EVERY;
	visit->canary_first = point->canary.count;
	for (unsigned i = 0; i < odd->trials; i++) {
		if (i % CANARY_EVERY == 0)
			add_canary(point, visit, i / CANARY_EVERY);
		*(double *)column_add(&series->raw) = value;
		*(uint16_t *)column_add(&series->flags) = 0;
		slice->count++;
	}
}

static void add_point(const struct odd_session *odd, struct results *results)
{
	struct point *point = results_add_point(results);
	unsigned number = (unsigned)results->point_count;
	char size[32];

	snprintf(size, sizeof size, "%u", number * 4096);
	for (size_t i = 0; i < results->param_count; i++)
		point->values[i] = xstrdup(i ? "64" : size);
	point->series[0].ops = 1;
	for (unsigned launch = 0; launch < odd->launches; launch++)
		add_visit(odd, results, point, launch);
}

static void set_clock(struct clock_facts *clock)
{
	clock->hz = 2.7e9;
	clock->quantum = 1;
	clock->core_hz = 3e9;
	clock->canary_cycles = 1200;
	clock->canary_alone = 1;
	clock->cycles_trusted = true;
}

static struct results *run_of(const struct odd_session *odd)
{
	static const char *const params[] = { "size", "stride" };
	struct results *results = results_new("mem.latency");

	results->title = xstrdup("Memory latency");
	results->state = RUN_DONE;
	snprintf(results->started, sizeof results->started,
		"2025-03-01T12:00:00+0100");
	set_clock(&results->clock);
	results->plan.launches = odd->launches;
	results->plan.trials = odd->trials;
	for (size_t i = 0; i < 2; i++) {
		ARRAY_GROW(results->param_names, results->param_count);
		results->param_names[results->param_count++] =
			xstrdup(params[i]);
	}
	results_add_metric(results, "load", "time per load", UNIT_NS,
		LESS_IS_BETTER, METRIC_VALUE, false);
	for (unsigned i = 0; i < odd->launches; i++)
		results_add_launch(results)->overhead =
			odd->values == ODD_OVERHEAD && i % 2 ? 1e300 : 0;
	for (unsigned i = 0; i < odd->points; i++)
		add_point(odd, results);
	return results;
}

size_t odd_session_save(const struct odd_session *odd, const char *path)
{
	struct session *session = session_new();
	struct error error;
	struct stat is;

	machine_read(&session->machine);
	session_add_run(session, run_of(odd));
	assert_int_equal(session_save_copy(session, path, &error), 0);
	session_free(session);
	assert_int_equal(stat(path, &is), 0);
	return (size_t)is.st_size;
}
