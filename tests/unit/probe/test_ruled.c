/* Figures corrected by the memory ruler. */
#include "ruled.h"

#include <math.h>

#include "check.h"
#include "random.h"

enum { LAUNCHES = 12 };

/* A figure that is a power of the ruler, with a noise of 0.1 %. */
static void fill(struct ruled_launch *list, double value, double ruler,
	double beta, uint64_t *random)
{
	for (unsigned i = 0; i < LAUNCHES; i++) {
		double at = ruler * (1 + .02 * (double)random_below(random, 8));
		double noise = .001 * (double)random_below(random, 100) / 100;

		list[i] = (struct ruled_launch){
			.launch = i,
			.value = value * pow(at, beta) * (1 + noise),
			.ruler = at,
		};
	}
}

static double median_at(const struct ruled_fit *fit,
	struct ruled_launch *list, double reference)
{
	double sum = 0;

	for (size_t i = 0; i < LAUNCHES; i++)
		sum += log(ruled_value(fit, &list[i], reference));
	return exp(sum / LAUNCHES);
}

/* The ruler is 30 % higher in the second session: a figure that follows it is
 * unchanged after the correction. */
static void what_follows_the_ruler_is_put_right(void **state)
{
	static const struct {
		double beta, change;
	} cases[] = { { 1, 1 }, { .6, 1 }, { -1, 1 }, { 1, 1.05 } };
	uint64_t random = 7;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ruled_launch a[LAUNCHES], b[LAUNCHES];
		double beta = cases[i].beta;

		fill(a, 90, 100, beta, &random);
		fill(b, 90 * cases[i].change, 130, beta, &random);
		struct ruled_fit fit =
			ruled_fit_of(a, LAUNCHES, b, LAUNCHES);
		double reference = ruled_reference(a, LAUNCHES);
		double ratio = median_at(&fit, b, reference) /
			median_at(&fit, a, reference);

		assert_true(fit.applies);
		assert_true(fabs(fit.beta - beta) < .03);
		assert_true(fabs(fit.ratio - 1.3) < .15);
		assert_true(fabs(ratio - cases[i].change) < .01);
	}
}

/* Otherwise a difference between two sessions would be attributed to memory. */
static void what_does_not_follow_it_stays(void **state)
{
	struct ruled_launch a[LAUNCHES], b[LAUNCHES];
	uint64_t random = 9;

	fill(a, 90, 100, 0, &random);
	fill(b, 117, 130, 0, &random);
	struct ruled_fit fit = ruled_fit_of(a, LAUNCHES, b, LAUNCHES);

	assert_false(fit.applies);
	assert_true(ruled_value(&fit, &b[3], 100) == b[3].value);
}

static void without_readings_there_is_no_fit(void **state)
{
	struct ruled_launch a[LAUNCHES], b[LAUNCHES];
	uint64_t random = 11;

	fill(a, 90, 100, 1, &random);
	fill(b, 90, 130, 1, &random);
	for (size_t i = 0; i < LAUNCHES; i++)
		a[i].ruler = b[i].ruler = NAN;
	assert_false(ruled_fit_of(a, LAUNCHES, b, LAUNCHES).applies);
	assert_true(isnan(ruled_reference(a, LAUNCHES)));
	assert_false(ruled_fit_of(a, 0, b, 0).applies);
	/* A launch without a ruler is not corrected. */
	struct ruled_fit fit = { .beta = 1, .applies = true };
	assert_true(ruled_value(&fit, &a[0], 100) == a[0].value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_follows_the_ruler_is_put_right),
		cmocka_unit_test(what_does_not_follow_it_stays),
		cmocka_unit_test(without_readings_there_is_no_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
