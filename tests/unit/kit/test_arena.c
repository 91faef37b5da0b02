/* Arenas with a limited address space: they use available memory, grow within
 * it, and refuse requests with an error. Each test has its own process. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena.h"
#include "check.h"
#include "probe.h"

enum { MIB = 1 << 20 };

static char said[512];

static void nothing(struct probe *probe)
{
	(void)probe;
}

/* The text that probe_unavailable() writes to the tape, in pieces. */
static void put(struct probe *probe, const struct sample *sample)
{
	(void)probe;
	if (sample->kind == SAMPLE_TEXT)
		said[0] = 'x';
}

static struct probe probe = {
	.random = 1,
	.alive = nothing,
	.put = put,
};

static size_t address_space_bytes(void)
{
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%lu", &pages), 1);
	fclose(file);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Limits the address space to `bytes` more than is in use. */
static void leave(size_t bytes)
{
	struct rlimit limit;

	getrlimit(RLIMIT_AS, &limit);
	limit.rlim_cur = address_space_bytes() + bytes;
	if (setrlimit(RLIMIT_AS, &limit))
		_exit(2);
}

/* Takes a part and writes its first and last byte. */
static bool take(uint64_t bytes)
{
	char *base = NULL;

	said[0] = '\0';
	if (!arena_take(&probe, bytes, PAGES_4K, false, &base))
		return false;
	base[0] = base[bytes - 1] = 1;
	return true;
}

/* The child's exit code for the failed check; 0: none. */
static int in_a_child(int (*of)(void))
{
	int status = -1;
	pid_t child = fork();

	if (child == 0)
		_exit(of());
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int small_parts(void)
{
	leave(256 * MIB);
	if (!take(MIB))
		return 11;
	/* Others must have room too. */
	void *other = mmap(NULL, 64 * MIB, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (other == MAP_FAILED)
		return 12;
	munmap(other, 64 * MIB);
	return take(8 * MIB) ? 0 : 13;
}

static void test_small_parts(void **state)
{
	assert_int_equal(in_a_child(small_parts), 0);
}

/* A part larger than the reserved space opens it again with twice the size, or
 * with the exact size if twice does not fit. */
static int growing_parts(void)
{
	leave(200 * MIB);
	for (uint64_t mib = 1; mib <= 128; mib *= 2)
		if (!take(mib * MIB))
			return 20 + (int)mib;
	return 0;
}

static void test_growing_parts(void **state)
{
	assert_int_equal(in_a_child(growing_parts), 0);
}

static int too_large(void)
{
	leave(64 * MIB);
	if (take(100 * MIB) || !said[0])
		return 31;
	/* After the refusal, a part that fits is still available. */
	return take(16 * MIB) ? 0 : 32;
}

static void test_too_large(void **state)
{
	assert_int_equal(in_a_child(too_large), 0);
}

/* The sentence names the limit. */
static int in_words(void)
{
	struct buffer buffer;
	struct buffer_wish wish = { .size_bytes = 100 * MIB };
	struct error error;

	leave(64 * MIB);
	if (!buffer_open(&buffer, &wish, NULL, &error) || buffer.start)
		return 41;
	return strstr(error.message, "cannot map 100.0 MiB") &&
			strstr(error.message, "'ulimit -v' limits") ?
		0 :
		42;
}

static void test_in_words(void **state)
{
	assert_int_equal(in_a_child(in_words), 0);
}

/* A wish for more than the available space is cut to that space. The required
 * size is never cut. */
static int halves(void)
{
	struct buffer buffer;
	struct buffer_wish wish = { .size_bytes = 40 * MIB,
		.reserve_bytes = (uint64_t)1 << 46,
		.untouched = true };
	struct error error;

	leave(256 * MIB);
	if (buffer_open(&buffer, &wish, NULL, &error))
		return 51;
	if (buffer.reserved_bytes < 64 * MIB ||
		buffer.reserved_bytes > 128 * MIB)
		return 52;
	buffer_close(&buffer);
	leave(60 * MIB);
	if (buffer_open(&buffer, &wish, NULL, &error))
		return 53;
	return buffer.reserved_bytes == 40 * MIB ? 0 : 54;
}

static void test_halves(void **state)
{
	assert_int_equal(in_a_child(halves), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_parts),
		cmocka_unit_test(test_growing_parts),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_in_words),
		cmocka_unit_test(test_halves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
