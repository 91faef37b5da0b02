/* Building and verifying chains. */
#include "chain.h"

#include <stddef.h>
#include <string.h>

#include "probe.h"

const char *const order_choices[ORDERS + 1] = { "local", "random", "page-local",
	"jitter", "forward", "backward", NULL };

enum {
	ALIVE_NODES = 1 << 22,
	AHEAD_BYTES = 4096, /* distance at which a store's line is prefetched */
	SECTIONS = 16 * CHAIN_ENTRIES, /* of a lap */
	LARGE_BYTES = 192 << 20,
	LOADS_TO_SETTLE = 200000,
};

uint64_t chain_nodes(uint64_t size_bytes, uint64_t stride_bytes)
{
	uint64_t nodes = size_bytes / stride_bytes;

	return nodes >= 2 ? nodes : 0;
}

static uint64_t mixed(uint64_t number)
{
	number = (number ^ number >> 32) * 0xd6e8feb86659fd93u;
	number = (number ^ number >> 32) * 0xd6e8feb86659fd93u;
	return number ^ number >> 32;
}

/* ---- nodes ------------------------------------------------------------ */

static char *node_at(const struct chain *chain, uint64_t node)
{
	char *cell = chain->base + node * chain->stride_bytes;

	if (chain->order != ORDER_JITTER || chain->narrow)
		return cell;
	uint64_t places = chain->stride_bytes / 8;
	return cell + 8 * (mixed(node + chain->key) % places);
}

static void node_write(const struct chain *chain, char *at, const char *next)
{
	uint32_t four = (uint32_t)(uintptr_t)next;

	if (chain->narrow)
		memcpy(at, &four, sizeof four);
	else
		memcpy(at, &next, sizeof next);
}

static char *node_read(const struct chain *chain, const char *at)
{
	uint32_t four;
	char *next;

	if (!chain->narrow) {
		memcpy(&next, at, sizeof next);
		return next;
	}
	memcpy(&four, at, sizeof four);
	return (char *)(uintptr_t)four;
}

static void link_node(struct chain *chain, char *at, const char *next)
{
	uint64_t number = (uint64_t)(uintptr_t)at;

	node_write(chain, at, next);
	chain->sum += number;
	chain->sum_of_squares += number * number;
}

/* ---- groups ----------------------------------------------------------- */

/* The nodes whose first byte is in a group, and the path through them. */
struct group {
	uint64_t first, count;
	const struct bijection *path;
	uint64_t translate; /* xored to the numbers of the path */
};

static uint64_t first_node(const struct chain *chain, uint64_t group)
{
	uint64_t byte = group * chain->group_bytes;
	uint64_t node = (byte + chain->stride_bytes - 1) / chain->stride_bytes;

	return node < chain->nodes ? node : chain->nodes;
}

static struct group group_at(const struct chain *chain, uint64_t number)
{
	uint64_t drawn = mixed(number ^ chain->key);
	struct group group = { .first = first_node(chain, number) };

	group.count = chain->groups == 1 ?
		chain->nodes :
		first_node(chain, number + 1) - group.first;
	group.path = &chain->path[drawn % CHAIN_VARIANTS];
	group.translate = drawn / CHAIN_VARIANTS & group.path->mask;
	return group;
}

/* Advances *place to the next position, possibly the same, that holds a node of
 * the group. Returns false at the end of the path. */
static bool group_seek(const struct group *group, uint64_t *place,
	uint64_t *node)
{
	for (; *place < group->path->values; ++*place) {
		uint64_t number =
			bijection_at(group->path, *place) ^ group->translate;

		if (number >= group->count)
			continue;
		*node = group->first + number;
		return true;
	}
	return false;
}

/* The first group at or after a position of the order of groups. */
static uint64_t group_from(const struct chain *chain, uint64_t place)
{
	uint64_t number;

	do
		number = bijection_at(&chain->group_order,
			place++ & chain->group_order.mask);
	while (number >= chain->groups);
	return number;
}

static uint64_t group_after(const struct chain *chain, uint64_t number)
{
	return group_from(chain,
		bijection_place(&chain->group_order, number) + 1);
}

static char *group_start(const struct chain *chain, uint64_t number)
{
	struct group group = group_at(chain, number);
	uint64_t place = 0, node = 0;

	group_seek(&group, &place, &node);
	return node_at(chain, node);
}

static void link_group(struct chain *chain, uint64_t number,
	struct probe *probe)
{
	struct group group = group_at(chain, number);
	const char *beyond = group_start(chain, group_after(chain, number));

