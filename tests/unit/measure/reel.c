/* Samples like those of a worker. */
#include "reel.h"

#include "digest.h"

void reel_put(struct reel *reel, struct sample sample)
{
	ARRAY_GROW(reel->list, reel->count);
	reel->list[reel->count++] = sample;
}

void reel_launch(struct reel *reel, unsigned number)
{
	reel_put(reel,
		(struct sample){ .kind = SAMPLE_LAUNCH,
			.n = number,
			.ticks = 1000 + number });
}

void reel_end(struct reel *reel, unsigned number)
{
	reel_put(reel, (struct sample){ .kind = SAMPLE_END, .n = number });
}

void reel_overhead(struct reel *reel, double median, double jitter)
{
	reel_put(reel,
		(struct sample){ .kind = SAMPLE_OVERHEAD,
			.value = median,
			.value2 = jitter });
}

void reel_visit(struct reel *reel, unsigned point, unsigned clone,
	unsigned canary_every)
{
	reel_put(reel,
		(struct sample){ .kind = SAMPLE_VISIT,
			.n = point,
			.metric = (uint8_t)clone,
			.extra = canary_every });
}

void reel_trial(struct reel *reel, uint64_t ticks, unsigned flags)
{
	for (unsigned metric = TIMED; metric <= TIMED_TOO; metric++)
		reel_put(reel,
			(struct sample){ .kind = SAMPLE_TRIAL,
				.metric = (uint8_t)metric,
				.flags = (uint16_t)flags,
				.n = 10,
				.ticks = ticks + metric });
}

void reel_canary(struct reel *reel, uint64_t latency, uint64_t throughput)
{
	reel_put(reel,
		(struct sample){ .kind = SAMPLE_CANARY,
			.ticks = latency,
			.extra = throughput });
}

void reel_usage(struct reel *reel, unsigned flags, unsigned trials)
{
	reel_put(reel,
		(struct sample){ .kind = SAMPLE_USAGE,
			.n = flags,
			.extra = trials });
}

void reel_text(struct reel *reel, enum sample_text kind, const char *text)
{
	size_t length = strlen(text);

	reel_put(reel,
		(struct sample){ .kind = SAMPLE_TEXT,
			.metric = (uint8_t)kind,
			.n = (uint32_t)length });
	for (size_t at = 0; at < length; at += sizeof(struct sample)) {
		struct sample piece = { 0 };
		size_t left = length - at;

		memcpy(&piece, text + at,
			left < sizeof piece ? left : sizeof piece);
		reel_put(reel, piece);
	}
}

struct results *reel_results(void)
{
	struct results *results = results_new("group.name");

	results_add_metric(results, "time", "time", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED, false);
	results_add_metric(results, "too", "time too", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED, false);
	results_add_metric(results, "share", "share", UNIT_PERCENT,
		LESS_IS_BETTER, METRIC_VALUE, false);
	results_add_metric(results, "curve", "curve", UNIT_NS, LESS_IS_BETTER,
		METRIC_TRACE, false);
	results_add_point(results);
	results_add_point(results);
	results->clock = (struct clock_facts){
		.hz = 1e9,
		.overhead = 40,
		.jitter = 8,
		.quantum = 2,
		.core_hz = 2e9,
		.cycles_trusted = true,
		.canary_cycles = 600,
		.canary_alone = 1,
	};
	return results;
}

void reel_feed(struct reel *reel, struct results *results, size_t step)
{
	struct feed feed;

	feed_init(&feed, results);
	for (size_t at = 0; at < reel->count; at += step)
		feed_samples(&feed, reel->list + at,
			reel->count - at < step ? reel->count - at : step);
	feed_end(&feed);
	feed_release(&feed);
	free(reel->list);
	*reel = (struct reel){ 0 };
}

unsigned flags_of(const struct results *results, unsigned metric, size_t visit,
	size_t trial)
{
	unsigned flags = 0;
	double value;

	assert_true(results_trial(results, &results->points[0], metric, visit,
		trial, SCALE_UNIT, &value, &flags));
	return flags;
}

double value_of(const struct results *results, unsigned metric, size_t visit,
	size_t trial)
{
	unsigned flags;
	double value;

	assert_true(results_trial(results, &results->points[0], metric, visit,
		trial, SCALE_UNIT, &value, &flags));
	return value;
}
