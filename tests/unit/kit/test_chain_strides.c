/*
 * Chains of every stride from 8 to 4096 bytes, in steps of a byte: one cycle
 * through every node.
 *
 *     test_chain_strides        every stride in every order, each in an array
 *                               of random size (equally likely in each octave),
 *                               in one order up to 64 MiB and in the others up
 *                               to 4; some strides, powers of two or nearly so
 *                               and others, in all of 64 MiB
 *     test_chain_strides all    every stride in every order in all of 64 MiB
 *
 * The second builds and follows 2500 million links, minutes of two processors:
 * it is one of the benchmarks (chain_strides). The first takes seconds.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "buffer.h"
#include "check.h"
#include "cycle.h"
#include "random.h"

enum {
	STRIDE_LEAST = 8,
	STRIDE_MOST = 4096,
	MOST_BYTES = 64 << 20,
	PART_BYTES = 4 << 20,
	TABLE_NODES = MOST_BYTES / STRIDE_LEAST,
	THREADS = 2,
};

/* Tested in the whole buffer, also without "all". Chains of more nodes are those
 * of test_chain_large. */
static const unsigned whole[] = { 24, 40, 63, 64, 65, 96, 128, 192, 320, 511,
	512, 1000, 1024, 2048, 4095, 4096 };

/* Shared by the threads, each of which has its own buffer. */
static struct {
	atomic_uint next, chains;
	bool all;
	atomic_bool wrong; /* an error was printed */
} strides;

struct party {
	pthread_t thread;
	struct buffer buffer;
	uint32_t *table;
};

static void look_at(const struct party *party, uint64_t size, uint64_t stride,
	enum order order)
{
	struct chain chain;
	uint64_t nodes = size / stride;

	chain_build(&chain, party->buffer.start, size, stride, order,
		stride + size, NULL);
	uint64_t length = cycle_length(&chain, party->table);
	bool lap = chain_lap(&chain, NULL);
	atomic_fetch_add(&strides.chains, 1);
	if (chain.nodes == nodes && length == nodes && lap)
		return;
	if (!atomic_exchange(&strides.wrong, true))
		print_error("size %llu stride %llu %s: cycle of %llu, nodes "
			    "%llu, lap %d\n",
			(unsigned long long)size, (unsigned long long)stride,
			order_choices[order], (unsigned long long)length,
			(unsigned long long)nodes, lap);
}

/* At least two nodes; the size is between 1 and 2 MiB as often as between 2 and
 * 4. */
static uint64_t draw_size(uint64_t *random, uint64_t stride, uint64_t most)
{
	double octaves = log2((double)most / (2. * (double)stride));
	double drawn = (double)random_below(random, 1 << 20) / (1 << 20);

	return (uint64_t)(2. * (double)stride * exp2(octaves * drawn));
}

static bool is_whole(uint64_t stride)
{
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (stride == whole[i])
			return true;
	return strides.all;
}

static void *take_turns(void *context)
{
	const struct party *party = context;

	for (;;) {
		uint64_t stride = atomic_fetch_add(&strides.next, 1);
		uint64_t random = stride;

		if (stride > STRIDE_MOST || atomic_load(&strides.wrong))
			return NULL;
		for (enum order order = 0; order < ORDERS; order++) {
			uint64_t size = draw_size(&random, stride,
				stride % ORDERS == order ? MOST_BYTES :
							   PART_BYTES);

			look_at(party, is_whole(stride) ? MOST_BYTES : size,
				stride, order);
		}
	}
}

static void every_stride_is_one_cycle(void **state)
{
	struct party parties[THREADS];
	struct buffer_wish wish = { .size_bytes = MOST_BYTES };
	struct error error;

	atomic_store(&strides.next, STRIDE_LEAST);
	for (size_t i = 0; i < THREADS; i++) {
		parties[i] = (struct party){ .table = malloc(TABLE_NODES * 4) };
		assert_non_null(parties[i].table);
		if (buffer_open(&parties[i].buffer, &wish, NULL, &error))
			fail_msg("%s", error.message);
		assert_int_equal(pthread_create(&parties[i].thread, NULL,
					 take_turns, &parties[i]),
			0);
	}
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(parties[i].thread, NULL);
		buffer_close(&parties[i].buffer);
		free(parties[i].table);
	}
	assert_false(atomic_load(&strides.wrong));
	assert_int_equal(atomic_load(&strides.chains),
		(STRIDE_MOST - STRIDE_LEAST + 1) * ORDERS);
}

/* Verifies the check itself: it must detect links that are not one cycle. */
static void what_is_no_cycle_is_seen(void **state)
{
	enum { BYTES = 1 << 20, STRIDE = 64, NODES = BYTES / STRIDE };
	static char around[BYTES + 2 * STRIDE] __attribute__((aligned(64)));
	char *array = around + STRIDE;
	static uint32_t table[NODES];

	for (enum order order = 0; order < ORDERS; order++) {
		struct chain chain;

		chain_build(&chain, array, BYTES, STRIDE, order, 9, NULL);
		assert_int_equal(cycle_length(&chain, table), NODES);
		char *node = chain.at;
		for (int i = 0; i < 77; i++)
			node = cycle_follow(&chain, node);
		char *next = cycle_follow(&chain, node);
		char *wrong[] = { cycle_follow(&chain, next), chain.at, node,
			next + 4, array + BYTES, array - STRIDE, NULL };
		for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
			memcpy(node, &wrong[i], sizeof wrong[i]);
			assert_int_not_equal(cycle_length(&chain, table),
				NODES);
		}
	}
}

int main(int count, char **words)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_cycle_is_seen),
		cmocka_unit_test(every_stride_is_one_cycle),
	};

	strides.all = count > 1 && !strcmp(words[1], "all");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
