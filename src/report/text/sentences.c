/* Sentences about results, for text, screens and reports. */
#include <math.h>

#include "digest.h"
#include "figure.h"
#include "print.h"
#include "quality.h"

static double headline_half_width(const struct results *results)
{
	double worst = NAN;

	for (size_t i = 0; i < results->point_count; i++) {
		struct digest digest;

		if (digest_of(results, &results->points[i], 0, &digest))
			worst = fmax(worst, digest_half(&digest));
	}
	return worst;
}

/* STOP_PRECISION is missing: its sentence states the reached precision. */
static const char *const endings[STOP_REASONS] = {
	[STOP_NONE] = "not ended",
	[STOP_BUDGET] = "done: budget used",
	[STOP_MAXIMUM] = "done: launch limit reached",
	[STOP_USER] = "stopped, trials kept",
	[STOP_FAULT] = "ended by a fault",
	[STOP_NETWORK] = "ended: the remote end failed",
	[STOP_UNAVAILABLE] = "not measured: unavailable on this machine",
	[STOP_INVALID] = "not measured: it would have been invalid",
	[STOP_PUBLISHED] = "published",
	[STOP_OTHER] = "ended for a reason unknown to this version",
};

static void say_reason(const struct results *results, struct text *text)
{
	double half = headline_half_width(results);
	bool precise = results->stopped.reason == STOP_PRECISION;

	/* For values near the clock's quantum, the target is the quantum. The
	 * trials of the last launch can still make an interval wider that was
	 * precise. */
	double target = results->plan.precision;
	bool coarse = target > 0 &&
		half > (results->plan.abba ? target : 1.25 * target);

	if (results->recovered && results->state == RUN_DONE)
		text_add(text, "finished but not saved, recovered");
	else if (precise && coarse && results->plan.abba)
		text_add(text, "done: the ratio is precise");
	else if (precise && coarse)
		text_add(text, "done: precise to the clock's resolution");
	else if (precise)
		text_add(text, "done: precise to %.*g %%",
			text_digits(half * 100), half * 100);
	else
		text_add(text, "%s", endings[results->stopped.reason]);
	if (!precise && isfinite(half) && results->state != RUN_FAILED)
		text_add(text, ", +-%.*g %%", text_digits(half * 100),
			half * 100);
}

void say_ending(const struct results *results, struct text *text)
{
	if (results_published(results) && !results_visited(results)) {
		text_add(text, "published figures, without trials");
		return;
	}
	say_reason(results, text);
	text_add(text, " after %zu launch%s in ", results->launch_count,
		results->launch_count == 1 ? "" : "es");
	unit_show(text, UNIT_NS, results->took_s * 1e9);
	if (results->error)
		text_add(text, ": %s", results->error);
}

void say_range(struct text *text, enum unit unit, const struct range *range)
{
	unit_show_like(text, unit, range->low, range->high);
	text_add(text, " to ");
	unit_show(text, unit, range->high);
}

/* "4 % above", "2.3 times", "30 % below", "4 times less than": the distance
 * from a range, followed by the name of the bound. Uses factors from 2 on. A
 * factor is undefined if a bound is not above 0. */
static void say_distance(double measured, const struct range *range,
	struct text *text)
{
	bool above = measured > range->high;
	double end = above ? range->high : range->low;
	double factor = above ? measured / end : end / measured;

	if (!(measured > 0) || !(end > 0))
		text_add(text, "%s", above ? "above" : "below");
	else if (factor < 1.995)
		text_add(text, "%.*g %% %s",
			text_digits(fabs(measured / end - 1) * 100),
			fabs(measured / end - 1) * 100,
			above ? "above" : "below");
	else
		text_add(text, "%.*g times%s", text_digits(factor), factor,
			above ? "" : " less than");
}

void say_outside(double measured, const struct range *range, struct text *text)
{
	say_distance(measured, range, text);
	text_add(text, " the %s bound",
		measured < range->low ? "lower" : "upper");
}

void say_prediction(const struct results *results, const struct point *point,
	const struct prediction *prediction, struct text *text)
{
	struct digest digest;
	enum unit headline = results->metrics[0].unit;
	enum unit unit = prediction_unit(prediction, headline);

	if (!prediction->set || !digest_of(results, point, 0, &digest))
		return;
	const struct range *total = &prediction->total;
	double measured = prediction_measured(prediction, &digest);
	bool user = prediction->by == BY_USER;
	text_add(text, "%s predicted ", user ? "you" : "the model");
	say_range(text, unit, total);
	if (!isfinite(digest.headline)) {
		text_add(text, "; all trials are excluded");
		return;
	}
	if (!isfinite(measured)) {
		text_add(text, ", measured ");
		unit_show(text, headline, digest.headline);
		text_add(text, "; its cycles are unknown");
		return;
	}
	text_add(text, ", measured ");
	unit_show(text, unit, measured);
	text_add(text, ": ");
	if (measured < total->low || measured > total->high)
		say_outside(measured, total, text);
	else
		text_add(text, "inside");
	if (prediction->post_hoc)
		text_add(text, " (predicted after the measurement)");
}

void say_place_in_prediction(const struct prediction *prediction,
	double measured, enum unit unit, struct text *text)
{
	const struct range *total = &prediction->total;
	const char *whose = prediction->by == BY_USER ? "your" : "the model's";

	if (!prediction->set || !isfinite(measured))
		return;
	if (measured < total->low || measured > total->high) {
		bool above = measured > total->high;

		text_add(text, ", ");
		say_distance(measured, total, text);
		text_add(text, " %s %s, ", whose, above ? "max" : "min");
		unit_show(text, unit, above ? total->high : total->low);
	} else {
		text_add(text, ", inside %s ", whose);
		say_range(text, unit, total);
	}
}

