/*
 * How long is the cycle of a chain? Told from its links alone, by nothing that
 * made them: a walk from a node that comes back to it after as many steps as
 * there are nodes, and not before, has been at each of them once.
 *
 * Chains that jump about are read in the order of addresses into a table of
 * four bytes a node first, and the table is walked: a walk through the array
 * itself would wait for memory at every step, and 64 MiB at stride 8 are eight
 * million nodes.
 */
#ifndef BENCHTOP_CYCLE_H
#define BENCHTOP_CYCLE_H

#include <string.h>

#include "chain.h"

char *cycle_follow(const struct chain *chain, const char *at);
/* Steps until the first node comes again; 0 where a link leads to no node, or
 * it does not. `table` has room for all nodes, of arrays up to 4 GiB. */
uint64_t cycle_length(const struct chain *chain, uint32_t *table);

#endif
