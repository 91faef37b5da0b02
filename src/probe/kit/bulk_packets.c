/* Bulk transfers with their packets. */
#include "bulk_packets.h"

#include <string.h>

/* Of the connections that are open at this end. */
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

void bulk_packets_open(struct bulk_packets *packets, struct bulk *bulk,
	struct probe *probe)
{
	memset(packets, 0, sizeof *packets);
	packets->recorder =
		recorder_open(probe, &bulk->far, CAPTURE_FOR_BANDWIDTH, NULL);
	packets->before = kernel_resent(bulk);
}

void bulk_packets_after(struct bulk_packets *packets, const struct bulk *bulk)
{
	if (packets->recorder && bulk->plan.fresh)
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
	/* Only the sender's kernel counts. */
	if (bulk->plan.up && !probe->outcome)
		recorder_tell_resent(recorder, probe, kernel);
	recorder_close(recorder, probe);
	packets->recorder = NULL;
}
