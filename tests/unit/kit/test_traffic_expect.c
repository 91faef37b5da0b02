/* Bandwidth is predicted from the level that a size fits, with that level in
 * the text. */
#include <string.h>

#include "cache_sizes.h"
#include "check.h"
#include "facts.h"
#include "traffic_expect.h"

static const struct facts known = {
	.core_hz = 4e9,
	.cpus = 8,
	.l1d_bytes = 48 << 10,
	.l2_bytes = 2 << 20,
	.llc_bytes = 32 << 20,
};
enum { KIB = 1 << 10, MIB = 1 << 20 };

static struct prediction expect(enum kernel_op op, double threads, double size,
	const struct facts *facts)
{
	const struct traffic_wish wish = { .op = op,
		.kernel = KERNEL_BEST,
		.threads = threads,
		.size_bytes = size };
	struct prediction got = { 0 };

	traffic_expect(&wish, facts, &got);
	assert_true(got.set);
	assert_true(got.total.low > 0 && got.total.low <= got.total.high);
	return got;
}

static void assert_says(const struct prediction *got, const char *words)
{
	if (!strstr(got->why, words))
		fail_msg("'%s' is not in '%s'", words, got->why);
}

static void test_level_of_a_size(void **state)
{
	static const struct {
		double size;
		const char *words;
	} cases[] = {
		{ 16 * KIB, "each thread's 16.00 KiB fit L1d" },
		{ 48 * KIB, "fit L1d (48.00 KiB by the kernel)" },
		{ 49 * KIB, "fit L2 (2.000 MiB by the kernel)" },
		{ 2 * MIB, "fit L2" },
		{ 16 * MIB, "fit L3 (32.00 MiB by the kernel)" },
		{ 33. * MIB, "fits no known cache" },
		{ 0, "from memory" },
	};
	double before = INFINITY;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct prediction got =
			expect(KERNEL_READ, 1, cases[i].size, &known);

		assert_says(&got, cases[i].words);
		assert_true(got.total.low <= before);
		before = got.total.low;
	}
}

/* Rates measured on a real machine lie inside the prediction: 16 KiB, 512 KiB
 * and 8 MiB on a core of 3.6 GHz. The first two exceed the rate of memory. */
static void test_measured_ones(void **state)
{
	static const double measured[][KERNEL_OPS] = {
		{ 242e9, 177e9, 349e9 },
		{ 148e9, 58e9, 99e9 },
		{ 29e9, 29e9, 29e9 },
	};
	static const double sizes[] = { 16 * KIB, 512 * KIB, 8 * MIB };
	struct facts facts = known;

	facts.core_hz = 3.6e9;
	for (int level = 0; level < 3; level++)
		for (int op = 0; op < KERNEL_OPS; op++) {
			struct prediction got = expect((enum kernel_op)op, 1,
				sizes[level], &facts);
			struct prediction memory =
				expect((enum kernel_op)op, 1, 0, &facts);

			assert_true(got.total.low <= measured[level][op]);
			assert_true(got.total.high >= measured[level][op]);
			if (level < 2)
				assert_true(memory.total.high <
					measured[level][op]);
		}
}

/* Each core must hold its share of the size, except in the last level, which
 * all threads share. A copy needs twice the room. */
static void test_shares(void **state)
{
	struct prediction got;

	got = expect(KERNEL_READ, 4, 160 * KIB, &known);
	assert_says(&got, "each thread's 40.00 KiB fit L1d");
	got = expect(KERNEL_COPY, 1, 32 * KIB, &known);
	assert_says(&got, "64.00 KiB fit L2");
	got = expect(KERNEL_READ, 8, 128. * MIB, &known);
	assert_says(&got, "fits no known cache");
	got = expect(KERNEL_READ, 8, 24. * MIB, &known);
	assert_says(&got, "24.00 MiB fit L3");
	struct prediction one = expect(KERNEL_READ, 1, 16 * KIB, &known);
	struct prediction two = expect(KERNEL_READ, 2, 32 * KIB, &known);
	assert_near(two.total.high, 2 * one.total.high);
	/* Two threads may be SMT siblings of one core. */
	assert_near(two.total.low, one.total.low);
}

static struct prediction expect_kernel(enum kernel_op op, const char *name)
{
	struct traffic_wish wish = { .op = op,
		.threads = 1,
		.size_bytes = 16 * KIB };
	struct prediction got = { 0 };

	while (strcmp(kernel_names[wish.kernel], name) != 0)
		wish.kernel++;
	traffic_expect(&wish, &known, &got);
	return got;
}

/* Words of eight bytes are slower than vectors, and streaming stores bypass the
 * caches. */
static void test_kernels(void **state)
{
	struct prediction best = expect(KERNEL_READ, 1, 16 * KIB, &known);
	struct prediction loop = expect_kernel(KERNEL_READ, "loop");

	assert_true(loop.total.high <= best.total.high / 2);
	assert_true(loop.total.low < best.total.low);
	assert_says(&loop, "fit L1d");
#if defined(__x86_64__)
	struct prediction nt = expect_kernel(KERNEL_WRITE, "nt-avx");
	assert_says(&nt, "past the caches to memory");
	struct prediction memory = expect(KERNEL_WRITE, 1, 0, &known);
	assert_near(nt.total.high, memory.total.high);
#endif
}

static const struct experiment provider = {
	PROVIDES({ QUANTITY_CACHE_SIZES, NULL, NULL })
};

/* Measured cache sizes have priority, and the latest have priority over earlier
 * ones. */
static void test_found_sizes(void **state)
{
	struct results *first = results_new("mem.finder");
	struct results *last = results_new("mem.finder");
	struct results *other = results_new("mem.latency");
	const struct results *earlier[] = { first, last, other };
	struct facts facts = known;

	first->descriptor = last->descriptor = &provider;
	finding_value(&first->findings, "L3", 4. * MIB, UNIT_BYTES, "x");
	finding_value(&last->findings, "L3", 9. * MIB, UNIT_BYTES, "x");
	finding_value(&other->findings, "L1d", 1 * KIB, UNIT_BYTES, "x");
	facts.earlier = earlier;
	facts.earlier_count = 3;
	struct prediction got = expect(KERNEL_READ, 1, 8. * MIB, &facts);
	assert_says(&got, "fit L3 (9.000 MiB by mem.finder, this session)");
	got = expect(KERNEL_READ, 1, 16. * MIB, &facts);
	assert_says(&got, "fits no known cache");
	got = expect(KERNEL_READ, 1, 16 * KIB, &facts);
	assert_says(&got, "fit L1d (48.00 KiB by the kernel)");
	for (size_t i = 0; i < 3; i++)
		results_free((struct results *)(uintptr_t)earlier[i]);
}

/* If the core's frequency is unknown, the range is wider. */
static void test_unknown(void **state)
{
	struct facts facts = known;
	struct prediction got;

	facts.core_hz = 0;
	facts.kernel_hz = 2e9;
	got = expect(KERNEL_WRITE, 1, 16 * KIB, &facts);
	assert_says(&got, "nominal rate");
	assert_says(&got, "boost");
	assert_near(got.total.high, 64 * 3e9);
	facts = (struct facts){ .cpus = 1 };
	got = expect(KERNEL_WRITE, 1, 16 * KIB, &facts);
	assert_says(&got, "L1d (32.00 KiB assumed, the kernel reports none)");
	got = expect(KERNEL_WRITE, 1, 64. * MIB, &facts);
	assert_says(&got, "fits no known cache");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_level_of_a_size),
		cmocka_unit_test(test_measured_ones),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_found_sizes),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
