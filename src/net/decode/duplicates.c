/* Detection of packets that were captured twice. */
#include "duplicates.h"

#include <string.h>

/* Multiplication and folding. This suffices for a small table; a wrong match
 * costs one packet. */
static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 32;
}

static uint64_t mix_bytes(uint64_t hash, const uint8_t *bytes, size_t count)
{
	uint64_t word = 0;

	for (; count >= 8; count -= 8, bytes += 8) {
		memcpy(&word, bytes, 8);
		hash = mix(hash, word);
	}
	if (!count)
		return hash;
	word = 0;
	memcpy(&word, bytes, count);
	return mix(hash, word);
}

static uint64_t print_of_way(const struct endpoint *from,
	const struct endpoint *to)
{
	uint64_t hash = mix(0, (uint64_t)from->port << 16 | to->port);
	uint32_t one, other;

	if (from->version == 6)
		return mix_bytes(mix_bytes(hash, from->address, 16),
			to->address, 16);
	memcpy(&one, from->address, sizeof one);
	memcpy(&other, to->address, sizeof other);
	return mix(hash, (uint64_t)one << 32 | other);
}

/* An IP identification has 20 bits at most. */
static uint64_t print_of_ends(const struct packet *packet, uint64_t way)
{
	uint64_t flags = packet->flags & (TCP_SYN | TCP_FIN | TCP_RST);
	uint64_t hash = mix(way,
		flags << 56 | (uint64_t)packet->ip_id << 32 | packet->seq);

	return mix(hash, (uint64_t)packet->vlan << 32 ^ packet->payload_bytes);
}

static uint64_t print_of_rest(const struct packet *packet, uint64_t hash)
{
	enum { PAYLOAD_PREFIX = 16 };
	const struct tcp_options *options = &packet->options;
	size_t prefix = packet->payload_captured < PAYLOAD_PREFIX ?
		packet->payload_captured :
		PAYLOAD_PREFIX;

	hash = mix(hash,
		(uint64_t)packet->ack << 32 | packet->flags << 16 |
			packet->window);
	hash = mix(hash, (uint64_t)options->tsval << 32 | options->tsecr);
	for (unsigned i = 0; i < options->sack_count; i++)
		hash = mix(hash,
			(uint64_t)options->sack[i].from << 32 |
				options->sack[i].to);
	return mix_bytes(hash, packet->payload, prefix);
}

void duplicates_look(struct duplicates *duplicates, const struct packet *packet)
{
	struct prints *now = &duplicates->now;

	now->way = print_of_way(&packet->from, &packet->to);
	now->repeat = print_of_ends(packet, now->way);
	now->copy = print_of_rest(packet, now->repeat);
	__builtin_prefetch(duplicates->sets[now->copy % DUPLICATES_SETS], 1);
}

/* True for a SYN, which waits a second before it is sent again. A SYN/ACK is
 * sent again at once to answer a SYN that is sent again: equal ones are copies
 * if the SYN was captured twice too. */
static bool is_slow(const struct packet *packet, bool doubled)
{
	return packet->flags & TCP_SYN &&
		(doubled || !(packet->flags & TCP_ACK));
}

/* The maximum distance in time of copies; -1: they cannot be recognised.
 * `forwarded`: one of them arrives at the capturing machine, and the other
 * leaves it. */
static int64_t copies_within_ns(const struct packet *packet, bool forwarded,
	bool doubled)
{
	if (forwarded || (packet->from.version == 4 && packet->ip_id) ||
		is_slow(packet, doubled))
		return DUPLICATES_WITHIN_NS;
	return packet->options.present & OPTION_TIMESTAMPS ?
		DUPLICATES_WITHIN_TICK_NS :
		-1;
}

/* The time between two packets, or -1 if it exceeds within_ns. */
static int64_t apart(int64_t a_ns, int64_t b_ns, int64_t within_ns)
{
	uint64_t apart_ns = a_ns > b_ns ? (uint64_t)a_ns - (uint64_t)b_ns :
					  (uint64_t)b_ns - (uint64_t)a_ns;

	return within_ns >= 0 && apart_ns <= (uint64_t)within_ns ?
		(int64_t)apart_ns :
		-1;
}

