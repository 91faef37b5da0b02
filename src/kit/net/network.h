/*
 * What all network experiments have among their parameters: the host at the far
 * end, and the rows of a link.
 *
 * A struct of arguments that begins with a `struct network network` takes
 *     NETWORK_ROWS(struct args, network),
 * into its table; its check() and waits() are network_check() and
 * network_waits(), which take such arguments. The rows of `int`s for placement
 * and congestion control are
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
/* The same with another far end as preset. */
#define NETWORK_ROWS_OF(args, member, usual) \
	{ .name = "host", \
		.label = "remote end", \
		.help = "loopback, link (an emulated path), or NAME[:PORT] " \
			"of a `benchtop serve`", \
		.preset = (usual), \
		TEXT_FIELD(args, member.host) }, \
		LINK_ROWS(args, member.link)

/* Where the far end runs; probe_placed() says which processor that is. */
#define PLACEMENT_ROW(args, member, usual) \
	{ \
		.name = "placement", .label = "placement", \
		.help = "processor of a remote end on this machine", \
		.preset = (usual), CHOICE_FIELD(args, member), \
		.choices = placement_choices \
	}

/* By the names of the kernel's modules; "default" is the usual one. */
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
/* Reads a host; an IPv6 address with a port is [ADDRESS]:PORT. */
int network_host(const char *text, struct network_host *, struct error *);

/* The experiment's check(): is the host one, are the rows of a link only set
 * with host=link? */
int network_check(const void *args, struct error *);

/* The experiment's waits(): is what is timed the path's answer, and not work of
 * this core? */
bool network_waits(const void *args);

/* An earlier round trip of this session to where a run goes now, ns, for
 * predictions; false: none. */
bool network_round_trip(const struct facts *, const struct network *,
	struct range *);

#endif
