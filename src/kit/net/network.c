/* Hosts and the rows of a link. */
#include "network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "results.h"
#include "text.h"
#include "wire.h"

const char *const network_controls[] = { "default", "cubic", "reno", "bbr",
	"dctcp", "vegas", "westwood", "htcp", "illinois", "hybla", "bic",
	"scalable", "highspeed", "veno", "yeah", "lp", "nv", "cdg", NULL };

static int refuse_host(const char *text, const char *why, struct error *error)
{
	return error_set(error, STATUS_USAGE,
		"host: %s %s: expected loopback, link, or NAME[:PORT]",
		text_quoted(text).chars, why);
}

/* Splits a host into name and port; returns NULL without a port. */
static const char *split(const char *text, const char **name, size_t *length)
{
	const char *close = *text == '[' ? strchr(text, ']') : NULL;
	const char *colon = strrchr(text, ':');

	*name = text;
	if (close) {
		*name = text + 1;
		/* Only a port may follow the bracket. */
		*length =
			strchr(":", close[1]) ? (size_t)(close - text) - 1 : 0;
		return close[1] == ':' ? close + 2 : NULL;
	}
	/* An IPv6 address without brackets has several colons and no port. */
	if (!colon || strchr(text, ':') != colon) {
		*length = strlen(text);
		return NULL;
	}
	*length = (size_t)(colon - text);
	return colon + 1;
}

int network_host(const char *text, struct network_host *host,
	struct error *error)
{
	const char *name;
	size_t length;

	*host = (struct network_host){ .kind = NETWORK_REMOTE };
	if (!strcmp(text, "loopback") || !*text) {
		host->kind = NETWORK_LOOPBACK;
		return 0;
	}
	if (!strcmp(text, "link")) {
		host->kind = NETWORK_LINK;
		return 0;
	}
	const char *port = split(text, &name, &length);
	if (!length || length >= sizeof host->name || strpbrk(name, " \t/@["))
		return refuse_host(text, "is not a host", error);
	snprintf(host->name, sizeof host->name, "%.*s", (int)length, name);
	snprintf(host->port, sizeof host->port, "%d", WIRE_PORT);
	if (!port)
		return 0;
	char *end;
	long number = strtol(port, &end, 10);
	if (*port < '0' || *port > '9' || *end || number < 1 || number > 65535)
		return refuse_host(text, "has no port from 1 to 65535", error);
	snprintf(host->port, sizeof host->port, "%ld", number);
	return 0;
}

/* A row that differs from the link's default; NULL if none does. */
static const char *link_row_set(const struct link_args *link)
{
	const struct link_settings usual = link_preset();

	if (link->rtt_ns != usual.rtt_ns)
		return "rtt";
	if (link->rate_bit_s != usual.rate_bit_s)
		return "rate";
	if (link->queue != usual.queue)
		return "queue";
	if (link->loss != usual.loss)
		return "loss";
	return link->reorder != usual.reorder ? "reorder" : NULL;
}

int network_check(const void *args, struct error *error)
{
	const struct network *network = args;
	struct network_host host;
	const char *row = link_row_set(&network->link);

	if (network_host(network->host, &host, error))
		return -1;
	/* At the far end the host is empty and the link is not used. */
	if (!*network->host)
		return 0;
	if (host.kind == NETWORK_LINK) {
		struct link_settings settings =
			link_settings_of(&network->link);

		return link_check(&settings, error);
	}
	if (!row)
		return 0;
	return error_set(error, STATUS_USAGE,
		"%s applies to the emulated link only: expected host=link, not "
		"host=%s",
		row, text_quoted(network->host).chars);
}

bool network_waits(const void *args)
{
	const struct network *network = args;

	return strcmp(network->host, "loopback") != 0;
}

bool network_round_trip(const struct facts *facts,
	const struct network *network, struct range *range)
{
	struct text where = { 0 };

	text_add(&where, "host=%s", network->host);
	/* The round trip of a link is a parameter. */
	if (!strcmp(network->host, "link")) {
		text_add(&where, " rtt=");
		unit_write_whole(&where, UNIT_NS, network->link.rtt_ns);
		text_add(&where, " rate=");
		unit_write_whole(&where, UNIT_BITS_PER_S,
			network->link.rate_bit_s);
	}
	bool found = facts_measured(facts, QUANTITY_TCP_ROUND_TRIP,
		text_chars(&where), range);
	text_free(&where);
	return found;
}
