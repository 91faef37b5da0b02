/* Loaders move what they count, prove it, and pause. */
#include <sched.h>
#include <string.h>

#include "check.h"
#include "lies.h"
#include "loaders.h"

enum { THREADS = 3, SIZE_BYTES = 8 << 20, WORK_NS = 3000000 };

static struct probe probe;
static int cpus[THREADS];

static int set_up(void **state)
{
	probe = counting_probe();
	probe.source = TICK_MONOTONIC_RAW;
	probe.tick_hz = 1e9;
	return spread_threads(cpus, THREADS);
}

static void begin(struct loaders *loaders, enum kernel_op op, unsigned threads)
{
	struct error error = { 0 };

	*loaders = (struct loaders){ .op = op,
		.threads = threads,
		.cpus = cpus,
		.size_bytes = SIZE_BYTES };
	if (loaders_start(loaders, &probe, &error))
		fail_msg("%s", error.message);
}

static void work(void *context)
{
	(*(unsigned *)context)++;
	while (probe_now(&probe) - probe.start < WORK_NS)
		sched_yield();
}

static void test_every_kernel_is_proven(void **state)
{
	const struct kernel *kernel;

	invalid = 0;
	for (int op = 0; op < KERNEL_OPS; op++) {
		struct loaders loaders;
		unsigned calls = 0, runs = 0;
		bool interrupted;

		begin(&loaders, (enum kernel_op)op, THREADS);
		for (size_t i = 0; (kernel = kernel_at(i)); i++) {
			if ((int)kernel->op != op || !kernel_runs(kernel) ||
				(op == KERNEL_READ && !kernel->sums))
				continue;
			for (double pause = 0; pause < 2000; pause += 500) {
				uint64_t end = loaders_run(&loaders, kernel,
					pause, work, &calls, &interrupted);

				assert_true(end - probe.start >= WORK_NS);
				loaders_check(&loaders);
				runs++;
			}
		}
		assert_int_equal(calls, runs);
		kernel = loaders_choose(&loaders);
		assert_int_equal(kernel->op, op);
		assert_true(kernel_runs(kernel));
		loaders_prove(&loaders, kernel);
		loaders_stop(&loaders);
	}
	assert_int_equal(invalid, 0);
}

/* Runs until the only loader has completed a block, because on a busy machine
 * it may not run at all. Returns whether it was interrupted. */
static bool run(struct loaders *loaders, const struct kernel *kernel,
	double pause_ns)
{
	unsigned calls = 0;
	bool interrupted;

	do
		loaders_run(loaders, kernel, pause_ns, work, &calls,
			&interrupted);
	while (!(loaders->per_s > 0) && calls < 1000);
	assert_true(loaders->per_s > 0);
	return interrupted;
}

static size_t invalid_after(const struct kernel *kernel)
{
	struct loaders loaders;

	begin(&loaders, kernel->op, 2);
	for (int i = 0; i < 100 && !invalid; i++)
		loaders_prove(&loaders, kernel);
	loaders_stop(&loaders);
	return invalid;
}

static void test_lies_are_caught(void **state)
{
	assert_lies_are_caught(invalid_after);
}

static uint64_t writes_nothing(char *to, const char *from, size_t bytes,
	uint64_t word)
{
	(void)to;
	(void)from;
	(void)bytes;
	(void)word;
	return 0;
}

/* The caller changes few words before a run: a whole block would be dirty in
 * its caches. They prove whether the block was written. */
static void test_few_words_are_samples(void **state)
{
	enum { SAMPLES_MOST = 16 };
	const struct kernel lie = { .op = KERNEL_WRITE, .name = "lie",
		.function = writes_nothing };
	struct loaders loaders;
	unsigned calls = 0;
	size_t changed = 0;
	bool interrupted;

	invalid = 0;
	begin(&loaders, KERNEL_WRITE, 2);
	/* The memory is that of the tests before, which changed words too. */
	memset(loaders.to->start, 1, loaders.slice_bytes);
	do
		loaders_run(&loaders, &lie, 1000, work, &calls, &interrupted);
	while (!(loaders.per_s > 0) && calls < 1000);
	loaders_check(&loaders);
	const uint64_t *word = (const uint64_t *)loaders.to->start;
	for (size_t i = 0; i < loaders.slice_bytes / sizeof *word; i++)
		changed += !word[i];
	loaders_stop(&loaders);
	assert_int_equal(invalid, 1);
	assert_true(changed > 0);
	if (changed > SAMPLES_MOST * calls)
		fail_msg("%zu words changed in %u runs", changed, calls);
}

/* A block of 4 KiB per pause is the most that a thread can move. */
static void test_pauses_limit_the_rate(void **state)
{
	enum { PAUSE_NS = 20000, BLOCK_BYTES = 4096 };
	const struct kernel *kernel = kernel_find(KERNEL_COPY, "memcpy");
	struct loaders loaders;

	begin(&loaders, KERNEL_COPY, 2);
	bool interrupted = run(&loaders, kernel, PAUSE_NS);
	assert_true(loaders.per_s <= 2 * BLOCK_BYTES * 1e9 / PAUSE_NS);
	interrupted = run(&loaders, kernel, 0);
	assert_true(loaders.per_s > 2 * BLOCK_BYTES * 1e9 / PAUSE_NS ||
		interrupted);
	loaders_stop(&loaders);
}

static void test_too_small(void **state)
{
	struct loaders loaders = { .op = KERNEL_READ,
		.threads = 9,
		.cpus = cpus,
		.size_bytes = 1 << 20 };
	struct error error = { 0 };

	assert_int_equal(loaders_start(&loaders, &probe, &error), -1);
	assert_non_null(strstr(error.message, "8 threads need at least"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_kernel_is_proven),
		cmocka_unit_test(test_lies_are_caught),
		cmocka_unit_test(test_few_words_are_samples),
		cmocka_unit_test(test_pauses_limit_the_rate),
		cmocka_unit_test(test_too_small),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
