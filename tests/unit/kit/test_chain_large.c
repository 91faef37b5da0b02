/* Chains of a gigabyte: one cycle through every node, followed link by link. */
#include <stdlib.h>

#include "buffer.h"
#include "chain.h"
#include "check.h"

static const uint64_t size_bytes = (uint64_t)1 << 30;
static struct buffer buffer;

/* Steps until a node comes again; 0 where that is not the first. */
static uint64_t cycle_length(const struct chain *chain)
{
	unsigned char *seen = calloc(chain->nodes / 8 + 1, 1);
	char *at = chain->at;
	uint64_t steps = 0;

	assert_non_null(seen);
	for (;; steps++) {
		uint64_t node =
			(uint64_t)(at - chain->base) / chain->stride_bytes;
		unsigned bit = 1u << node % 8;

		assert_true(node < chain->nodes);
		if (seen[node / 8] & bit)
			break;
		seen[node / 8] |= (unsigned char)bit;
		at = *(char **)at;
	}
	free(seen);
	return at == chain->at ? steps : 0;
}

static void expect_cycle(uint64_t stride, enum order order)
{
	struct chain chain;

	chain_build(&chain, buffer.start, size_bytes, stride, order, stride,
		NULL);
	assert_int_equal(chain.nodes, size_bytes / stride);
	assert_int_equal(cycle_length(&chain), size_bytes / stride);
	assert_true(chain_lap(&chain, NULL));
}

static void a_gigabyte_is_one_cycle(void **state)
{
	static const uint64_t strides[] = { 192, 4096 };

	(void)state;
	expect_cycle(64, ORDER_LOCAL);
	expect_cycle(64, ORDER_RANDOM);
	for (size_t i = 0; i < 2; i++)
		for (enum order order = 0; order < ORDERS; order++)
			expect_cycle(strides[i], order);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gigabyte_is_one_cycle),
	};
	struct buffer_wish wish = { .size_bytes = size_bytes };
	struct error error;

	if (buffer_open(&buffer, &wish, NULL, &error)) {
		printf("SKIP: not permitted here: %s\n", error.message);
		return 77;
	}
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	buffer_close(&buffer);
	return failed;
}
