/*
 * The quality of a headline: the function that decides it, and its names in
 * text, screens, reports and files.
 *
 *   good             the interval is as narrow as requested, or as the clock's
 *                    resolution
 *   rough            the interval is wider, or a quarter of the visits found no
 *                    steady state
 *   shared core      from trials beside a co-runner, or of both kinds
 *                    (regime.h); or of tasks that sleep, or of several
 *                    threads, on processors of which others used a fifth
 *                    (place_facts.others)
 *   not enough data  fewer than six launches, or a half-width above five times
 *                    the precision and above 5 %
 *
 * A time that depends on the core is the same in cycles at any frequency. Hosts
 * and governors move the frequency from launch to launch by ten percent. So if
 * the interval of a time is wider than requested and that of its cycles is less
 * than half as wide, the interval of the cycles is judged.
 *
 * The fraction of excluded or shared trials is not used: thousands of trials in
 * ten launches suffice, however many others there were. A steady metric
 * (probe.h) needs no interval.
 */
#ifndef BENCHTOP_QUALITY_H
#define BENCHTOP_QUALITY_H

#include "digest.h"
#include "results.h"

/* True if a figure of this quality can be compared. */
bool quality_decides(enum quality);
/* The largest half-width of an interval with enough data, as a fraction of the
 * median. */
double quality_widest(const struct results *);
/* True if other tasks had a share of the measured processors that makes figures
 * of sleeping tasks or of several threads longer. */
bool quality_is_crowd(double others);
/* The same of a run. */
bool quality_crowded(const struct results *);
/* The same for a metric of a point: false for counts and shares, and for one
 * thread of a run that has several. */
bool quality_blames_others(const struct results *, const struct point *,
	unsigned metric);
/* True if that is why a digest whose quality is set is "shared core". */
bool quality_by_others(const struct results *, const struct point *,
	unsigned metric, const struct digest *);
/* True if the headline of a metric is that of a core without co-runners, or
 * does not depend on them. Else it is "shared core" if it has enough data. */
bool quality_settles(const struct results *, const struct point *,
	unsigned metric, const struct digest *);
/* True if the interval of the digest's cycles is judged. */
bool quality_by_cycles(const struct results *, const struct digest *);
/* The same for half-widths, in any common scale; the first is too wide. NaN for
 * cycles without an interval. */
bool quality_prefers_cycles(double half, double half_in_cycles);
/* The quality of a digest whose other figures are set. */
enum quality quality_of(const struct results *, const struct point *,
	unsigned metric, const struct digest *);
/* The worst quality of the headlines of a run that is over. A point that was
 * not reached has not enough data. Unavailable points are ignored. */
enum quality results_quality(const struct results *);
/* "good", "rough", .. */
const char *quality_word(enum quality);
/* The same, "good in cycles" where the interval of the cycles was judged. */
const char *quality_of_scale(const struct digest *);
/* QUALITIES if there is none of that name, or no name (NULL). */
enum quality quality_named(const char *word);

#endif