/* " (3 preempted, 41 mixed)": the counts of flags that exclude a trial. */
static void say_exclusions(const struct digest *digest, struct text *text)
{
	unsigned others = FLAG_WARMUP | FLAG_SHARED | FLAG_FREQUENCY |
		(digest->regime == REGIME_POOLED ? FLAG_MIXED : 0);
	const char *gap = " (";

	for (unsigned i = 0; i < FLAG_COUNT; i++) {
		unsigned flag = 1u << i;

		if (!digest->by_flag[i] || (flag & others))
			continue;
		text_add(text, "%s%zu %s", gap, digest->by_flag[i],
			sample_flag_name((enum sample_flag)flag));
		gap = ", ";
	}
	if (*gap == ',')
		text_add_char(text, ')');
}

void say_shares(const struct digest *digest, struct text *text)
{
	size_t warm = 0;

	for (unsigned i = 0; i < FLAG_COUNT; i++)
		if (1u << i == FLAG_WARMUP)
			warm = digest->by_flag[i];
	text_add(text, "shared %.3g %%, excluded %.3g %% of the trials",
		digest->shared * 100, digest->excluded * 100);
	say_exclusions(digest, text);
	if (digest->frequency > 0)
		text_add(text, ", at another core frequency %.3g %%",
			digest->frequency * 100);
	if (warm)
		text_add(text, "; %zu warm-up trials", warm);
}

static void say_half(const struct digest *digest, struct text *text)
{
	double half = digest_half(digest) * 100;

	if (isfinite(half))
		text_add(text, "+-%.*g %%%s", text_digits(half), half,
			digest->by_cycles ? " in cycles" : "");
	else
		text_add(text, "the median is 0");
}

void say_quality(const struct digest *digest, struct text *text)
{
	const struct summary *summary = &digest->summary;

	text_add(text, "%s", quality_word(digest->quality));
	switch (digest->quality) {
	case QUALITY_GOOD:
	case QUALITIES:
		return;
	case QUALITY_ROUGH:
		text_add(text, ": ");
		say_half(digest, text);
		if (digest->unsteady)
			text_add(text, ", launches did not settle");
		return;
	case QUALITY_SHARED_CORE:
		if (digest->crowded)
			text_add(text,
				": processors busy with other tasks");
		else {
			text_add(text, ": ");
			figure_share(text, digest_alone(digest));
			text_add(text, " of the trials ran alone");
		}
		return;
	case QUALITY_NOT_ENOUGH:
		if (summary->has_interval) {
			text_add(text, ": interval too wide, ");
			say_half(digest, text);
		} else {
			text_add(text, ": %zu launch%s, 6 needed",
				summary->launches,
				summary->launches == 1 ? "" : "es");
		}
	}
}

void say_trust(const struct point *point, const struct digest *digest,
	struct text *text)
{
	if (point->state == POINT_INVALID) {
		text_add(text, "invalid: %s", point->why);
		return;
	}
	if (point->why)
		text_add(text, "partly unverified: %s; ", point->why);
	if (digest->below_resolution && digest->quality != QUALITY_NOT_ENOUGH) {
		text_add(text, "below resolution: at most ");
		unit_show(text, UNIT_NS, digest->resolution);
	} else if (digest->quality != QUALITY_GOOD) {
		say_quality(digest, text);
	}
}

void say_other_regime(const struct digest *digest, enum unit unit,
	struct text *text)
{
	const struct regime_figures *shared = &digest->by_regime[REGIME_SHARED];
	double alone = digest->summary.median;

	if (digest->regime != REGIME_ALONE || !shared->has_interval)
		return;
	text_add(text, "beside a co-runner ");
	unit_show(text, unit, shared->median);
	text_add_char(text, ' ');
	unit_show_interval(text, unit, shared->interval.low,
		shared->interval.high, shared->median);
	if (alone > 0)
		text_add(text, ", x%.3g", shared->median / alone);
}

void say_steps(const struct digest *digest, enum unit unit, struct text *text)
{
	if (!digest->stepped)
		return;
	for (int i = 0; i < 2; i++) {
		const struct frequency_step *step = &digest->steps[i];

		text_add(text, "%sat ", i ? ", " : "");
		unit_show(text, UNIT_HZ, step->hz);
		text_add_char(text, ' ');
		unit_show(text, unit, step->median);
		text_add(text, " (%.3g %%%s)", step->share * 100,
			i ? " of the trials of known frequency" : "");
	}
}

void say_core(const struct results *results, const struct digest *digest,
	struct text *text)
{
	if (!results_core_apart(results, digest->core_hz))
		return;
	text_add(text, "at ");
	unit_show(text, UNIT_HZ, digest->core_hz);
}

void say_cycles(const struct results *results, const struct digest *digest,
	struct text *text)
{
	if (digest->has_cycles)
		unit_show(text, UNIT_CYCLES, digest->cycles.median);
	if (digest->has_cycles && results_core_apart(results, digest->core_hz))
		text_add_char(text, ' ');
	say_core(results, digest, text);
}

void say_launches(size_t count, struct text *text)
{
	text_add(text, "%zu launch%s", count, count == 1 ? "" : "es");
}
