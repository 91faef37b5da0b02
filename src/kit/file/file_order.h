/*
 * The order in which the blocks of a file are read: ascending, descending or a
 * random permutation.
 *
 * An order is cyclic: after the last block comes the first. With
 * POSIX_FADV_RANDOM the kernel does not read ahead of a random order. With
 * POSIX_FADV_SEQUENTIAL it reads twice as far ahead of an ascending order. A
 * descending order has no advice. Other tools do the same; it is part of what
 * is measured.
 */
#ifndef BENCHTOP_FILE_ORDER_H
#define BENCHTOP_FILE_ORDER_H

#include <stddef.h>
#include <stdint.h>

enum file_ordering { FILE_ASCENDING, FILE_SHUFFLED, FILE_DESCENDING };

struct file_order {
	uint32_t *blocks; /* owned */
	size_t count;
	size_t at; /* index of the next block */
};

/* Draws an order; advances the splitmix64 state. */
void file_order_draw(struct file_order *, enum file_ordering, size_t blocks,
	uint64_t *state);
void file_order_free(struct file_order *);
/* Restarts the order at its first block. */
void file_order_rewind(struct file_order *);

static inline uint32_t file_order_next(struct file_order *order)
{
	uint32_t block = order->blocks[order->at];

	if (++order->at == order->count)
		order->at = 0;
	return block;
}

/* Gives the kernel the advice for the order. */
void file_order_advise(enum file_ordering, int fd);
/* The name of that advice: "random", "sequential", "none". */
const char *file_order_advice(enum file_ordering);

#endif
