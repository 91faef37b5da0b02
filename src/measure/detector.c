/* The detectors that run in a worker: rseq and the canary. */
#include "disturb.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "probe.h"
#include "results.h"
#include "ruler.h"

#if defined(__has_include)
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif
#endif

/* Where no rseq area is registered the slot is this, which nobody clears. */
static uint64_t dummy_slot;

#ifdef RSEQ_SIG

/* A critical section the program never enters: the kernel, finding the
 * instruction pointer outside of it, clears the slot at every switch and
 * signal. It wants the signature in front of the abort address and would end
 * the process without it. */
static _Alignas(32) struct {
	uint32_t version, flags;
	uint64_t start, length, abort;
	uint32_t never_entered[4];
	uint32_t signature;
	uint32_t abort_here;
} section;
_Static_assert(offsetof(__typeof__(section), abort) == 24,
	"the first 32 bytes are the kernel's struct rseq_cs");

bool disturb_arm(struct probe *probe)
{
	probe->rseq_slot = &dummy_slot;
	probe->rseq_armed = 1;
	/* glibc 2.35 and later register every thread; size 0 means it was
	 * switched off or the kernel has none. */
	if (!__rseq_size)
		return false;
	section.start = (uint64_t)(uintptr_t)section.never_entered;
	section.length = sizeof section.never_entered;
	section.signature = RSEQ_SIG;
	section.abort = (uint64_t)(uintptr_t)&section.abort_here;
	char *area = (char *)__builtin_thread_pointer() + __rseq_offset;
	/* Fixed by the kernel's interface: linux/rseq.h. */
	probe->rseq_slot = (uint64_t *)(void *)(area + 8);
	probe->rseq_armed = (uint64_t)(uintptr_t)&section;
	return true;
}

#else

bool disturb_arm(struct probe *probe)
{
	probe->rseq_slot = &dummy_slot;
	probe->rseq_armed = 1;
	return false;
}

#endif

void disturb_disarm(struct probe *probe)
{
	*probe->rseq_slot = 0;
	probe->rseq_slot = &dummy_slot;
	probe->rseq_armed = 1;
}

static uint64_t time_adds(enum tick_source source, unsigned multiplies)
{
	uint32_t cpu;
	uint64_t start = tick_start(source);

	ruler_parallel_adds(multiplies * CANARY_ADDS_EACH / RULER_ROUND);
	return tick_stop(source, &cpu) - start;
}

static uint32_t in_32_bits(uint64_t ticks)
{
	return ticks > UINT32_MAX ? UINT32_MAX : (uint32_t)ticks;
}

struct canary disturb_canary(const struct probe *probe, unsigned multiplies)
{
	uint32_t cpu;

	/* What was set up or timed before has left this code in a far cache
	 * and its loop unknown to the branch predictor, which takes some
	 * percent of the time, or half of it again, and would look like a
	 * neighbour or an interruption: the first pass of each half is for
	 * that. */
	(void)time_adds(probe->source, multiplies);
	ruler_multiplies(1);
	uint64_t throughput = time_adds(probe->source, multiplies);
	uint64_t start = tick_start(probe->source);
	ruler_multiplies(multiplies / RULER_ROUND);
	uint64_t latency = tick_stop(probe->source, &cpu) - start;

	return (struct canary){
		.latency = in_32_bits(latency),
		.throughput = in_32_bits(throughput),
	};
}

unsigned disturb_canary_length(const struct probe *probe, double quantum)
{
	enum { LONGEST = 200000, TRIES = 20 };
	double least = INFINITY;

	for (int i = 0; i < TRIES; i++)
		least = fmin(least,
			disturb_canary(probe, CANARY_MULTIPLIES).latency);
	double wanted = CANARY_MULTIPLIES * CANARY_QUANTA * quantum / least;
	wanted = ceil(wanted / RULER_ROUND) * RULER_ROUND;
	return (unsigned)fmin(fmax(wanted, CANARY_MULTIPLIES), LONGEST);
}
