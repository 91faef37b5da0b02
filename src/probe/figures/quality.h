/*
 * How far a headline can be trusted: the one function that decides it, and the
 * words that text, screens, reports and files have for it.
 *
 *   good             its interval is as narrow as was asked for, or as the
 *                    clock resolves
 *   rough            it is wider, or a quarter of the visits never settled
 *   shared core      it is of trials beside a co-runner, or of both kinds
 *                    (regime.h)
 *   not enough data  fewer than six launches, or a half-width above five times
 *                    the precision and above 5 %
 *
 * The share of trials that were excluded or shared plays no part: thousands of
 * trials in ten launches are enough, however many others there were. A steady
 * metric (probe.h) needs no interval: a count is what it is.
 */
#ifndef BENCHTOP_QUALITY_H
#define BENCHTOP_QUALITY_H

#include "results.h"

/* Of a digest whose other figures are there. */
enum quality quality_of(const struct results *, const struct point *,
	unsigned metric, const struct digest *);
/* The worst of the headlines of a run that is over. A point that was not
 * reached has not enough data; one that cannot be had plays no part. */
enum quality results_quality(const struct results *);
/* "good", "rough", .. */
const char *quality_word(enum quality);

#endif
