/* Chains: one cycle through every node, for any size, stride and order;
 * test_chain_strides has all strides up to a page, test_chain_large a
 * gigabyte. */
#include "chain.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "buffer.h"
#include "check.h"
#include "cycle.h"

enum { MOST_BYTES = 64 << 20, TABLE_NODES = 1 << 19 };

static struct buffer buffer;
static uint32_t *table;

static int open_all(void **state)
{
	struct error error;
	struct buffer_wish wish = { .size_bytes = MOST_BYTES, .low = true };

	table = malloc(TABLE_NODES * sizeof *table);
	return buffer_open(&buffer, &wish, NULL, &error);
}

static int close_all(void **state)
{
	buffer_close(&buffer);
	free(table);
	return 0;
}

static void expect_cycle(uint64_t size, uint64_t stride, enum order order,
	uint64_t seed)
{
	struct chain chain;
	uint64_t nodes = chain_nodes(size, stride);

	if (!nodes)
		return;
	chain_build(&chain, buffer.start, size, stride, order, seed, NULL);
	assert_in_range(nodes, 2, TABLE_NODES);
	uint64_t length = cycle_length(&chain, table);
	bool lap = chain_lap(&chain, NULL);
	if (chain.nodes != nodes || length != nodes || !lap)
		fail_msg("size %llu stride %llu %s seed %llu: %llu of %llu "
			 "nodes, lap %d",
			(unsigned long long)size, (unsigned long long)stride,
			order_choices[order], (unsigned long long)seed,
			(unsigned long long)length, (unsigned long long)nodes,
			lap);
}

static void expect_cycles(uint64_t size, uint64_t stride, uint64_t seed)
{
	for (enum order order = 0; order < ORDERS; order++)
		expect_cycle(size, stride, order, seed);
}

static void every_small_number_of_nodes(void **state)
{
	static const uint64_t strides[] = { 4, 5, 8, 24, 64, 192, 4096 };

	for (size_t i = 0; i < sizeof strides / sizeof *strides; i++)
		for (uint64_t nodes = 2; nodes < 300; nodes++)
			expect_cycles(nodes * strides[i] + nodes % strides[i],
				strides[i], nodes);
}

static void every_stride(void **state)
{
	for (uint64_t stride = 4; stride <= 4096; stride++)
		expect_cycles(stride * (2 + stride * 7 % 61), stride, stride);
}

/* The size is not a multiple of the stride: bytes remain after the last
 * stride. */
static void sizes_that_the_stride_does_not_divide(void **state)
{
	expect_cycles(MOST_BYTES - 40, 192, 1);
	expect_cycles(MOST_BYTES - 40, 4096, 1);
	expect_cycles((1 << 20) + 7, 7, 2);
	expect_cycles((1 << 20) - 1, 24, 3);
}

static void strides_beyond_a_page(void **state)
{
	for (uint64_t stride = 4096; stride <= 16 << 20; stride *= 2) {
		expect_cycles(MOST_BYTES, stride, 3);
		expect_cycles(MOST_BYTES, stride + 24, 3);
	}
}

static void seeds_draw_other_chains(void **state)
{
	static const enum order drawn[] = { ORDER_LOCAL, ORDER_RANDOM,
		ORDER_PAGE_LOCAL, ORDER_JITTER };
	enum { NODES = 4096 };

	for (size_t i = 0; i < 4; i++) {
		struct chain one, two;
		char *visited[64], *at;
		unsigned same = 0;

		chain_build(&one, buffer.start, NODES * 128, 128, drawn[i], 1,
			NULL);
		at = one.at;
		for (int n = 0; n < 64; n++)
			visited[n] = at = cycle_follow(&one, at);
		chain_build(&two, buffer.start, NODES * 128, 128, drawn[i], 2,
			NULL);
		at = two.at;
		for (int n = 0; n < 64; n++)
			same += visited[n] == (at = cycle_follow(&two, at));
		assert_in_range(same, 0, 20);
	}
}

/* The number of steps that leave the group of bytes in which they begin. */
static uint64_t leaves(const struct chain *chain, uint64_t group_bytes)
{
	char *at = chain->at;
	uint64_t count = 0;

	for (uint64_t i = 0; i < chain->nodes; i++) {
		char *next = cycle_follow(chain, at);

		count += (uint64_t)(at - chain->base) / group_bytes !=
			(uint64_t)(next - chain->base) / group_bytes;
		at = next;
	}
	return count;
}

