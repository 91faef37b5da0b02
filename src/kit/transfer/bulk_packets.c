/* Bulk transfers with capture. */
#include "bulk_packets.h"

#include <string.h>

enum { TELL_NS = 1000 * 1000 };

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
	recorder_stop(recorder);
	/* Only the kernel of the sender counts retransmissions. */
	if (bulk->plan.up && !probe->outcome)
		recorder_tell_resent(recorder, probe, kernel);
	recorder_close(recorder, probe);
	packets->recorder = NULL;
}
