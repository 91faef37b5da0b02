/* In which regimes the figures of a fleet are. */
#include <math.h>
#include <stdlib.h>

#include "fleet_sessions.h"
#include "memory.h"
#include "quantile.h"

struct fleet_regime *fleet_regime_of(const struct fleet_sessions *sessions,
	size_t machine, size_t series)
{
	return &sessions->regimes[machine * sessions->series_count + series];
}

void fleet_regimes_add(struct fleet_sessions *sessions, size_t machine,
	size_t series, const struct kept_point *point, bool beside)
{
	struct fleet_regime *cell = fleet_regime_of(sessions, machine, series);

	cell->figures++;
	cell->shared += beside;
	if (!isfinite(point->alone))
		return;
	cell->alone += point->alone;
	cell->known++;
}

/* The sum over a machine's series first .. next - 1. */
static struct fleet_regime sum_of(const struct fleet_sessions *sessions,
	size_t machine, size_t first, size_t next)
{
	struct fleet_regime sum = { 0 };

	for (size_t s = first; s < next; s++) {
		const struct fleet_regime *cell =
			fleet_regime_of(sessions, machine, s);

		sum.figures += cell->figures;
		sum.shared += cell->shared;
		sum.alone += cell->alone;
		sum.known += cell->known;
	}
	return sum;
}

static bool is_shared(const struct fleet_regime *regime)
{
	return 2 * regime->shared > regime->figures;
}

size_t fleet_shared(const struct fleet_sessions *sessions, size_t series)
{
	size_t count = 0;

	for (size_t m = 0; m < sessions->machine_count; m++) {
		const struct fleet_regime sum =
			sum_of(sessions, m, series, series + 1);

		count += is_shared(&sum);
	}
	return count;
}

/* Is the outlier compared with this machine? */
static bool is_compared(const struct fleet_sessions *sessions,
	size_t outlier, size_t machine)
{
	size_t group = sessions->machines[outlier].group;

	return machine != outlier &&
		(sessions->fleet.groups[group].machines < FLEET_LEAST ||
			sessions->machines[machine].group == group);
}

bool fleet_regime_differs(const struct fleet_sessions *sessions,
	const struct fleet_outlier *outlier, struct fleet_unlike *unlike)
{
	bool one = outlier->kind == FLEET_SERIES;
	size_t first = one ? outlier->series : 0;
	size_t next = one ? first + 1 : sessions->series_count;
	const struct fleet_regime own =
		sum_of(sessions, outlier->machine, first, next);
	double *alone = xcalloc(sessions->machine_count + 1, sizeof *alone);
	size_t others = 0, shared = 0, known = 0;

	for (size_t m = 0; m < sessions->machine_count; m++) {
		const struct fleet_regime sum =
			sum_of(sessions, m, first, next);

		if (!is_compared(sessions, outlier->machine, m) || !sum.figures)
			continue;
		others++;
		shared += is_shared(&sum);
		if (sum.known)
			alone[known++] = sum.alone / (double)sum.known;
	}
	*unlike = (struct fleet_unlike){ is_shared(&own),
		own.known ? own.alone / (double)own.known : NAN,
		median_of(alone, known) };
	free(alone);
	return others && outlier->kind != FLEET_SURROUNDINGS &&
		unlike->is_shared != (2 * shared > others);
}

static void add_share(double share, struct text *text)
{
	if (isnan(share))
		text_add(text, "an unknown share");
	else
		text_add(text, "%.0f %%", share * 100);
}

void fleet_say_regime(const struct fleet_sessions *sessions,
	const struct fleet_outlier *outlier, struct text *text)
{
	struct fleet_unlike unlike;

	if (!fleet_regime_differs(sessions, outlier, &unlike))
		return;
	text_add(text, " (alone on the core in ");
	add_share(unlike.alone, text);
	text_add(text, " of its trials, the others in ");
	add_share(unlike.others_alone, text);
	text_add_char(text, ')');
}
