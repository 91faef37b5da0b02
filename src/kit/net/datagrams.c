/* Round trips of datagrams. */
#include "datagrams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum {
	STEP_MS = 200, /* when sleeping: the minimum timeout */
	SPIN_NS = 1000 * 1000 * 1000,
	LATE_MOST = 64, /* number of earlier datagrams whose replies are
			 * recognised: given_up */
	FILL = 0x5a,
};

void datagrams_init(struct datagrams *d, struct far *far, struct probe *probe,
	size_t payload_bytes, size_t reply_bytes)
{
	*d = (struct datagrams){
		.far = far,
		.fd = -1,
		.payload_bytes = payload_bytes,
		.reply_bytes = reply_bytes,
		.out = xcalloc(1, payload_bytes),
		.in = xcalloc(1, reply_bytes + 1),
		.mark = probe_random(probe) >> 1,
	};
	d->oldest = d->mark + 1;
	d->slowest_ns = far->round_trip_ns;
	memset(d->out, FILL, payload_bytes);
	memset(d->in, FILL, reply_bytes + 1);
}

void datagrams_free(struct datagrams *d)
{
	free(d->out);
	free(d->in);
	d->out = d->in = NULL;
}

ssize_t datagrams_spin(int fd, void *into, size_t length)
{
	uint64_t end_ns = tick_raw_ns() + SPIN_NS;
	ssize_t got;

	do
		got = recv(fd, into, length, MSG_DONTWAIT);
	while (got < 0 && errno == EAGAIN && tick_raw_ns() < end_ns);
	return got;
}

static int send_one(struct datagrams *d)
{
	if (d->icmp)
		return icmp_send(d->icmp, d->mark, (uint16_t)d->mark);
	mark_put(d->out, d->payload_bytes, d->mark);
	if (send(d->fd, d->out, d->payload_bytes, MSG_NOSIGNAL) < 0)
		return -errno;
	return 0;
}

/* Returns 1 and the mark of a reply, 0 for another message, or -errno. */
static int take_one(struct datagrams *d, uint64_t *mark)
{
	if (d->icmp)
		return icmp_receive(d->icmp, mark);
	ssize_t got = d->busy ?
		datagrams_spin(d->fd, d->in, d->reply_bytes + 1) :
		recv(d->fd, d->in, d->reply_bytes + 1, 0);
	if (got < 0)
		return -errno;
	*mark = mark_get(d->in, d->reply_bytes);
	return got == (ssize_t)d->reply_bytes;
}

/* The part of a mark that fits in both directions. */
static uint64_t seen(const struct datagrams *d, uint64_t mark)
{
	return mark_cut(mark,
		d->payload_bytes < d->reply_bytes ? d->payload_bytes :
						    d->reply_bytes);
}

/* Handles a reply to an earlier datagram: a duplicate, or the first reply to a
 * datagram that timed out and counts as lost. */
static void take_late(struct datagrams *d, uint64_t mark)
{
	for (unsigned i = 1; i < LATE_MOST && d->mark - i >= d->oldest; i++) {
		uint64_t bit = UINT64_C(1) << i;

		if (seen(d, d->mark - i) != mark)
			continue;
		d->duplicated += !(d->given_up & bit);
		d->given_up &= ~bit;
		return;
	}
}

/* Reports an error of send or receive, ICMP errors included. */
static int broken(struct datagrams *d, struct probe *probe, int error)
{
	return far_gone(d->far, probe, "no route to %s: %s", d->far->name,
		strerror(error));
}

static bool is_patient(int error)
{
	return error == EAGAIN || error == EINTR || error == ENOBUFS;
}

static int await(struct datagrams *d, struct probe *probe)
{
	uint64_t end_ns = 0;

	for (;;) {
		uint64_t mark = 0;
		int got = take_one(d, &mark);

		mark = seen(d, mark);
		if (got > 0 && mark == seen(d, d->mark))
			return 1;
		if (got > 0)
			take_late(d, mark);
		if (got >= 0)
			continue;
		if (!is_patient(-got))
			return broken(d, probe, -got);
		/* One timeout step has passed. */
		probe_alive(probe);
		if (!end_ns)
			end_ns = tick_raw_ns() + (uint64_t)(4 * d->slowest_ns);
		if (tick_raw_ns() >= end_ns)
			return 0;
	}
}

static int take_loss(struct datagrams *d, struct probe *probe)
{
	uint64_t now_ns = tick_raw_ns();

	d->lost++;
	d->given_up |= 1;
	if (!d->lost_ns)
		d->lost_ns = now_ns;
	if (far_waits(d->far, probe, d->lost_ns))
		return 0;
	return far_gone(d->far, probe, "no answer from %s for %.0f s",
		d->far->name, (double)(now_ns - d->lost_ns) * 1e-9);
}

int datagrams_exchange(struct datagrams *d, struct probe *probe)
{
	d->mark++;
	d->given_up <<= 1;
	d->sent++;
	int failed = send_one(d);
	if (failed && !is_patient(-failed))
		return broken(d, probe, -failed);
	int got = await(d, probe);
	if (!got)
		return take_loss(d, probe);
	d->lost_ns = 0;
	return got;
}
