/* The numbers of connections that gave way to newer ones. */
#include "numbers.h"

#include <stdlib.h>

#include "memory.h"

enum { ROOM_LEAST = 1 << 12, ROOM_MOST = 1 << 20 };

struct number {
	uint64_t hash, number; /* number 0: free */
};

void numbers_free(struct numbers *numbers)
{
	free(numbers->at);
	*numbers = (struct numbers){ 0 };
}

/* The place of a hash, or the free one for it. */
static struct number *place(const struct numbers *numbers, uint64_t hash)
{
	uint32_t i = (uint32_t)(hash >> 32) & (numbers->room - 1);

	while (numbers->at[i].number && numbers->at[i].hash != hash)
		i = (i + 1) & (numbers->room - 1);
	return &numbers->at[i];
}

static void grow(struct numbers *numbers)
{
	struct numbers grown = {
		.count = numbers->count,
		.room = numbers->room ? 2 * numbers->room : ROOM_LEAST,
	};

	grown.at = xcalloc(grown.room, sizeof *grown.at);
	for (uint32_t i = 0; i < numbers->room; i++)
		if (numbers->at[i].number)
			*place(&grown, numbers->at[i].hash) = numbers->at[i];
	free(numbers->at);
	*numbers = grown;
}

void numbers_keep(struct numbers *numbers, uint64_t hash, uint64_t number)
{
	if (2 * numbers->count >= numbers->room && numbers->room < ROOM_MOST)
		grow(numbers);
	struct number *at = place(numbers, hash);

	if (!at->number) {
		if (2 * numbers->count >= numbers->room)
			return;
		numbers->count++;
	}
	*at = (struct number){ hash, number };
}

uint64_t numbers_find(const struct numbers *numbers, uint64_t hash)
{
	return numbers->room ? place(numbers, hash)->number : 0;
}
