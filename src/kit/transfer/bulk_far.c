/* Bulk transfers: common parts, and the far end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bulk.h"
#include "bulk_internal.h"
#include "memory.h"
#include "tcp.h"

enum {
	READ_LEAST = 128 * 1024, /* room of a read */
	READ_MOST = 1024 * 1024,
	CALL_MOST = 32 << 20, /* the kernel truncates larger writes anyway */
	FILL = 0x5a,
};

/* The sender's calls have the requested size, the receiver's the usual size of
 * a reader's buffer. */
static size_t size_of_calls(const struct bulk_plan *plan, bool sends)
{
	size_t size = plan->call_bytes;

	if (sends)
		return size < CALL_MOST ? size : CALL_MOST;
	if (size < READ_LEAST)
		return READ_LEAST;
	return size < READ_MOST ? size : READ_MOST;
}

void bulk_end_init(struct bulk_end *end, const struct bulk_plan *plan,
	bool sends)
{
	size_t size = size_of_calls(plan, sends);
	size_t buffer_bytes = size + (sends ? TRANSFER_PLACE : 0);

	memset(end, 0, sizeof *end);
	end->transfer.bytes = plan->bytes;
	end->transfer.call_bytes = size;
	end->transfer.buffer = xpages(buffer_bytes);
	memset(end->transfer.buffer, FILL, buffer_bytes);
}

void bulk_end_close(struct bulk_end *end)
{
	struct transfer *transfer = &end->transfer;

	if (transfer->count)
		memset(&end->account, 0, sizeof end->account);
	for (size_t i = 0; i < transfer->count; i++) {
		account_add(&end->account, transfer->fd[i]);
		close(transfer->fd[i]);
	}
	transfer->count = 0;
}

/* ---- the far end ------------------------------------------------------ */

struct work {
	struct peer *peer;
	const struct bulk_plan *plan;
	struct bulk_end end;
	unsigned idle; /* checks since data moved */
	uint64_t go_ns;
};

static bool goes_on(void *context, uint64_t bytes)
{
	struct work *work = context;

	work->idle = bytes ? 0 : work->idle + 1;
	if (peer_over(work->peer, true) || !peer_spend(work->peer, bytes) ||
		work->idle > PEER_SILENT_MS / 1000)
		return false;
	return !peer_send(work->peer, WIRE_ALIVE, NULL);
}

static int accept_all(struct work *work)
{
	struct transfer *transfer = &work->end.transfer;

	while (transfer->count < work->plan->streams) {
		int fd = peer_accept(work->peer);

		if (fd < 0)
			return -1;
		transfer->fd[transfer->count++] = fd;
		tcp_no_delay(fd, !work->plan->fresh);
	}
	return peer_send(work->peer, BULK_ACCEPTED, NULL);
}

static int report(struct work *work)
{
	struct wire_out out = { 0 };
	const struct bulk_end *end = &work->end;

	account_put(&out, &end->account);
	if (work->plan->up) {
		wire_put_u64(&out, tick_raw_ns() - end->receipt.last_ns);
		transfer_put_receipt(&out, &end->receipt);
	} else {
		wire_put_u64(&out, end->dispatch.begin_ns - work->go_ns);
		transfer_put_dispatch(&out, &end->dispatch);
	}
	return peer_send(work->peer, BULK_RESULT, &out);
}

/* Waits for GO with its duration. Returns 1, 0 if the session has ended, or
 * -1. */
static int await_go(struct work *work)
{
	struct wire_in in;
	int type = peer_receive(work->peer, &in, PEER_SILENT_MS);

	if (type <= 0)
		return type;
	work->go_ns = tick_raw_ns();
	uint64_t duration_ns = wire_get_u64(&in);
	if (type != BULK_GO || in.bad || (double)duration_ns > BULK_MAX_NS)
		return peer_fail(work->peer, "the client sent an unexpected "
			"message");
	if (!work->plan->bytes)
		work->end.transfer.duration_ns = duration_ns;
	return 1;
}

static int begin(struct work *work)
{
	int going = 1;

	/* With permanent connections that it reads, the far end already
	 * waits. */
	if (!work->plan->up || work->plan->fresh)
		going = await_go(work);
	if (going > 0 && work->plan->fresh)
		going = accept_all(work) ? -1 : 1;
	return going;
}

static int move(struct work *work)
{
	struct bulk_end *end = &work->end;

	work->idle = 0;
	if (work->plan->up)
		return transfer_receive(&end->transfer, &end->receipt);
	return transfer_send(&end->transfer, &end->dispatch) ? -1 : 1;
}

/* One transfer. Returns 1, 0 if the session has ended, or -1. */
static int once(struct work *work)
{
	int going = begin(work);

	if (going > 0)
		going = move(work);
	if (going <= 0)
		return going;
	if (work->plan->fresh) {
		bulk_end_close(&work->end);
	} else {
		memset(&work->end.account, 0, sizeof work->end.account);
		for (size_t i = 0; i < work->end.transfer.count; i++)
			account_add(&work->end.account,
				work->end.transfer.fd[i]);
	}
	return report(work) ? -1 : 1;
}

static int prepare(struct peer *peer, const struct bulk_plan *plan)
{
	const struct peer_limits *limits = &peer->limits;
	char sentence[256];

	if (limits->streams && plan->streams > limits->streams)
		snprintf(sentence, sizeof sentence,
			"at most %u streams are allowed", limits->streams);
	else if (limits->buffer_bytes &&
		plan->buffer_bytes > (int64_t)limits->buffer_bytes)
		snprintf(sentence, sizeof sentence,
			"buffers of at most %llu bytes are allowed",
			(unsigned long long)limits->buffer_bytes);
	else if (!account_prepare(peer->listener, plan->congestion,
			 plan->buffer_bytes, limits->rate_bit_s / plan->streams,
			 sentence, sizeof sentence))
		return peer_ready(peer);
	wire_refuse(&peer->wire, WIRE_LIMIT, "%s", sentence);
	return peer_fail(peer, "refused: %s", sentence);
}

int bulk_serve(struct peer *peer, const struct bulk_plan *plan)
{
	struct work work = { .peer = peer, .plan = plan };
	int going = 1;

	if (prepare(peer, plan))
		return -1;
	bulk_end_init(&work.end, plan, !plan->up);
	work.end.transfer.watch = (struct transfer_watch){ goes_on, &work };
	if (!plan->fresh)
		going = accept_all(&work) ? -1 : 1;
	while (going > 0)
		going = once(&work);
	if (going < 0)
		peer_fail(peer, "a transfer broke");
	bulk_end_close(&work.end);
	free(work.end.transfer.buffer);
	return going;
}
