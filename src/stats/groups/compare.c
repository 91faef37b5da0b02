/* Mann-Whitney, Hodges-Lehmann, and the verdict that follows from them. */
#include "compare.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "memory.h"
#include "quantile.h"

enum { COMPARE_LEAST = 4, EXACT_MOST = 50 };

static const double tail = .025; /* of each side of a 95 % interval */

/* U of b: the number of pairs in which b is greater; a tie counts one half. */
static double u_of(const double *a, size_t na, const double *b, size_t nb)
{
	size_t below = 0, upto = 0;
	double u = 0;

	for (size_t i = 0; i < nb; i++) {
		while (below < na && a[below] < b[i])
			below++;
		while (upto < na && a[upto] <= b[i])
			upto++;
		u += (double)(below + upto) / 2;
	}
	return u;
}

/* Sum of t^3 - t over groups of t equal values in both samples together. */
static double tie_term(const double *a, size_t na, const double *b, size_t nb)
{
	size_t n = na + nb;
	double *both = xmalloc(n * sizeof *both);
	double sum = 0;

	memcpy(both, a, na * sizeof *a);
	memcpy(both + na, b, nb * sizeof *b);
	values_sort(both, n);
	for (size_t i = 0, ties; i < n; i += ties) {
		ties = ties_sorted(both, n, i);
		double t = (double)ties;
		sum += t * (t - 1) * (t + 1);
	}
	free(both);
	return sum;
}

static double normal_sd(size_t na, size_t nb, double ties)
{
	double n = (double)(na + nb), pairs = (double)na * (double)nb;

	return sqrt(fmax(pairs / 12 * (n + 1 - ties / (n * (n - 1))), 0));
}

double mann_whitney_normal_p(const double *a, size_t na, const double *b,
	size_t nb, double u)
{
	double sd = normal_sd(na, nb, tie_term(a, na, b, nb));
	double away = fabs(u - (double)na * (double)nb / 2) - .5;

	if (!(sd > 0) || away <= 0)
		return 1;
	return 2 * gsl_cdf_ugaussian_Q(away / sd);
}

/* P(U = 0 .. na nb), which the caller frees, by counting orders of the samples
 * (Mann and Whitney 1947). An order of i values of the first sample and j of
 * the second ends in a value of the first, which leaves U unchanged, or of the
 * second, which adds i to it. */
static double *u_law(size_t na, size_t nb)
{
	size_t size = na * nb + 1;
	double *ways = xcalloc((nb + 1) * size, sizeof *ways);
	double *law = ways + nb * size, total = 0;

	for (size_t j = 0; j <= nb; j++)
		ways[j * size] = 1;
	for (size_t i = 1; i <= na; i++)
		for (size_t j = 1; j <= nb; j++)
			for (size_t u = i; u <= i * j; u++)
				ways[j * size + u] +=
					ways[(j - 1) * size + u - i];
	for (size_t u = 0; u < size; u++)
		total += law[u];
	for (size_t u = 0; u < size; u++)
		ways[u] = law[u] / total;
	return xrealloc(ways, size, sizeof *ways);
}

/* Twice the smaller tail; u is whole because there are no ties. */
static double exact_p(const double *law, size_t size, double u)
{
	size_t at = (size_t)u;
	size_t end = at < size - at ? at + 1 : size - at; /* symmetric */
	double sum = 0;

	for (size_t i = 0; i < end; i++)
		sum += law[i];
	return fmin(2 * sum, 1);
}

/* The smallest k >= 1 with P(U <= k) >= .025. */
static size_t exact_rank(const double *law, size_t size)
{
	double sum = law[0];
	size_t k = 0;

	while (sum < tail && k + 1 < size)
		sum += law[++k];
	return k ? k : 1;
}

static size_t normal_rank(size_t na, size_t nb)
{
	double middle = (double)na * (double)nb / 2;
	double reach = gsl_cdf_ugaussian_Qinv(tail) * normal_sd(na, nb, 0);

	return (size_t)fmax(ceil(middle - reach - .5), 1);
}

struct shift {
	double middle, low, high;
};

/* Hodges and Lehmann 1963: the median of all differences b - a, and the
 * differences of rank k from both ends. */
static struct shift hodges_lehmann(const double *a, size_t na, const double *b,
	size_t nb, size_t k)
{
	size_t n = na * nb;
	double *differences = xmalloc(n * sizeof *differences);

	for (size_t i = 0; i < na; i++)
		for (size_t j = 0; j < nb; j++)
			differences[i * nb + j] = b[j] - a[i];
	values_sort(differences, n);
	struct shift shift = {
		.middle = median_sorted(differences, n),
		.low = differences[k - 1],
		.high = differences[n - k],
	};
	free(differences);
	return shift;
}

static double *logarithms(const double *values, size_t n)
{
	double *logs = xmalloc(n * sizeof *logs);

	for (size_t i = 0; i < n; i++)
		logs[i] = log(values[i]);
	return logs;
}

