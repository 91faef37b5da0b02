/* The quality of a headline figure. */
#include "quality.h"

#include <math.h>
#include <string.h>

#include "digest.h"
#include "gather.h"
#include "regime.h"
#include "text.h"

static const double rough_times = 5, rough_least = .05, crowded = .2;

static const char *const words[QUALITIES] = {
	[QUALITY_GOOD] = "good",
	[QUALITY_ROUGH] = "rough",
	[QUALITY_SHARED_CORE] = "shared core",
	[QUALITY_NOT_ENOUGH] = "not enough data",
};

const char *quality_word(enum quality quality)
{
	return words[quality];
}

enum quality quality_named(const char *word)
{
	return (enum quality)text_index(word, words, QUALITIES);
}

const char *quality_of_scale(const struct digest *digest)
{
	if (digest->by_cycles && digest->quality == QUALITY_GOOD)
		return "good in cycles";
	if (digest->by_cycles && digest->quality == QUALITY_ROUGH)
		return "rough in cycles";
	return quality_word(digest->quality);
}

bool quality_decides(enum quality quality)
{
	return quality <= QUALITY_ROUGH;
}

double quality_widest(const struct results *results)
{
	return fmax(rough_times * results->plan.precision, rough_least);
}

bool quality_is_crowd(double others)
{
	return others > crowded;
}

bool quality_crowded(const struct results *results)
{
	return quality_is_crowd(results->place.others);
}

bool quality_prefers_cycles(double half, double half_in_cycles)
{
	return half_in_cycles < half / 2;
}

bool quality_by_cycles(const struct results *results,
	const struct digest *digest)
{
	double half = summary_half(&digest->summary);

	return digest->has_cycles && half > results->plan.precision &&
		quality_prefers_cycles(half, summary_half(&digest->cycles));
}

/* A single thread runs on the measured processor, which the canary watches. */
static bool has_one_thread(const struct results *results,
	const struct point *point)
{
	if (results->plan.traits & TRAIT_THREADS)
		for (size_t i = 0; i < results->param_count; i++)
			if (!strcmp(results->param_names[i], "threads"))
				return !strcmp(point->values[i], "1");
	return false;
}

bool quality_blames_others(const struct results *results,
	const struct point *point, unsigned metric)
{
	return quality_crowded(results) &&
		!results->metrics[metric].steady &&
		!has_one_thread(results, point);
}

bool quality_by_others(const struct results *results, const struct point *point,
	unsigned metric, const struct digest *digest)
{
	return digest->quality == QUALITY_SHARED_CORE &&
		quality_blames_others(results, point, metric);
}

bool quality_settles(const struct results *results, const struct point *point,
	unsigned metric, const struct digest *digest)
{
	if (quality_blames_others(results, point, metric))
		return false;
	return regime_settles(digest->regime, &digest->slowdown,
		gather_parts(results, point, metric));
}

enum quality quality_of(const struct results *results,
	const struct point *point, unsigned metric, const struct digest *digest)
{
	const struct summary *summary = &digest->summary;
	double size = fabs(summary->median);
	double half = (summary->interval.high - summary->interval.low) / 2;
	double precision = results->plan.precision;
	double widest = quality_widest(results) * size;
	double finest = fmax(results_quantum(results, point, metric),
		digest->resolution);

	if (digest->by_cycles)
		half = digest_half(digest) * size;

	if (results->metrics[metric].steady && summary->trials)
		return QUALITY_GOOD;
	if (!summary->has_interval || half > fmax(widest, finest))
		return QUALITY_NOT_ENOUGH;
	if (!quality_settles(results, point, metric, digest))
		return QUALITY_SHARED_CORE;
	if (half > fmax(precision * size, finest) || digest->unsteady)
		return QUALITY_ROUGH;
	return QUALITY_GOOD;
}

static enum quality quality_at(const struct results *results,
	const struct point *point)
{
	struct digest digest;

	if (point->state != POINT_OK)
		return QUALITY_GOOD; /* the point has its own reason */
	if (!digest_of(results, point, 0, &digest))
		return QUALITY_NOT_ENOUGH;
	return digest.published ? QUALITY_GOOD : digest.quality;
}

enum quality results_quality(const struct results *results)
{
	enum quality worst = QUALITY_GOOD;

	for (size_t i = 0; i < results->point_count; i++) {
		enum quality quality = quality_at(results, &results->points[i]);

		if (quality > worst)
			worst = quality;
	}
	return worst;
}
