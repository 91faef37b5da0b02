/* Orders of blocks. */
#include "file_order.h"

#include <fcntl.h>
#include <stdlib.h>

#include "memory.h"
#include "probe.h"

void file_order_draw(struct file_order *order, enum file_ordering ordering,
	size_t blocks, uint64_t *state)
{
	struct probe numbers = { .random = *state };

	order->blocks = xcalloc(blocks, sizeof *order->blocks);
	order->count = blocks;
	order->at = 0;
	for (size_t i = 0; i < blocks; i++)
		order->blocks[i] = (uint32_t)(ordering == FILE_DESCENDING ?
				blocks - 1 - i :
				i);
	/* Fisher-Yates shuffle. */
	for (size_t i = blocks; ordering == FILE_SHUFFLED && i > 1; i--) {
		size_t other = probe_random_below(&numbers, i);
		uint32_t block = order->blocks[i - 1];

		order->blocks[i - 1] = order->blocks[other];
		order->blocks[other] = block;
	}
	*state = numbers.random;
}

void file_order_free(struct file_order *order)
{
	free(order->blocks);
	*order = (struct file_order){ 0 };
}

void file_order_rewind(struct file_order *order)
{
	order->at = 0;
}

void file_order_advise(enum file_ordering ordering, int fd)
{
	posix_fadvise(fd, 0, 0,
		ordering == FILE_SHUFFLED          ? POSIX_FADV_RANDOM :
			ordering == FILE_ASCENDING ? POSIX_FADV_SEQUENTIAL :
						     POSIX_FADV_NORMAL);
}

const char *file_order_advice(enum file_ordering ordering)
{
	return ordering == FILE_SHUFFLED   ? "random" :
		ordering == FILE_ASCENDING ? "sequential" :
					     "none";
}
