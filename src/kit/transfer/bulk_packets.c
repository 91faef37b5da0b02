/* Bulk transfers with capture. */
#include "bulk_packets.h"

#include <math.h>
#include <string.h>

#include "digest.h"
#include "interval.h"
#include "quantile.h"
#include "results.h"

enum {
	TELL_NS = 1000 * 1000,
	LAUNCHES_MOST = 64,
};

/* Sums up the open connections of this end. */
static uint64_t kernel_resent(const struct bulk *bulk)
{
	const struct transfer *transfer = &bulk->end.transfer;
	uint64_t resent = 0;

	for (size_t i = 0; i < transfer->count; i++) {
		struct tcp_report report;

		tcp_report(transfer->fd[i], &report);
		if (tcp_has(&report, total_retrans))
			resent += report.account.total_retrans;
	}
	return resent;
}

/* Reports the kernel's view of permanent connections that send from here, at
 * most once a millisecond, because reports slow down short transfers. */
static void tell_samples(struct bulk_packets *packets, const struct bulk *bulk)
{
	const struct transfer *transfer = &bulk->end.transfer;
	uint64_t now = tick_raw_ns();

	if (now - packets->told_ns < TELL_NS)
		return;
	packets->told_ns = now;
	for (size_t i = 0; i < transfer->count && bulk->plan.up; i++) {
		struct tcp_report report;

		tcp_report(transfer->fd[i], &report);
		packets_tell_sample(bulk->probe->packets_fd,
			tcp_port_of(transfer->fd[i]), packets_now_ns(),
			&report);
	}
}

static void tell_paths(const struct bulk *bulk, const struct link_args *link)
{
	const struct transfer *transfer = &bulk->end.transfer;

	for (size_t i = 0; i < transfer->count && bulk->plan.up; i++) {
		char used[16];

		tcp_congestion(transfer->fd[i], "", used);
		packets_tell_path(bulk->probe->packets_fd,
			tcp_port_of(transfer->fd[i]), packets_now_ns(), used,
			link);
	}
}

void bulk_packets_open(struct bulk_packets *packets, struct bulk *bulk,
	struct probe *probe, const struct link_args *link)
{
	memset(packets, 0, sizeof *packets);
	packets->recorder =
		recorder_open(probe, &bulk->far, CAPTURE_FOR_BANDWIDTH, NULL);
	packets->before = kernel_resent(bulk);
	if (packets->recorder)
		tell_paths(bulk, link);
}

void bulk_packets_after(struct bulk_packets *packets, const struct bulk *bulk)
{
	if (!packets->recorder)
		return;
	tell_samples(packets, bulk);
	if (bulk->plan.fresh)
		packets->fresh += bulk->end.account.retransmissions;
}

void bulk_packets_close(struct bulk_packets *packets, const struct bulk *bulk,
	struct probe *probe)
{
	struct recorder *recorder = packets->recorder;

	if (!recorder)
		return;
	uint64_t kernel =
		packets->fresh + kernel_resent(bulk) - packets->before;
	recorder_stop(recorder, probe);
	/* Only the kernel of the sender counts retransmissions. */
	if (bulk->plan.up && !probe->outcome)
		recorder_tell_resent(recorder, probe, kernel);
	recorder_close(recorder, probe);
	packets->recorder = NULL;
}

/* ---- the cost of capture ---------------------------------------------- */

/* The two metrics of transfers with and without capture. */
struct cost_of {
	const struct results *results;
	unsigned with, without;
};

/* Cost at a point: the median and the range over the launches, each of which
 * has transfers with and without capture. */
static bool cost_at(const struct cost_of *of, const struct point *point,
	double *cost, struct range *between)
{
	double costs[LAUNCHES_MOST];
	struct interval interval;
	size_t n = 0;

	for (unsigned i = 0; i < of->results->launch_count && n < LAUNCHES_MOST;
		i++) {
		double with = results_launch_floor(of->results, point, of->with,
			i, SCALE_UNIT);
		double without = results_launch_floor(of->results, point,
			of->without, i, SCALE_UNIT);

		if (with > 0 && without > 0)
			costs[n++] = 1 - with / without;
	}
	if (!n)
		return false;
	*cost = median_of(costs, n);
	*between = (struct range){ costs[0], costs[n - 1] };
	if (interval_of_median(costs, n, .95, &interval))
		*between = (struct range){ interval.low, interval.high };
	return true;
}

void bulk_packets_cost(const struct results *results, unsigned with,
	unsigned without, struct findings *findings)
{
	struct cost_of of = { results, with, without };
	struct range best = { 0, INFINITY };
	double cost = NAN;

	for (size_t i = 0; i < results->point_count; i++) {
		struct range between;
		double here;

		if (!cost_at(&of, &results->points[i], &here, &between) ||
			between.high - between.low >= best.high - best.low)
			continue;
		cost = here;
		best = between;
	}
	if (isnan(cost))
		return;
	struct finding *finding = finding_value(findings, "capture-cost", cost,
		UNIT_PERCENT,
		"capture cost %.1f %% of the bandwidth, between %.0f and %.0f "
		"%%%s",
		100 * cost, 100 * best.low, 100 * best.high,
		best.low > .1         ? ": too much, use the figures without "
			"capture" :
			best.low <= 0 ? ": not distinguishable from noise" :
					"");
	finding_interval(finding, best.low, best.high);
}
