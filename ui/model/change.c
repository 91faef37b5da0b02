/* Compares figures with those of an earlier run. */
#include "change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_row.h"
#include "digest.h"
#include "figures.h"
#include "memory.h"
#include "past.h"
#include "quality.h"
#include "session.h"

/* The threshold of the verdict. That of a guest is that of two sessions. NAN:
 * other guests of the host may change the figure without a sign. */
static double delta_of(const struct figures *figures,
	const struct session *session)
{
	const struct results *results = figures->results;

	if (!*session->machine.hypervisor)
		return COMPARE_DELTA;
	return compare_is_of_core(results, &results->points[figures->point],
		       0) ?
		compare_guest_delta(results) :
		NAN;
}

static bool same_point(const struct results *a, const struct point *p,
	const struct results *b, const struct point *q)
{
	if (a->param_count != b->param_count)
		return false;
	for (size_t i = 0; i < a->param_count; i++)
		if (strcmp(p->values[i], q->values[i]))
			return false;
	return true;
}

static const struct point *find_point(const struct results *results,
	const struct figures *figures)
{
	const struct point *wanted = &figures->results->points[figures->point];

	if (strcmp(results->experiment, figures->results->experiment))
		return NULL;
	for (size_t i = 0; i < results->point_count; i++)
		if (same_point(figures->results, wanted, results,
			    &results->points[i]))
			return &results->points[i];
	return NULL;
}

/* Compares with the launch medians `before`; moves their finite values to the
 * front. */
static void compare_with(struct figures *figures, double *before, size_t nb,
	enum quality quality, double delta)
{
	struct rerun_change *change = &figures->change;
	double *now = xcalloc(figures->launches + 1, sizeof *now);
	size_t nn = 0, kept = 0;

	for (size_t i = 0; i < figures->launches; i++)
		if (isfinite(figures->medians[i]))
			now[nn++] = figures->medians[i];
	for (size_t i = 0; i < nb; i++)
		if (isfinite(before[i]))
			before[kept++] = before[i];
	change->any = isfinite(change->earlier) &&
		compare_samples(before, kept, now, nn, &change->comparison);
	bool decides = quality_decides(quality) &&
		quality_decides(figures->digest.quality) && isfinite(delta);
	if (change->any)
		change->verdict = decides ?
			verdict_of(change->comparison.ratio_low,
				change->comparison.ratio_high, delta) :
			VERDICT_INCONCLUSIVE;
	free(now);
}

static void compare_run(struct figures *figures, const struct results *earlier,
	const struct point *point, double delta)
{
	struct digest digest;
	double *before, *ignored;
	size_t nb = results_launch_medians(earlier, point, 0, SCALE_UNIT,
		&before, &ignored);

	free(ignored);
	if (digest_of(earlier, point, 0, &digest)) {
		figures->change.earlier = digest.headline;
		compare_with(figures, before, nb, digest.quality, delta);
	}
	free(before);
}

/* Compares with the last run of an earlier session. */
static void compare_past(struct figures *figures, const struct session *session,
	double delta)
{
	struct past past;

	if (!past_find(session, figures->results, figures->point, &past, 1))
		return;
	memcpy(figures->change.at, past.at, sizeof past.at);
	figures->change.earlier = past.median;
	compare_with(figures, past.launches, past.launch_count, past.quality,
		delta);
}

void change_find(struct figures *figures, const struct session *session)
{
	double delta = delta_of(figures, session);
	size_t i = session->run_count;

	figures->change = (struct rerun_change){ .earlier = NAN };
	while (i && session->runs[i - 1] != figures->results)
		i--;
	while (i > 1) {
		const struct results *earlier = session->runs[--i - 1];
		const struct point *point = find_point(earlier, figures);

		if (point) {
			compare_run(figures, earlier, point, delta);
			return;
		}
	}
	if (!results_published(figures->results))
		compare_past(figures, session, delta);
}
