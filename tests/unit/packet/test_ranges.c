/* Sets of ranges, compared with a bit per byte, and their store. */
#include "ranges.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"

enum { BYTES = 512 };

static uint64_t bits_between(const bool *bits, uint64_t from, uint64_t to)
{
	uint64_t count = 0;

	for (uint64_t i = from; i < to; i++)
		count += bits[i];
	return count;
}

static uint64_t ranges_bytes(const struct ranges *ranges)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < ranges->count; i++)
		bytes += ranges_at(ranges, i)->to - ranges_at(ranges, i)->from;
	return bytes;
}

static void assert_same(const struct ranges *ranges, const bool *bits)
{
	uint64_t end = 0;

	assert_int_equal(ranges_bytes(ranges), bits_between(bits, 0, BYTES));
	for (uint32_t i = 0; i < ranges->count; i++) {
		const struct byte_range *range = ranges_at(ranges, i);

		assert_true(range->from < range->to);
		assert_true(range->from >= end);
		assert_int_equal(bits_between(bits, range->from, range->to),
			range->to - range->from);
		end = range->to;
	}
}

static void step(struct ranges *ranges, struct store *store, bool *bits,
	uint64_t *seed)
{
	uint64_t from = random_below(seed, BYTES);
	uint64_t to = from + 1 + random_below(seed, 40);

	if (to > BYTES)
		to = BYTES;
	uint64_t had = bits_between(bits, from, to);
	const struct byte_range range = { .from = from, .to = to };

	switch (random_below(seed, 8)) {
	case 0:
	case 1:
	case 2:
		assert_int_equal(ranges_unite(ranges, store, &range),
			to - from - had);
		memset(bits + from, 1, to - from);
		break;
	case 3:
		if (!had && ranges_insert(ranges, store, &range))
			memset(bits + from, 1, to - from);
		break;
	case 4:
		if (from > 60)
			from %= 60;
		assert_int_equal(ranges_prune(ranges, from, NULL),
			bits_between(bits, 0, from));
		memset(bits, 0, from);
		break;
	default:
		assert_int_equal(ranges_overlap(ranges, from, to), had);
		assert_int_equal(ranges_remove(ranges, store, from, to), had);
		memset(bits + from, 0, to - from);
	}
}

static void test_as_bits(void **state)
{
	struct store store = { 1 << 20 };
	struct ranges ranges = { 0 };
	bool bits[BYTES] = { 0 };
	uint64_t seed = 11;

	for (int i = 0; i < 20000; i++) {
		step(&ranges, &store, bits, &seed);
		assert_same(&ranges, bits);
	}
	ranges_release(&ranges, &store);
	assert_int_equal(store.left_bytes, 1 << 20);
}

/* Ends of ranges are counted when they are passed completely. */
static void test_prune(void **state)
{
	struct store store = { 1 << 20 };
	struct ranges ranges = { 0 };
	uint64_t ended = 0;

	for (uint64_t i = 0; i < 4; i++) {
		const struct byte_range range = { .from = i * 10 + 5,
			.to = i * 10 + 8 };

		assert_true(ranges_insert(&ranges, &store, &range));
	}
	assert_int_equal(ranges_prune(&ranges, 17, &ended), 5);
	assert_int_equal(ended, 1);
	assert_int_equal(ranges_prune(&ranges, 100, &ended), 7);
	assert_int_equal(ended, 4);
	assert_int_equal(ranges.count, 0);
	ranges_release(&ranges, &store);
}

/* A set is limited to RANGES_MAX and a store to its size. Both report this, and
 * keep their contents. */
static void test_bounds(void **state)
{
	struct store large = { 1 << 24 }, small = { 1000 };
	struct ranges full = { 0 }, poor = { 0 };
	uint64_t kept = 0, poor_kept = 0;

	for (uint64_t i = 0; i < RANGES_MAX + 100; i++) {
		const struct byte_range range = { .from = i * 4,
			.to = i * 4 + 2 };

		kept += ranges_insert(&full, &large, &range);
		poor_kept += ranges_insert(&poor, &small, &range);
	}
	assert_int_equal(kept, RANGES_MAX);
	assert_true(poor_kept > 0 && poor_kept < 100);
	assert_int_equal(ranges_bytes(&full), 2 * RANGES_MAX);
	/* Places of removed ranges are used again. */
	ranges_prune(&full, 400, NULL);
	const struct byte_range later = { .from = 1 << 20, .to = 1 << 21 };
	assert_true(ranges_insert(&full, &large, &later));
	ranges_release(&full, &large);
	ranges_release(&poor, &small);
	assert_int_equal(small.left_bytes, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_bits),
		cmocka_unit_test(test_prune),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