	for (uint64_t i = 0; i < group.count; i++) {
		uint64_t next;
		uint64_t place =
			bijection_place(group.path, i ^ group.translate) + 1;
		bool inside = group_seek(&group, &place, &next);
		char *at = node_at(chain, group.first + i);

		/* Prefetchers stop at the end of each page. */
		__builtin_prefetch(at + AHEAD_BYTES, 1);
		link_node(chain, at, inside ? node_at(chain, next) : beyond);
		if (probe && i % ALIVE_NODES == ALIVE_NODES - 1)
			probe_alive(probe);
	}
}

/* ---- building --------------------------------------------------------- */

static bool is_grouped(enum order order)
{
	return order <= ORDER_PAGE_LOCAL;
}

static void draw_groups(struct chain *chain, uint64_t *state)
{
	uint64_t most = chain->nodes;

	chain->group_bytes = chain->order == ORDER_LOCAL ? CHAIN_LOCAL_BYTES :
							   CHAIN_PAGE_BYTES;
	chain->groups = 1;
	if (chain->order != ORDER_RANDOM &&
		chain->stride_bytes < chain->group_bytes) {
		uint64_t last = (chain->nodes - 1) * chain->stride_bytes;

		chain->groups = last / chain->group_bytes + 1;
	}
	if (chain->groups > 1)
		most = chain->group_bytes / chain->stride_bytes + 1;
	if (chain->groups > 1 && chain->group_bytes % chain->stride_bytes == 0)
		most--;
	bijection_draw(&chain->group_order, chain->groups, state);
	for (int i = 0; i < CHAIN_VARIANTS; i++)
		bijection_draw(&chain->path[i], most, state);
}

static void link_ascending(struct chain *chain, struct probe *probe)
{
	for (uint64_t i = 0; i < chain->nodes; i++) {
		uint64_t next = i + 1 < chain->nodes ? i + 1 : 0;

		if (chain->order == ORDER_BACKWARD)
			next = i ? i - 1 : chain->nodes - 1;
		link_node(chain, node_at(chain, i), node_at(chain, next));
		if (probe && i % ALIVE_NODES == ALIVE_NODES - 1)
			probe_alive(probe);
	}
}

void chain_build(struct chain *chain, char *base, uint64_t size_bytes,
	uint64_t stride_bytes, enum order order, uint64_t seed,
	struct probe *probe)
{
	*chain = (struct chain){
		.base = base,
		.nodes = chain_nodes(size_bytes, stride_bytes),
		.stride_bytes = stride_bytes,
		.order = order,
		.narrow = stride_bytes < CHAIN_STRIDE_WIDE,
		.key = mixed(seed + 1),
		.at = base,
	};
	if (!is_grouped(order)) {
		link_ascending(chain, probe);
		chain->at = node_at(chain, 0);
		return;
	}
	draw_groups(chain, &seed);
	for (uint64_t i = 0; i < chain->groups; i++) {
		link_group(chain, i, probe);
		if (probe && i % 64 == 0)
			probe_alive(probe);
	}
	/* Where the lap begins: it ends there too, and the walk continues. */
	chain->at = group_start(chain, group_from(chain, 0));
}

void chain_build_pairs(struct chain *chain, char *base, uint64_t blocks,
	uint64_t block_bytes, uint64_t distance_bytes, uint64_t seed)
{
	*chain = (struct chain){
		.base = base,
		.nodes = 2 * blocks,
		.stride_bytes = block_bytes,
		.at = base,
		.pairs = true,
		.groups = blocks,
	};
	bijection_draw(&chain->group_order, blocks, &seed);
	for (uint64_t i = 0; i < blocks; i++) {
		char *first = base + i * block_bytes;
		char *second = first + distance_bytes;

		link_node(chain, first, second);
		link_node(chain, second,
			base + group_after(chain, i) * block_bytes);
	}
}

/* ---- laps ------------------------------------------------------------- */

/* The first node at or after a share of the lap. The order of groups and the
 * path within a group have gaps. So both are handled as positions, and a
 * position without a node is skipped. */
static char *grouped_entry(const struct chain *chain, unsigned i)
{
	uint64_t inside = chain->path[0].values;
	uint64_t from = chain->group_order.values * inside / SECTIONS * i +
		chain->group_order.values * inside % SECTIONS * i / SECTIONS;
	uint64_t outer = from / inside, place = from % inside;

	for (;; outer++, place = 0) {
		uint64_t number = bijection_at(&chain->group_order,
			outer & chain->group_order.mask);
		uint64_t node;

		if (number >= chain->groups)
			continue;
		struct group group = group_at(chain, number);
		if (group_seek(&group, &place, &node))
			return node_at(chain, node);
	}
}

