/* Results made by hand. */
#include "trials.h"

#include "digest.h"

struct results *new_results(void)
{
	struct results *results = results_new("group.name");

	results->clock = (struct clock_facts){
		.hz = 1e9,
		.quantum = 2,
		.overhead = 40,
		.jitter = 8,
		.core_hz = 2e9,
		.cycles_trusted = true,
		.canary_cycles = 600,
		.canary_alone = 1,
	};
	results->sharing = (struct sharing){ 1.25, 1, NAN };
	return results;
}

void timed_metric(struct results *results, const char *name)
{
	results_add_metric(results, name, name, UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED, false);
}

struct launch *new_launch(struct results *results)
{
	struct launch *launch = results_add_launch(results);

	launch->overhead = results->clock.overhead;
	launch->jitter = results->clock.jitter;
	return launch;
}

struct visit *new_visit(struct results *results, size_t at, unsigned clone)
{
	struct visit *visit = point_add_visit(results, &results->points[at]);

	visit->launch = (unsigned)results->launch_count - 1;
	visit->clone = clone;
	return visit;
}

void put_flags(struct series *series, unsigned flags)
{
	unsigned char *place = column_add(&series->flags);
	uint16_t wide = (uint16_t)flags;

	/* For any width of a flag word. */
	memcpy(place, &wide, series->flags.element_bytes);
}

void new_trial(struct results *results, size_t at, unsigned metric,
	uint64_t ticks, unsigned flags)
{
	struct point *point = &results->points[at];
	struct visit *visit = &point->visits[point->visit_count - 1];
	struct series *series = &point->series[metric];
	struct slice *slice = &series->slices[point->visit_count - 1];

	*(uint64_t *)column_add(&series->raw) = ticks;
	put_flags(series, flags);
	slice->count++;
	if (slice->count > visit->trials)
		visit->trials = (unsigned)slice->count;
}

void new_value(struct results *results, size_t at, unsigned metric,
	double value)
{
	struct point *point = &results->points[at];
	struct series *series = &point->series[metric];

	*(double *)column_add(&series->raw) = value;
	put_flags(series, 0);
	series->slices[point->visit_count - 1].count++;
}

void new_canary_of(struct results *results, size_t at, uint32_t latency,
	uint32_t throughput)
{
	struct point *point = &results->points[at];
	struct canary *canary = column_add(&point->canary);

	canary->latency = latency;
	canary->throughput = throughput;
	point->visits[point->visit_count - 1].canary_count++;
}

void new_canary(struct results *results, size_t at, uint32_t latency)
{
	new_canary_of(results, at, latency, latency);
}

struct results *one_metric(uint64_t ops)
{
	struct results *results = new_results();

	timed_metric(results, "time");
	results_add_point(results)->series[0].ops = ops;
	return results;
}

struct digest digested(const struct results *results, unsigned metric)
{
	struct digest digest;

	assert_true(digest_of(results, &results->points[0], metric, &digest));
	return digest;
}

struct results *by_hand(void)
{
	struct results *results = one_metric(1);

	for (unsigned launch = 0; launch < 6; launch++) {
		new_launch(results);
		new_visit(results, 0, 0);
		for (unsigned i = 1; i <= 4; i++)
			new_trial(results, 0, 0, 40 + 10 * i + launch, 0);
	}
	return results;
}
