/* Connections by their ends. If the table is full, the connection of the lowest
 * rank that is silent for the longest time is replaced. */
#include <stdlib.h>
#include <string.h>

#include "annotate_internal.h"
#include "memory.h"
#include "numbers.h"

enum {
	BUCKETS = 2 * CONNECTIONS_MAX,
	BLOCK = 64, /* connections allocated at a time */
	BLOCKS = CONNECTIONS_MAX / BLOCK,
	NOBODY = UINT32_MAX,
};

/* The order in which connections give way to new ones. */
enum rank {
	RANK_OTHER,
	RANK_RESENT, /* with retransmitted data */
	RANK_WANTED, /* with the end that the options ask for */
	RANKS,
};

struct entry {
	uint64_t hash;
	uint32_t next;          /* next older entry in the same bucket */
	uint32_t older, newer;  /* list ordered by last packets */
	uint32_t before, after; /* list ordered by first packets */
	enum rank rank;
	struct connection connection; /* its ends are beside the hash */
};

/* A list ordered by last packets. */
struct age {
	uint32_t oldest, newest, count;
};

struct connection_table {
	struct store *store;
	const struct annotator_options *options;
	struct capture_facts *facts;
	struct entry *blocks[BLOCKS]; /* allocated as needed */
	uint32_t used;
	struct age age[RANKS];
	uint32_t buckets[BUCKETS];
	uint32_t first, last; /* list ordered by first packets */
	struct numbers forgotten;
	/* The last index and its entry: connections are read in sequence. */
	size_t place;
	uint32_t at;
};

static struct entry *entry_at(const struct connection_table *table, uint32_t i)
{
	return &table->blocks[i / BLOCK][i % BLOCK];
}

struct connection_table *connection_table_new(struct store *store,
	const struct annotator_options *options, struct capture_facts *facts)
{
	struct connection_table *table = xcalloc(1, sizeof *table);

	table->store = store;
	table->options = options;
	table->facts = facts;
	for (int rank = 0; rank < RANKS; rank++)
		table->age[rank] = (struct age){ NOBODY, NOBODY, 0 };
	table->first = table->last = table->at = NOBODY;
	memset(table->buckets, 0xff, sizeof table->buckets);
	return table;
}

