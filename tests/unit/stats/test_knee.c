/* The knee of a file cache: found at the simulated place, also with noise, and
 * not found if there is none. */
#include "check.h"
#include "knee.h"
#include "random.h"

enum { N = 10 };

static uint64_t seed = 1;
static const double sizes[N] = { 64, 128, 256, 448, 480, 512, 544, 576, 640,
	704 };

/* The curve of a cache of that size, each time off by up to `noise`. */
static void draw(double cache, double hit, double miss, double noise,
	double times[N])
{
	for (size_t i = 0; i < N; i++) {
		double share = fmax(0, 1 - cache / sizes[i]);

		times[i] = (hit + (miss - hit) * share) *
			(1 +
				noise *
					((double)random_below(&seed, 2000001) /
							1e6 -
						1));
	}
}

static void test_exact(void **state)
{
	struct knee knee;
	double times[N];

	for (double cache = 300; cache < 620; cache += 7) {
		draw(cache, 1.2, 80, 0, times);
		assert_true(knee_find(sizes, times, N, &knee));
		assert_within(knee.size, cache, .01);
		assert_within(knee.miss, 80, .05);
		assert_within(knee.hit, 1.2, 1e-6);
		assert_true(knee.least <= knee.size && knee.size <= knee.most);
	}
}

/* Also if a disk is a thousand times slower, or only five times. */
static void test_disks(void **state)
{
	static const double misses[] = { 6, 20, 100, 5000 };

	for (size_t i = 0; i < 4; i++) {
		struct knee knee;
		double times[N];

		draw(500, 1, misses[i], 0, times);
		assert_true(knee_find(sizes, times, N, &knee));
		assert_within(knee.size, 500, .02);
	}
}

static void test_noise(void **state)
{
	int held = 0;

	for (int i = 0; i < 200; i++) {
		struct knee knee;
		double times[N];

		draw(505, 1.3, 75, .2, times);
		assert_true(knee_find(sizes, times, N, &knee));
		assert_within(knee.size, 505, .08);
		held += knee.least <= 505 && 505 <= knee.most;
	}
	/* The interval is not a confidence interval, but often contains the
	 * true size. */
	assert_true(held >= 140);
}

static void test_none(void **state)
{
	struct knee knee;
	double times[N];

	draw(10000, 1.2, 80, .2, times);
	assert_false(knee_find(sizes, times, N, &knee));
	/* Every size exceeds the cache: the curve begins beyond the knee. */
	draw(1, 1.2, 80, 0, times);
	assert_false(knee_find(sizes, times, N, &knee));
	draw(500, 1.2, 80, 0, times);
	assert_false(knee_find(sizes, times, 4, &knee));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_disks),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
