/* Teams start together; traffic covers its memory and proves it. */
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "caches.h"
#include "check.h"
#include "lies.h"
#include "traffic.h"

enum { THREADS = 4 };

static struct probe probe;
static int row[THREADS];

/* More threads than processors are the hardest case for a barrier. */
static int set_up(void **state)
{
	probe = counting_probe();
	probe.row = row;
	probe.row_count = THREADS;
	return spread_threads(row, THREADS);
}

/* ---- the team --------------------------------------------------------- */

static struct {
	_Atomic unsigned inside, calls;
	unsigned by[THREADS];
} seen;

static void count_in(void *context, unsigned member)
{
	assert_ptr_equal(context, &seen);
	seen.by[member]++;
	atomic_fetch_add(&seen.calls, 1);
}

static void test_everybody_once(void **state)
{
	for (unsigned count = 1; count <= THREADS; count++) {
		struct team team;
		bool interrupted;

		memset(&seen, 0, sizeof seen);
		assert_int_equal(team_start(&team, row, count, &probe), 0);
		for (unsigned round = 1; round <= 10; round++) {
			uint64_t end =
				team_run(&team, count_in, &seen, &interrupted);

			assert_int_equal(seen.calls, round * count);
			for (unsigned m = 0; m < count; m++) {
				assert_int_equal(seen.by[m], round);
				/* The end is that of the slowest thread, and no
				 * thread ended before the start. */
				assert_true((int64_t)(end -
						    team.members[m].end) >= 0);
				assert_true((int64_t)(team.members[m].end -
						    probe.start) >= 0);
			}
		}
		team_stop(&team);
	}
}

/* ---- traffic ---------------------------------------------------------- */

static void pass_all(enum kernel_op op, unsigned threads, size_t size_bytes)
{
	struct traffic traffic = {
		.op = op,
		.threads = threads,
		.size_bytes = size_bytes,
	};
	const struct kernel *kernel;
	struct error error = { 0 };
	bool interrupted;

	if (traffic_open(&traffic, &probe, &error))
		fail_msg("%s", error.message);
	assert_true(traffic_lines(&traffic, traffic.chunks) * 64 <= size_bytes);
	assert_true(traffic_lines(&traffic, traffic.chunks) * 64 >
		size_bytes - 64 * threads * (traffic.chunks + 1));
	for (size_t i = 0; (kernel = kernel_at(i)); i++) {
		if (kernel->op != op || !kernel_runs(kernel))
			continue;
		for (uint64_t ops = 1; ops < 2 * traffic.chunks + 2; ops++) {
			traffic_run(&traffic, kernel, ops, &interrupted);
			traffic_check(&traffic);
		}
		traffic_prove(&traffic, kernel);
	}
	assert_int_equal(invalid, 0);
	kernel = traffic_choose(&traffic);
	assert_int_equal(kernel->op, op);
	assert_true(kernel_runs(kernel));
	traffic_close(&traffic);
}

static void test_proofs_hold(void **state)
{
	invalid = 0;
	for (int op = 0; op < KERNEL_OPS; op++) {
		pass_all((enum kernel_op)op, 1, 4096);
		pass_all((enum kernel_op)op, 3, 100000);
		pass_all((enum kernel_op)op, 2, 20 << 20);
	}
}

/* ---- where the words are ---------------------------------------------- */

static struct {
	uintptr_t to, from;
} places;

static uint64_t note_places(char *to, const char *from, size_t bytes,
	uint64_t word)
{
	places.to = (uintptr_t)to;
	places.from = (uintptr_t)from;
	memcpy(to, from, bytes);
	return word;
}

/* The distance within a page of what a copy of that size reads and writes. */
static uintptr_t apart(unsigned threads, size_t size_bytes)
{
	static const struct kernel kernel = { .op = KERNEL_COPY,
		.function = note_places };
	struct traffic traffic = { .op = KERNEL_COPY,
		.threads = threads,
		.size_bytes = size_bytes };
	struct error error = { 0 };
	bool interrupted;

	assert_int_equal(traffic_open(&traffic, &probe, &error), 0);
	traffic_run(&traffic, &kernel, 1, &interrupted);
	traffic_close(&traffic);
	assert_int_equal(places.to % 64, 0);
	return (places.to - places.from) % 4096;
}

/* A load from the same place within a page as a recent store waits for it, on
 * Intel and on AMD, so a copy in a cache between equal places is slow. A copy
 * in memory is faster if both reach the ends of their pages together. */
static void test_copy_does_not_alias(void **state)
{
	for (unsigned threads = 1; threads <= 2; threads++) {
		/* The four regions of a kernel are 1, 2 or 4 KiB apart. */
		for (size_t kib = 4; kib <= 256; kib *= 2)
			assert_in_range(apart(threads, threads * kib << 10) %
					1024, 512, 1023);
		assert_int_equal(apart(threads, 32 << 20), 0);
	}
}

/* Where the kernel grants no huge page, small ones fill its place, also behind
 * a slice that is shorter. */
