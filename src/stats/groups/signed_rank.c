/* The signed-rank test and the Hodges-Lehmann centre. */
#include "signed_rank.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "memory.h"
#include "quantile.h"

enum { EXACT_MOST = 50 };

static const double tail = .025; /* of each side of a 95 % interval */

/* ---- the distribution ------------------------------------------------ */

/* P(W = 0 .. n (n + 1) / 2), which the caller frees: each rank is in the sum or
 * not. */
static double *exact_law(size_t n)
{
	size_t size = n * (n + 1) / 2 + 1;
	double *law = xcalloc(size, sizeof *law);

	law[0] = 1;
	for (size_t rank = 1; rank <= n; rank++)
		for (size_t w = size; w-- > 0;)
			law[w] = law[w] / 2 +
				(w >= rank ? law[w - rank] / 2 : 0);
	return law;
}

static double normal_sd(size_t n)
{
	double m = (double)n;

	return sqrt(m * (m + 1) * (2 * m + 1) / 24);
}

/* The rank, from 1, of the Walsh average that ends the interval: the smallest k
 * >= 1 with P(W <= k) >= .025. */
static size_t interval_rank(size_t n)
{
	double middle = (double)n * (double)(n + 1) / 4;

	if (n > EXACT_MOST)
		return (size_t)fmax(ceil(middle -
					    gsl_cdf_ugaussian_Qinv(tail) *
						    normal_sd(n) -
					    .5),
			1);
	double *law = exact_law(n), sum = law[0];
	size_t k = 0;
	while (sum < tail)
		sum += law[++k];
	free(law);
	return k ? k : 1;
}

/* ---- the test --------------------------------------------------------- */

static int by_magnitude(const void *a, const void *b)
{
	double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

	return (x > y) - (x < y);
}

/* Sum of the ranks of the positive values. *ties becomes the sum of t^3 - t
 * over groups of t equal magnitudes. */
static double rank_sum(const double *sorted, size_t n, double *ties)
{
	double sum = 0;

	*ties = 0;
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1;
			end < n && fabs(sorted[end]) == fabs(sorted[i]); end++)
			;
		double t = (double)(end - i);
		double rank = ((double)i + 1 + (double)end) / 2;

		*ties += t * t * t - t;
		for (size_t k = i; k < end; k++)
			sum += sorted[k] > 0 ? rank : 0;
	}
	return sum;
}

static double normal_p(double w, size_t n, double ties)
{
	double middle = (double)n * (double)(n + 1) / 4;
	double variance = normal_sd(n) * normal_sd(n) - ties / 48;
	double away = fabs(w - middle) - .5;

	if (!(variance > 0) || away <= 0)
		return 1;
	return 2 * gsl_cdf_ugaussian_Q(away / sqrt(variance));
}

/* Twice the smaller tail; w is whole because there are no ties. */
static double exact_p(double w, size_t n)
{
	size_t size = n * (n + 1) / 2 + 1, at = (size_t)w;
	size_t end = at < size - at ? at + 1 : size - at; /* symmetric */
	double *law = exact_law(n), sum = 0;

	for (size_t i = 0; i < end; i++)
		sum += law[i];
	free(law);
	return fmin(2 * sum, 1);
}

static void test(const double *differences, size_t n,
	struct signed_rank *result)
{
	double *values = xmalloc((n + 1) * sizeof *values);
	size_t count = 0;
	double ties;

	for (size_t i = 0; i < n; i++)
		if (differences[i] != 0)
			values[count++] = differences[i];
	qsort(values, count, sizeof *values, by_magnitude);
	double w = rank_sum(values, count, &ties);
	free(values);
	result->exact = count && count <= EXACT_MOST && ties == 0;
	result->p = !count    ? 1 :
		result->exact ? exact_p(w, count) :
				normal_p(w, count, ties);
}

/* ---- the centre ------------------------------------------------------- */

static double *walsh_averages(const double *differences, size_t n,
	size_t *count)
{
	double *averages = xmalloc((n * (n + 1) / 2 + 1) * sizeof *averages);

	*count = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			averages[(*count)++] =
				(differences[i] + differences[j]) / 2;
	values_sort(averages, *count);
	return averages;
}

struct signed_rank signed_rank_of(const double *differences, size_t n)
{
	struct signed_rank result = { .n = n, .p = 1, .centre = NAN };
	size_t count;

	if (!n)
		return result;
	double *averages = walsh_averages(differences, n, &count);
	result.centre = median_sorted(averages, count);
	if (n >= SIGNED_RANK_LEAST) {
		size_t k = interval_rank(n);

		result.has_interval = true;
		result.low = averages[k - 1];
		result.high = averages[count - k];
	}
	free(averages);
	test(differences, n, &result);
	return result;
}
