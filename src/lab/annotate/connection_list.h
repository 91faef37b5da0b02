/*
 * A list of connections: one line of figures each, in a chosen order. For the
 * Net screen and for `annotate --summary`.
 */
#ifndef BENCHTOP_CONNECTION_LIST_H
#define BENCHTOP_CONNECTION_LIST_H

#include "annotate.h"
#include "connection_figures.h"
#include "connection_filter.h"
#include "connections.h"
#include "text.h"
#include "text_layout.h"

/* The duration from first to last packet. */
int64_t connection_took(const struct connection *);
/* The VLANs of the client's and of the server's packets, as in struct packet;
 * 0: none. If one side has no packets, both are the other's. */
void connection_vlans(const struct connection *, uint32_t vlan[2]);
/* How long the receive window of a side was closed: the longer of both. */
int64_t connection_shut(const struct connection *);
#define STALL_LEAST_NS INT64_C(1000000000) /* a user notices it */
/* The same, or the longest stall if that is longer, from this on. */
int64_t connection_stalled(const struct connection *);
/* A span that timestamps of this resolution show as 0: "<1 us". */
const char *span_below(int64_t resolution_ns);
/* Adds those of the client and of the server: "0+108"; "0" if both are 0; "0+-"
 * if the server's direction was not captured. */
void connection_resent_words(const struct connection *, struct text *);
void resent_words(uint64_t client, uint64_t server, struct text *);

/* The figures that can order a list. All but the first put the largest, or for
 * words the worst, first. The screen's key steps through them: those that show
 * a sick connection come first. */
enum list_order {
	ORDER_START,
	ORDER_RESENT,
	ORDER_END,
	ORDER_STALL,
	ORDER_LIMIT,
	ORDER_BYTES,
	ORDER_TIME,
	ORDER_RTT,
	LIST_ORDERS,
};
/* "start", "retx", .. */
const char *order_name(enum list_order);
/* LIST_ORDERS if the name is unknown. */
enum list_order order_named(const char *);

/* A line of the list. The caller sets the first two members. */
struct listed {
	const struct connection *connection;
	size_t index; /* in the caller's source; decides between equals */
	int64_t key;
};
void list_sort(struct listed *, size_t count, enum list_order, bool reversed);
/* The row with the larger key comes first, of equal ones the connection with
 * the smaller number. */
int64_t list_key(const struct connection *, enum list_order, bool reversed);

/* Which connections of an annotator are printed, and in which order. */
struct list_choice {
	struct connection_filter only;
	enum list_order order;
	bool reversed;
};

/* The figures of a connection that a printed list shows. They need so little
 * memory that a list has more connections than an annotator keeps. */
struct list_row {
	int64_t key;
	/* By client, by server; or RESENT_UNKNOWN. */
	uint64_t number, bytes, resent[2];
	int64_t start_ns, took_ns, rtt_ns, stall_ns;
	int64_t stalled_ns; /* connection_stalled() */
	struct endpoint end[2]; /* client, server */
	uint32_t vlan[2]; /* client, server */
	uint8_t limit, close; /* enum transfer_limit, close_kind */
};

enum { LIST_ROWS_MAX = 1 << 18 };

/* All zeros: empty. */
struct list_rows {
	struct list_row *at; /* owned */
	size_t count;
	uint64_t left_out; /* beyond the limit */
};

/* Adds a connection if it is chosen. */
void list_rows_add(struct list_rows *, const struct list_choice *,
	const struct connection *);
void list_rows_free(struct list_rows *);
/* Adds the chosen connections of an annotator to rows of earlier ones, which it
 * no longer keeps, and puts all in the chosen order. */
void list_rows_collect(struct list_rows *, const struct annotator *,
	const struct list_choice *);
/* Collects the rows and prints a table of them; nothing if there are none. The
 * rows are freed. */
void list_text(struct list_rows *, const struct annotator *,
	const struct list_choice *, const struct text_layout *, struct text *);
/* The same rows as JSON. Members have the names and places that they have in
 * the document of connections_write(), without what a row lacks, so that a
 * filter reads both. */
void list_json(struct list_rows *, const struct annotator *,
	const struct capture_origin *, const struct list_choice *,
	struct text *);

#endif
