/*
 * Where the connections of the Net screen come from: the capture file that was
 * opened last, the packets of the run that goes on or of the last one, or what
 * a run of a loaded session kept of them. The newer of file and run is shown,
 * unless the user asks for the other.
 *
 * The packets of a run are read as they come, by an annotator of the screen's
 * own; what it says is what the run's results will say.
 */
#ifndef BENCHTOP_NET_SOURCE_H
#define BENCHTOP_NET_SOURCE_H

#include "connections_read.h"
#include "packet_log.h"
#include "results.h"

struct screen;

struct net_source {
	enum { NET_NOTHING, NET_FILE, NET_RUN } kind;
	unsigned serial;  /* another number, another source */
	const char *name; /* the file's, or the experiment's; not safe yet */
	bool live;        /* more packets may come */
	const struct annotator *annotator;       /* or */
	const struct stored_connections *stored; /* without packets */
	const struct packet_log *log;            /* NULL: no packets */
	const struct tcpinfo_log *tcpinfo; /* from the kernel; NULL: none */
	const struct results *results; /* of a run that is over */
	uint64_t dropped;              /* by the capture */
	const char *why;               /* no packets: why not; NULL */
};

/* What is kept for it. */
struct net_sources {
	bool other;     /* the user asked for the one that is older */
	unsigned count; /* of sources so far */

	/* The packets of a run. */
	struct packets *reader; /* NULL: none */
	struct annotator *annotator;
	struct packet_log *log;
	unsigned run;    /* the lab's number of it .. */
	unsigned serial; /* .. and ours */

	/* What results have kept. */
	const struct results *results;
	struct stored_connections stored;
	unsigned stored_serial;
};

/* Finds it, and reads what has come since. */
void net_find_source(struct screen *, struct net_sources *,
	struct net_source *);
/* Forgets results that are about to go. */
void net_sources_forget(struct net_sources *);
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