static void groups_are_left_once_a_lap(void **state)
{
	struct chain chain;

	chain_build(&chain, buffer.start, 32 << 20, 64, ORDER_LOCAL, 5, NULL);
	assert_int_equal(leaves(&chain, 2 << 20), 16);
	chain_build(&chain, buffer.start, 8 << 20, 64, ORDER_PAGE_LOCAL, 5,
		NULL);
	assert_int_equal(leaves(&chain, 4096), 2048);
	chain_build(&chain, buffer.start, 8 << 20, 192, ORDER_PAGE_LOCAL, 5,
		NULL);
	assert_int_equal(leaves(&chain, 4096), 2048);
	chain_build(&chain, buffer.start, 8 << 20, 64, ORDER_RANDOM, 5, NULL);
	/* Of 2048 random steps, all but one are expected to leave their
	 * group. */
	assert_true(leaves(&chain, 4096) > 130000);
}

/* chain_lap() must detect a wrong link. */
static void a_broken_cycle_is_no_lap(void **state)
{
	for (enum order order = 0; order < ORDERS; order++) {
		struct chain chain;
		char *node, *next, *far;

		chain_build(&chain, buffer.start, 1 << 20, 64, order, 9, NULL);
		assert_true(chain_lap(&chain, NULL));
		/* Node 77 skips the following node. */
		node = chain.at;
		for (int i = 0; i < 77; i++)
			node = cycle_follow(&chain, node);
		next = cycle_follow(&chain, node);
		far = cycle_follow(&chain, next);
		memcpy(node, &far, sizeof far);
		assert_false(chain_lap(&chain, NULL));
		/* The link goes back, which makes the cycle shorter. */
		memcpy(node, &chain.at, sizeof chain.at);
		assert_false(chain_lap(&chain, NULL));
	}
}

/* What warms a chain verifies it; only a large chain is walked as well. */
static void warming_verifies(void **state)
{
	struct chain chain;

	chain_build(&chain, buffer.start, 1 << 20, 64, ORDER_LOCAL, 9, NULL);
	char *first = chain.at;
	assert_true(chain_warm(&chain, 256 << 20, NULL));
	assert_ptr_equal(chain.at, first);
	memcpy(cycle_follow(&chain, first), &first, sizeof first);
	assert_false(chain_warm(&chain, 1 << 20, NULL));
}

/* ---- the order of a lap ------------------------------------------------ */

enum { PAGE = 4096, PAGES = 4096 };
static char *touched[PAGES]; /* pages in the order of their first loads */
static volatile sig_atomic_t touches;

static void note_touch(int number, siginfo_t *info, void *context)
{
	char *page = (char *)((uintptr_t)info->si_addr & -(uintptr_t)PAGE);

	(void)context;
	if (touches == PAGES || mprotect(page, PAGE, PROT_READ | PROT_WRITE))
		signal(number, SIG_DFL);
	else
		touched[touches++] = page;
}

static void note_lap(const struct chain *chain)
{
	struct sigaction noting = { .sa_sigaction = note_touch,
		.sa_flags = SA_SIGINFO };
	struct sigaction before;

	touches = 0;
	assert_int_equal(sigaction(SIGSEGV, &noting, &before), 0);
	assert_int_equal(mprotect(buffer.start, PAGES * PAGE, PROT_NONE), 0);
	assert_true(chain_lap(chain, NULL));
	assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
	assert_int_equal(touches, PAGES);
}

/* The walk after a lap must find in the caches what it would find after a lap
 * of its own: the nodes that it reaches last. */
static void a_lap_touches_nodes_in_their_order(void **state)
{
	for (enum order order = 0; order < ORDERS; order++) {
		static int turn[PAGES]; /* of the lap, for each page */
		struct chain chain;
		int latest = 0;

		chain_build(&chain, buffer.start, PAGES * PAGE, PAGE, order, 3,
			NULL);
		note_lap(&chain);
		for (int i = 0; i < PAGES; i++)
			turn[(touched[i] - buffer.start) / PAGE] = i;
		char *at = chain.at;
		for (int i = 0; i < PAGES; i++) {
			int early = i - turn[(at - buffer.start) / PAGE];

			/* Backward, the lap begins a node after the walk. */
			if (i && abs(early) > latest)
				latest = abs(early);
			at = cycle_follow(&chain, at);
		}
		if (latest > PAGES / 8)
			fail_msg("%s: a node is touched %d of %d loads early "
				 "or late",
				order_choices[order], latest, PAGES);
	}
}

