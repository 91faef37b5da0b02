/* Compares predictions with measurements. */
#include "judgement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "memory.h"
#include "print.h"

static double middle(const struct range *range)
{
	if (range->low > 0 && range->high > 0)
		return sqrt(range->low * range->high);
	return (range->low + range->high) / 2;
}

bool predicted_by_hand(const struct results *results)
{
	return results->prediction.set && results->prediction.by == BY_USER;
}

static const struct prediction *prediction_of(const struct results *results,
	const struct point *point)
{
	if (predicted_by_hand(results))
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

	if (!results->metric_count || point->state != POINT_OK ||
		!digest_of(results, point, 0, &digest))
		return judgement;
	judgement.measured = digest.headline;
	judgement.unit = results->metrics[0].unit;
	if (!judgement.prediction)
		return judgement;
	double measured = prediction_measured(judgement.prediction, &digest);
	if (!isfinite(measured))
		return judgement;
	const struct range *total = &judgement.prediction->total;
	double expected = middle(total);
	judgement.measured = measured;
	judgement.unit =
		prediction_unit(judgement.prediction, judgement.unit);
	if (expected > 0 && measured > 0)
		judgement.ratio = measured / expected;
	if (measured < total->low)
		judgement.judged = JUDGED_BELOW;
	else if (measured > total->high)
		judgement.judged = JUDGED_ABOVE;
	else
		judgement.judged = JUDGED_WITHIN;
	return judgement;
}

/* How far the figure lies outside of the range, as a factor; 0 if a factor has
 * no meaning. */
static double miss_of(const struct judgement *judgement)
{
	bool above = judgement->judged == JUDGED_ABOVE;
	const struct range *total = &judgement->prediction->total;
	double factor = above ? judgement->measured / total->high :
				total->low / judgement->measured;

	return isfinite(factor) && factor > 0 ? factor : 0;
}

struct tally judge_points(const struct results *results)
{
	struct tally tally = { 0 };
	double most = -1;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		struct judgement judgement = judge(results, point);

		tally.within += judgement.judged == JUDGED_WITHIN;
		tally.below += judgement.judged == JUDGED_BELOW;
		tally.above += judgement.judged == JUDGED_ABOVE;
		tally.unjudged += judgement.judged == JUDGED_NOT;
		if (judgement.judged == JUDGED_NOT ||
			judgement.judged == JUDGED_WITHIN ||
			miss_of(&judgement) <= most)
			continue;
		most = miss_of(&judgement);
		tally.farthest = point;
	}
	return tally;
}

/* ---- reasons ---------------------------------------------------------- */

/* States why there is no figure that can be compared; false: there is one. */
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
		text_add(text, "all trials excluded; ");
		say_shares(&digest, text);
		return true;
	}
	if (digest.published) {
		text_add(text, "published, %s", digest.published->source);
		return true;
	}
	return false;
}

/* States by which factor the larger term of the prediction must be wrong if the
 * other is right. An error of the larger term has the greatest effect. Nothing
 * for a factor within 10 % of 1. */
static void say_term(const struct judgement *judgement, struct text *text)
{
	const struct prediction *prediction = judgement->prediction;
	bool above = judgement->judged == JUDGED_ABOVE;
	double hardware =
		above ? prediction->hardware.high : prediction->hardware.low;
	double software =
		above ? prediction->software.high : prediction->software.low;
	bool of_software = software > hardware;
	double left = judgement->measured - (of_software ? hardware : software);
	double factor = left / (of_software ? software : hardware);

	if (isfinite(factor) && factor > 0 && (factor > 1.1 || factor < .9))
		text_add(text, ": the %s term is off by a factor of %.*g",
			of_software ? "software" : "hardware",
			text_digits(fmax(factor, 1 / factor)),
			fmax(factor, 1 / factor));
}

/* True if a slower kernel can be the reason: mitigations are part of the
 * software term, which then must be at least as large as the excess. A term and
 * a bound of a rate cannot be subtracted. */
static bool kernel_explains(const struct results *results,
	const struct judgement *judgement)
{
	const struct prediction *prediction = judgement->prediction;

	return experiment_sensitive(results->descriptor, SENSITIVE_KERNEL) &&
		(judgement->judged == JUDGED_BELOW ||
			prediction->software.high >= judgement->measured -
					prediction->total.high);
}

/* States known causes of a slower figure on this machine. */
static void say_causes(const struct results *results,
	const struct machine *machine, const struct judgement *judgement,
	const struct digest *digest, struct text *text)
{
	bool kernel = kernel_explains(results, judgement);
	const char *gap = "; ";

	if (digest->quality == QUALITY_SHARED_CORE) {
		text_add(text, "%s%s", gap,
			digest->crowded ? "other tasks were busy" :
					  "the core was shared");
		gap = ", ";
	}
	if (kernel && machine->page_table_isolation) {
		text_add(text, "%spage tables are isolated", gap);
		gap = ", ";
	} else if (kernel && *machine->mitigations) {
		text_add(text, "%smitigations are active", gap);
		gap = ", ";
	}
	if (*machine->hypervisor) {
		text_add(text, "%sthe machine is virtual (%s)", gap,
			machine->hypervisor);
		gap = ", ";
	}
	if (*machine->governor && strcmp(machine->governor, "performance")) {
		text_add(text, "%sthe governor is %s", gap, machine->governor);
		gap = ", ";
	}
	if (*gap == ';')
		text_add(text, "; no known cause");
}

