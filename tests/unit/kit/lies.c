/* Kernels that skip work, and what notices it. */
#include "lies.h"

#include <sched.h>
#include <string.h>

#include "check.h"

size_t invalid;

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

struct probe counting_probe(void)
{
	static volatile uint64_t slot;

	return (struct probe){
		.random = 1,
		.alive = nothing,
		.put = put,
		.rseq_slot = &slot,
		.rseq_armed = 1,
	};
}

int spread_threads(int *cpus, size_t count)
{
	cpu_set_t allowed;
	int cpu = -1;

	if (sched_getaffinity(0, sizeof allowed, &allowed))
		return -1;
	for (size_t i = 0; i < count; i++) {
		do
			cpu = (cpu + 1) % CPU_SETSIZE;
		while (!CPU_ISSET((size_t)cpu, &allowed));
		cpus[i] = cpu;
	}
	return 0;
}

/* ---- lies ------------------------------------------------------------- */

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

void assert_lies_are_caught(size_t (*invalid_after)(const struct kernel *))
{
	static const struct kernel lies[] = {
		{ .op = KERNEL_READ, .function = does_nothing },
		{ .op = KERNEL_WRITE, .function = does_nothing },
		{ .op = KERNEL_COPY, .function = does_nothing },
		{ .op = KERNEL_WRITE, .function = forgets_a_byte },
	};

	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		struct kernel lie = lies[i];

		lie.name = "lies";
		lie.sums = true;
		invalid = 0;
		assert_true(invalid_after(&lie) > 0);
	}
}
