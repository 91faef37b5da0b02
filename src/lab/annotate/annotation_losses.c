/* The losses of a connection: what was sent again, reordered or missing. */
#include "annotation_internal.h"
#include "connection_list.h"

static void add_count(struct text *line, uint64_t count, const char *one,
	const char *many)
{
	if (count)
		text_add(line, "%s%llu %s", line->length ? ", " : "",
			(unsigned long long)count, count == 1 ? one : many);
}

/* "1 fast, 1 of the SYN/ACK": a side repeats what it sent itself. */
static void add_kinds(struct text *line, const struct side *side, bool answers)
{
	const char *before = " (";

	for (int i = 0; i < RETRANSMISSIONS; i++) {
		if (!side->retransmissions[i])
			continue;
		text_add(line, "%s%llu %s%s", before,
			(unsigned long long)side->retransmissions[i],
			tell_retransmission((enum retransmission)i),
			answers && i == RETRANSMIT_SYN ? "/ACK" : "");
		before = ", ";
	}
	if (side->retransmitted_segments)
		text_add_char(line, ')');
}

/* A retransmission that is lost before the capture point is not counted, so the
 * count may be a lower bound. */
static void tell_least(const struct telling *telling, int sender)
{
	const struct connection *connection = telling->connection;

	if (connection->side[sender].retransmitted_segments &&
		connection->tap != TAP_UNKNOWN &&
		!side_is_near(connection, sender))
		tell(telling, 6,
			"not captured at the sender: there may be more "
			"retransmissions");
}

static void add_zero_windows(const struct telling *telling,
	const struct side *peer, struct text *line)
{
	add_count(line, peer->zero_window_acks, "zero-window ACK",
		"zero-window ACKs");
	if (!peer->zero_windows)
		return;
	text_add(line, " in %llu spell%s",
		(unsigned long long)peer->zero_windows,
		peer->zero_windows == 1 ? " of " : "s, together ");
	add_span(telling,
		side_zero_window_ns(telling->connection,
			(int)(peer - telling->connection->side)),
		line);
	if (peer->zero_since_ns != UNKNOWN_NS)
		text_add(line, ", the last still closed at the end");
}

/* An unknown tap may be at the sender, where nothing is overtaken. And a
 * receiver acknowledges each packet that skips others at once (RFC 5681, 4.2):
 * with fewer duplicate ACKs, or fewer with new SACK ranges, some packets were
 * only recorded late. An ACK may be both. */
static void add_reordered(const struct connection *connection,
	const struct side *side, const struct side *peer, struct text *line)
{
	bool reported = peer->duplicate_acks >= side->reordered ||
		peer->sack_acks >= side->reordered;

	if (connection->tap == TAP_UNKNOWN || !reported)
		add_count(line, side->reordered,
			"packet reordered or recorded late",
			"packets reordered or recorded late");
	else
		add_count(line, side->reordered, "packet reordered",
			"packets reordered");
}

static void add_beyond(const struct side *side, struct text *line)
{
	add_count(line, side->beyond_window,
		"packet beyond the advertised window",
		"packets beyond the advertised window");
	if (!side->beyond_window)
		return;
	text_add(line, " (by at least %llu bytes",
		(unsigned long long)side->beyond_window_bytes);
	if (side->discarded_bytes)
		text_add(line, "; the receiver discarded %llu bytes",
			(unsigned long long)side->discarded_bytes);
	text_add(line, ")");
}

static void add_gaps(const struct side *side, struct text *line)
{
	add_count(line, side->gaps, "gap", "gaps");
	add_count(line, side->gap_bytes, "byte acknowledged but not captured",
		"bytes acknowledged but not captured");
	if (side->gap_bytes)
		text_add(line, " (lost by the capture, %s%s)",
			side->isn_known ? "not by the network" :
					  "or sent before it began",
			side_lacks_end(side) ? "; the last may be a FIN" : "");
}

static void tell_side_losses(const struct telling *telling, int sender)
{
	const struct connection *connection = telling->connection;
	const struct side *side = &connection->side[sender];
	const struct side *peer =
		&connection->side[side_peer(connection, sender)];
	struct text line = { 0 };

	if (!side->packets && !side->gap_bytes) {
		tell(telling, 4, "%s: no packet in the capture",
			tell_side(telling, sender));
		return;
	}
	if (!side->packets) {
		tell(telling, 4,
			"%s: not in the capture; %llu byte%s acknowledged; a "
			"FIN may be one of them",
			tell_side(telling, sender),
			(unsigned long long)side->gap_bytes,
			side->gap_bytes == 1 ? " was" : "s were");
		return;
	}
	if (side_counts_packets(side))
		add_count(&line, side->retransmitted_segments,
			"retransmitted packet of one or more segments",
			"retransmitted packets of one or more segments");
	else
		add_count(&line, side->retransmitted_segments,
			"retransmission", "retransmissions");
	add_kinds(&line, side,
		sender != connection->client &&
			!connection->handshake.simultaneous);
	add_count(&line, side->retransmitted_partly,
		"of them with new data too", "of them with new data too");
	add_reordered(connection, side, peer, &line);
	add_count(&line, side->unclear,
		"packet reordered, recorded late or twice, or retransmitted "
		"(unknown which)",
		"packets reordered, recorded late or twice, or retransmitted "
		"(unknown which)");
	add_count(&line, side->recorded_late, "packet recorded late",
		"packets recorded late");
	add_count(&line, peer->duplicate_acks, "duplicate ACK for it",
		"duplicate ACKs for it");
	add_count(&line, peer->sack_acks, "ACK with new SACK ranges",
		"ACKs with new SACK ranges");
	add_count(&line, peer->dsacks, "DSACK (data received twice)",
		"DSACKs (data received twice)");
	add_gaps(side, &line);
	add_beyond(side, &line);
	add_zero_windows(telling, peer, &line);
	add_count(&line, side->zero_window_probes, "zero-window probe",
		"zero-window probes");
	add_count(&line, side->keepalives, "keep-alive", "keep-alives");
	if (line.length)
		tell(telling, 4, "%s: %s", tell_side(telling, sender),
			line.chars);
	tell_least(telling, sender);
	text_free(&line);
}

void tell_losses(const struct telling *telling)
{
	const struct connection *connection = telling->connection;
	size_t before;

	text_add(telling->text, "\n  losses\n");
	before = telling->text->length;
	tell_side_losses(telling, connection->client);
	if (!connection->self_connect)
		tell_side_losses(telling, !connection->client);
	if (telling->text->length == before)
		tell(telling, 4,
			"none: 0 retransmissions, 0 reordered, 0 gaps");
}
