/* The parts of a report. */
#ifndef BENCHTOP_REPORT_INTERNAL_H
#define BENCHTOP_REPORT_INTERNAL_H

#include "document.h"
#include "report.h"

/* The experiment of that name, NULL: this benchtop has none. */
const struct experiment *report_experiment(const struct report_input *,
	const char *name);
/* "Memory" for mem.latency. */
const char *report_category(const char *experiment);
/* Which of so many categories, in their order. */
size_t report_group(const char *experiment);
size_t report_groups(void);

void report_machine(struct document *, const struct session *);
/* One run under its own heading; `r` is its place in the session. */
void report_run(struct document *, const struct report_input *, size_t r);
void report_summary(struct document *, const struct report_input *);

/* The tables of run `r`: a row for each point, or for each metric of a single
 * one; of published figures what was printed, and where. */
void report_tables(struct document *, const struct results *, size_t r);
/* The headline; where all trials are excluded their median in brackets. `of` is
 * RUN/POINT/METRIC, as report.h has it. */
void report_headline(struct document *, const char *of, enum unit,
	const struct digest *);
/* "10 .. 26.67 ns", both ends in what fits the greater; "none" of 0 to 0. */
void report_range(struct text *, enum unit, const struct range *);
void report_range_cell(struct document *, const char *of, const char *figure,
	enum unit, const struct range *);
/* What another session has of the point: "33.7 ns", with what differs in
 * brackets, "4.758 GB/s (size=4M)", and where that is from. Adds nothing where
 * it has nothing. */
void report_beside(const struct report_beside *, const struct results *,
	const struct point *, struct text *, struct text *of);
/* Which points stand for a run in the summary: one entry for each. To be
 * freed. */
bool *report_chosen(const struct experiment *, const struct results *);

#endif
