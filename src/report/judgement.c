/* How good the predictions were. */
#include "judgement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "print.h"
#include "quantile.h"

static double middle(const struct range *range)
{
	if (range->low > 0 && range->high > 0)
		return sqrt(range->low * range->high);
	return (range->low + range->high) / 2;
}

static const struct prediction *prediction_of(const struct results *results,
	const struct point *point)
{
	bool own = results->prediction.set &&
		!strcmp(results->prediction.by, "user");

	if (own && point == results->points)
		return &results->prediction;
	return point->model.set ? &point->model : NULL;
}

struct judgement judge(const struct results *results, const struct point *point)
{
	struct judgement judgement = {
		.prediction = prediction_of(results, point),
		.measured = NAN,
		.ratio = NAN,
	};
	struct digest digest;

	if (!results->metric_count || !digest_of(results, point, 0, &digest))
		return judgement;
	judgement.measured = digest.headline;
	if (!judgement.prediction || !isfinite(digest.headline))
		return judgement;
	const struct range *total = &judgement.prediction->total;
	double expected = middle(total);
	if (expected > 0 && digest.headline > 0)
		judgement.ratio = digest.headline / expected;
	if (digest.headline < total->low)
		judgement.judged = JUDGED_BELOW;
	else if (digest.headline > total->high)
		judgement.judged = JUDGED_ABOVE;
	else
		judgement.judged = JUDGED_WITHIN;
	return judgement;
}

/* ---- reasons ---------------------------------------------------------- */

/* Why there is no figure, or none to trust; false: there is one. */
static bool say_missing(const struct results *results,
	const struct point *point, struct text *text)
{
	struct digest digest;

	if (point->state != POINT_OK && point->why) {
		text_add(text, "%s: %s",
			point->state == POINT_INVALID ? "invalid" :
							"unavailable",
			point->why);
		return true;
	}
	if (!digest_of(results, point, 0, &digest)) {
		text_add(text, "not measured: ");
		say_ending(results, text);
		return true;
	}
	if (!isfinite(digest.headline)) {
		text_add(text, "every trial was disturbed; ");
		say_flags(&digest, text);
		return true;
	}
	if (digest.published) {
		text_add(text, "published, %s", digest.published->source);
		return true;
	}
	return false;
}

/* "2.3 times the most predicted", and what is known to do that here. */
static void say_miss(const struct results *results,
	const struct judgement *judgement, const struct machine *machine,
	const struct digest *digest, struct text *text)
{
	const struct range *total = &judgement->prediction->total;
	bool above = judgement->judged == JUDGED_ABOVE;
	bool rate = results->metrics[0].better == MORE_IS_BETTER;
	bool worse = above != rate;
	double end = above ? total->high : total->low;

	if (end > 0 && judgement->measured > 0)
		text_add(text, "%.3g times the %s predicted",
			judgement->measured / end, above ? "most" : "least");
	else
		text_add(text, "%s what was predicted",
			above ? "above" : "below");
	if (!worse)
		text_add(text, ": better than the terms assume");
	else if (digest->unusable || digest->disturbed)
		text_add(text, ": the machine was busy (%.3g %% flagged)",
			digest->flagged * 100);
	else if (*machine->hypervisor)
		text_add(text,
			": a term is missing; the machine is virtual (%s)",
			machine->hypervisor);
	else
		text_add(text, ": a term is missing or too small");
}

void say_reason(const struct results *results, const struct point *point,
	const struct machine *machine, struct text *text)
{
	struct judgement judgement = judge(results, point);
	struct digest digest;

	if (say_missing(results, point, text))
		return;
	digest_of(results, point, 0, &digest);
	if (!judgement.prediction)
		text_add(text, "measured; nothing was predicted for it");
	else if (judgement.judged == JUDGED_WITHIN)
		text_add(text, "as predicted: %s", judgement.prediction->why);
	else
		say_miss(results, &judgement, machine, &digest, text);
	if (judgement.prediction && judgement.prediction->post_hoc)
		text_add(text, " (predicted after a result was there)");
}

/* ---- the score -------------------------------------------------------- */

/* How far off one run was, as a factor of at least 1; NaN: not judged. */
static double run_factor(const struct results *results)
{
	double *factors = xcalloc(results->point_count + 1, sizeof *factors);
	double factor = NAN;
	size_t count = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		struct judgement judgement =
			judge(results, &results->points[i]);

		if (isfinite(judgement.ratio))
			factors[count++] =
				fmax(judgement.ratio, 1 / judgement.ratio);
	}
	if (count) {
		values_sort(factors, count);
		factor = quantile_sorted(factors, count, .5);
	}
	free(factors);
	return factor;
}

bool session_score(const struct session *session, double *score,
	size_t *experiments)
{
	double sum = 0;

	*experiments = 0;
	for (size_t i = 0; i < session->run_count; i++) {
		const struct results *results = session->runs[i];
		double factor = NAN;

		/* An experiment that was run again counts as it came last. */
		if (session_last(session, results->experiment) == results)
			factor = run_factor(results);
		if (!isfinite(factor))
			continue;
		sum += log(factor);
		++*experiments;
	}
	if (*experiments)
		*score = exp(sum / (double)*experiments);
	return *experiments > 0;
}