static char *entry_at(const struct chain *chain, unsigned i)
{
	uint64_t node = chain->nodes / SECTIONS * i +
		chain->nodes % SECTIONS * i / SECTIONS;

	if (is_grouped(chain->order))
		return grouped_entry(chain, i);
	if (chain->order == ORDER_BACKWARD)
		node = chain->nodes - 1 - node;
	return node_at(chain, node);
}

void chain_divide(const struct chain *chain, unsigned count,
	char *at[CHAIN_WALKS_MOST])
{
	for (unsigned i = 0; i < count; i++)
		at[i] = entry_at(chain, i * SECTIONS / count);
}

struct lap {
	char *entry[SECTIONS];
	unsigned sections;
	uint64_t steps, sum, sum_of_squares;
};

/* In a short chain several entries coincide. */
static void find_entries(const struct chain *chain, struct lap *lap)
{
	/* Pairs are few, so they are walked from one entry. */
	for (unsigned i = 0; i < (chain->pairs ? 1 : SECTIONS); i++) {
		char *entry = chain->pairs ? chain->at : entry_at(chain, i);
		unsigned n = lap->sections;

		if (n && (lap->entry[n - 1] == entry || lap->entry[0] == entry))
			continue;
		lap->entry[lap->sections++] = entry;
	}
}

static char *step(const struct chain *chain, struct lap *lap, const char *at)
{
	uint64_t number = (uint64_t)(uintptr_t)at;

	lap->sum += number;
	lap->sum_of_squares += number * number;
	lap->steps++;
	return node_read(chain, at);
}

/* Walks up to CHAIN_ENTRIES sections at once, each to the entry of the next. */
static void walk_sections(const struct chain *chain, struct lap *lap,
	unsigned first, struct probe *probe)
{
	unsigned left = lap->sections - first;
	unsigned walkers = left < CHAIN_ENTRIES ? left : CHAIN_ENTRIES;
	char *at[CHAIN_ENTRIES];
	bool going = true;

	for (unsigned i = 0; i < walkers; i++)
		at[i] = step(chain, lap, lap->entry[first + i]);
	for (uint64_t turn = 1; going && lap->steps <= chain->nodes; turn++) {
		going = false;
		for (unsigned i = 0; i < walkers; i++) {
			unsigned next = (first + i + 1) % lap->sections;

			if (at[i] == lap->entry[next])
				continue;
			at[i] = step(chain, lap, at[i]);
			going = true;
		}
		if (probe && turn % (ALIVE_NODES / CHAIN_ENTRIES) == 0)
			probe_alive(probe);
	}
}

bool chain_lap(const struct chain *chain, struct probe *probe)
{
	struct lap lap = { .sections = 0 };

	find_entries(chain, &lap);
	for (unsigned i = 0; i < lap.sections; i += CHAIN_ENTRIES) {
		walk_sections(chain, &lap, i, probe);
		if (probe)
			probe_alive(probe);
	}
	return lap.steps == chain->nodes && lap.sum == chain->sum &&
		lap.sum_of_squares == chain->sum_of_squares;
}

unsigned chain_laps_to_warm(uint64_t size_bytes)
{
	if (size_bytes <= 96 << 20)
		return 4;
	return size_bytes <= 192 << 20 ? 2 : 1;
}

/* Laps are many times faster than the walk. In a large array they leave more
 * page-table entries and data in the caches than the walk keeps there. It takes
 * about ten milliseconds until loads have their steady latency. In smaller
 * arrays, what four laps brought into the last-level cache is part of the
 * measurement. */
static void settle(struct chain *chain, struct probe *probe)
{
	if (chain->nodes * chain->stride_bytes <= LARGE_BYTES)
		return;
	chain_walk(chain, UNROLL_100,
		LOADS_TO_SETTLE / unroll_loads[UNROLL_100]);
	if (probe)
		probe_alive(probe);
}

bool chain_warm(struct chain *chain, uint64_t size_bytes, struct probe *probe)
{
	for (unsigned laps = chain_laps_to_warm(size_bytes); laps; laps--)
		if (!chain_lap(chain, probe))
			return false;
	settle(chain, probe);
	return true;
}
