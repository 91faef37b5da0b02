/* The length of a chain's cycle, determined only from its links. */
#include "cycle.h"

/* The number of the node at `at`; UINT32_MAX if no node begins there. */
static uint32_t cycle_node(const struct chain *chain, const char *at)
{
	uint64_t byte = (uint64_t)(at - chain->base);
	/* A division of 32 bits is much faster, and nodes beyond 4 GiB are not
	 * tested. */
	uint32_t node = (uint32_t)byte / (uint32_t)chain->stride_bytes;
	uint32_t beyond = (uint32_t)byte % (uint32_t)chain->stride_bytes;

	if (byte > UINT32_MAX || node >= chain->nodes)
		return UINT32_MAX;
	/* The only order in which nodes may begin at other addresses than
	 * multiples of the stride. */
	if (beyond && (chain->order != ORDER_JITTER || beyond % 8))
		return UINT32_MAX;
	return node;
}

char *cycle_follow(const struct chain *chain, const char *at)
{
	char *next = NULL;

	/* Little-endian, as both machines are. */
	memcpy(&next, at, chain->narrow ? 4 : 8);
	return next;
}

/* Follows each link. The nodes of a jittered chain must also ascend, because
 * two of its addresses may belong to one node. */
static uint64_t cycle_by_links(const struct chain *chain)
{
	const char *at = chain->at;
	uint32_t node = cycle_node(chain, at);

	for (uint64_t steps = 1; steps <= chain->nodes; steps++) {
		at = cycle_follow(chain, at);
		uint32_t next = cycle_node(chain, at);
		if (next == UINT32_MAX)
			return 0;
		if (chain->order == ORDER_JITTER &&
			next != (node + 1) % chain->nodes)
			return 0;
		if (at == chain->at)
			return steps;
		node = next;
	}
	return 0;
}

static uint64_t cycle_by_table(const struct chain *chain, uint32_t *table)
{
	const char *at = chain->base;
	uint32_t first = cycle_node(chain, chain->at), node = first;

	for (uint64_t i = 0; i < chain->nodes; i++, at += chain->stride_bytes) {
		table[i] = cycle_node(chain, cycle_follow(chain, at));
		if (table[i] == UINT32_MAX)
			return 0;
	}
	for (uint64_t steps = 1; steps <= chain->nodes; steps++) {
		node = table[node];
		if (node == first)
			return steps;
	}
	return 0;
}

uint64_t cycle_length(const struct chain *chain, uint32_t *table)
{
	return chain->order >= ORDER_JITTER ? cycle_by_links(chain) :
					      cycle_by_table(chain, table);
}
