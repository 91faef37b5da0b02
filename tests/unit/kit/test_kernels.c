/* Bandwidth kernels access the correct bytes, all of them, and no others. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kernels.h"

enum {
	MOST = 300 << 10, /* many times the smallest block of any kernel */
	GUARD = 4096,
	SPAN = MOST + 2 * GUARD,
};

static char *from_memory, *to_memory, *expected;

static int make_memory(void **state)
{
	uint64_t mixed = 88172645463325252u;

	from_memory = aligned_alloc(64, SPAN);
	to_memory = aligned_alloc(64, SPAN);
	expected = aligned_alloc(64, SPAN);
	for (size_t i = 0; i < SPAN; i++) {
		mixed ^= mixed << 13;
		mixed ^= mixed >> 7;
		mixed ^= mixed << 17;
		from_memory[i] = (char)mixed;
	}
	return from_memory && to_memory && expected ? 0 : -1;
}

static int free_memory(void **state)
{
	free(from_memory);
	free(to_memory);
	free(expected);
	return 0;
}

/* Sizes around every boundary: bytes, words, lines, iterations, regions,
 * pages. */
static size_t next_size(size_t size)
{
	static const size_t borders[] = { 8, 64, 256, 512, 1024, 2048, 4096,
		65536, 131072, 262144 };

	for (size_t i = 0; i < sizeof borders / sizeof *borders; i++)
		if (size + 1 >= borders[i] - 3 && size + 1 <= borders[i] + 3)
			return size + 1;
	return size + 1 + size / 7;
}

/* Exactly these bytes were written or copied, and the guards are unchanged. */
static void check_bytes(const struct kernel *kernel, size_t size)
{
	const uint64_t word = 0xa5a5a5a5a5a5a5a5u;
	const char *from = from_memory + GUARD;

	memset(to_memory, 0x11, SPAN);
	memset(expected, 0x11, SPAN);
	if (kernel->op == KERNEL_COPY)
		memcpy(expected + GUARD, from, size);
	else
		memset(expected + GUARD, 0xa5, size);
	kernel_run(kernel, to_memory + GUARD, from, size, word);
	if (!memcmp(to_memory, expected, SPAN))
		return;
	size_t at = 0;
	while (to_memory[at] == expected[at])
		at++;
	fail_msg("%s %s of %zu bytes: byte %zd is wrong",
		kernel_ops[kernel->op], kernel->name, size,
		(ssize_t)at - GUARD);
}

static void check_sum(const struct kernel *kernel, size_t size)
{
	const char *from = from_memory + GUARD;
	uint64_t got = kernel_run(kernel, to_memory, from, size, 0);
	uint64_t last = 0;

	if (size >= sizeof last)
		memcpy(&last, from + (size / sizeof last - 1) * sizeof last,
			sizeof last);
	if (got != (kernel->sums ? kernel_sum(from, size) : last))
		fail_msg("read %s of %zu bytes: the sum is wrong", kernel->name,
			size);
}

static void test_bytes(void **state)
{
	const struct kernel *kernel;
	size_t ran = 0;

	for (size_t i = 0; (kernel = kernel_at(i)); i++) {
		if (!kernel_runs(kernel)) {
			print_message("not here: %s %s needs %s\n",
				kernel_ops[kernel->op], kernel->name,
				kernel->needs);
			continue;
		}
		ran++;
		for (size_t size = 0; size <= MOST; size = next_size(size))
			if (kernel->op == KERNEL_READ)
				check_sum(kernel, size);
			else
				check_bytes(kernel, size);
	}
	/* Kernels without requirements are available on every processor. */
	assert_true(ran >= 12);
}

/* A change of any byte changes the sum: nothing is read twice or left out. */
static void test_every_byte_counts(void **state)
{
	const struct kernel *kernel;
	char *from = from_memory + GUARD;
	size_t size = 40000 + 5;

	for (size_t i = 0; (kernel = kernel_at(i)); i++) {
		if (!kernel->sums || !kernel_runs(kernel))
			continue;
		uint64_t before = kernel_run(kernel, from, from, size, 0);

		for (size_t at = 0; at < size; at += 61) {
			uint64_t weight = (uint64_t)1 << at % 8 * 8;

			from[at] = (char)(from[at] ^ 1);
			uint64_t now = kernel_run(kernel, from, from, size, 0);
			assert_true(now - before == weight ||
				before - now == weight);
			from[at] = (char)(from[at] ^ 1);
		}
	}
}

static void test_sum(void **state)
{
	static const char bytes[] __attribute__((aligned(64))) = { 1, 0, 0, 0,
		0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1, 7 };

	assert_int_equal(kernel_sum(bytes, 0), 0);
	assert_int_equal(kernel_sum(bytes, 8), 1);
	assert_int_equal(kernel_sum(bytes, 17), 0x010000000000000au);
}

/* Every name that can be typed has a kernel. */
static void test_names(void **state)
{
	const struct kernel *kernel;

	assert_string_equal(kernel_names[KERNEL_BEST], "best");
	for (size_t n = 1; kernel_names[n]; n++) {
		size_t found = 0;

		for (int op = 0; op < KERNEL_OPS; op++)
			found += kernel_find((enum kernel_op)op,
					 kernel_names[n]) != NULL;
		if (!found)
			fail_msg("'%s' is no kernel", kernel_names[n]);
	}
	for (size_t i = 0; (kernel = kernel_at(i)); i++) {
		size_t n = 0;

		assert_ptr_equal(kernel_find(kernel->op, kernel->name), kernel);
		while (kernel_names[n] && strcmp(kernel_names[n], kernel->name))
			n++;
		if (!kernel_names[n])
			fail_msg("'%s' cannot be typed", kernel->name);
	}
	assert_null(kernel_find(KERNEL_READ, "memset"));
	assert_null(kernel_find(KERNEL_WRITE, "memcpy"));
	assert_null(kernel_find(KERNEL_READ, "best"));
}

static void test_ownership(void **state)
{
	assert_near(kernel_ownership(KERNEL_COPY, STORE_OWNS), 1.5);
	assert_near(kernel_ownership(KERNEL_COPY, STORE_STREAMS), 1);
	assert_near(kernel_ownership(KERNEL_COPY, STORE_UNKNOWN), 0);
	assert_near(kernel_ownership(KERNEL_WRITE, STORE_OWNS), 2);
	assert_near(kernel_ownership(KERNEL_READ, STORE_UNKNOWN), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_every_byte_counts),
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_ownership),
	};

	return cmocka_run_group_tests(tests, make_memory, free_memory);
}