static bool is_named(const struct packet *packet)
{
	return packet->from.version == 4 && packet->ip_id;
}

/* True if equal packets with equal timestamps are copies, at any distance. */
static bool is_certain(const struct packet *packet,
	const struct far_print *print)
{
	return is_named(packet) ||
		packet->flags & TCP_SYN || packet->ttl != print->ttl ||
		packet->interface != print->interface ||
		packet->leaving != print->leaving;
}

static bool is_beside(const struct packet *packet,
	const struct far_print *print)
{
	return print->interface == packet->interface &&
		print->ttl == packet->ttl;
}

static uint16_t high_bits(uint64_t copy)
{
	return (uint16_t)(copy >> 48);
}

static void store(struct duplicates *duplicates, const struct packet *packet,
	uint64_t copy)
{
	struct far_place *set = duplicates->sets[copy % DUPLICATES_SETS];
	uint32_t at = duplicates->far_next++ % DUPLICATES_FAR;

	duplicates->far[at] = (struct far_print){ copy, packet->t_ns, 0,
		packet->interface, packet->ttl, packet->leaving };
	for (int i = DUPLICATES_WAYS - 1; i > 0; i--)
		set[i] = set[i - 1];
	set[0] = (struct far_place){ high_bits(copy), (uint16_t)at };
}

/* A packet of the set of a hash, if it has that hash, or NULL. */
static struct far_print *far_at(struct duplicates *duplicates, uint64_t copy,
	int i)
{
	const struct far_place *place =
		&duplicates->sets[copy % DUPLICATES_SETS][i];
	struct far_print *print = &duplicates->far[place->at];

	return place->high == high_bits(copy) && print->copy == copy ? print :
								       NULL;
}

/* The time since the packet was stored in the table, or -1. Stores it, unless
 * it is a copy. */
static int64_t far_copy(struct duplicates *duplicates,
	const struct packet *packet, uint64_t copy, enum copies copies)
{
	bool several = copies == COPIES_FAR;
	bool stamped = packet->options.present & OPTION_TIMESTAMPS;
	/* Some hosts send 0 in every SYN. */
	bool far = packet->options.tsval &&
		(several || packet->flags & TCP_SYN);
	int64_t within_ns = far ? DUPLICATES_CLOCKS_S * INT64_C(1000000000) :
				  DUPLICATES_FAR_NS;

	if (!stamped && !(is_named(packet) && packet->payload_bytes))
		return -1;
	for (int i = 0; i < DUPLICATES_WAYS; i++) {
		const struct far_print *print = far_at(duplicates, copy, i);

		if (!print ||
			(copies == COPIES_BESIDE && !is_beside(packet, print)))
			continue;
		int64_t apart_ns = apart(packet->t_ns, print->t_ns, within_ns);
		duplicates->identical |= !stamped && apart_ns >= 0;
		if (stamped && apart_ns >= 0 &&
			(several || is_certain(packet, print)))
			return apart_ns;
	}
	store(duplicates, packet, copy);
	return -1;
}

static struct far_print *find_equal(struct duplicates *duplicates,
	uint64_t copy, const struct packet *packet)
{
	for (int i = 0; i < DUPLICATES_WAYS; i++) {
		struct far_print *print = far_at(duplicates, copy, i);

		if (print && is_beside(packet, print) &&
			apart(packet->t_ns, print->t_ns, DUPLICATES_FAR_NS) >=
				0)
			return print;
	}
	return NULL;
}

struct record duplicates_record(struct duplicates *duplicates,
	const struct packet *packet)
{
	int64_t within_ns = copies_within_ns(packet, false, true);
	const struct far_print *equal =
		find_equal(duplicates, duplicates->now.copy, packet);

	if (!equal)
		return (struct record){ 0 };
	if (equal->second_ns) {
		bool near =
			apart(packet->t_ns, equal->second_ns, within_ns) >= 0;

		return (struct record){ near, near, !near };
	}
	if (within_ns > DUPLICATES_POINTS_NS)
		within_ns = DUPLICATES_POINTS_NS;
	bool same = apart(packet->t_ns, equal->t_ns, within_ns) >= 0;
	return (struct record){ !same, same, false };
}

