/* Explains one packet: in a few words, and as a page. */
#include <string.h>

#include "view_net.h"

/* ---- words ---------------------------------------------------------- */

void net_flags(unsigned flags, bool whole, struct text *text)
{
	static const struct {
		unsigned bit;
		const char *name, *letter;
	} names[] = { { TCP_SYN, "SYN", "S" }, { TCP_FIN, "FIN", "F" },
		{ TCP_RST, "RST", "R" }, { TCP_PSH, "PSH", "P" },
		{ TCP_ACK, "ACK", "." }, { TCP_URG, "URG", "U" },
		{ TCP_ECE, "ECE", "E" }, { TCP_CWR, "CWR", "W" } };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (flags & names[i].bit)
			text_add(text, "%s%s", whole && text->length ? " " : "",
				whole ? names[i].name : names[i].letter);
}

static const char *again_words(unsigned why)
{
	static const char *const words[RETRANSMISSIONS] = {
		[RETRANSMIT_TIMEOUT] = "retx: time-out",
		[RETRANSMIT_TAIL_PROBE] = "retx: tail probe",
		[RETRANSMIT_TIMER] = "retx: timer",
		[RETRANSMIT_FAST] = "retx: fast",
		[RETRANSMIT_RACK] = "retx: early",
		[RETRANSMIT_RECOVERY] = "retx: recovery",
		[RETRANSMIT_AGAIN] = "retx: third or later",
		[RETRANSMIT_SPURIOUS] = "retx: spurious",
		[RETRANSMIT_UNKNOWN] = "retransmitted",
		[RETRANSMIT_FIN] = "retx: FIN",
		[RETRANSMIT_SYN] = "retx: SYN",
	};

	return why < RETRANSMISSIONS ? words[why] : words[RETRANSMIT_UNKNOWN];
}

