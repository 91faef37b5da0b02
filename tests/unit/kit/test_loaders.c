/* Loaders move what they count, prove it, and pause. */
#include <sched.h>
#include <string.h>

#include "check.h"
#include "loaders.h"
#include "probe.h"

enum { THREADS = 3, SIZE_BYTES = 8 << 20, WORK_NS = 3000000 };

static size_t invalid;

static void nothing(struct probe *probe)
{
	(void)probe;
}

/* The text that probe_invalid() writes to the tape. */
static void put(struct probe *probe, const struct sample *sample)
{
	(void)probe;
	if (sample->kind == SAMPLE_TEXT && sample->metric == TEXT_INVALID)
		invalid++;
}

static volatile uint64_t slot;
static int cpus[THREADS];
static struct probe probe = {
	.random = 1,
	.alive = nothing,
	.put = put,
	.rseq_slot = &slot,
	.rseq_armed = 1,
	.source = TICK_MONOTONIC_RAW,
	.tick_hz = 1e9,
};

/* Distributes the threads over all processors in turn. */
static int choose_processors(void **state)
{
	cpu_set_t allowed;
	int cpu = -1;

	if (sched_getaffinity(0, sizeof allowed, &allowed))
		return -1;
	for (int i = 0; i < THREADS; i++) {
		do
			cpu = (cpu + 1) % CPU_SETSIZE;
		while (!CPU_ISSET((size_t)cpu, &allowed));
		cpus[i] = cpu;
	}
	return 0;
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
		loaders_stop(&loaders);
	}
	assert_int_equal(invalid, 0);
}

static uint64_t does_nothing(char *to, const char *from, size_t bytes,
	uint64_t word)
{
	(void)to;
	(void)from;
	(void)bytes;
	(void)word;
	return 0;
}

static uint64_t forgets_a_byte(char *to, const char *from, size_t bytes,
	uint64_t word)
{
	memset(to, (int)(word & 0xff), bytes);
	to[bytes / 2] = (char)(to[bytes / 2] ^ 1);
	(void)from;
	return 0;
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

static size_t caught(enum kernel_op op, kernel_function *function)
{
	const struct kernel lies = { .name = "lies",
		.op = op,
		.sums = true,
		.function = function };
	struct loaders loaders;

	invalid = 0;
	begin(&loaders, op, 2);
	run(&loaders, &lies, 1000);
	loaders_check(&loaders);
	loaders_stop(&loaders);
	return invalid;
}

static void test_lies_are_caught(void **state)
{
	assert_true(caught(KERNEL_READ, does_nothing) > 0);
	assert_true(caught(KERNEL_WRITE, does_nothing) > 0);
	assert_true(caught(KERNEL_COPY, does_nothing) > 0);
	assert_true(caught(KERNEL_WRITE, forgets_a_byte) > 0);
}

/* A block of 4 KiB per pause is the most that a thread can move. */
static void test_pauses_limit_the_rate(void **state)
{
	enum { PAUSE_NS = 20000, BLOCK_BYTES = 4096 };
	const struct kernel *kernel = kernel_find(KERNEL_COPY, "memcpy");
	struct loaders loaders;

	begin(&loaders, KERNEL_COPY, 2);
	bool interrupted = run(&loaders, kernel, PAUSE_NS);
	/* The first block needs no pause. */
	assert_true(loaders.per_s <= 2 * BLOCK_BYTES * 1e9 / PAUSE_NS * 1.5 ||
		interrupted);
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
		cmocka_unit_test(test_pauses_limit_the_rate),
		cmocka_unit_test(test_too_small),
	};

	return cmocka_run_group_tests(tests, choose_processors, NULL);
}