void duplicates_count(struct duplicates *duplicates)
{
	duplicates->copies++;
	duplicates->repeats++;
}

void duplicates_pair(struct duplicates *duplicates, const struct packet *packet,
	struct record record)
{
	uint64_t copy = duplicates->now.copy;
	struct far_print *equal = find_equal(duplicates, copy, packet);

	if (record.copy) {
		duplicates_count(duplicates);
		return;
	}
	if (record.second && equal)
		equal->second_ns = packet->t_ns;
	else
		store(duplicates, packet, copy);
}

/* Without identification, an acknowledgement has the sequence number of the one
 * before it. */
static bool is_bare(const struct packet *packet)
{
	return !packet->payload_bytes &&
		!(packet->flags & (TCP_SYN | TCP_FIN)) &&
		!(packet->from.version == 4 && packet->ip_id);
}

/* True if the other end sent nothing since the packet `at` was stored. */
static bool is_unanswered(const struct duplicates *duplicates, uint32_t at,
	const struct packet *packet)
{
	uint64_t back = print_of_way(&packet->to, &packet->from);
	uint32_t i = at;

	while ((i = (i + 1) % DUPLICATES_BACK) != duplicates->next)
		if (duplicates->last[i].is.way == back)
			return false;
	return true;
}

/* ---- captured twice, or sent again -------------------------------------- */

/* Adds a packet that is no copy. Half of the packets are forgotten now and
 * then, so that the last ones decide. */
static void doubles_add(struct doubles *doubles)
{
	doubles->total++;
	if (++doubles->packets < DOUBLES_WINDOW)
		return;
	doubles->packets /= 2;
	doubles->pairs /= 2;
}

/* How many packets before the one that came as the `total`-th are known. Later
 * ones may have their second records yet to come. */
static uint32_t known_before(const struct doubles *doubles, uint32_t total)
{
	uint32_t since = doubles->total - total + 1;

	return doubles->packets > since ? doubles->packets - since : 0;
}

/* What certainly was captured twice counts as many packets until they are
 * known. */
static void doubles_trust(struct doubles *doubles, uint32_t total)
{
	if (known_before(doubles, total) >= DOUBLES_ENOUGH)
		return;
	doubles->packets += DOUBLES_ENOUGH;
	doubles->pairs += DOUBLES_ENOUGH;
}

static bool is_mostly_double(const struct doubles *doubles, uint32_t before)
{
	return (uint64_t)doubles->pairs * DOUBLES_SHARE >=
		(uint64_t)before * (DOUBLES_SHARE - 1);
}

/* Whether the capture shows packets twice, by those before the packet `at`: of
 * its direction, at first also of the file. If nothing is known, the data of a
 * packet cannot have been sent again before the other end sent anything. */
static bool is_seen_twice(const struct duplicates *duplicates, uint32_t at,
	const struct packet *packet, const struct doubles *doubles)
{
	const struct doubles *all = &duplicates->all;
	const struct print *print = &duplicates->last[at];
	uint32_t before = known_before(doubles, print->way_total);
	uint32_t all_before = known_before(all, print->all_total);

	if (!is_mostly_double(doubles, before))
		return false;
	if (before >= DOUBLES_ENOUGH)
		return true;
	if (all_before >= DOUBLES_ENOUGH)
		return is_mostly_double(all, all_before);
	return !before && !is_bare(packet) &&
		is_unanswered(duplicates, at, packet);
}

/* Takes note of the second record of a packet, be it sent again. */
static void note_pair(struct duplicates *duplicates, struct print *print,
	struct doubles *doubles)
{
	struct doubles *all = &duplicates->all;

