#include "ruler.h"

#include "check.h"

#if defined(__x86_64__)
enum { LEAST = 3 };
#else
enum { LEAST = 2 };
#endif
enum { MOST = 6 };

/* A multiplication takes a whole number of cycles, LEAST to MOST. If a
 * co-runner slows the additions, the number is assumed. */
static void cycles_of_a_multiplication(void **state)
{
	static const struct {
		struct ruler_look look;
		double agreed, assumed;
	} cases[] = {
		{ { 1, 3 }, 3, 3 },
		{ { .5, 1.51 }, 3, 3 },
		{ { 1, 3.05 }, 0, 3 },
		{ { 1, 4.02 }, 4, 4 },
		{ { 1.5, 5 }, 0, 4 },
		{ { 1.2, 3 }, 0, 3 },
		/* A co-runner slows the additions by two thirds, or to half the
		 * speed. */
		{ { 1.67, 3 }, 0, LEAST },
		{ { 1, 1 }, 0, LEAST },
		{ { 1, MOST }, MOST, MOST },
		/* Additions that the core executes in no time. */
		{ { .25, 3 }, 0, MOST },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_near(ruler_agree(&cases[i].look), cases[i].agreed);
		assert_near(ruler_assume(&cases[i].look), cases[i].assumed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_of_a_multiplication),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
