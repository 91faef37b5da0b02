/* Buffers: requests, results and refusals. */
#include "buffer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "text.h"

static int open_buffer(struct buffer *buffer, struct buffer_wish wish)
{
	struct error error;

	if (!buffer_open(buffer, &wish, NULL, &error))
		return 0;
	print_message("%s\n", error.message);
	return -1;
}

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

static void is_aligned_present_and_not_zero(void **state)
{
	static const uint64_t sizes[] = { 1, 4096, 12345, 3 << 20 };
	static const uint64_t seeds[] = { 0, 7 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < 8; i++) {
		struct buffer buffer;

		assert_int_equal(open_buffer(&buffer,
					 (struct buffer_wish){
						 .size_bytes = sizes[i / 2],
						 .seed = seeds[i % 2] }),
			0);
		assert_int_equal((uintptr_t)buffer.start % HUGE_BYTES, 0);
		assert_true(buffer.size_bytes >= sizes[i / 2]);
		assert_true(buffer.size_bytes < sizes[i / 2] + page);
		assert_int_equal(buffer.huge_bytes, 0);
		assert_int_equal(buffer.page_bytes, page);
		for (size_t at = 0; at < buffer.size_bytes; at += page)
			assert_int_not_equal(*(uint64_t *)(buffer.start + at),
				0);
		buffer_close(&buffer);
		assert_null(buffer.start);
	}
}

static void does_not_fault_once_open(void **state)
{
	struct buffer buffer;
	volatile char *bytes;

	assert_int_equal(open_buffer(&buffer,
				 (struct buffer_wish){ .size_bytes = 16 << 20,
					 .seed = 3 }),
		0);
	bytes = buffer.start;
	long before = faults();
	for (size_t i = 0; i < buffer.size_bytes; i += 512)
		bytes[i]++;
	/* The shadow of a sanitizer may fault now and then; 4096 faulting pages
	 * would still be detected. */
	assert_in_range(faults() - before, 0, 1100);
	buffer_close(&buffer);
}

static void memory_comes_back(void **state)
{
	/* The memory is unmapped, and closing twice is harmless. */
	for (int i = 0; i < 8; i++) {
		struct buffer buffer;
		struct error error;
		struct buffer_wish wish = { .size_bytes = 4 << 20 };

		assert_int_equal(buffer_open(&buffer, &wish, NULL, &error), 0);
		char *was = buffer.start;
		buffer_close(&buffer);
		buffer_close(&buffer);
		unsigned char there;
		assert_int_equal(mincore(was, 4096, &there), -1);
	}
}

static void grows_where_it_lies(void **state)
{
	struct buffer buffer;
	struct error error;

	assert_int_equal(open_buffer(&buffer,
				 (struct buffer_wish){ .size_bytes = 8192,
					 .reserve_bytes = 64 << 20 }),
		0);
	char *start = buffer.start;
	memset(start, 'x', buffer.size_bytes);
	assert_int_equal(buffer_extend(&buffer, 5 << 20, 9, NULL, &error), 0);
	assert_ptr_equal(buffer.start, start);
	assert_int_equal(buffer.size_bytes, 5 << 20);
	assert_int_equal(start[8191], 'x');
	for (size_t at = 8192; at < buffer.size_bytes; at += 4096)
		assert_int_not_equal(*(uint64_t *)(start + at), 0);
	/* A smaller size changes nothing. A size that is too large is refused,
	 * without a change. */
	assert_int_equal(buffer_extend(&buffer, 4096, 9, NULL, &error), 0);
	assert_int_equal(buffer.size_bytes, 5 << 20);
	assert_int_equal(buffer_extend(&buffer, 65 << 20, 9, NULL, &error), -1);
	assert_non_null(strstr(error.message, "needs 65.00 MiB of memory"));
	assert_int_equal(buffer.size_bytes, 5 << 20);
	assert_int_equal(buffer_extend(&buffer, (uint64_t)1 << 50, 9, NULL,
				 &error),
		-1);
	assert_int_equal(buffer_verify(&buffer, &error), 0);
	assert_int_equal(start[0], 'x');
	buffer_close(&buffer);
}

/* The kernel's count of the pages between two addresses, in bytes. */
static size_t huge_within(const char *start, size_t bytes)
{
	FILE *file = fopen("/proc/self/smaps", "r");
	char line[256];
	void *from, *to;
	size_t kib, sum = 0;
	bool inside = false;

	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "%p-%p", &from, &to) == 2)
			inside = (char *)from >= start &&
				(char *)to <= start + bytes;
		else if (inside && sscanf(line, "AnonHugePages: %zu", &kib) == 1)
			sum += kib * 1024;
	fclose(file);
	return sum;
}