	if (print->paired)
		return;
	print->paired = true;
	if (print->again)
		return;
	doubles->pairs += doubles->pairs < doubles->packets;
	all->pairs += all->pairs < all->packets;
}

/* The time since the equal packet `at` was stored, or -1 if the packet is no
 * copy of it. */
static int64_t near_copy(struct duplicates *duplicates, uint32_t at,
	const struct packet *packet, const struct earlier *earlier, bool *again)
{
	struct print *print = &duplicates->last[at];
	int64_t within_ns = copies_within_ns(packet,
		packet->leaving != print->leaving, earlier->copied);
	bool slow = is_slow(packet, earlier->copied);
	bool named = within_ns == DUPLICATES_WITHIN_NS;

	if (slow)
		within_ns = DUPLICATES_SYN_NS;
	else if (!named)
		within_ns = DUPLICATES_WITHIN_TICK_NS;
	int64_t apart_ns = apart(packet->t_ns, print->t_ns, within_ns);
	if (apart_ns < 0)
		return -1;
	*again = true;
	/* An equal acknowledgement after both records of one is the next. */
	if (!named && is_bare(packet) && (print->paired || print->copied))
		return -1;
	struct doubles *doubles = earlier->doubles;
	bool copy = named || is_seen_twice(duplicates, at, packet, doubles);
	bool sure = slow || !known_before(doubles, print->way_total);
	note_pair(duplicates, print, doubles);
	if (copy && sure) {
		doubles_trust(doubles, print->way_total);
		doubles_trust(&duplicates->all, print->all_total);
	}
	return copy ? apart_ns : -1;
}

/* How many of the last packets may be repeated by one. */
static uint8_t *alike(struct duplicates *duplicates, uint64_t repeat)
{
	return &duplicates->alike[repeat % DUPLICATES_ALIKE];
}

/* Stores a packet in place of the oldest. */
static struct print *store_last(struct duplicates *duplicates,
	const struct packet *packet, const struct doubles *doubles)
{
	struct print *print = &duplicates->last[duplicates->next];

	if (duplicates->count == DUPLICATES_BACK)
		--*alike(duplicates, print->is.repeat);
	else
		duplicates->count++;
	*print = (struct print){ duplicates->now, packet->t_ns,
		packet->interface, packet->ttl, packet->leaving, false, false,
		false, doubles->total, duplicates->all.total };
	++*alike(duplicates, print->is.repeat);
	duplicates->next = (duplicates->next + 1) % DUPLICATES_BACK;
	return print;
}

int64_t duplicates_add(struct duplicates *duplicates,
	const struct packet *packet, enum copies copies,
	const struct earlier *earlier)
{
	const struct prints now = duplicates->now;
	uint32_t count = *alike(duplicates, now.repeat) ? duplicates->count : 0;
	int64_t since_ns = -1;
	bool is_repeat = false, again = false;

	duplicates->identical = false;
	for (uint32_t i = 0; i < count; i++) {
		const struct print *print = &duplicates->last[i];

		if (print->is.repeat != now.repeat ||
			(copies == COPIES_BESIDE &&
				(print->interface != packet->interface ||
					print->ttl != packet->ttl)))
			continue;
		is_repeat = true;
		if (print->is.copy == now.copy)
			since_ns = near_copy(duplicates, i, packet, earlier,
				&again);
		if (since_ns >= 0)
			break;
	}
	int64_t far_ns = far_copy(duplicates, packet, now.copy, copies);
	if (far_ns > since_ns)
		since_ns = far_ns;
	bool is_copy = since_ns >= 0;
	duplicates->identical &= !is_copy;
	duplicates->soon = again && !is_copy;
	duplicates->repeats += is_repeat || is_copy;
	duplicates->bare += is_repeat && !is_copy && is_bare(packet);
	duplicates->copies += is_copy;
	if (!is_copy && !again) {
		doubles_add(earlier->doubles);
		doubles_add(&duplicates->all);
	}
	struct print *print = store_last(duplicates, packet, earlier->doubles);
	print->copied = is_copy;
	print->again = again;
	return since_ns;
}
