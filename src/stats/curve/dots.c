/* Dots: sorting, and medians of the dots with the same x. */
#include "dots.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const struct dot *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->y > q->y) - (p->y < q->y);
}

/* The index after the last dot with the x of dot `first`. */
static size_t end_of_column(const struct dot *dots, size_t n, size_t first)
{
	size_t end = first + 1;

	while (end < n && dots[end].x == dots[first].x)
		end++;
	return end;
}

size_t dots_count(struct dot *dots, size_t n)
{
	size_t count = 0;

	if (n)
		qsort(dots, n, sizeof *dots, compare);
	for (size_t i = 0; i < n; i = end_of_column(dots, n, i))
		count++;
	return count;
}

size_t dots_medians(struct dot *dots, size_t n, double *x, double *y)
{
	size_t count = 0, end;

	if (n)
		qsort(dots, n, sizeof *dots, compare);
	for (size_t i = 0; i < n; i = end) {
		end = end_of_column(dots, n, i);
		x[count] = dots[i].x;
		y[count++] =
			(dots[(i + end - 1) / 2].y + dots[(i + end) / 2].y) / 2;
	}
	return count;
}