static void huge_pages_are_counted_not_assumed(void **state)
{
	struct buffer buffer;
	struct text text = { 0 };

	assert_int_equal(open_buffer(&buffer,
				 (struct buffer_wish){ .size_bytes = 8 << 20,
					 .pages = PAGES_THP }),
		0);
	assert_int_equal(buffer.size_bytes, 8 << 20);
	assert_int_equal(buffer.huge_bytes,
		huge_within(buffer.start, buffer.size_bytes));
	assert_int_equal(buffer.huge_bytes % HUGE_BYTES, 0);
	buffer_describe(&buffer, &text);
	assert_string_equal(text_chars(&text),
		buffer.huge_bytes == buffer.size_bytes ? "2M" :
			buffer.huge_bytes              ? text_chars(&text) :
							 "4K");
	text_free(&text);
	buffer_close(&buffer);
}

static void says_how_much_of_it_is_huge(void **state)
{
	struct buffer buffer = { .size_bytes = 8 << 20,
		.page_bytes = 4096,
		.huge_bytes = 6 << 20 };
	struct text text = { 0 };

	buffer_describe(&buffer, &text);
	assert_string_equal(text_chars(&text), "2M (75 %), 4K");
	text_free(&text);
}

static void low_buffers_fit_pointers_of_four_bytes(void **state)
{
	struct buffer buffer;

	assert_int_equal(open_buffer(&buffer,
				 (struct buffer_wish){ .size_bytes = 4 << 20,
					 .low = true }),
		0);
	assert_true((uintptr_t)buffer.start + buffer.size_bytes <= (uint64_t)1
			<< 32);
	buffer_close(&buffer);
}

static void refuses_what_does_not_fit(void **state)
{
	static const uint64_t sizes[] = { (uint64_t)1 << 50, UINT64_MAX };

	for (size_t i = 0; i < 2; i++) {
		struct buffer buffer;
		struct error error;
		struct buffer_wish wish = { .size_bytes = sizes[i] };

		assert_int_equal(buffer_open(&buffer, &wish, NULL, &error), -1);
		assert_null(buffer.start);
		assert_non_null(strstr(error.message, "needs "));
		assert_non_null(strstr(error.message, " are available"));
	}
}

static void refuses_huge_pages_that_are_not_reserved(void **state)
{
	struct buffer buffer;
	struct error error;
	struct buffer_wish wish = { .size_bytes = (uint64_t)1 << 45,
		.pages = PAGES_HUGE };

	assert_int_equal(buffer_open(&buffer, &wish, NULL, &error), -1);
	assert_null(buffer.start);
	assert_non_null(strstr(error.message, "vm.nr_hugepages="));
}

static void refuses_a_low_buffer_above_four_gigabytes(void **state)
{
	struct buffer buffer;
	struct error error;
	struct buffer_wish wish = { .size_bytes = (uint64_t)5 << 30,
		.low = true,
		.untouched = true };

	assert_int_equal(buffer_open(&buffer, &wish, NULL, &error), -1);
	assert_true(strstr(error.message, "below 4 GiB") ||
		strstr(error.message, "are available"));
}

static void an_untouched_buffer_does_not_verify(void **state)
{
	struct buffer buffer;
	struct error error;

	assert_int_equal(open_buffer(&buffer,
				 (struct buffer_wish){ .size_bytes = 1 << 20,
					 .untouched = true }),
		0);
	assert_int_equal(buffer_verify(&buffer, &error), -1);
	memset(buffer.start, 1, buffer.size_bytes);
	assert_int_equal(buffer_verify(&buffer, &error), 0);
	buffer_close(&buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_aligned_present_and_not_zero),
		cmocka_unit_test(does_not_fault_once_open),
		cmocka_unit_test(memory_comes_back),
		cmocka_unit_test(grows_where_it_lies),
		cmocka_unit_test(huge_pages_are_counted_not_assumed),
		cmocka_unit_test(says_how_much_of_it_is_huge),
		cmocka_unit_test(low_buffers_fit_pointers_of_four_bytes),
		cmocka_unit_test(refuses_what_does_not_fit),
		cmocka_unit_test(refuses_huge_pages_that_are_not_reserved),
		cmocka_unit_test(refuses_a_low_buffer_above_four_gigabytes),
		cmocka_unit_test(an_untouched_buffer_does_not_verify),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
