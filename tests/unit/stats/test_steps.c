/* The finder of cache sizes, on simulated machines. */
#include "steps.h"

#include "simulated.h"

static const struct simulated machines[] = {
	{ "32K 256K 3M",
		{ { 32, 8, LRU, 1.4 }, { 256, 8, LRU, 4.2 },
			{ 3072, 12, LRU, 14 } },
		70, 4096, 64 },
	{ "32K 256K 4M",
		{ { 32, 8, LRU, 1.2 }, { 256, 4, LRU, 3.6 },
			{ 4096, 16, LRU, 12 } },
		65, 4096, 64 },
	{ "32K 256K 8M",
		{ { 32, 8, LRU, 1.1 }, { 256, 8, LRU, 3.3 },
			{ 8192, 16, LRU, 11 } },
		60, 4096, 64 },
	{ "32K 256K 3M, evicting at random",
		{ { 32, 8, RANDOM, 1.4 }, { 256, 4, RANDOM, 4.2 },
			{ 3072, 12, RANDOM, 14 } },
		70, 4096, 64 },
	{ "48K 1280K 12M",
		{ { 48, 12, LRU, 1.7 }, { 1280, 10, LRU, 5.0 },
			{ 12288, 12, LRU, 20 } },
		90, 4096, 64 },
	{ "32K 512K 16M",
		{ { 32, 8, LRU, 1.0 }, { 512, 8, LRU, 3.2 },
			{ 16384, 16, LRU, 11 } },
		80, 4096, 64 },
	{ "32K 1M 32M",
		{ { 32, 8, LRU, 1.1 }, { 1024, 8, LRU, 3.8 },
			{ 32768, 16, LRU, 16 } },
		100, 4096, 64 },
	{ "128K 12M 64M, pages of 16K",
		{ { 128, 8, LRU, 1.0 }, { 12288, 12, LRU, 5.5 },
			{ 65536, 16, LRU, 18 } },
		95, 16384, 128 },
};
enum { MACHINES = sizeof machines / sizeof *machines, MACHINES_SMALL = 3 };

/* The steps of a curve up to `last_bytes`. The last curve is kept, because a
 * simulation takes a second. */
static size_t find_up_to(double last_bytes, const struct simulated *machine,
	unsigned spiked, uint64_t seed, struct step steps[STEPS_MOST])
{
	static struct sim_curve curve;
	static struct {
		const struct simulated *machine;
		unsigned spiked;
		uint64_t seed;
	} kept;
	unsigned ways[SIM_LEVELS];
	size_t n = 0;

	for (int i = 0; i < SIM_LEVELS; i++)
		ways[i] = machine->cache[i].ways;
	if (kept.machine != machine || kept.spiked != spiked ||
		kept.seed != seed)
		sim_run(machine, spiked, seed, &curve);
	kept.machine = machine;
	kept.spiked = spiked;
	kept.seed = seed;
	while (n < curve.n && curve.sizes[n] <= last_bytes)
		n++;
	return steps_find(curve.sizes, curve.times, n, ways, SIM_LEVELS, steps);
}

static size_t find(const struct simulated *machine, unsigned spiked,
	uint64_t seed, struct step steps[STEPS_MOST])
{
	return find_up_to(INFINITY, machine, spiked, seed, steps);
}

static void print_steps(const struct step *steps, size_t n)
{
	for (size_t i = 0; i < n; i++)
		print_message("  %.0fK: %.0f..%.0fK, half %.0fK, law %d, "
			      "residual %.3f, %.2f -> %.2f%s\n",
			steps[i].capacity / 1024, steps[i].least / 1024,
			steps[i].most / 1024, steps[i].half / 1024,
			(int)steps[i].law, steps[i].residual, steps[i].below,
			steps[i].above, steps[i].uncertain ? " uncertain" : "");
}

