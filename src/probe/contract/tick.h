/*
 * Reading the clock: the instructions on which every measurement rests.
 *
 * x86-64: `lfence; rdtsc; lfence` starts and `rdtscp; lfence` stops. The
 * leading fence keeps earlier instructions out of the timed region, the
 * trailing fence keeps its first instructions in. rdtscp waits for all earlier
 * instructions and reports the processor (TSC_AUX). Intel, "How to Benchmark
 * Code Execution Times" (Paoloni, 2010), serialises with cpuid. It is not used
 * here, because cpuid traps in a virtual machine and disturbs the following
 * code for microseconds. On AMD lfence serialises because Linux configures it
 * so; the linearity self-test (clock.h) verifies it on any machine.
 *
 * arm64: `isb; mrs cntvct_el0; isb` on both sides.
 *
 * Ticks are not core cycles: the counter has its own constant rate. If the
 * counter cannot be trusted, ticks are nanoseconds of CLOCK_MONOTONIC_RAW.
 */
#ifndef BENCHTOP_TICK_H
#define BENCHTOP_TICK_H

#include <stdint.h>
#include <time.h>

enum tick_source { TICK_COUNTER, TICK_MONOTONIC_RAW };

enum { TICK_CPU_UNKNOWN = UINT32_MAX >> 1 };

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

static inline uint64_t tick_counter_start(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence"
			 : "=a"(low), "=d"(high)
			 :
			 : "memory");
	return (uint64_t)high << 32 | low;
}

static inline uint64_t tick_counter_stop(uint32_t *cpu)
{
	uint32_t low, high, aux;

	__asm__ volatile("rdtscp\n\tlfence"
			 : "=a"(low), "=d"(high), "=c"(aux)
			 :
			 : "memory");
	/* Linux keeps the NUMA node in the upper bits. */
	*cpu = aux & 0xfff;
	return (uint64_t)high << 32 | low;
}

#elif defined(__aarch64__)

static inline uint64_t tick_counter_start(void)
{
	uint64_t now;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb"
			 : "=r"(now)
			 :
			 : "memory");
	return now;
}

static inline uint64_t tick_counter_stop(uint32_t *cpu)
{
	*cpu = TICK_CPU_UNKNOWN;
	return tick_counter_start();
}

#else
#error "benchtop times on x86-64 and arm64; add the two functions for this one"
#endif

static inline uint64_t tick_start(enum tick_source source)
{
	if (__builtin_expect(source == TICK_COUNTER, 1))
		return tick_counter_start();
	return tick_raw_ns();
}

static inline uint64_t tick_stop(enum tick_source source, uint32_t *cpu)
{
	if (__builtin_expect(source == TICK_COUNTER, 1))
		return tick_counter_stop(cpu);
	*cpu = TICK_CPU_UNKNOWN;
	return tick_raw_ns();
}

#endif
