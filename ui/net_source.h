/*
 * Where the connections of the Net screen come from: the capture file that was
 * opened last, or the run of the experiment that is selected, live or over.
 * Whichever is newer is shown; the user may ask for the other.
 */
#ifndef BENCHTOP_NET_SOURCE_H
#define BENCHTOP_NET_SOURCE_H

#include "packet_log.h"
#include "results.h"

struct screen;

struct net_source {
	enum { NET_NOTHING, NET_FILE, NET_RUN } kind;
	unsigned serial;  /* another number, another source */
	const char *name; /* the file's, or the experiment's; not safe yet */
	bool live;        /* more packets may come */
	const struct annotator *annotator; /* NULL: nothing */
	const struct packet_log *log;      /* NULL: no packets */
	const struct results *results;     /* of NET_RUN; NULL for a file */
};

/* What is kept for it. */
struct net_sources {
	bool asked; /* the user asked for .. */
	bool file;  /* .. the file, else the run */
};

void net_find_source(struct screen *, struct net_sources *,
	struct net_source *);
void net_sources_release(struct net_sources *);

size_t net_connections(const struct net_source *);
const struct connection *net_connection(const struct net_source *, size_t i);

/* The packets of one connection among those of a log: their places in it,
 * found as they come. */
struct net_packets {
	unsigned serial;
	uint64_t connection; /* its number */
	size_t looked;       /* at so many of the log */
	size_t *at;          /* owned */
	size_t count;
};
void net_packets_update(struct net_packets *, const struct net_source *,
	uint64_t connection);
void net_packets_release(struct net_packets *);

#endif
