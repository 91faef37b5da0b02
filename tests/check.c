/* Included by every unit test. */
#include "check.h"

void check_within(double got, double want, double relative, const char *what,
	const char *file, int line)
{
	double scale = fmax(fabs(got), fabs(want));

	if (fabs(got - want) <= relative * scale)
		return;
	print_error("%s is %.17g, expected %.17g\n", what, got, want);
	_fail(file, line);
}
