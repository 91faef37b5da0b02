/* Chains of a gigabyte: one cycle through every node, followed link by link. */
#include <stdlib.h>
#include <sys/mman.h>

#include "buffer.h"
#include "check.h"
#include "cycle.h"

static const uint64_t size_bytes = (uint64_t)1 << 30;
static struct buffer buffer;
static uint32_t *table;

static void expect_cycle(uint64_t stride, enum order order)
{
	struct chain chain;

	chain_build(&chain, buffer.start, size_bytes, stride, order, stride,
		NULL);
	assert_int_equal(chain.nodes, size_bytes / stride);
	assert_int_equal(cycle_length(&chain, table), size_bytes / stride);
	assert_true(chain_lap(&chain, NULL));
}

static void a_gigabyte_is_one_cycle(void **state)
{
	static const uint64_t strides[] = { 64, 192, 4096 };

	for (size_t i = 0; i < sizeof strides / sizeof *strides; i++)
		for (enum order order = 0; order < ORDERS; order++)
			expect_cycle(strides[i], order);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gigabyte_is_one_cycle),
	};
	/* With 4K pages, most of the time would be misses of the TLB. */
	struct buffer_wish wish = { .size_bytes = size_bytes,
		.pages = PAGES_THP };
	struct error error;

	if (buffer_open(&buffer, &wish, NULL, &error)) {
		printf("SKIP: not permitted here: %s\n", error.message);
		return 77;
	}
	size_t table_bytes = size_bytes / 64 * sizeof *table;
	table = aligned_alloc(HUGE_BYTES, table_bytes);
	if (table)
		madvise(table, table_bytes, MADV_HUGEPAGE);
	int failed = !table || cmocka_run_group_tests(tests, NULL, NULL);
	buffer_close(&buffer);
	free(table);
	return failed;
}
