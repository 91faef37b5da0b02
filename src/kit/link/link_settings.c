/* The settings of a link, and the addresses of its sides. */
#include "link_rows.h"

#include <arpa/inet.h>
#include <string.h>

#include "link_internal.h"

struct link_settings link_preset(void)
{
	return (struct link_settings){
		.rtt_ns = 40000000,
		.rate_bit_s = 20000000,
		.queue = 80 * UNIT_QUEUE_PACKETS,
		.cpu = LINK_ANY_CPU,
	};
}

struct link_settings link_settings_of(const struct link_args *args)
{
	struct link_settings settings = link_preset();

	settings.rtt_ns = args->rtt_ns;
	settings.rate_bit_s = args->rate_bit_s;
	settings.queue = args->queue;
	settings.loss = args->loss;
	settings.reorder = args->reorder;
	return settings;
}

static int check_range(const char *what, enum unit unit, double value,
	double least, double most, struct error *error)
{
	struct text text = { 0 };

	if (value >= least && value <= most)
		return 0;
	text_add(&text, "%s=", what);
	unit_write(&text, unit, value);
	text_add(&text, " is out of range: expected ");
	unit_write(&text, unit, least);
	text_add(&text, "..");
	unit_write(&text, unit, most);
	error_set(error, STATUS_USAGE, "%s", text_chars(&text));
	text_free(&text);
	return -1;
}

static int check_queue(int64_t queue, struct error *error)
{
	struct text text = { 0 };

	if (check_range("queue", UNIT_QUEUE, (double)queue, LINK_QUEUE_LEAST,
		    LINK_QUEUE_MOST, error))
		return -1;
	if (queue <= LINK_QUEUE_BYTES_MOST || queue % UNIT_QUEUE_PACKETS == 0)
		return 0;
	unit_write_whole(&text, UNIT_QUEUE, queue);
	error_set(error, STATUS_USAGE,
		"queue=%s is out of range: expected at most 256M bytes, or "
		"whole packets",
		text_chars(&text));
	text_free(&text);
	return -1;
}

static int check_drops(const struct link_settings *settings, int side,
	struct error *error)
{
	const uint64_t *drop = settings->drop[side];

	if (settings->drops[side] > LINK_DROPS_MAX)
		return error_set(error, STATUS_USAGE,
			"%u packets to drop: expected at most %d",
			settings->drops[side], LINK_DROPS_MAX);
	for (unsigned i = 1; i < settings->drops[side]; i++)
		if (drop[i] <= drop[i - 1])
			return error_set(error, STATUS_USAGE,
				"packets to drop are not in order: expected "
				"ascending indices");
	return 0;
}

int link_check(const struct link_settings *settings, struct error *error)
{
	if (check_range("rtt", UNIT_NS, (double)settings->rtt_ns,
		    LINK_RTT_LEAST_NS, LINK_RTT_MOST_NS, error) ||
		check_range("rate", UNIT_BITS_PER_S,
			(double)settings->rate_bit_s, LINK_RATE_LEAST_BIT_S,
			LINK_RATE_MOST_BIT_S, error) ||
		check_queue(settings->queue, error) ||
		check_range("loss", UNIT_PERCENT, settings->loss, 0, 1,
			error) ||
		check_range("reorder", UNIT_PERCENT, settings->reorder, 0,
			LINK_REORDER_MOST, error))
		return -1;
	for (int side = 0; side < LINK_SIDES; side++)
		if (check_drops(settings, side, error))
			return -1;
	return 0;
}

/* fd77::1, a unique local address. */
static socklen_t address_6(enum link_side side, struct sockaddr_storage *out)
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6 };

	address.sin6_addr.s6_addr[0] = 0xfd;
	address.sin6_addr.s6_addr[1] = 0x77;
	address.sin6_addr.s6_addr[15] = (unsigned char)(1 + side);
	memcpy(out, &address, sizeof address);
	return sizeof address;
}

socklen_t link_side_address(enum link_side side, int family,
	struct sockaddr_storage *out)
{
	struct sockaddr_in address = { .sin_family = AF_INET };

	memset(out, 0, sizeof *out);
	if (family == AF_INET6)
		return address_6(side, out);
	if (family != AF_INET)
		return 0;
	address.sin_addr.s_addr = htonl(0x0a4d0001u + side); /* 10.77.0.1 */
	memcpy(out, &address, sizeof address);
	return sizeof address;
}
