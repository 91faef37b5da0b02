/*
 * Parameters that all network experiments share: the host of the remote end,
 * and the rows of a link.
 *
 * A struct of arguments that begins with a `struct network network` adds
 *     NETWORK_ROWS(struct args, network),
 * to its table. network_check() and network_waits() are check() and waits() for
 * such arguments. Placement and congestion control are `int`s with the rows
 *     PLACEMENT_ROW(struct args, placement, "other"),
 *     CONGESTION_ROW(struct args, congestion, "default"),
 */
#ifndef BENCHTOP_NETWORK_H
#define BENCHTOP_NETWORK_H

#include "link_rows.h"
#include "probe.h"

struct network {
	const char *host;
	struct link_args link;
};

#define NETWORK_ROWS(args, member) NETWORK_ROWS_OF(args, member, "loopback")
/* The same with another default host. */
#define NETWORK_ROWS_OF(args, member, usual) \
	{ .name = "host", \
		.label = "remote end", \
		.help = "loopback, link (an emulated path), or NAME[:PORT] " \
			"of a `benchtop serve`", \
		.preset = (usual), \
		TEXT_FIELD(args, member.host) }, \
		LINK_ROWS(args, member.link)

/* Placement of the far end; probe_placed() gives its processor. */
#define PLACEMENT_ROW(args, member, usual) \
	{ \
		.name = "placement", .label = "placement", \
		.help = "processor of a remote end on this machine", \
		.preset = (usual), CHOICE_FIELD(args, member), \
		.choices = placement_choices \
	}

/* Names of the kernel's modules; "default" is the system's default. */
extern const char *const network_controls[];
#define CONGESTION_ROW(args, member, usual) \
	{ \
		.name = "congestion", .label = "congestion control", \
		.help = "algorithm of the sender, if its kernel offers it", \
		.preset = (usual), CHOICE_FIELD(args, member), \
		.choices = network_controls \
	}

struct range;

enum network_kind { NETWORK_LOOPBACK, NETWORK_LINK, NETWORK_REMOTE };

struct network_host {
	enum network_kind kind;
	char name[256], port[8]; /* of NETWORK_REMOTE */
};
/* Parses a host; an IPv6 address with a port is [ADDRESS]:PORT. Returns 0, or
 * -1 with an error. */
int network_host(const char *text, struct network_host *, struct error *);

/* The experiment's check(): the host must be valid, and the rows of a link may
 * only be set with host=link. */
int network_check(const void *args, struct error *);

/* The experiment's waits(): true if the time is that of the path, not of this
 * core. */
bool network_waits(const void *args);

/* An earlier round trip of this session to the same host, ns, for predictions.
 * False if there is none. */
bool network_round_trip(const struct facts *, const struct network *,
	struct range *);

#endif