static void expect_machine(const struct simulated *machine)
{
	struct step steps[STEPS_MOST];
	size_t n = find(machine, 0, 17, steps);

	print_message("%s\n", machine->name);
	print_steps(steps, n);
	assert_int_equal(n, SIM_LEVELS);
	for (size_t i = 0; i < n; i++) {
		double truth = (double)machine->cache[i].kib * 1024;

		/* Random eviction blurs the boundary between one cache and the
		 * next. */
		if (machine->cache[0].policy == LRU) {
			assert_within(steps[i].capacity, truth, .12);
			assert_within(steps[i].half, truth, .25);
		}
		assert_true(steps[i].least <= truth * 1.06);
		assert_true(steps[i].most >= truth * .94);
		assert_true(steps[i].start <= steps[i].half &&
			steps[i].half <= steps[i].end);
		assert_within(steps[i].below, machine->cache[i].ns, .1);
		assert_false(steps[i].uncertain || steps[i].open);
	}
}

static void finds_every_cache_of_eight_machines(void **state)
{
	for (size_t i = 0; i < MACHINES; i++)
		expect_machine(&machines[i]);
}

/* One point in twenty is up to three times too slow: the number of levels
 * nearly always remains correct, and so does each size. */
static void spikes_move_it_little(void **state)
{
	enum { RUNS = 4 };
	unsigned right = 0, near = 0, levels = 0;

	for (uint64_t run = 0; run < RUNS; run++)
		for (size_t m = 0; m < 3; m++) {
			struct step steps[STEPS_MOST];
			size_t n = find(&machines[m], 20, 100 + run, steps);

			right += n == SIM_LEVELS;
			for (size_t i = 0; n == SIM_LEVELS && i < n; i++) {
				double truth =
					(double)machines[m].cache[i].kib * 1024;

				levels++;
				near += fabs(steps[i].half / truth - 1) < .25;
			}
		}
	print_message("levels right in %u of %u, half rise in %u of %u\n",
		right, RUNS * 3, near, levels);
	assert_true(right >= RUNS * 3 * 9 / 10);
	assert_true(near >= levels * 85 / 100);
}

static void a_flat_curve_has_no_step(void **state)
{
	double sizes[60], times[60];
	struct step steps[STEPS_MOST];
	uint64_t seed = 3;

	for (size_t i = 0; i < 60; i++) {
		sizes[i] = 4096 * exp2((double)i / 8);
		times[i] = 5 + (double)random_below(&seed, 100) / 1000;
	}
	assert_int_equal(steps_find(sizes, times, 60, NULL, 0, steps), 0);
	/* A rise of a fifth is not a step, and eleven points are not a
	 * curve. */
	for (size_t i = 30; i < 60; i++)
		times[i] *= 1.2;
	assert_int_equal(steps_find(sizes, times, 60, NULL, 0, steps), 0);
	for (size_t i = 5; i < 11; i++)
		times[i] *= 5;
	assert_int_equal(steps_find(sizes, times, 11, NULL, 0, steps), 0);
}

static void a_sharp_step_is_found_between_its_points(void **state)
{
	double sizes[64], times[64];
	struct step steps[STEPS_MOST];

	for (size_t i = 0; i < 64; i++) {
		sizes[i] = (double)(16 + 4 * i);
		times[i] = sizes[i] <= 72 ? 1.6 : 4;
	}
	assert_int_equal(steps_find(sizes, times, 64, NULL, 0, steps), 1);
	assert_int_equal(steps[0].law, MISSES_SHARP);
	assert_true(steps[0].capacity >= 72 && steps[0].capacity <= 76);
	assert_true(steps[0].least <= 73.5 && steps[0].most >= 74.4);
	assert_near(steps[0].below, 1.6);
	assert_near(steps[0].above, 4);
	assert_near(steps[0].residual, 0);
}

/* A slow rise over two octaves is not the shape of a cache. */
static void what_no_law_explains_is_uncertain(void **state)
{
	double sizes[80], times[80];
	struct step steps[STEPS_MOST];

	for (size_t i = 0; i < 80; i++) {
		double x = (double)i / 8;

		sizes[i] = 4096 * exp2(x);
		times[i] = 2 * exp2(1.1 * fmin(fmax(x - 3, 0), 4));
	}
	assert_int_equal(steps_find(sizes, times, 80, NULL, 0, steps), 1);
	assert_true(steps[0].uncertain);
}

/* A curve that ends on the slope of its last cache does not show the plateau of
 * memory. The last step is open, and earlier steps are unchanged. */