static const char *mark_words(unsigned marks)
{
	static const struct {
		unsigned mark;
		const char *words;
	} rows[] = {
		{ MARK_COPY, "captured twice" },
		{ MARK_REORDERED, "reordered or late" },
		{ MARK_RECORDED_LATE, "recorded late" },
		{ MARK_PROBE, "window probe" },
		{ MARK_KEEPALIVE, "keep-alive" },
		{ MARK_ZERO_WINDOW, "zero window" },
		{ MARK_CAPTURE_GAP, "ACK past a gap" },
		{ MARK_GAP, "after a gap" },
		{ MARK_DSACK, "received twice" },
		{ MARK_SACK, "ACK with SACK" },
		{ MARK_DUPLICATE_ACK, "duplicate ACK" },
		{ MARK_WINDOW_FULL, "fills the window" },
		{ MARK_WINDOW_UPDATE, "window update" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (marks & rows[i].mark)
			return rows[i].words;
	return NULL;
}

uint32_t net_opens_round(const struct net_scene *scene,
	const struct logged *logged)
{
	const struct rounds *rounds = net_rounds(scene);

	if (!(logged->marks & MARK_ROUND) || logged->side != scene->sender)
		return 0;
	for (uint32_t i = 0; i < rounds->count; i++)
		if (rounds->at[i].number == logged->packet.number)
			return i + 1;
	return 0;
}

enum { MARKS_UNCLEAR = MARK_RETRANSMISSION | MARK_REORDERED };

bool net_is_unclear(const struct logged *logged)
{
	return (logged->marks & MARKS_UNCLEAR) == MARKS_UNCLEAR;
}

static const char *plain_words(const struct packet *packet)
{
	if (packet->class == PACKET_TOO_BIG)
		return "too big: router";
	if (packet->flags & TCP_RST)
		return "reset";
	if (packet->flags & TCP_SYN)
		return packet->flags & TCP_ACK ? "accepts" : "opens";
	if (packet->flags & TCP_FIN)
		return "closes";
	return packet->payload_bytes ? "data" : "ACK";
}

void net_packet_words(const struct net_scene *scene,
	const struct logged *logged, struct text *text)
{
	uint32_t round = net_opens_round(scene, logged);
	const char *mark = mark_words(logged->marks);

	if (net_is_unclear(logged))
		text_add(text, "reordered or retransmitted");
	else if (logged->marks & MARK_RETRANSMISSION)
		text_add(text, "%s", again_words(logged->why));
	else if (mark)
		text_add(text, "%s", mark);
	else if (round)
		text_add(text, "opens round %u", round);
	else
		text_add(text, "%s", plain_words(&logged->packet));
}

/* ---- the page ------------------------------------------------------- */

static void add_ip(const struct packet *packet, struct text *text)
{
	text_add(text, "  from       %s\n", endpoint_text(&packet->from).chars);
	text_add(text, "  to         %s\n", endpoint_text(&packet->to).chars);
	text_add(text, "  length     %u bytes on the wire", packet->wire_bytes);
	if (packet->payload_bytes)
		text_add(text, ", %llu of them data",
			(unsigned long long)packet->payload_bytes);
	text_add(text, "\n  IPv%u       TTL %u, %s %u", packet->from.version,
		packet->ttl,
		packet->from.version == 6 ? "flow label" : "identification",
		packet->ip_id);
	if (packet->vlan_tags)
		text_add(text, ", %u VLAN tag%s", packet->vlan_tags,
			packet->vlan_tags == 1 ? "" : "s");
	text_add(text, "%s%s%s\n", packet->pppoe ? ", in PPPoE" : "",
		packet->ip_fragment ? ", first fragment" :
			packet->fragment_at ? ", later fragment" : "",
		packet->overlong ? ", header length beyond the frame" :
				   "");
}

static void add_numbers(const struct net_scene *scene,
	const struct logged *logged, struct text *text)
{
	const struct connection *connection = scene->connection;
	const struct packet *packet = &logged->packet;
	const struct side *side = &connection->side[logged->side];
	const struct side *peer =
		&connection->side[side_peer(connection, logged->side)];

	text_add(text, "  flags      ");
	struct text flags = { 0 };
	net_flags(packet->flags, true, &flags);
	text_add(text, "%s\n", flags.length ? flags.chars : "none");
	text_free(&flags);
	text_add(text,
		"  sequence   %lld .. %lld of the %s's data (%u on the "
		"wire)\n",
		(long long)side_offset(side, logged->position),
		(long long)side_offset(side, logged->end),
		net_side(scene, logged->side), packet->seq);
	if (packet->flags & TCP_ACK)
		text_add(text,
			"  acks       everything up to %lld of the other side "
			"(%u on the wire)\n",
			(long long)side_offset(peer, logged->ack), packet->ack);
	if (!packet->window_known)
		return;
	text_add(text, "  window     %u", packet->window);
	int64_t bytes = net_window_bytes(scene, logged);
	if (bytes > packet->window)
		text_add(text, " x %lld = %lld bytes",
			(long long)bytes / packet->window, (long long)bytes);
	else
		text_add(text, " bytes%s",
			bytes < 0 ? ", scale not captured" : "");
	text_add_char(text, '\n');
}

static void add_options(const struct net_scene *scene,
	const struct logged *logged, struct text *text)
{
	const struct tcp_options *options = &logged->packet.options;
	const struct connection *connection = scene->connection;
	const struct side *peer =
		&connection->side[side_peer(connection, logged->side)];
	const char *lead = "  options    ";

	if (options->present & OPTION_MSS) {
		text_add(text, "%sMSS %u: the most data in one segment\n", lead,
			options->mss_bytes);
		lead = "             ";
	}
	if (options->present & OPTION_WSCALE) {
		text_add(text, "%swindow scale %u\n", lead, options->wscale);
		lead = "             ";
	}
	if (options->present & OPTION_SACK_PERMITTED) {
		text_add(text, "%sselective ACKs (SACK) may be sent\n", lead);
		lead = "             ";
	}
	if (options->present & OPTION_TIMESTAMPS) {
		text_add(text, "%stimestamp %u, echoes %u\n", lead,
			options->tsval, options->tsecr);
		lead = "             ";
	}
	for (unsigned i = 0; i < options->sack_count; i++) {
		struct net_block block = net_sack(logged, i);

		text_add(text, "%sSACK: also received %lld .. %lld\n", lead,
			(long long)side_offset(peer, block.from),
			(long long)side_offset(peer, block.to));
		lead = "             ";
	}
	if (options->state == OPTIONS_TRUNCATED)
		text_add(text, "%sfurther options cut off by the "
			"capture\n", lead);
	else if (options->state == OPTIONS_INVALID)
		text_add(text, "%sfurther options invalid\n", lead);
}

/* Explains a packet of which the marks do not show why it is late or
 * retransmitted. Returns the marks that are still to be explained. */
static unsigned add_unclear(const struct logged *logged, struct text *text)
{
	if (!net_is_unclear(logged))
		return logged->marks;
	text_add(text,
		"\n  Reordered, recorded late or twice, or retransmitted: the "
		"packets do not show which.\n");
	return logged->marks & ~(unsigned)MARKS_UNCLEAR;
}

/* Adds an explanation for readers who are learning TCP. */
static void add_lesson(const struct net_scene *scene,
	const struct logged *logged, struct text *text)
{
	static const struct {
		unsigned mark;
		const char *sentence;
	} rows[] = {
		{ MARK_COPY,
			"This packet stands twice and is counted once." },
		{ MARK_RETRANSMISSION,
			"Retransmission: the sender assumes that these bytes "
			"were lost." },
		{ MARK_REORDERED,
			"Reordered: this packet arrived after packets that "
			"were sent later." },
		{ MARK_RECORDED_LATE,
			"Recorded late: its acknowledgement or later data was "
			"recorded first, by another queue of the capture." },
		{ MARK_GAP,
			"Earlier bytes are missing so far: lost, late or not "
			"captured." },
		{ MARK_CAPTURE_GAP,
			"This ACK covers bytes that were not captured before "
			"it: the capture lost them or recorded them late." },
		{ MARK_DUPLICATE_ACK,
			"Duplicate ACK: the receiver got data out of order. "
			"Three duplicate ACKs trigger a retransmission." },
		{ MARK_SACK,
			"SACK lists the data received above a gap, so that "
			"only the gap is retransmitted." },
		{ MARK_DSACK,
			"DSACK: the receiver got these bytes twice. One "
			"retransmission was spurious." },
		{ MARK_ZERO_WINDOW,
			"Zero window: the receiver has no room left, and the "
			"sender must wait." },
		{ MARK_PROBE, "Window probe: the sender asks whether the "
			"receiver has room again." },
		{ MARK_KEEPALIVE,
			"Keep-alive: asks whether the other side is still "
			"there." },
		{ MARK_WINDOW_UPDATE,
			"Window update: the receiver has more room." },
		{ MARK_WINDOW_FULL,
			"This packet fills the window that the receiver "
			"offered." },
	};
	uint32_t round = net_opens_round(scene, logged);

	if (round)
		text_add(text,
			"\n  Starts round %u: released by the first ACK of the "
			"previous round.\n",
			round);
	unsigned marks = add_unclear(logged, text);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (marks & rows[i].mark)
			text_add(text, "\n  %s\n", rows[i].sentence);
}

void net_decode(const struct net_scene *scene, const struct logged *logged,
	struct text *text)
{
	const struct packet *packet = &logged->packet;
	struct text words = { 0 };

	net_packet_words(scene, logged, &words);
	text_add(text, "%s to %s: %s\n\n", net_side(scene, logged->side),
		net_side(scene, side_peer(scene->connection, logged->side)),
		words.chars);
	text_clear(&words);
	net_time(scene, packet->t_ns, &words);
	text_add(text, "  time       %s%s\n", words.chars,
		scene->options->clock == NET_TIME_OF_DAY ?
			"" :
			" ms after the first packet");
	text_free(&words);
	add_ip(packet, text);
	add_numbers(scene, logged, text);
	add_options(scene, logged, text);
	if (logged->side == scene->sender &&
		logged->in_flight_bytes[logged->side])
		text_add(text, "  in flight  %llu bytes, including this "
			"packet\n",
			(unsigned long long)
				logged->in_flight_bytes[logged->side]);
	add_lesson(scene, logged, text);
}
