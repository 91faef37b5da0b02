/* The figures of a metric as JSON; null where a figure does not exist. */
#include "session_parts.h"

#include <math.h>

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

static void write_clean(const struct digest *digest, cJSON *object)
{
	const struct summary *clean = &digest->clean;

	write_summary(clean, object);
	json_add_number(object, "max", clean->max);
	json_add_number(object, "sd_within", clean->sd_within);
	json_add_number(object, "sd_between", clean->sd_between);
	json_add_number(object, "max_deviation", clean->max_deviation);
	json_add_number(object, "icc", clean->icc);
	write_quantiles(clean, object);
}

static void write_trust(const struct digest *digest, bool value, cJSON *object)
{
	json_add_number(object, "flagged", digest->flagged);
	write_flag_counts(digest, object);
	json_add_number(object, "median_all", digest->median_all);
	json_add_bool(object, "disturbed", digest->disturbed);
	json_add_bool(object, "unusable", digest->unusable);
	json_add_bool(object, "unsteady", digest->unsteady);
	json_add_number(object, "resolution", value ? NAN : digest->resolution);
	json_add_bool(object, "below_resolution", digest->below_resolution);
	json_add_number(object, "floor", digest->floor);
	json_add_number(object, "layout", digest->layout);
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
	write_clean(&digest, object);
	json_add_whole(object, "ops", digest.ops);
	json_add_whole(object, "trials", digest.trials);
	json_add_whole(object, "launches", digest.clean.launches);
	write_trust(&digest, value, object);
	if (digest.has_cycles)
		write_summary(&digest.cycles,
			json_add_object(object, "cycles"));
	else
		json_add_null(object, "cycles");
}
