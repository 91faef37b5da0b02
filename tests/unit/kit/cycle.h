/*
 * The length of a chain's cycle, determined only from its links. If a walk
 * returns to its first node after as many steps as there are nodes, and not
 * before, it has visited each node once.
 *
 * Chains with jumps are first read in order of address into a table of four
 * bytes per node, and the table is walked. A walk through the array would wait
 * for memory at every step, and 64 MiB at stride 8 have eight million nodes.
 */
#ifndef BENCHTOP_CYCLE_H
#define BENCHTOP_CYCLE_H

#include <string.h>

#include "chain.h"

char *cycle_follow(const struct chain *chain, const char *at);
/* Steps until the first node is reached again; 0 if a link leads to no node, or
 * the walk never returns. `table` has room for all nodes, for arrays up to 4
 * GiB. */
uint64_t cycle_length(const struct chain *chain, uint32_t *table);

#endif
