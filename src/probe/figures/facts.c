/* Facts for predictions and findings. */
#include "facts.h"

#include "digest.h"
#include "text.h"

void facts_use_clock(struct facts *facts, const struct clock_facts *clock)
{
	if (clock->hz <= 0)
		return;
	facts->tick_hz = clock->hz;
	facts->core_hz = clock->cycles_trusted ? clock->core_hz : 0;
}

double facts_cycles_ns(const struct facts *facts, double cycles)
{
	/* The counter of arm64 is much slower than the core, so it does not
	 * show the core's rate. */
	double nominal_hz = facts->kernel_hz > 5e8 ? facts->kernel_hz : 3e9;

	return cycles * 1e9 /
		(facts->core_hz > 0 ? facts->core_hz : nominal_hz);
}

double facts_wake_ns(const struct facts *facts)
{
	return facts->hypervisor ? 50000 : 5000;
}

static bool measured_in(const struct results *results,
	const struct provision *row, const char *where, struct digest *digest)
{
	int at = results_metric(results, row->metric);
	struct text all = { 0 };

	text_add(&all, "%s %s", row->where ? row->where : "",
		where ? where : "");
	const struct point *point = results_where(results, text_chars(&all));
	text_free(&all);
	return at >= 0 && point && point->state == POINT_OK &&
		digest_of(results, point, (unsigned)at, digest) &&
		digest->summary.trials;
}

const struct results *facts_digest(const struct facts *facts,
	enum quantity quantity, const char *where, struct digest *digest)
{
	for (size_t i = facts->earlier_count; i-- > 0;) {
		const struct results *results = facts->earlier[i];
		const struct provision *row =
			provision_row(results->descriptor, quantity);

		if (row && results->state != RUN_FAILED &&
			measured_in(results, row, where, digest))
			return results;
	}
	return NULL;
}

const struct results *facts_measured(const struct facts *facts,
	enum quantity quantity, const char *where, struct range *range)
{
	struct digest digest;
	const struct results *results =
		facts_digest(facts, quantity, where, &digest);

	if (!results)
		return NULL;
	const struct summary *summary = &digest.summary;
	range->low =
		summary->has_interval ? summary->interval.low : summary->median;
	range->high = summary->has_interval ? summary->interval.high :
					      summary->median;
	return results;
}

struct published_runs facts_published(const struct facts *facts)
{
	return facts->read_published ? facts->read_published(facts->reader) :
				       (struct published_runs){ 0 };
}