/* Names the largest part of a headline that is a sum, if the metric declares
 * its parts. */
static bool say_part(const struct results *results, const struct point *point,
	struct text *text)
{
	const struct metric *rows =
		results->descriptor ? results->descriptor->metrics : NULL;
	const struct metric_info *largest = NULL;
	double most = 0;

	for (unsigned m = 1; rows && m < results->metric_count; m++) {
		const struct metric_info *info = &results->metrics[m];
		const struct metric *row = metric_row(rows, info->name);
		struct digest digest;

		if (!row || !row->part ||
			!digest_of(results, point, m, &digest) ||
			!(digest.headline > most))
			continue;
		largest = info;
		most = digest.headline;
	}
	if (!largest)
		return false;
	text_add(text, ": ");
	unit_show(text, largest->unit, most);
	text_add(text, " is %s", largest->label);
	return true;
}

/* True if the figure may be within the prediction. */
static bool reaches_bound(const struct judgement *judgement,
	const struct digest *digest)
{
	const struct prediction *prediction = judgement->prediction;
	const struct summary *summary =
		prediction->in_cycles ? &digest->cycles : &digest->summary;

	if (!summary->has_interval)
		return false;
	return judgement->judged == JUDGED_ABOVE ?
		summary->interval.low <= prediction->total.high :
		summary->interval.high >= prediction->total.low;
}

/* "2.3 times the upper bound: the software term is off by a factor of
 * 3.1; mitigations are active, the machine is virtual (KVM)". */
static void say_miss(const struct results *results, const struct point *point,
	const struct judgement *judgement, const struct machine *machine,
	const struct digest *digest, struct text *text)
{
	const struct range *total = &judgement->prediction->total;
	bool above = judgement->judged == JUDGED_ABOVE;
	bool rate = results->metrics[0].better == MORE_IS_BETTER;

	say_outside(judgement->measured, total, text);
	if (reaches_bound(judgement, digest)) {
		text_add(text, "; its interval reaches the prediction");
		return;
	}
	if (above && say_part(results, point, text))
		return;
	say_term(judgement, text);
	if (above == rate)
		text_add(text, "; better than the terms assume");
	else
		say_causes(results, machine, judgement, digest, text);
}

/* The model states its formula; a prediction of the user has none. */
static void say_hit(const struct prediction *prediction, struct text *text)
{
	if (*prediction->why)
		text_add(text, "as predicted: %s", prediction->why);
	else
		text_add(text, "as predicted%s",
			prediction->by == BY_USER ? ", by you" : "");
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
		text_add(text, "measured; no prediction");
	else if (judgement.judged == JUDGED_NOT)
		text_add(text, "measured; the prediction is in cycles, which "
			"are unknown here");
	else if (judgement.judged == JUDGED_WITHIN)
		say_hit(judgement.prediction, text);
	else
		say_miss(results, point, &judgement, machine, &digest, text);
	if (judgement.prediction && judgement.prediction->post_hoc)
		text_add(text, " (predicted after the measurement)");
}

/* ---- the score -------------------------------------------------------- */

struct judged_at {
	double factor; /* distance from the prediction, at least 1 */
	const struct point *point;
};

static int nearer_first(const void *a, const void *b)
{
	double one = ((const struct judged_at *)a)->factor;
	double other = ((const struct judged_at *)b)->factor;

	return (one > other) - (one < other);
}

/* The points of a run that can be compared, nearest first. The caller frees the
 * array. */
static struct judged_at *judge_all(const struct results *results, size_t *count)
{
	struct judged_at *all = xcalloc(results->point_count + 1, sizeof *all);

	*count = 0;
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		double ratio = judge(results, point).ratio;

		if (isfinite(ratio))
			all[(*count)++] =
				(struct judged_at){ fmax(ratio, 1 / ratio),
					point };
	}
	if (*count)
		qsort(all, *count, sizeof *all, nearer_first);
	return all;
}

const struct point *judged_point(const struct results *results)
{
	size_t count;
	struct judged_at *all = judge_all(results, &count);
	const struct point *point = count ? all[(count - 1) / 2].point : NULL;

	free(all);
	return point;
}

/* The distance of a run from its prediction, as a factor of at least 1; NaN:
 * not compared. */
static double run_factor(const struct results *results)
{
	size_t count;
	struct judged_at *all = judge_all(results, &count);
	double factor = NAN;

	if (count)
		factor = (all[(count - 1) / 2].factor + all[count / 2].factor) /
			2;
	free(all);
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

		/* If an experiment was run several times, the last run
		 * counts. */
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
