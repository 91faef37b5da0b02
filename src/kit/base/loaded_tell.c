/* Findings about latency under load. */
#include "loaded_tell.h"

#include <stdlib.h>

#include "text.h"

struct curve {
	const struct loaded_point *points; /* bandwidth ascending */
	size_t count;
};

static int by_bandwidth(const void *a, const void *b)
{
	const struct loaded_point *x = a, *y = b;

	return (x->bandwidth.median > y->bandwidth.median) -
		(x->bandwidth.median < y->bandwidth.median);
}

/* The first point with at least this bandwidth, up to the highest. */
static const struct loaded_point *point_above(const struct curve *curve,
	double per_s)
{
	const struct loaded_point *high = curve->points + 1;

	while (high->bandwidth.median < per_s)
		high++;
	return high;
}

/* The time of a load at a bandwidth between a point and the one before. */
static double load_below(const struct loaded_point *high, double per_s)
{
	const struct loaded_point *low = high - 1;
	double part = (per_s - low->bandwidth.median) /
		(high->bandwidth.median - low->bandwidth.median);

	return low->load.median + part * (high->load.median - low->load.median);
}

/* NULL: no point is below the straight line. */
static const struct loaded_point *knee_of(const struct curve *curve)
{
	const struct loaded_point *first = curve->points;
	const struct loaded_point *last = first + curve->count - 1;
	const struct loaded_point *knee = NULL;
	double most = 0;

	for (const struct loaded_point *dot = first + 1; dot < last; dot++) {
		double x = dot->bandwidth.median / last->bandwidth.median;
		double y = (dot->load.median - first->load.median) /
			(last->load.median - first->load.median);

		if (x - y > most) {
			most = x - y;
			knee = dot;
		}
	}
	return knee;
}

static void find_shares(const struct results *results,
	const struct curve *curve, struct findings *findings)
{
	static const struct {
		const char *name;
		double share;
	} shares[] = { { "at-50", .5 }, { "at-80", .8 }, { "at-95", .95 } };
	const struct loaded_point *peak = curve->points + curve->count - 1;

	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		double most = peak->bandwidth.median;
		double per_s = shares[i].share * most;
		const struct loaded_point *high = point_above(curve, per_s);
		double ns = load_below(high, per_s);

		finding_at(finding_value(findings, shares[i].name, ns, UNIT_NS,
				   "at %.0f %% of the highest bandwidth a load "
				   "takes %.4g ns, %.2f times the idle time "
				   "(interpolated between the points at %.0f "
				   "and %.0f %%)",
				   100 * shares[i].share, ns,
				   ns / curve->points->load.median,
				   100 * high[-1].bandwidth.median / most,
				   100 * high->bandwidth.median / most),
			results, peak->point);
	}
}

/* True if traffic makes a load longer by a tenth and beyond the intervals. */
static bool rises(const struct loaded_point *first,
	const struct loaded_point *peak)
{
	return first->load.has_interval && peak->load.has_interval &&
		peak->load.median > 1.1 * first->load.median &&
		peak->load.interval.low > first->load.interval.high;
}

static void find_knee(const struct results *results, const struct curve *curve,
	struct findings *findings)
{
	const struct loaded_point *first = curve->points;
	const struct loaded_point *peak = first + curve->count - 1;
	const struct loaded_point *knee =
		rises(first, peak) ? knee_of(curve) : NULL;
	struct text rate = { 0 };

	if (!knee) {
		finding_at(finding_value(findings, "ratio",
				   peak->load.median / first->load.median,
				   UNIT_NONE,
				   "no knee: at the highest bandwidth a load "
				   "takes %.2f times the idle time",
				   peak->load.median / first->load.median),
			results, peak->point);
		return;
	}
	unit_show(&rate, UNIT_BYTES_PER_S, knee->bandwidth.median);
	finding_at(finding_value(findings, "knee", knee->bandwidth.median,
			   UNIT_BYTES_PER_S,
			   "the knee is at %s, %.0f %% of the highest "
			   "bandwidth: a load takes %.4g ns",
			   text_chars(&rate),
			   100 * knee->bandwidth.median /
				   peak->bandwidth.median,
			   knee->load.median),
		results, peak->point);
	text_free(&rate);
}

static bool is_above(const struct summary *a, const struct summary *b)
{
	return a->has_interval && b->has_interval &&
		a->interval.low > b->interval.high;
}

static void add_disorder(const struct results *results,
	const struct loaded_point *low, const struct loaded_point *high,
	struct findings *findings)
{
	bool by_pause = high->pause_ns > low->pause_ns && !low->idle &&
		is_above(&high->bandwidth, &low->bandwidth);
	bool by_load = is_above(&low->load, &high->load);
	struct text rate = { 0 };
	struct finding *finding = NULL;

	unit_show(&rate, UNIT_BYTES_PER_S, high->bandwidth.median);
	if (by_pause)
		finding = finding_value(findings, "disorder", high->pause_ns,
			UNIT_NS,
			"a pause of %g ns gave more bandwidth than one of %g "
			"ns: repeat these points",
			high->pause_ns, low->pause_ns);
	else if (by_load)
		finding = finding_value(findings, "disorder",
			high->load.median, UNIT_NS,
			"a load takes %.4g ns at %s, less than %.4g ns at the "
			"next lower bandwidth: repeat these points",
			high->load.median, text_chars(&rate), low->load.median);
	text_free(&rate);
	if (!finding)
		return;
	finding->uncertain = true;
	finding_at(finding, results, high->point);
}

/* Beyond the intervals, less pause must not give less bandwidth, and more
 * bandwidth no shorter load. */
static void find_disorder(const struct results *results,
	const struct curve *curve, struct findings *findings)
{
	for (size_t i = 0; i + 1 < curve->count; i++)
		add_disorder(results, &curve->points[i], &curve->points[i + 1],
			findings);
}

static void find_ends(const struct results *results, const struct curve *curve,
	const char *operation, struct findings *findings)
{
	const struct loaded_point *idle = curve->points;
	const struct loaded_point *peak = idle + curve->count - 1;
	struct text rate = { 0 };
	struct finding *finding = finding_value(findings, "idle",
		idle->load.median, UNIT_NS,
		"without traffic a load takes %.4g ns", idle->load.median);

	if (idle->load.has_interval)
		finding_interval(finding, idle->load.interval.low,
			idle->load.interval.high);
	finding_at(finding, results, peak->point);
	unit_show(&rate, UNIT_BYTES_PER_S, peak->bandwidth.median);
	finding_at(finding_value(findings, "peak", peak->bandwidth.median,
			   UNIT_BYTES_PER_S,
			   "the load threads %s up to %s, and a load then "
			   "takes %.4g ns",
			   operation, text_chars(&rate), peak->load.median),
		results, peak->point);
	text_free(&rate);
}

void loaded_tell(const struct results *results, struct loaded_point *points,
	size_t count, const char *operation, struct findings *findings)
{
	struct curve curve = { points, count };

	qsort(points, count, sizeof *points, by_bandwidth);
	if (count < 2 || !points->idle ||
		!(points[count - 1].bandwidth.median > 0))
		return;
	find_ends(results, &curve, operation, findings);
	find_shares(results, &curve, findings);
	find_knee(results, &curve, findings);
	find_disorder(results, &curve, findings);
}