static void a_curve_cut_on_the_slope_is_open(void **state)
{
	for (size_t m = 0; m < MACHINES_SMALL; m++) {
		struct step whole[STEPS_MOST], steps[STEPS_MOST];
		double last = 1024 * (double)machines[m].cache[2].kib;

		assert_int_equal(find(&machines[m], 0, 17, whole), SIM_LEVELS);
		assert_false(whole[SIM_LEVELS - 1].open);
		for (int eighth = 9; eighth <= 11; eighth++) {
			size_t n = find_up_to(last * eighth / 8, &machines[m],
				0, 17, steps);

			print_message("%s, %d/8\n", machines[m].name, eighth);
			print_steps(steps, n);
			assert_int_equal(n, SIM_LEVELS);
			assert_true(steps[2].open && steps[2].uncertain);
			assert_true(steps[2].least <= last * 1.06);
			for (int i = 0; i < 2; i++) {
				assert_false(steps[i].open);
				assert_false(steps[i].uncertain);
				assert_near(steps[i].capacity,
					whole[i].capacity);
			}
		}
		assert_int_equal(
			find_up_to(last * 2, &machines[m], 0, 17, steps), 3);
		assert_false(steps[2].open || steps[2].uncertain);
		assert_within(steps[2].capacity, last, .12);
	}
}

static void shares_of_misses_are_shares(void **state)
{
	for (enum misses_law law = 0; law < MISSES_LAWS; law++)
		for (unsigned ways = 1; ways <= 64; ways *= 2) {
			struct misses misses = misses_of(law, ways);
			double before = 0;

			for (double u = .01; u < 12; u *= 1.1) {
				double share = misses_share(&misses, u);

				assert_true(share >= before - 1e-9);
				assert_true(share <= 1);
				before = share;
			}
			assert_within(before, 1, 1e-3);
		}
}

/* Compared with the misses that the simulator counts in one cache. */
static void shares_agree_with_simulation(void **state)
{
	enum { N = 1 << 15 };
	static uint32_t lines[N];
	static unsigned char missed[N];
	uint64_t seed = 21;

	for (size_t i = 0; i < N; i++)
		lines[i] = (uint32_t)(next_random(&seed) >> 33);
	for (unsigned eighth = 5; eighth < 20; eighth += 3) {
		uint64_t kib = N * 64 / 1024 * 8 / eighth / 8 * 8;
		struct sim_cache cache = { .kib = kib, .ways = 8 };
		double u = (double)(N * 64) / (double)(kib * 1024);
		double count[2] = { 0, 0 };
		struct misses lru = misses_of(MISSES_LRU, 8);
		struct misses random = misses_of(MISSES_RANDOM, 8);

		sim_lru(&cache, 64, lines, N, missed);
		for (size_t i = 0; i < N; i++)
			count[0] += missed[i];
		sim_random(&cache, 64, lines, N, missed, &seed);
		for (size_t i = 0; i < N; i++)
			count[1] += missed[i];
		assert_true(
			fabs(count[0] / N - misses_share(&lru, u)) < .02);
		/* The exponential is an approximation. */
		assert_true(
			fabs(count[1] / N - misses_share(&random, u)) < .06);
	}
}

static void the_nearest_is_by_ratio(void **state)
{
	static const double sizes[] = { 32, 1024, 32768 };
	static const double gap[] = { 32, 0, 32768 };

	assert_int_equal(steps_nearest(sizes, 3, 0, 34), 0);
	assert_int_equal(steps_nearest(sizes, 3, 0, 9000), 2);
	assert_int_equal(steps_nearest(sizes, 3, 1, 34), 1);
	assert_int_equal(steps_nearest(gap, 3, 0, 900), 0);
	assert_int_equal(steps_nearest(gap, 3, 1, 900), 2);
	assert_int_equal(steps_nearest(gap, 2, 1, 900), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_every_cache_of_eight_machines),
		cmocka_unit_test(spikes_move_it_little),
		cmocka_unit_test(a_flat_curve_has_no_step),
		cmocka_unit_test(a_sharp_step_is_found_between_its_points),
		cmocka_unit_test(what_no_law_explains_is_uncertain),
		cmocka_unit_test(a_curve_cut_on_the_slope_is_open),
		cmocka_unit_test(shares_of_misses_are_shares),
		cmocka_unit_test(shares_agree_with_simulation),
		cmocka_unit_test(the_nearest_is_by_ratio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
