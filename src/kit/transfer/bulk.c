/* Bulk transfers: the near end. */
#include "bulk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bulk_internal.h"
#include "tcp.h"

static bool goes_on(void *context, uint64_t bytes)
{
	struct bulk *bulk = context;
	uint64_t now_ns = tick_raw_ns();

	if (bytes || !bulk->idle_since_ns)
		bulk->idle_since_ns = now_ns;
	return far_waits(&bulk->far, bulk->probe, bulk->idle_since_ns);
}

static int connect_one(struct bulk *bulk)
{
	struct transfer *transfer = &bulk->end.transfer;
	uint64_t rate_bit_s = bulk->far.limits.rate_bit_s / bulk->plan.streams;
	char sentence[256];
	int fd = far_socket(&bulk->far, bulk->probe, SOCK_STREAM, 0);

	if (fd < 0)
		return -1;
	transfer->fd[transfer->count++] = fd;
	tcp_no_delay(fd, !bulk->plan.fresh);
	if (account_prepare(fd, bulk->plan.congestion, bulk->plan.buffer_bytes,
		    rate_bit_s, sentence, sizeof sentence))
		return probe_unavailable(bulk->probe, "%s", sentence);
	return far_connect(&bulk->far, bulk->probe, fd);
}

static int connect_all(struct bulk *bulk)
{
	struct wire_in in;

	while (bulk->end.transfer.count < bulk->plan.streams)
		if (connect_one(bulk))
			return -1;
	return far_receive(&bulk->far, bulk->probe, BULK_ACCEPTED, &in);
}

static int say_go(struct bulk *bulk)
{
	struct wire_out out = { 0 };

	wire_put_u64(&out, bulk->duration_ns);
	bulk->go_ns = tick_raw_ns();
	return far_send(&bulk->far, bulk->probe, BULK_GO, &out);
}

static int take_result(struct bulk *bulk)
{
	struct wire_in in;

	if (far_receive(&bulk->far, bulk->probe, BULK_RESULT, &in))
		return -1;
	account_get(&in, &bulk->far_account);
	bulk->held_ns = wire_get_u64(&in);
	if (bulk->plan.up)
		transfer_get_receipt(&in, &bulk->end.receipt);
	else
		transfer_get_dispatch(&in, &bulk->end.dispatch);
	if (!in.bad)
		return 0;
	return far_lost(&bulk->far, bulk->probe, "in the middle of a message");
}

static int move(struct bulk *bulk)
{
	struct bulk_end *end = &bulk->end;

	bulk->idle_since_ns = 0;
	if (bulk->plan.up ? !transfer_send(&end->transfer, &end->dispatch) :
			    transfer_receive(&end->transfer, &end->receipt) > 0)
		return 0;
	return far_lost(&bulk->far, bulk->probe, "while waiting for data");
}

/* The time of a transfer whose RESULT arrived at `result_ns`; see bulk.h. */
static uint64_t took(const struct bulk *bulk, uint64_t result_ns)
{
	const struct receipt *receipt = &bulk->end.receipt;
	uint64_t begin_ns = bulk->end.dispatch.begin_ns;

	if (bulk->far.kind != NETWORK_REMOTE)
		return receipt->last_ns - begin_ns;
	uint64_t took_ns = bulk->plan.up ? result_ns - begin_ns :
					   receipt->last_ns - bulk->go_ns;
	double other_ns = (double)bulk->held_ns + (double)bulk->half_trip_ns;
	return (uint64_t)fmax((double)took_ns - other_ns,
		(double)receipt->whole_ns);
}

int bulk_transfer(struct bulk *bulk)
{
	bool fresh = bulk->plan.fresh;

	if ((!bulk->plan.up || fresh) && say_go(bulk))
		return -1;
	if ((fresh && connect_all(bulk)) || move(bulk) || take_result(bulk))
		return -1;
	bulk->took_ns = took(bulk, tick_raw_ns());
	if (fresh)
		bulk_end_close(&bulk->end);
	return 0;
}

void bulk_last(struct bulk *bulk, uint64_t duration_ns)
{
	bulk->duration_ns = duration_ns;
	bulk->end.transfer.duration_ns = duration_ns;
}

static void learn_half_trip(struct bulk *bulk)
{
	struct tcp_report report;
	double trip_ns = bulk->far.round_trip_ns;

	if (bulk->far.kind != NETWORK_REMOTE)
		return;
	tcp_report(bulk->far.wire.fd, &report);
	if (tcp_has(&report, least_rtt_us))
		trip_ns = report.account.least_rtt_us * 1e3;
	bulk->half_trip_ns = (uint64_t)(trip_ns / 2);
	probe_note(bulk->probe, "timing",
		"by the acknowledged transfer, less half a round trip of %.*g "
		"us",
		text_digits(trip_ns / 1e3), trip_ns / 1e3);
}

int bulk_open(struct bulk *bulk, struct probe *probe,
	const struct experiment *experiment, const struct network *network,
	int cpu, const struct bulk_plan *plan)
{
	memset(bulk, 0, sizeof *bulk);
	bulk->far.wire.fd = -1;
	bulk->plan = *plan;
	bulk->probe = probe;
	bulk_end_init(&bulk->end, plan, plan->up);
	bulk->end.transfer.watch = (struct transfer_watch){ goes_on, bulk };
	if (far_open(&bulk->far, probe, experiment, network, cpu))
		return -1;
	learn_half_trip(bulk);
	return plan->fresh ? 0 : connect_all(bulk);
}

void bulk_close(struct bulk *bulk)
{
	bulk_end_close(&bulk->end);
	if (!bulk->probe->outcome)
		account_note(bulk->probe,
			bulk->plan.up ? &bulk->end.account : &bulk->far_account,
			bulk->plan.up ? &bulk->far_account :
					&bulk->end.account);
	far_close(&bulk->far);
	free(bulk->end.transfer.buffer);
}
