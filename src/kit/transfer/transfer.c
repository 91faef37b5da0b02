/* Transfers of bytes over connections. */
#include "transfer.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tick.h"

enum {
	LOOK_NS = 1000 * 1000 * 1000,
	LOOK_MS = 1000,
	STEADY_READS = 8, /* fewer show no rate */
};

/* ---- the watch -------------------------------------------------------- */

struct look {
	uint64_t next_ns;
	uint64_t bytes; /* at the last check */
};

static bool look(const struct transfer *transfer, struct look *look,
	uint64_t now_ns, uint64_t bytes)
{
	if (now_ns < look->next_ns)
		return true;
	uint64_t moved = bytes - look->bytes;
	look->next_ns = now_ns + LOOK_NS;
	look->bytes = bytes;
	return transfer->watch.go_on(transfer->watch.context, moved);
}

static struct look look_from(uint64_t now_ns)
{
	return (struct look){ .next_ns = now_ns + LOOK_NS };
}

static bool is_patient(void)
{
	return errno == EAGAIN || errno == EINTR;
}

/* ---- receiving -------------------------------------------------------- */

struct receiver {
	const struct transfer *transfer;
	struct receipt *receipt;
	struct look look;
	struct pollfd polled[TRANSFER_STREAMS];
	size_t open;
	uint64_t begin_ns, last_ns;
	/* The beginning of the steady part. */
	uint64_t half_ns, half_bytes, half_reads;
	bool halfway;
};

/* Waits until a connection is readable or has ended. */
static int await_any(struct receiver *r)
{
	const struct transfer *transfer = r->transfer;

	while (poll(r->polled, transfer->count, LOOK_MS) <= 0)
		if (!look(transfer, &r->look, tick_raw_ns(), r->receipt->bytes))
			return -1;
	return 0;
}

static void keep(struct receiver *r, uint64_t now_ns, size_t got)
{
	const struct transfer *transfer = r->transfer;
	struct receipt *receipt = r->receipt;

	receipt->bytes += got;
	receipt->reads++;
	r->last_ns = now_ns;
	if (receipt->trace_count < TRANSFER_TRACE) {
		size_t i = receipt->trace_count++;

		receipt->trace[i].at_ns = now_ns - r->begin_ns;
		receipt->trace[i].bytes = (uint32_t)got;
	}
	if (r->halfway)
		return;
	r->halfway = transfer->bytes ?
		2 * receipt->bytes >= transfer->bytes :
		2 * (now_ns - r->begin_ns) >= transfer->duration_ns;
	r->half_ns = now_ns;
	r->half_bytes = receipt->bytes;
	r->half_reads = receipt->reads;
}

/* Reads once. Returns 1, 0 if this connection has ended, or -1. */
static int read_once(struct receiver *r, size_t i, int flags)
{
	const struct transfer *transfer = r->transfer;
	size_t most = transfer->call_bytes;

	if (transfer->bytes && transfer->bytes - r->receipt->bytes < most)
		most = transfer->bytes - r->receipt->bytes;
	ssize_t got = recv(transfer->fd[i], transfer->buffer, most, flags);
	uint64_t now_ns = tick_raw_ns();
	if (got > 0)
		keep(r, now_ns, (size_t)got);
	else if (!got)
		return 0;
	else if (!is_patient())
		return -1;
	return look(transfer, &r->look, now_ns, r->receipt->bytes) ? 1 : -1;
}

static int read_ready(struct receiver *r)
{
	for (size_t i = 0; i < r->transfer->count; i++) {
		if (!r->polled[i].revents)
			continue;
		int got = read_once(r, i, MSG_DONTWAIT);
		if (got < 0)
			return -1;
		if (!got) {
			r->polled[i].fd = -1;
			r->open--;
		}
	}
	return 0;
}

static bool complete(const struct receiver *r)
{
	return !r->open ||
		(r->transfer->bytes && r->receipt->bytes >= r->transfer->bytes);
}

static int read_all(struct receiver *r)
{
	bool alone = r->transfer->count == 1;

	while (!complete(r)) {
		if (alone) {
			int got = read_once(r, 0, 0);

			if (got < 0)
				return -1;
			r->open = got;
		} else if (await_any(r) || read_ready(r)) {
			return -1;
		}
	}
	return 0;
}

int transfer_receive(const struct transfer *transfer, struct receipt *receipt)
{
	struct receiver r = {
		.transfer = transfer,
		.receipt = receipt,
		.open = transfer->count,
	};

	memset(receipt, 0, sizeof *receipt);
	for (size_t i = 0; i < transfer->count; i++)
		r.polled[i] = (struct pollfd){ .fd = transfer->fd[i],
			.events = POLLIN };
	r.look = look_from(tick_raw_ns());
	if (await_any(&r))
		return -1;
	r.begin_ns = tick_raw_ns();
	if (read_all(&r))
		return -1;
	if (!receipt->bytes)
		return 0;
	if (receipt->bytes < transfer->bytes)
		return -1;
	receipt->whole_ns = r.last_ns - r.begin_ns;
	receipt->last_ns = r.last_ns;
	if (r.halfway && receipt->reads >= r.half_reads + STEADY_READS) {
		receipt->steady_bytes = receipt->bytes - r.half_bytes;
		receipt->steady_ns = r.last_ns - r.half_ns;
	}
	return 1;
}

