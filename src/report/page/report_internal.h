/* The parts of a report. */
#ifndef BENCHTOP_REPORT_INTERNAL_H
#define BENCHTOP_REPORT_INTERNAL_H

#include "digest.h"
#include "document.h"
#include "report.h"

/* The experiment of that name; NULL if this benchtop has none. */
const struct experiment *report_experiment(const struct report_input *,
	const char *name);
/* "Memory" for mem.latency. */
const char *report_category(const char *experiment);
/* The index of the experiment's category, and the number of categories. */
size_t report_group(const char *experiment);
size_t report_groups(void);

/* Adds the requested settings, " (size=4K order=random)", if the session has
 * several runs of the experiment. */
void report_distinction(const struct session *, const struct results *,
	struct text *title);

void report_machine(struct document *, const struct session *);
/* One run under its own heading; `r` is the run's index in the session. */
void report_run(struct document *, const struct report_input *, size_t r);
void report_summary(struct document *, const struct report_input *);
void report_predicted(struct document *, const struct report_input *);

/* Segments per round trip, where packets were captured. */
void report_rounds(struct document *, const struct results *);
/* The tables of run `r`: a row per point, or per metric if the run has one
 * point. For published figures, the tables show the printed value and its
 * source. */
void report_tables(struct document *, const struct results *, size_t r);
/* Writes the headline, or in brackets the median of all trials if all are
 * excluded. `of` is RUN/POINT/METRIC, defined in report.h. */
void report_headline(struct document *, const char *of, enum unit,
	const struct digest *);
/* "10 .. 26.67 ns": both ends in the unit that fits the greater. "none" if both
 * are 0. */
void report_range(struct text *, enum unit, const struct range *);
void report_range_cell(struct document *, const char *of, const char *figure,
	enum unit, const struct range *);
/* Adds the nearest figure of another session for the point, "33.7 ns", and its
 * origin to `of`. Differing parameters follow in brackets: "4.758 GB/s
 * (size=4M)". Adds nothing if no figure is close enough. */
void report_beside(const struct report_beside *, const struct results *,
	const struct point *, struct text *, struct text *of);
/* The points of a run that the table of predictions shows: one entry per point.
 * The caller frees the array. */
bool *report_chosen(const struct experiment *, const struct results *);

#endif