static struct shift ratio_of(const double *a, size_t na, const double *b,
	size_t nb, size_t k)
{
	if (!(a[0] > 0 && b[0] > 0))
		return (struct shift){ NAN, NAN, NAN };
	double *log_a = logarithms(a, na), *log_b = logarithms(b, nb);
	struct shift shift = hodges_lehmann(log_a, na, log_b, nb, k);

	free(log_a);
	free(log_b);
	return (struct shift){ exp(shift.middle), exp(shift.low),
		exp(shift.high) };
}

/* p and the rank of the interval. The rank is not corrected for ties, which
 * makes the interval a little wider than necessary. */
static void mann_whitney(const double *a, size_t na, const double *b, size_t nb,
	struct comparison *result)
{
	result->u = u_of(a, na, b, nb);
	result->exact = false;
	result->p = mann_whitney_normal_p(a, na, b, nb, result->u);
	result->rank = normal_rank(na, nb);
	if (na > EXACT_MOST || nb > EXACT_MOST)
		return;
	double *law = u_law(na, nb);
	result->rank = exact_rank(law, na * nb + 1);
	if (tie_term(a, na, b, nb) == 0) {
		result->exact = true;
		result->p = exact_p(law, na * nb + 1, result->u);
	}
	free(law);
}

bool compare_samples(double *a, size_t na, double *b, size_t nb,
	struct comparison *result)
{
	if (na < COMPARE_LEAST || nb < COMPARE_LEAST)
		return false;
	values_sort(a, na);
	values_sort(b, nb);
	mann_whitney(a, na, b, nb, result);
	struct shift ratio = ratio_of(a, na, b, nb, result->rank);
	result->ratio = ratio.middle;
	result->ratio_low = ratio.low;
	result->ratio_high = ratio.high;
	return true;
}

void comparison_invert(struct comparison *comparison)
{
	double low = comparison->ratio_low;

	comparison->ratio = 1 / comparison->ratio;
	comparison->ratio_low = 1 / comparison->ratio_high;
	comparison->ratio_high = 1 / low;
}

struct ranked {
	double p;
	size_t at;
};

static int compare_ranked(const void *a, const void *b)
{
	double x = ((const struct ranked *)a)->p;
	double y = ((const struct ranked *)b)->p;

	return x < y ? -1 : x > y;
}

void holm_adjust(double *p, size_t count)
{
	struct ranked *ranked = xmalloc((count + 1) * sizeof *ranked);
	size_t tests = 0;
	double most = 0;

	for (size_t i = 0; i < count; i++)
		if (isfinite(p[i]))
			ranked[tests++] = (struct ranked){ p[i], i };
	qsort(ranked, tests, sizeof *ranked, compare_ranked);
	for (size_t i = 0; i < tests; i++) {
		most = fmax(most, fmin((double)(tests - i) * ranked[i].p, 1));
		p[ranked[i].at] = most;
	}
	free(ranked);
}

enum verdict verdict_of(double ratio_low, double ratio_high, double delta)
{
	if (ratio_low > 1 + delta)
		return VERDICT_SLOWER;
	if (ratio_high < 1 - delta)
		return VERDICT_FASTER;
	if (ratio_low >= 1 - delta && ratio_high <= 1 + delta)
		return VERDICT_EQUIVALENT;
	bool excludes = ratio_low > 1 || ratio_high < 1;
	if (excludes && ratio_low >= 1 - 2 * delta &&
		ratio_high <= 1 + 2 * delta)
		return VERDICT_SMALL;
	return VERDICT_INCONCLUSIVE;
}

const char *verdict_word(enum verdict verdict)
{
	static const char *const words[] = {
		[VERDICT_FASTER] = "faster",
		[VERDICT_SLOWER] = "slower",
		[VERDICT_EQUIVALENT] = "equivalent",
		[VERDICT_SMALL] = "small change",
		[VERDICT_INCONCLUSIVE] = "inconclusive",
	};

	return words[verdict];
}

const char *verdict_word_neutral(enum verdict verdict)
{
	if (verdict == VERDICT_SLOWER)
		return "higher";
	return verdict == VERDICT_FASTER ? "lower" : verdict_word(verdict);
}

/* The half-width at which an interval has a verdict. One that contains 1 may
 * show equivalence. Else the change is small, or beyond the threshold. */
static double half_that_decides(const struct comparison *comparison,
	double delta)
{
	double change = fabs(comparison->ratio - 1);

	if (comparison->ratio_low <= 1 && comparison->ratio_high >= 1)
		return delta;
	return fmax(change - delta, 2 * delta - change);
}

size_t verdict_more_launches(const struct comparison *comparison,
	size_t launches, double delta)
{
	double half = (comparison->ratio_high - comparison->ratio_low) / 2;
	double room = half_that_decides(comparison, delta);
	double times = half / room * (half / room) - 1;
	double more = ceil((double)launches * times - 1e-6);

	if (!(room > 0) || !(more < (double)UINT32_MAX))
		return UINT32_MAX;
	return more < 1 ? 1 : (size_t)more;
}

/* 2.8 = z(.975) + z(.8). */
double smallest_visible_change(double sd_between_relative, size_t launches)
{
	return 2.8 * sd_between_relative * sqrt(2 / (double)launches);
}
