/*
 * The source of the connections on the Net screen. It is the last opened
 * capture file, the packets of the current or the last run, or the connections
 * stored in results of the session. Of file and run, the newer is shown,
 * unless the user selects the other.
 *
 * The screen has its own annotator, which reads the packets of a run as they
 * arrive. Its findings are those that the run's results will contain.
 */
#ifndef BENCHTOP_NET_SOURCE_H
#define BENCHTOP_NET_SOURCE_H

#include "connection_filter.h"
#include "connections_read.h"
#include "packet_log.h"
#include "results.h"

struct screen;

struct net_source {
	enum { NET_NOTHING, NET_FILE, NET_RUN } kind;
	unsigned serial;  /* a new number means a new source */
	const char *name; /* name of file or experiment; not escaped */
	bool live;        /* more packets may come */
	const struct annotator *annotator;       /* with packets, else */
	const struct stored_connections *stored; /* `stored`, without packets */
	const struct packet_log *log;            /* NULL: no packets */
	const struct tcpinfo_log *tcpinfo; /* kernel samples; NULL: none */
	const struct results *results; /* results of a finished run */
	uint64_t dropped;              /* packets the capture lost */
	const char *why;               /* reason for no packets; or NULL */
	struct connection_filter only; /* asked for with the file */
};

/* What the screen keeps to find the source. */
struct net_sources {
	bool other;     /* the user selected the older source */
	unsigned count; /* number of sources so far */

	/* The packets of a run. */
	struct packets *reader; /* NULL: none */
	struct annotator *annotator;
	struct packet_log *log;
	unsigned run;    /* the lab's number of the run */
	unsigned serial; /* the serial of this source */

	/* The connections stored in results. */
	const struct results *results;
	struct stored_connections stored;
	unsigned stored_serial;
};

/* Finds the source and reads the packets that have arrived since the last
 * call. */
void net_find_source(struct screen *, struct net_sources *,
	struct net_source *);
/* Drops the stored connections, because their results are no longer valid. */
void net_sources_forget(struct net_sources *);
void net_sources_release(struct net_sources *);

size_t net_connections(const struct net_source *);
/* The index of the one with a number, or of the last one before it. */
size_t net_connection_numbered(const struct net_source *, uint64_t number);
/* The width of a column of their numbers. */
int net_number_columns(const struct net_source *);
const struct connection *net_connection(const struct net_source *, size_t i);

/* The packets of one connection: their indices in the log, updated as packets
 * arrive. */
struct net_packets {
	unsigned version;    /* of the log: thinning moves packets */
	uint64_t connection; /* number of the connection */
	size_t looked;       /* packets of the log examined so far */
	size_t *at;          /* indices; owned */
	size_t count;
};
/* True if the indices in the list have changed. */
bool net_packets_update(struct net_packets *, const struct net_source *,
	uint64_t connection);
void net_packets_release(struct net_packets *);

#endif
