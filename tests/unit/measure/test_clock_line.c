/* Is a counter linear? Simulated counters, correct and broken, on simulated
 * cores, quiet and busy: the file that decides is part of this program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "clock.h"
#include "random.h"
#include "ruler.h"

/* All in ticks of the true time. */
static struct {
	double now, calm_from;     /* until then the core is disturbed */
	double level, level_until; /* ticks lost to it, and until when */
	double links_per_tick, step;
	double jitter; /* of each reading, half its width */
	double leak;   /* links executed before the first fence */
	uint64_t random;
	double naps;
} sim;

static const double ticks_per_ns = 2.6;

static double drawn(double most)
{
	return most * (double)random_below(&sim.random, 1000001) / 1e6;
}

static uint64_t sim_read(void)
{
	double read = sim.now + drawn(2 * sim.jitter) - sim.jitter;

	return (uint64_t)(floor(read / sim.step) * sim.step);
}

static uint64_t sim_tick(enum tick_source source)
{
	(void)source;
	sim.now += 24;
	/* A co-runner takes a varying share of the core. */
	if (sim.now >= sim.level_until) {
		sim.level = drawn(300);
		sim.level_until = sim.now + drawn(60e-6 * 1e9 * ticks_per_ns);
	}
	if (sim.now < sim.calm_from)
		sim.now += sim.level;
	return sim_read();
}

/* A fenced region of any length reads six ticks too few, as on real cores. */
static void sim_links(uint64_t links)
{
	double counted = (double)links - sim.leak;

	if (!links)
		return;
	sim.now += counted > 0 ? counted / sim.links_per_tick - 6 : 0;
}

static int sim_nap(const struct timespec *time, struct timespec *left)
{
	(void)left;
	sim.now += ((double)time->tv_sec * 1e9 + (double)time->tv_nsec) *
		ticks_per_ns;
	sim.naps++;
	return 0;
}

#define tick_now    sim_tick
#define ruler_links sim_links
#define nanosleep   sim_nap
#include "clock.c"
#undef tick_now
#undef ruler_links
#undef nanosleep

static const double limit = 10;

static int begin(void **state)
{
	memset(&sim, 0, sizeof sim);
	sim.now = 1e9;
	sim.links_per_tick = 1.38;
	sim.step = 2;
	sim.random = 5;
	return 0;
}

static double ms(double time)
{
	return time * 1e6 * ticks_per_ns;
}

static void a_quiet_core_is_judged_at_once(void **state)
{
	assert_true(fabs(clock_residual(TICK_COUNTER, 2, limit)) <= limit);
	assert_true(sim.naps == 0);
	assert_true(sim.now - 1e9 < ms(50));
}

/* During a burst of 3, 30 or 150 ms the first attempt sees only disturbed
 * rounds. */
static void disturbances_pass(void **state)
{
	static const double lasts_ms[] = { 3, 30, 150 };

	for (size_t i = 0; i < 3; i++) {
		begin(NULL);
		sim.calm_from = sim.now + ms(lasts_ms[i]);
		assert_true(
			fabs(clock_residual(TICK_COUNTER, 2, limit)) <= limit);
	}
	assert_true(sim.naps > 0);
	/* Without permission to wait, the residual is that of the disturbed
	 * rounds. */
	begin(NULL);
	sim.calm_from = sim.now + ms(150);
	assert_true(fabs(clock_residual(TICK_COUNTER, 2, INFINITY)) > limit);
	assert_true(sim.naps == 0);
}

/* For a counter with larger steps, the limit is one step. */
static void coarse_counters_pass(void **state)
{
	sim.step = 26;
	assert_true(fabs(clock_residual(TICK_COUNTER, 26, 26)) <= 26);
}

/* With fences that let the beginning of a chain pass, every round is wrong. */
static void leaking_fences_are_found_out(void **state)
{
	sim.leak = 40;
	assert_true(fabs(clock_residual(TICK_COUNTER, 2, limit)) > limit);
	/* Waiting did not help. */
	assert_true(sim.naps == LOOKS);
	assert_true(sim.now - 1e9 < ms(2000));
}

/* An emulated counter reads random values. Some of hundreds of rounds look
 * good (at 23, in more than half of the cases). The counter must be refused
 * anyway. */
static void chance_does_not_pass(void **state)
{
	size_t passed = 0;

	for (uint64_t seed = 1; seed <= 40; seed++) {
		begin(NULL);
		sim.random = seed;
		sim.jitter = seed % 2 ? 23 : 400;
		passed += fabs(clock_residual(TICK_COUNTER, 2, limit)) <= limit;
	}
	assert_int_equal(passed, 0);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup(name, begin)
	const struct CMUnitTest tests[] = {
		CASE(a_quiet_core_is_judged_at_once),
		CASE(disturbances_pass),
		CASE(coarse_counters_pass),
		CASE(leaking_fences_are_found_out),
		CASE(chance_does_not_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
