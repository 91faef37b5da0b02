/*
 * The order in which the blocks of a file are read: ascending, descending, or
 * a random permutation.
 *
 * An order goes round: behind the last block comes the first again. With
 * POSIX_FADV_RANDOM the kernel reads nothing ahead of a random order, with
 * POSIX_FADV_SEQUENTIAL twice as much of an ascending one; a descending one
 * is given no advice. That is what other tools do as well, and part of what is
 * measured.
 */
#ifndef BENCHTOP_FILE_ORDER_H
#define BENCHTOP_FILE_ORDER_H

#include <stddef.h>
#include <stdint.h>

enum file_ordering { FILE_ASCENDING, FILE_SHUFFLED, FILE_DESCENDING };

struct file_order {
	uint32_t *blocks; /* owned */
	size_t count;
	size_t at; /* the next one's place */
};

/* `state` is a splitmix64 state that moves on. */
void file_order_draw(struct file_order *, enum file_ordering, size_t blocks,
	uint64_t *state);
void file_order_free(struct file_order *);
/* The order again from its first block. */
void file_order_rewind(struct file_order *);

static inline uint32_t file_order_next(struct file_order *order)
{
	uint32_t block = order->blocks[order->at];

	if (++order->at == order->count)
		order->at = 0;
	return block;
}

/* Tells the kernel what is coming. */
void file_order_advise(enum file_ordering, int fd);
/* What it was told: "random", "sequential", "none". */
const char *file_order_advice(enum file_ordering);

#endif