void connection_table_free(struct connection_table *table)
{
	for (uint32_t i = 0; i < table->used; i++)
		connection_release(&entry_at(table, i)->connection,
			table->store);
	for (uint32_t i = 0; i < BLOCKS; i++)
		free(table->blocks[i]);
	numbers_free(&table->forgotten);
	free(table);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

static uint64_t hash_end(const struct endpoint *end)
{
	uint64_t words[2];

	memcpy(words, end->address, sizeof words);
	return mix(mix(mix(1, words[0]), words[1]),
		(uint64_t)end->version << 16 | end->port);
}

/* Independent of the direction. */
static uint64_t hash_ends(const struct endpoint *a, const struct endpoint *b)
{
	uint64_t one = hash_end(a), other = hash_end(b);

	return mix(one + other, one ^ other);
}

static bool same_end(const struct endpoint *a, const struct endpoint *b)
{
	return a->port == b->port && a->version == b->version &&
		!memcmp(a->address, b->address, sizeof a->address);
}

/* Returns -1 if the connection is not between these ends. */
static int side_of(const struct connection *connection,
	const struct endpoint *from, const struct endpoint *to)
{
	for (int side = 0; side < 2; side++)
		if (same_end(&connection->end[side], from) &&
			same_end(&connection->end[!side], to))
			return side;
	return -1;
}

static void unlink_age(struct connection_table *table, uint32_t i)
{
	struct entry *entry = entry_at(table, i);
	struct age *age = &table->age[entry->rank];

	age->count--;
	if (entry->older != NOBODY)
		entry_at(table, entry->older)->newer = entry->newer;
	else
		age->oldest = entry->newer;
	if (entry->newer != NOBODY)
		entry_at(table, entry->newer)->older = entry->older;
	else
		age->newest = entry->older;
}

static void link_newest(struct connection_table *table, uint32_t i)
{
	struct entry *entry = entry_at(table, i);
	struct age *age = &table->age[entry->rank];

	age->count++;
	entry->older = age->newest;
	entry->newer = NOBODY;
	if (age->newest != NOBODY)
		entry_at(table, age->newest)->newer = i;
	else
		age->oldest = i;
	age->newest = i;
}

enum fit {
	FIT_NONE,
	FIT_OTHER_POINT,
	FIT_DIRECTION_UNSEEN,
	FIT_OTHER_DIRECTION,
	FIT_SAME
};

static enum fit fit_of(const struct connection *connection, int side,
	const struct packet *packet)
{
	const struct side *self = &connection->side[side];
	const struct side *peer =
		&connection->side[side_peer(connection, side)];
	enum tap_points points = connection->points;

	if (self->vlan != VLAN_UNSEEN && self->vlan != packet->vlan)
		return FIT_NONE;
	if (self->packets)
		return tap_is_at(self, points, packet) ? FIT_SAME :
							 FIT_OTHER_POINT;
	/* An answer passes the tap near its sender first: of connections whose
	 * answers are not known yet, the one of the last SYN is found first. */
	if (points == POINTS_INTERFACES && !tap_is_at(peer, points, packet))
		return FIT_DIRECTION_UNSEEN;
	if (self->vlan != VLAN_UNSEEN && points == POINTS_ONE)
		return FIT_SAME;
	return peer->vlan == packet->vlan ? FIT_OTHER_DIRECTION :
					    FIT_DIRECTION_UNSEEN;
}

/* Of connections at several points, only the latest ones between two ends are
 * found: those that began with one initial sequence number. */
static bool is_later(const struct connection **latest,
	const struct connection *connection)
{
	if (connection->points == POINTS_ONE)
		return true;
	if (!*latest)
		*latest = connection;
	return (uint32_t)(*latest)->side[(*latest)->client].first ==
		(uint32_t)connection->side[connection->client].first;
}

/* The difference of the hops left. If a route changes within a connection that
 * was captured at several points, its packets fit none of them exactly. */
static int hops_apart(const struct connection *connection, int side,
	const struct packet *packet)
{
	const struct side *self = &connection->side[side];

	return connection->points == POINTS_HOPS &&
			self->interface == packet->interface ?
		abs(self->ttl - packet->ttl) :
		UINT8_MAX;
}

struct connection *connection_table_find(struct connection_table *table,
	const struct endpoint *from, const struct endpoint *to,
	const struct packet *packet, int *side)
{
	const struct connection *latest = NULL;
	uint64_t hash = hash_ends(from, to);
	uint32_t i = table->buckets[hash % BUCKETS], found = NOBODY;
	enum fit best = FIT_NONE;
	int hops = UINT8_MAX;

	for (; i != NOBODY && best != FIT_SAME; i = entry_at(table, i)->next) {
		const struct entry *entry = entry_at(table, i);
		int of = entry->hash == hash ?
			side_of(&entry->connection, from, to) :
			-1;
		bool fits = of >= 0 && is_later(&latest, &entry->connection);
		enum fit fit = fits ? fit_of(&entry->connection, of, packet) :
				      FIT_NONE;

		int apart = fit == FIT_OTHER_POINT ?
			hops_apart(&entry->connection, of, packet) :
			UINT8_MAX;

		if (fit < best || (fit == best && apart >= hops))
			continue;
		best = fit;
		hops = apart;
		found = i;
		*side = of;
	}
	if (found == NOBODY)
		return NULL;
	if (entry_at(table, found)->newer != NOBODY) {
		unlink_age(table, found);
		link_newest(table, found);
	}
	return &entry_at(table, found)->connection;
}

static void unlink_bucket(struct connection_table *table, uint32_t i)
{
	uint32_t *at = &table->buckets[entry_at(table, i)->hash % BUCKETS];

	while (*at != i)
		at = &entry_at(table, *at)->next;
	*at = entry_at(table, i)->next;
}

static void unlink_order(struct connection_table *table, uint32_t i)
{
	const struct entry *entry = entry_at(table, i);

	if (entry->before != NOBODY)
		entry_at(table, entry->before)->after = entry->after;
	else
		table->first = entry->after;
	if (entry->after != NOBODY)
		entry_at(table, entry->after)->before = entry->before;
	else
		table->last = entry->before;
	table->used--;
	table->at = NOBODY;
}

static void link_last(struct connection_table *table, uint32_t i)
{
	struct entry *entry = entry_at(table, i);

	entry->before = table->last;
	entry->after = NOBODY;
	if (table->last != NOBODY)
		entry_at(table, table->last)->after = i;
	else
		table->first = i;
	table->last = i;
	table->used++;
}

static bool has_resent(const struct connection *connection)
{
	return connection->side[0].retransmitted_bytes ||
		connection->side[1].retransmitted_bytes;
}

/* The entry of the lowest rank that has been silent for the longest time. Moves
 * those with retransmissions that it finds to their rank. */
static uint32_t least_wanted(struct connection_table *table)
{
	const struct age *age = table->age;
	int rank = 0;

	while (age[RANK_OTHER].oldest != NOBODY &&
		age[RANK_RESENT].count < CONNECTIONS_RESENT_MAX) {
		uint32_t i = age[RANK_OTHER].oldest;
		struct entry *entry = entry_at(table, i);

		if (!has_resent(&entry->connection))
			return i;
		unlink_age(table, i);
		entry->rank = RANK_RESENT;
		link_newest(table, i);
	}
	while (age[rank].oldest == NOBODY)
		rank++;
	return age[rank].oldest;
}

static bool is_wanted(const struct annotator_options *options,
	const struct connection *connection)
{
	const struct endpoint *only = &options->only;

	return (only->version || only->port) &&
		connection_has_end(connection, only);
}

/* Frees an entry. */
static uint32_t give_way(struct connection_table *table)
{
	uint32_t i = least_wanted(table);
	struct connection *connection = &entry_at(table, i)->connection;

	if (table->options->forget)
		table->options->forget(table->options->forget_context,
			connection);
	numbers_keep(&table->forgotten, entry_at(table, i)->hash,
		connection->number);
	connection_release(connection, table->store);
	unlink_age(table, i);
	unlink_bucket(table, i);
	unlink_order(table, i);
	table->facts->forgotten++;
	return i;
}

/* The number of a connection that begins, or continues after it was
 * forgotten. */
static uint64_t number_of(struct connection_table *table, uint64_t hash,
	bool begins, bool *continued)
{
	uint64_t number = begins ? 0 : numbers_find(&table->forgotten, hash);

	*continued = number > 0;
	if (!number)
		return ++table->facts->connections;
	table->facts->forgotten -= table->facts->forgotten > 0;
	return number;
}

struct connection *connection_table_add(struct connection_table *table,
	const struct endpoint *from, const struct endpoint *to, bool begins)
{
	uint32_t i =
		table->used < CONNECTIONS_MAX ? table->used : give_way(table);
	struct entry **block = &table->blocks[i / BLOCK];

	if (!*block)
		*block = xcalloc(BLOCK, sizeof **block);
	struct entry *entry = entry_at(table, i);
	*entry = (struct entry){ .hash = hash_ends(from, to) };
	connection_begin(&entry->connection);
	entry->connection.end[0] = *from;
	entry->connection.end[1] = *to;
	if (is_wanted(table->options, &entry->connection))
		entry->rank = RANK_WANTED;
	entry->next = table->buckets[entry->hash % BUCKETS];
	table->buckets[entry->hash % BUCKETS] = i;
	link_newest(table, i);
	link_last(table, i);
	entry->connection.number = number_of(table, entry->hash, begins,
		&entry->connection.continued);
	entry->connection.self_connect = same_end(from, to);
	return &entry->connection;
}

static bool same_syn(const struct connection *a, const struct connection *b)
{
	const struct try *one = tries_last(&a->handshake.syn),
			 *other = tries_last(&b->handshake.syn);

	return one && other &&
		(uint32_t)a->side[a->client].first ==
			(uint32_t)b->side[b->client].first &&
		one->has_timestamps == other->has_timestamps &&
		one->tsval == other->tsval;
}

static void set_twin(struct handshake *handshake, const struct handshake *other)
{
	const struct try *try = tries_last(&other->syn);

	int64_t apart_ns = try->t_ns - tries_last(&handshake->syn)->t_ns;

	handshake->twin = try->number;
	handshake->twin_apart_ns = apart_ns < 0 ? -apart_ns : apart_ns;
}

void connection_table_pair(struct connection_table *table,
	struct connection *made)
{
	const struct endpoint *from = &made->end[0], *to = &made->end[1];
	uint64_t hash = hash_ends(from, to);
	uint32_t i = table->buckets[hash % BUCKETS];
	struct connection *twin = NULL;

	for (; i != NOBODY; i = entry_at(table, i)->next) {
		struct connection *other = &entry_at(table, i)->connection;

		if (other == made || entry_at(table, i)->hash != hash ||
			side_of(other, from, to) != other->client ||
			!same_syn(made, other))
			continue;
		/* One that only order tells apart comes first. */
		if (!twin || tap_is_beside(made, other))
			twin = other;
	}
	if (!twin)
		return;
	set_twin(&made->handshake, &twin->handshake);
	if (!twin->handshake.twin)
		set_twin(&twin->handshake, &made->handshake);
	tap_separate(made, twin);
}

void connection_table_mix(struct connection_table *table,
	const struct connection *mixed)
{
	const struct endpoint *from = &mixed->end[0], *to = &mixed->end[1];
	uint64_t hash = hash_ends(from, to);
	uint32_t i = table->buckets[hash % BUCKETS];

	if (!mixed->mixed || mixed->points != POINTS_ORDER)
		return;
	for (; i != NOBODY; i = entry_at(table, i)->next) {
		struct connection *other = &entry_at(table, i)->connection;

		if (other->points == POINTS_ORDER &&
			side_of(other, from, to) >= 0 &&
			same_syn(mixed, other) && tap_is_beside(mixed, other))
			tap_mix(other);
	}
}

size_t connection_table_count(const struct connection_table *table)
{
	return table->used;
}

struct connection *connection_table_at(struct connection_table *table, size_t i)
{
	if (table->at == NOBODY || i < table->place) {
		table->at = table->first;
		table->place = 0;
	}
	for (; table->place < i; table->place++)
		table->at = entry_at(table, table->at)->after;
	return &entry_at(table, table->at)->connection;
}