static void test_huge_pages_are_refused(void **state)
{
	static const uint64_t sizes[] = { 4096, 3 << 20, 17 << 20 };
	struct error error = { .message = "" };

	assert_int_equal(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (int op = 0; op < KERNEL_OPS; op++) {
			struct traffic traffic = { .op = (enum kernel_op)op,
				.pages = PAGES_THP,
				.threads = 2,
				.size_bytes = sizes[i] };

			if (traffic_open(&traffic, &probe, &error))
				fail_msg("%s", error.message);
			assert_int_equal(traffic.from->huge_bytes, 0);
			traffic_prove(&traffic,
				kernel_find((enum kernel_op)op, "loop"));
			traffic_close(&traffic);
			assert_int_equal(invalid, 0);
		}
	assert_int_equal(prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0), 0);
}

static size_t invalid_after(const struct kernel *kernel)
{
	struct traffic traffic = { .op = kernel->op,
		.threads = 2,
		.size_bytes = 100000 };
	struct error error = { 0 };

	assert_int_equal(traffic_open(&traffic, &probe, &error), 0);
	traffic_prove(&traffic, kernel);
	traffic_close(&traffic);
	return invalid;
}

static void test_lies_are_caught(void **state)
{
	assert_lies_are_caught(invalid_after);
}

static long faults(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_minflt;
}

/* One visit; returns the faults of opening its memory. */
static long visited(enum kernel_op op, unsigned threads)
{
	const struct kernel *kernel =
		kernel_find(op, op == KERNEL_WRITE ? "memset" : "loop");
	struct traffic traffic = { .op = op,
		.threads = threads,
		.size_bytes = 32 << 20 };
	struct error error = { 0 };
	long before = faults();

	assert_int_equal(traffic_open(&traffic, &probe, &error), 0);
	long taken = faults() - before;
	traffic_prove(&traffic, kernel);
	traffic_close(&traffic);
	assert_int_equal(invalid, 0);
	return taken;
}

/* Points in any order reuse the memory of earlier points, with the expected
 * contents. Memory touched by other threads is not reused. */
static void test_memory_stays(void **state)
{
	long page = sysconf(_SC_PAGESIZE), all = (32 << 20) / page;

	invalid = 0;
	assert_true(visited(KERNEL_READ, 1) >= all);
	assert_true(visited(KERNEL_READ, 1) < all / 2);
	assert_true(visited(KERNEL_WRITE, 1) >= all);
	for (int op = 0; op < KERNEL_OPS; op++)
		assert_true(visited((enum kernel_op)op, 1) < all / 2);
	/* A write does not change the memory that is read. */
	assert_true(visited(KERNEL_READ, 1) < all / 2);
	assert_true(visited(KERNEL_COPY, 2) >= 2 * all);
	assert_true(visited(KERNEL_READ, 2) < all / 2);
}

static void test_too_large(void **state)
{
	struct traffic traffic = { .op = KERNEL_COPY,
		.threads = 2,
		.size_bytes = (uint64_t)1 << 46 };
	struct error error = { 0 };

	assert_int_equal(traffic_open(&traffic, &probe, &error), -1);
	assert_non_null(strstr(error.message, "a copy needs 128.0 TiB"));
	traffic.op = KERNEL_READ;
	assert_int_equal(traffic_open(&traffic, &probe, &error), -1);
	assert_non_null(strstr(error.message, "needs 64.00 TiB"));
}

/* There is no estimate of memory traffic if a cache holds the size. */
static void test_ownership(void **state)
{
	const struct kernel owns = { .store = STORE_OWNS },
			    streams = { .store = STORE_STREAMS },
			    unknown = { .store = STORE_UNKNOWN };
	struct traffic traffic = { .probe = &probe,
		.op = KERNEL_COPY,
		.threads = 1,
		.chunk_bytes = TRAFFIC_CHUNK_BYTES,
		.chunks = 1 << 20 };

	assert_near(traffic_ownership(&traffic, &owns), 1.5);
	assert_near(traffic_ownership(&traffic, &streams), 1);
	assert_near(traffic_ownership(&traffic, &unknown), 0);
	traffic.op = KERNEL_WRITE;
	assert_near(traffic_ownership(&traffic, &owns), 2);
	traffic.op = KERNEL_READ;
	assert_near(traffic_ownership(&traffic, &owns), 1);
	if (!caches_last_total(""))
		return;
	traffic.chunks = 1;
	traffic.chunk_bytes = 4096;
	for (int op = 0; op < KERNEL_OPS; op++) {
		traffic.op = (enum kernel_op)op;
		assert_near(traffic_ownership(&traffic, &owns), 0);
		assert_near(traffic_ownership(&traffic, &streams), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_everybody_once),
		cmocka_unit_test(test_proofs_hold),
		cmocka_unit_test(test_copy_does_not_alias),
		cmocka_unit_test(test_huge_pages_are_refused),
		cmocka_unit_test(test_lies_are_caught),
		cmocka_unit_test(test_memory_stays),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_ownership),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
