/*
 * Reading the clock: the instructions on which every measurement rests.
 *
 * x86-64: `lfence; rdtsc; lfence`, at both ends of a trial. The leading fence
 * waits for the earlier instructions, the trailing fence holds back the later
 * ones. Intel, "How to Benchmark Code Execution Times" (Paoloni, 2010),
 * serialises with cpuid and stops with rdtscp. cpuid is not used here, because
 * it traps in a virtual machine and disturbs the following code for
 * microseconds; rdtscp waits no longer than the fence does, and some virtual
 * machines lack it. On AMD lfence serialises because Linux configures it so;
 * the linearity self-test (clock.h) verifies it on any machine.
 *
 * arm64: `isb; mrs cntvct_el0; isb`.
 *
 * Ticks are not core cycles: the counter has its own constant rate. If the
 * counter cannot be trusted, ticks are nanoseconds of CLOCK_MONOTONIC_RAW,
 * between the same fences: without them the end of the first call would overlap
 * the work, 50 cycles on an AMD Zen 5.
 */
#ifndef BENCHTOP_TICK_H
#define BENCHTOP_TICK_H

#include <stdint.h>
#include <time.h>

enum tick_source { TICK_COUNTER, TICK_MONOTONIC_RAW };

static inline uint64_t tick_raw_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Processor time of this thread. */
static inline uint64_t tick_used_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

#if defined(__x86_64__)

static inline void tick_fence(void)
{
	__asm__ volatile("lfence" : : : "memory");
}

static inline uint64_t tick_counter(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence"
			 : "=a"(low), "=d"(high)
			 :
			 : "memory");
	return (uint64_t)high << 32 | low;
}

#elif defined(__aarch64__)

static inline void tick_fence(void)
{
	__asm__ volatile("isb" : : : "memory");
}

static inline uint64_t tick_counter(void)
{
	uint64_t now;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb"
			 : "=r"(now)
			 :
			 : "memory");
	return now;
}

#else
#error "benchtop times on x86-64 and arm64; add the two functions for this one"
#endif

static inline uint64_t tick_now(enum tick_source source)
{
	if (__builtin_expect(source == TICK_COUNTER, 1))
		return tick_counter();
	tick_fence();
	uint64_t now = tick_raw_ns();
	tick_fence();
	return now;
}

#endif