/* ---- sending ---------------------------------------------------------- */

struct sender {
	const struct transfer *transfer;
	struct dispatch *dispatch;
	struct look look;
	uint64_t begin_ns, now_ns;
};

static bool sent_all(const struct sender *s)
{
	const struct transfer *transfer = s->transfer;

	if (transfer->bytes)
		return s->dispatch->bytes >= transfer->bytes;
	return s->now_ns - s->begin_ns >= transfer->duration_ns;
}

static int write_once(struct sender *s, size_t i, int flags)
{
	const struct transfer *transfer = s->transfer;
	size_t most = transfer->call_bytes;

	if (transfer->bytes && transfer->bytes - s->dispatch->bytes < most)
		most = transfer->bytes - s->dispatch->bytes;
	ssize_t put = send(transfer->fd[i], transfer->buffer + TRANSFER_PLACE,
		most, flags | MSG_NOSIGNAL);
	s->now_ns = tick_raw_ns();
	if (put > 0) {
		s->dispatch->bytes += (size_t)put;
		s->dispatch->writes++;
	} else if (!is_patient()) {
		return -1;
	}
	return look(transfer, &s->look, s->now_ns, s->dispatch->bytes) ? 0 : -1;
}

static int write_several(struct sender *s)
{
	const struct transfer *transfer = s->transfer;
	struct pollfd polled[TRANSFER_STREAMS];

	for (size_t i = 0; i < transfer->count; i++)
		polled[i] = (struct pollfd){ .fd = transfer->fd[i],
			.events = POLLOUT };
	if (poll(polled, transfer->count, LOOK_MS) < 0 && errno != EINTR)
		return -1;
	s->now_ns = tick_raw_ns();
	for (size_t i = 0; i < transfer->count && !sent_all(s); i++)
		if (polled[i].revents && write_once(s, i, MSG_DONTWAIT))
			return -1;
	return look(transfer, &s->look, s->now_ns, s->dispatch->bytes) ? 0 : -1;
}

int transfer_send(const struct transfer *transfer, struct dispatch *dispatch)
{
	struct sender s = {
		.transfer = transfer,
		.dispatch = dispatch,
		.begin_ns = tick_raw_ns(),
	};

	memset(dispatch, 0, sizeof *dispatch);
	s.now_ns = s.begin_ns;
	s.look = look_from(s.begin_ns);
	while (!sent_all(&s))
		if (transfer->count == 1 ? write_once(&s, 0, 0) :
					   write_several(&s))
			return -1;
	dispatch->took_ns = s.now_ns - s.begin_ns;
	dispatch->begin_ns = s.begin_ns;
	for (size_t i = 0; i < transfer->count && !transfer->bytes; i++)
		shutdown(transfer->fd[i], SHUT_WR);
	return 0;
}

/* ---- on the wire ------------------------------------------------------ */

void transfer_put_receipt(struct wire_out *out, const struct receipt *receipt)
{
	wire_put_u64(out, receipt->bytes);
	wire_put_u64(out, receipt->whole_ns);
	wire_put_u64(out, receipt->last_ns);
	wire_put_u64(out, receipt->steady_bytes);
	wire_put_u64(out, receipt->steady_ns);
	wire_put_u64(out, receipt->reads);
	wire_put_u16(out, (uint16_t)receipt->trace_count);
	for (size_t i = 0; i < receipt->trace_count; i++) {
		wire_put_u64(out, receipt->trace[i].at_ns);
		wire_put_u32(out, receipt->trace[i].bytes);
	}
}

void transfer_get_receipt(struct wire_in *in, struct receipt *receipt)
{
	memset(receipt, 0, sizeof *receipt);
	receipt->bytes = wire_get_u64(in);
	receipt->whole_ns = wire_get_u64(in);
	receipt->last_ns = wire_get_u64(in);
	receipt->steady_bytes = wire_get_u64(in);
	receipt->steady_ns = wire_get_u64(in);
	receipt->reads = wire_get_u64(in);
	size_t count = wire_get_u16(in);
	if (count > TRANSFER_TRACE)
		in->bad = true;
	for (size_t i = 0; i < count && !in->bad; i++) {
		receipt->trace[i].at_ns = wire_get_u64(in);
		receipt->trace[i].bytes = wire_get_u32(in);
		receipt->trace_count = i + 1;
	}
}

void transfer_put_dispatch(struct wire_out *out,
	const struct dispatch *dispatch)
{
	wire_put_u64(out, dispatch->bytes);
	wire_put_u64(out, dispatch->took_ns);
	wire_put_u64(out, dispatch->writes);
	wire_put_u64(out, dispatch->begin_ns);
}

void transfer_get_dispatch(struct wire_in *in, struct dispatch *dispatch)
{
	dispatch->bytes = wire_get_u64(in);
	dispatch->took_ns = wire_get_u64(in);
	dispatch->writes = wire_get_u64(in);
	dispatch->begin_ns = wire_get_u64(in);
}
