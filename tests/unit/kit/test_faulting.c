/* Memory that faults: confirmed by the kernel's counters, page by page, for all
 * five kinds; impossible requests are refused with an error. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faulting.h"
#include "file_folders.h"
#include "touches.h"

/* Faults of one pass over all pages of a kind. */
static struct faults pass(enum faulting_kind kind, size_t pages, size_t stride,
	bool random, bool writes)
{
	struct faulting faulting = { .kind = kind,
		.size_bytes = pages * page_bytes(),
		.advice = MADV_NORMAL };
	struct touches touches = { .writes = writes };
	struct error error = { 0 };

	touches_draw(&touches, faulting.size_bytes, stride * page_bytes(),
		random, &probe);
	if (faulting_open(&faulting, &probe, &error) ||
		faulting_prepare(&faulting, &error))
		fail_msg("%s", error.message);
	/* The fork of FAULTING_COPIED also shares the pages of this test. */
	volatile char own[2 * 4096];
	for (size_t i = 0; i < sizeof own; i += 64)
		own[i] = 1;
	struct faults before = faults_now();
	touches_make(&touches, faulting.memory.start, 0, touches.count);
	struct faults faults = faults_since(before);
	faulting_dispose(&faulting);
	faulting_close(&faulting);
	touches_free(&touches);
	return faults;
}

static void test_one_each(void **state)
{
	static const size_t strides[] = { 1, 2, 3, 7, 64 };

	for (enum faulting_kind kind = FAULTING_ANONYMOUS;
		kind <= FAULTING_COPIED; kind++)
		for (size_t i = 0; i < sizeof strides / sizeof *strides; i++)
			for (int random = 0; random < 2; random++) {
				size_t pages = 1000;
				struct faults faults =
					pass(kind, pages, strides[i], random,
						kind != FAULTING_ZERO);

				assert_int_equal(faults.major, 0);
				assert_int_equal(faults.minor,
					(pages - 1) / strides[i] + 1);
			}
}

static void test_cached_file(void **state)
{
	setenv("XDG_STATE_HOME", shm, 1);
	struct faults faults = pass(FAULTING_FILE, 1000, 1, false, false);

	assert_int_equal(faults.major, 0);
	assert_in_range(faults.minor, 1, 1000);
}

static bool on_tmpfs(const char *path)
{
	struct statfs is;

	return !statfs(path, &is) && is.f_type == 0x01021994;
}

static void test_evicted_file(void **state)
{
	if (on_tmpfs(disk))
		skip_because("no folder on a disk here");
	setenv("XDG_STATE_HOME", disk, 1);
	struct faults faults = pass(FAULTING_EVICTED, 1000, 1, false, false);

	assert_in_range(faults.major, 1, 1000);
	assert_int_equal(faulting_count(FAULTING_EVICTED, faults),
		faults.major + faults.minor);
	assert_int_equal(faulting_count(FAULTING_FILE, faults), faults.minor);
}

static void test_tmpfs_is_refused(void **state)
{
	struct faulting faulting = { .kind = FAULTING_EVICTED,
		.size_bytes = 1 << 20 };
	struct error error = { 0 };

	setenv("XDG_STATE_HOME", shm, 1);
	assert_int_equal(faulting_open(&faulting, &probe, &error), 0);
	assert_int_equal(faulting_prepare(&faulting, &error), -1);
	assert_non_null(strstr(error.message, "tmpfs"));
	assert_non_null(strstr(error.message, "XDG_STATE_HOME"));
	faulting_close(&faulting);
}

static void test_sizes_are_refused(void **state)
{
	struct error error = { 0 };

	for (enum faulting_kind kind = FAULTING_ANONYMOUS;
		kind <= FAULTING_EVICTED; kind++) {
		struct faulting faulting = { .kind = kind,
			.size_bytes = (size_t)1 << 46 };

		assert_int_equal(faulting_open(&faulting, &probe, &error), -1);
		assert_non_null(strstr(error.message,
			kind == FAULTING_COPIED ? "needs 128.0 TiB" :
						  "needs 64.00 TiB"));
		assert_non_null(strstr(error.message, "are available"));
	}
}

