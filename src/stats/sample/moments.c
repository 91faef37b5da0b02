/* Mean and variance, one value or one part at a time. */
#include "moments.h"

#include <math.h>

void moments_add(struct moments *moments, double value)
{
	double before = value - moments->mean;

	if (!moments->n++)
		moments->min = moments->max = value;
	/* Faster than fmin() and fmax(), which would dominate the time. */
	if (value < moments->min)
		moments->min = value;
	if (value > moments->max)
		moments->max = value;
	moments->mean += before / (double)moments->n;
	moments->m2 += before * (value - moments->mean);
}

void moments_merge(struct moments *moments, const struct moments *other)
{
	if (!other->n)
		return;
	if (!moments->n) {
		*moments = *other;
		return;
	}
	double n = (double)moments->n, m = (double)other->n;
	double apart = other->mean - moments->mean;

	moments->m2 += other->m2 + apart * apart * (n * m / (n + m));
	moments->mean += apart * (m / (n + m));
	moments->n += other->n;
	moments->min = fmin(moments->min, other->min);
	moments->max = fmax(moments->max, other->max);
}

double moments_variance(const struct moments *moments)
{
	return moments->n < 2 ? 0 : moments->m2 / (double)(moments->n - 1);
}

double moments_sd(const struct moments *moments)
{
	return sqrt(moments_variance(moments));
}
