/* At which frequency the core ran beside a point's trials. */
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "quantile.h"
#include "results.h"

double results_core_hz(const struct results *results, const struct point *point)
{
	const struct clock_facts *clock = &results->clock;
	double *hz = xcalloc(point->visit_count + 1, sizeof *hz);
	size_t launches = 0;

	for (size_t v = 0; v < point->visit_count; v++) {
		const struct visit *visit = &point->visits[v];
		bool first = !v || visit[-1].launch != visit->launch;

		if (first && visit->usual > 0)
			hz[launches++] =
				clock->canary_cycles / visit->usual * clock->hz;
	}
	double median = launches && clock->cycles_trusted ?
		median_of(hz, launches) :
		NAN;
	free(hz);
	return median;
}

bool results_core_apart(const struct results *results, double hz)
{
	/* As much as sets a trial apart from others. */
	static const double much = .02;

	/* Not so of NaN. */
	return fabs(hz / results->clock.core_hz - 1) > much;
}
