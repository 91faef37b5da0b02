/* Touches in any order, and the count of faults. */
#include "touches.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "memory.h"
#include "probe.h"

enum { ALIVE_TOUCHES = 1 << 16 };

/* Fisher and Yates, inside out (Knuth, TAOCP 2, 3.4.2 P): each number is put at
 * a random place among those before it. */
void touches_draw(struct touches *touches, size_t size_bytes,
	size_t stride_bytes, bool random, struct probe *probe)
{
	touches->stride_bytes = stride_bytes;
	touches->count = (size_bytes - 1) / stride_bytes + 1;
	touches->order = xcalloc(touches->count, sizeof *touches->order);
	for (size_t i = 0; i < touches->count; i++) {
		uint64_t j = random ? probe_random_below(probe, i + 1) : i;

		touches->order[i] = touches->order[j];
		touches->order[j] = (uint32_t)i;
		if (i % ALIVE_TOUCHES == 0)
			probe_alive(probe);
	}
}

void touches_free(struct touches *touches)
{
	free(touches->order);
	touches->order = NULL;
}

/* Without sanitizers, because their shadow memory would fault too. */
__attribute__((no_sanitize("address", "thread", "undefined"))) void
touches_make(const struct touches *touches, char *start, size_t from, size_t to)
{
	size_t end = to < touches->count ? to : touches->count;
	volatile char *memory = start;

	if (touches->writes)
		for (size_t i = from; i < end; i++)
			memory[touches->order[i] * touches->stride_bytes] = 1;
	else
		for (size_t i = from; i < end; i++)
			(void)memory[touches->order[i] * touches->stride_bytes];
}

uint64_t touches_pages(const struct touches *touches, size_t page_bytes)
{
	uint64_t last = (uint64_t)(touches->count - 1) * touches->stride_bytes;

	return touches->stride_bytes >= page_bytes ? touches->count :
						     last / page_bytes + 1;
}

struct faults faults_now(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (struct faults){ (uint64_t)usage.ru_minflt,
		(uint64_t)usage.ru_majflt };
}

struct faults faults_since(struct faults before)
{
	struct faults now = faults_now();

	return (struct faults){ now.minor - before.minor,
		now.major - before.major };
}
