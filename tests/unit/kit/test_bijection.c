/* Bijections: each element once, invertible, and different for each key. */
#include "bijection.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static void every_number_has_one_place(void **state)
{
	uint64_t seed = 5;

	for (uint64_t n = 1; n < 600; n++) {
		struct bijection b;
		unsigned char seen[1024] = { 0 };

		bijection_draw(&b, n, &seed);
		assert_true(b.values >= n && b.values < 2 * n + (n == 1));
		for (uint64_t i = 0; i < b.values; i++) {
			uint64_t number = bijection_at(&b, i);

			assert_true(number < b.values);
			assert_int_equal(seen[number]++, 0);
			assert_int_equal(bijection_place(&b, number), i);
		}
	}
}

static void goes_back_for_large_n(void **state)
{
	uint64_t seed = 6;

	for (unsigned bits = 20; bits < 41; bits++) {
		struct bijection b;

		bijection_draw(&b, ((uint64_t)1 << bits) - 3, &seed);
		for (uint64_t i = 0; i < 1000; i++) {
			uint64_t place = i * 0x9e3779b97f4a7c15u & b.mask;

			assert_int_equal(bijection_place(&b,
						 bijection_at(&b, place)),
				place);
		}
	}
}

/* Steps between consecutive elements must not repeat, because a prefetcher
 * would learn them. */
static void neighbours_are_not_near(void **state)
{
	enum { N = 1 << 16 };
	uint64_t seed = 7;
	unsigned near = 0;
	struct bijection b;
	unsigned *steps = calloc(N, sizeof *steps);
	unsigned most = 0;

	bijection_draw(&b, N, &seed);
	for (uint64_t i = 0; i + 1 < N; i++) {
		uint64_t step =
			(bijection_at(&b, i + 1) - bijection_at(&b, i)) &
			b.mask;

		near += step < 8 || step > N - 8;
		if (++steps[step] > most)
			most = steps[step];
	}
	/* Of 65536 random steps 15 are expected to be near, and none to occur
	 * often. */
	assert_in_range(near, 0, 200);
	assert_in_range(most, 1, N / 100);
	free(steps);
}

static void keys_matter(void **state)
{
	struct bijection a, b;
	uint64_t one = 1, two = 2;
	unsigned same = 0;

	bijection_draw(&a, 4096, &one);
	bijection_draw(&b, 4096, &two);
	for (uint64_t i = 0; i < 4096; i++)
		same += bijection_at(&a, i) == bijection_at(&b, i);
	assert_in_range(same, 0, 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_has_one_place),
		cmocka_unit_test(goes_back_for_large_n),
		cmocka_unit_test(neighbours_are_not_near),
		cmocka_unit_test(keys_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