static void a_walk_goes_on_where_it_stopped(void **state)
{
	static const uint64_t strides[] = { 64, 4 };

	for (size_t i = 0; i < 2; i++) {
		struct chain chain;
		char *at;

		chain_build(&chain, buffer.start, 100000, strides[i],
			ORDER_RANDOM, 4, NULL);
		at = chain.at;
		for (enum unroll unroll = 0; unroll < UNROLLS; unroll++) {
			chain_walk(&chain, unroll, 13);
			for (unsigned n = 0; n < 13 * unroll_loads[unroll]; n++)
				at = cycle_follow(&chain, at);
			assert_ptr_equal(chain.at, at);
		}
	}
}

/* Each of the walks passes the nodes that follow its own. They begin apart. */
static void walks_go_on_together(void **state)
{
	for (unsigned count = 1; count <= CHAIN_WALKS_MOST; count++)
		for (enum order order = 0; order < ORDERS; order++) {
			char *at[CHAIN_WALKS_MOST], *expected[CHAIN_WALKS_MOST];
			struct chain chain;

			chain_build(&chain, buffer.start, 4096, 64, order,
				count, NULL);
			chain_divide(&chain, count, at);
			for (unsigned i = 0; i < count; i++) {
				expected[i] = at[i];
				for (unsigned j = 0; j < i; j++)
					assert_ptr_not_equal(at[i], at[j]);
				for (int n = 0; n < 3 * CHAIN_ROUND; n++)
					expected[i] = cycle_follow(&chain,
						expected[i]);
			}
			chain_walk_together(at, count, 1);
			chain_walk_together(at, count, 2);
			assert_memory_equal(at, expected, count * sizeof *at);
		}
}

static void pairs_are_walked_one_after_another(void **state)
{
	static unsigned char seen[1500];

	for (uint64_t blocks = 2; blocks < sizeof seen;
		blocks = blocks * 3 / 2 + 1)
		for (uint64_t distance = 8; distance < 512; distance += 56) {
			struct chain chain;
			char *at;

			chain_build_pairs(&chain, buffer.start, blocks, 512,
				distance, blocks);
			assert_int_equal(chain.nodes, 2 * blocks);
			assert_true(chain_lap(&chain, NULL));
			memset(seen, 0, blocks);
			at = chain.at;
			for (uint64_t i = 0; i < blocks; i++) {
				uint64_t byte = (uint64_t)(at - chain.base);

				assert_int_equal(byte % 512, 0);
				assert_int_equal(seen[byte / 512]++, 0);
				assert_ptr_equal(cycle_follow(&chain, at),
					at + distance);
				at = cycle_follow(&chain, at + distance);
			}
			assert_ptr_equal(at, chain.at);
		}
}

static void one_node_is_no_chain(void **state)
{
	assert_int_equal(chain_nodes(1024, 4096), 0);
	assert_int_equal(chain_nodes(4096, 4096), 0);
	assert_int_equal(chain_nodes(8191, 4096), 0);
	assert_int_equal(chain_nodes(8192, 4096), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_small_number_of_nodes),
		cmocka_unit_test(every_stride),
		cmocka_unit_test(sizes_that_the_stride_does_not_divide),
		cmocka_unit_test(strides_beyond_a_page),
		cmocka_unit_test(seeds_draw_other_chains),
		cmocka_unit_test(groups_are_left_once_a_lap),
		cmocka_unit_test(a_broken_cycle_is_no_lap),
		cmocka_unit_test(warming_verifies),
		cmocka_unit_test(a_lap_touches_nodes_in_their_order),
		cmocka_unit_test(a_walk_goes_on_where_it_stopped),
		cmocka_unit_test(walks_go_on_together),
		cmocka_unit_test(pairs_are_walked_one_after_another),
		cmocka_unit_test(one_node_is_no_chain),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
