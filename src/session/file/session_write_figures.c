/* Writes the figures of a metric as JSON; null for a figure that does not
 * exist. */
#include "session_internal.h"

#include <math.h>
#include <stdlib.h>

#include "digest.h"
#include "quality.h"

static void write_summary(const struct summary *summary, cJSON *object)
{
	json_add_number(object, "median", summary->median);
	session_write_range(object, "ci", summary->has_interval,
		summary->interval.low, summary->interval.high);
	json_add_number(object, "min", summary->min);
	json_add_number(object, "mean", summary->mean);
}

static void write_quantiles(const struct summary *summary, cJSON *object)
{
	cJSON *quantiles = json_add_object(object, "quantiles");

	for (size_t i = 0; session_quantiles[i]; i++)
		json_add_number(quantiles, session_quantiles[i],
			summary->quantile[i]);
}

static void write_flag_counts(const struct digest *digest, cJSON *object)
{
	cJSON *counts = json_add_object(object, "flags_by");

	for (unsigned i = 0; i < FLAG_COUNT; i++)
		if (digest->by_flag[i])
			json_add_whole(counts,
				sample_flag_name((enum sample_flag)(1u << i)),
				digest->by_flag[i]);
}

static void write_figures(const struct summary *figures, cJSON *object)
{
	write_summary(figures, object);
	json_add_number(object, "max", figures->max);
	json_add_number(object, "sd_within", figures->sd_within);
	json_add_number(object, "sd_between", figures->sd_between);
	json_add_number(object, "max_deviation", figures->max_deviation);
	json_add_number(object, "icc", figures->icc);
	write_quantiles(figures, object);
}

static void write_regimes(const struct digest *digest, cJSON *object)
{
	const struct slowdown *slowdown = &digest->slowdown;
	cJSON *regimes = json_add_object(object, "regimes");

	for (int r = 0; r < REGIMES; r++) {
		const struct regime_figures *figures = &digest->by_regime[r];
		cJSON *one =
			json_add_object(regimes, regime_name((enum regime)r));

		json_add_whole(one, "trials", figures->trials);
		json_add_whole(one, "launches", figures->launches);
		json_add_number(one, "median", figures->median);
		session_write_range(one, "ci", figures->has_interval,
			figures->interval.low, figures->interval.high);
	}
	cJSON *cost = json_add_object(object, "slowdown");
	json_add_whole(cost, "launches", slowdown->launches);
	json_add_number(cost, "factor", slowdown->factor);
	session_write_range(cost, "ci", slowdown->has_interval,
		slowdown->interval.low, slowdown->interval.high);
}

static void write_steps(const struct digest *digest, cJSON *list)
{
	for (int i = 0; i < 2; i++) {
		const struct frequency_step *step = &digest->steps[i];
		cJSON *object = json_add_object(list, NULL);

		json_add_number(object, "core_hz", step->hz);
		json_add_number(object, "share", step->share);
		json_add_number(object, "median", step->median);
		json_add_whole(object, "launches", step->launches);
	}
}

static void write_trust(const struct digest *digest, bool value, cJSON *object)
{
	session_add_text(object, "quality", quality_word(digest->quality), "");
	session_add_text(object, "regime", regime_name(digest->regime), "");
	json_add_number(object, "shared", digest->shared);
	json_add_number(object, "excluded", digest->excluded);
	write_flag_counts(digest, object);
	write_regimes(digest, object);
	json_add_number(object, "median_all", digest->median_all);
	if (digest->stepped)
		write_steps(digest, json_add_array(object, "steps"));
	json_add_bool(object, "unsteady", digest->unsteady);
	json_add_number(object, "resolution", value ? NAN : digest->resolution);
	json_add_bool(object, "below_resolution", digest->below_resolution);
	json_add_number(object, "floor", digest->floor);
	json_add_number(object, "layout", digest->layout);
}

/* The values of which the headline is the median. */
static void write_launches(const struct results *results,
	const struct point *point, unsigned metric, cJSON *object)
{
	bool round = results->figures_only;
	double *medians;
	size_t count = results_launch_medians(results, point, metric,
		SCALE_UNIT, &medians, NULL);
	cJSON *list = json_add_array(object, "launch_medians");

	for (size_t i = 0; i < count; i++)
		json_add_number(list, NULL,
			round ? session_round(medians[i]) : medians[i]);
	free(medians);
}

void session_write_figures(const struct results *results,
	const struct point *point, unsigned metric, cJSON *object)
{
	bool value = results->metrics[metric].kind == METRIC_VALUE;
	struct digest digest;

	if (!digest_of(results, point, metric, &digest) || digest.published) {
		json_add_null(object, "median");
		json_add_whole(object, "ops", point->series[metric].ops);
		return;
	}
	if (results->figures_only)
		session_round_digest(&digest);
	write_figures(&digest.summary, object);
	json_add_whole(object, "ops", digest.ops);
	json_add_whole(object, "trials", digest.trials);
	json_add_whole(object, "launches", digest.summary.launches);
	write_launches(results, point, metric, object);
	write_trust(&digest, value, object);
	if (digest.has_cycles)
		write_summary(&digest.cycles,
			json_add_object(object, "cycles"));
	else
		json_add_null(object, "cycles");
}
