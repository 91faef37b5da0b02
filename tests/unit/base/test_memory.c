/* Allocation that does not return on failure, and columns. */
#include "memory.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "error.h"

static void what_is_allocated_can_be_used(void **state)
{
	char *zeros = xcalloc(3, 5);

	for (int i = 0; i < 15; i++)
		assert_int_equal(zeros[i], 0);
	memcpy(zeros, "0123456789abcd", 15);
	zeros = xrealloc(zeros, 100, 20);
	assert_string_equal(zeros, "0123456789abcd");
	free(zeros);
	char *none = xmalloc(0);
	assert_non_null(none);
	free(none);
	none = xcalloc(0, 8);
	assert_non_null(none);
	free(none);
	char *copy = xstrdup("whole");
	assert_string_equal(copy, "whole");
	free(copy);
	copy = xstrndup("a part of it", 6);
	assert_string_equal(copy, "a part");
	free(copy);
}

static void pages_begin_at_a_page(void **state)
{
	static const size_t sizes[] = { 1, 4096, 64 << 10, 1 << 20 };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char *made = xpages(sizes[i]);

		assert_int_equal((uintptr_t)made % 4096, 0);
		memset(made, 1, sizes[i]);
		free(made);
	}
}

/* ---- out of memory ---------------------------------------------------- */

static volatile size_t far_too_much = SIZE_MAX / 2;

static void overflow_realloc(void)
{
	free(xrealloc(NULL, far_too_much, 4));
}

static void overflow_calloc(void)
{
	free(xcalloc(far_too_much, 4));
}

/* The message of a child before it ends. */
static int last_words(void (*body)(void), char *said, size_t size)
{
	int ends[2], status;

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (!pid) {
		const struct rlimit no_core = { 0, 0 };

		setrlimit(RLIMIT_CORE, &no_core);
		signal(SIGABRT, SIG_DFL);
		dup2(ends[1], 2);
		body();
		_exit(0);
	}
	close(ends[1]);
	size_t length = 0;
	for (ssize_t got; length < size - 1 &&
		(got = read(ends[0], said + length, size - 1 - length)) > 0;)
		length += (size_t)got;
	said[length] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void restore(void)
{
	dprintf(STDERR_FILENO, "restored; ");
}

static void ends_with_a_sentence(void (*body)(void), const char *first)
{
	char said[4096];
	int status = last_words(body, said, sizeof said);

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), STATUS_INTERNAL);
	assert_memory_equal(said, first, strlen(first));
	assert_non_null(strstr(said,
		"benchtop: out of memory: cannot allocate 18446744073709551615 "
		"bytes; autosaved runs are kept, and `benchtop recover`"));
}

/* A product that overflows must not become a small allocation. */
static void gone_memory_ends_the_process(void **state)
{
	ends_with_a_sentence(overflow_realloc, "benchtop: ");
	ends_with_a_sentence(overflow_calloc, "benchtop: ");
	memory_before_exit(restore);
	ends_with_a_sentence(overflow_calloc, "restored; benchtop: ");
	memory_before_exit(NULL);
}

/* ---- arrays and columns ----------------------------------------------- */

static void an_array_grows_by_doubling(void **state)
{
	size_t moves = 0, count = 0;
	int *array = NULL;

	for (int i = 0; i < 100000; i++) {
		const int *before = array;

		ARRAY_GROW(array, count);
		moves += array != before;
		array[count++] = i;
	}
	for (int i = 0; i < 100000; i++)
		assert_int_equal(array[i], i);
	assert_true(moves <= 18);
	free(array);
}

static void a_column_keeps_its_elements(void **state)
{
	struct column column;

	/* 24 bytes do not divide a page: no element may straddle its end. */
	column_init(&column, 24);
	for (uint64_t i = 0; i < 100000; i++) {
		uint64_t *place = column_add(&column);

		assert_true(place[0] == 0 && place[1] == 0 && place[2] == 0);
		place[0] = i;
		place[2] = ~i;
	}
	assert_int_equal(column.count, 100000);
	const uint64_t *all = column.data;
	for (uint64_t i = 0; i < 100000; i++)
		if (all[3 * i] != i || all[3 * i + 2] != ~i)
			fail_msg("element %llu", (unsigned long long)i);
	column_release(&column);
	assert_null(column.data);
	assert_int_equal(column.count, 0);
	assert_int_equal(column.element_bytes, 24);
	/* The column is empty again and can be used. */
	*(uint64_t *)column_add(&column) = 1;
	column_release(&column);
	column_release(&column);
}

/* A worker must not inherit the columns, however large they are. */
static void a_child_does_not_get_a_column(void **state)
{
	struct column column;
	int status;

	column_init(&column, 8);
	for (int i = 0; i < 300000; i++)
		column_add(&column);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *data = column.data;
	char *last = data + column.room_bytes - page;
	pid_t pid = fork();
	if (!pid) {
		unsigned char there;
		bool first_gone =
			mincore(data, page, &there) && errno == ENOMEM;
		bool last_gone = mincore(last, page, &there) && errno == ENOMEM;

		_exit(first_gone && last_gone ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	column_release(&column);
}

static size_t count_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	size_t count = 0;
	int c;

	assert_non_null(maps);
	while ((c = fgetc(maps)) != EOF)
		count += c == '\n';
	fclose(maps);
	return count;
}

/* The kernel limits the number of mappings. A session has several columns for
 * each point of each run. */
static void small_columns_need_no_mappings(void **state)
{
	enum { COLUMNS = 2000, ELEMENTS = 600 };
	static struct column columns[COLUMNS];
	size_t before = count_mappings();

	for (size_t i = 0; i < COLUMNS; i++) {
		column_init(&columns[i], 8);
		for (int k = 0; k < ELEMENTS; k++)
			column_add(&columns[i]);
	}
	assert_true(count_mappings() < before + COLUMNS / 10);
	for (size_t i = 0; i < COLUMNS; i++)
		column_release(&columns[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_allocated_can_be_used),
		cmocka_unit_test(pages_begin_at_a_page),
		cmocka_unit_test(gone_memory_ends_the_process),
		cmocka_unit_test(an_array_grows_by_doubling),
		cmocka_unit_test(a_column_keeps_its_elements),
		cmocka_unit_test(a_child_does_not_get_a_column),
		cmocka_unit_test(small_columns_need_no_mappings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