/* In a child: limits the address space to `bytes` more than is in use. */
static int limited(enum faulting_kind kind)
{
	struct faulting faulting = { .kind = kind, .size_bytes = 32 << 20 };
	struct rlimit limit = { 0, RLIM_INFINITY };
	struct error error = { 0 };
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages;

	if (!file || fscanf(file, "%lu", &pages) != 1)
		return 1;
	fclose(file);
	getrlimit(RLIMIT_AS, &limit);
	limit.rlim_cur = pages * page_bytes() + (16 << 20);
	if (setrlimit(RLIMIT_AS, &limit))
		return 2;
	/* FAULTING_COPIED maps its pages when it is opened. */
	if (!faulting_open(&faulting, &probe, &error) &&
		!faulting_prepare(&faulting, &error))
		return 3;
	faulting_close(&faulting);
	char wanted[120];
	snprintf(wanted, sizeof wanted,
		"cannot map 32.00 MiB: %s; 'ulimit -v' limits the address "
		"space",
		strerror(ENOMEM));
	return strcmp(error.message, wanted) ? 4 : 0;
}

/* The error names the limit of the address space, in the words of all memory
 * experiments. */
static void test_limits_are_named(void **state)
{
	setenv("XDG_STATE_HOME", shm, 1);
	for (enum faulting_kind kind = FAULTING_ANONYMOUS;
		kind <= FAULTING_FILE; kind++) {
		int status = -1;
		pid_t child = fork();

		if (!child)
			_exit(limited(kind));
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
	}
}

/* Every page is touched once, in any order. */
static void test_order(void **state)
{
	for (int random = 0; random < 2; random++) {
		struct touches touches = { 0 };
		static bool seen[4097];
		size_t out_of_order = 0;

		memset(seen, 0, sizeof seen);
		touches_draw(&touches, 4097 * 4096 - 5, 4096, random, &probe);
		assert_int_equal(touches.count, 4097);
		for (size_t i = 0; i < touches.count; i++) {
			assert_false(seen[touches.order[i]]);
			seen[touches.order[i]] = true;
			out_of_order += touches.order[i] != i;
		}
		assert_true(random ? out_of_order > 4000 : !out_of_order);
		touches_free(&touches);
	}
}

static void test_pages(void **state)
{
	struct touches touches = { 0 };

	touches_draw(&touches, 1 << 20, 4096, false, &probe);
	assert_int_equal(touches_pages(&touches, 4096), 256);
	assert_int_equal(touches_pages(&touches, 65536), 16);
	assert_int_equal(touches_pages(&touches, 2 << 20), 1);
	touches_free(&touches);
	touches_draw(&touches, 1 << 20, 5000, false, &probe);
	assert_int_equal(touches_pages(&touches, 4096), touches.count);
	touches_free(&touches);
}

static size_t window(struct faulting faulting, size_t stride_bytes,
	bool in_order, uint64_t *expected)
{
	struct touches touches = { 0 };

	touches_draw(&touches, 16 << 20, stride_bytes, false, &probe);
	size_t made =
		faulting_window(&faulting, &touches, in_order, 128, expected);
	touches_free(&touches);
	return made;
}

/* The number of touches of a trial, and the number of faults they cause. */
static void test_windows(void **state)
{
	const struct faulting small = { .kind = FAULTING_COPIED };
	const struct faulting huge = { .kind = FAULTING_ANONYMOUS,
		.huge = true };
	const struct faulting file = { .kind = FAULTING_FILE };
	const struct faulting ahead = { .kind = FAULTING_EVICTED };
	const struct faulting single = { .kind = FAULTING_EVICTED,
		.advice = MADV_RANDOM };
	size_t page = page_bytes();
	uint64_t expected;

	assert_int_equal(window(small, page, true, &expected), 128);
	assert_int_equal(expected, 128);
	assert_int_equal(window(small, 1 << 20, true, &expected), 16);
	assert_int_equal(expected, 16);
	assert_int_equal(window(huge, 4096, true, &expected), 512);
	assert_int_equal(expected, 1);
	assert_int_equal(window(huge, 4096, false, &expected), 4096);
	assert_int_equal(expected, 8);
	assert_int_equal(window(huge, 4 << 20, true, &expected), 1);
	assert_int_equal(expected, 1);
	assert_int_equal(window(file, 4096, true, &expected), 4096);
	assert_int_equal(expected, 0);
	assert_int_equal(window(ahead, 4096, true, &expected), 4096);
	assert_int_equal(expected, 0);
	assert_int_equal(window(single, 4096, true, &expected), 128);
	assert_int_equal(expected, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_each),
		cmocka_unit_test(test_cached_file),
		cmocka_unit_test(test_evicted_file),
		cmocka_unit_test(test_tmpfs_is_refused),
		cmocka_unit_test(test_sizes_are_refused),
		cmocka_unit_test(test_limits_are_named),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_windows),
	};

	return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
