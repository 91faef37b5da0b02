/*
 * The written report of a session: a summary of all headlines, the machine and
 * one section per experiment. Each section has the question, method,
 * prediction, table, picture and findings. A last table compares predictions
 * with measurements.
 *
 * The report is Markdown, or one HTML file that needs no other file. The tables
 * have the columns of a course report: median with its interval, mean, standard
 * deviation within and between launches, minimum, maximum, and the largest
 * deviation of a launch.
 *
 * In HTML every number of a result names its origin in the session file, so
 * that another program can compute it again. The attribute is
 *
 *     data-of="RUN/POINT/METRIC/FIGURE"
 *
 * RUN and POINT are indices in the file, from 0. METRIC is the metric's name.
 * FIGURE is one of
 *
 *     median, low, high, ci (low .. high), mean, sd_within, sd_between, min,
 *     max, max_deviation, trials, launches, shared, excluded, cycles
 *     median_all   of all trials, in brackets, if every trial is excluded
 *     hardware, software, total (low .. high), ratio   of the prediction
 *
 * With "*" as POINT, FIGURE is span, half or trials. span is the smallest and
 * the largest median of the run. half is half the run's widest interval,
 * relative to the median. trials is the sum over all points. For a session
 * shown beside this one, its name and a colon precede RUN. Tables in Markdown
 * hold the same numbers in the same order.
 */
#ifndef BENCHTOP_REPORT_H
#define BENCHTOP_REPORT_H

#include "document.h"
#include "session.h"

/* Another session that the last table shows, and its name there. */
struct report_beside {
	const char *name;
	const struct session *session;
};

struct report_input {
	const struct session *session;
	/* NULL: none; the title is then "Measurements of HOST". */
	const char *title, *author, *course;
	const struct experiment *const *experiments; /* all known ones */
	size_t experiment_count;
	const struct report_beside *beside;
	size_t beside_count;
	/* Adds "; .." with what the user must provide before an experiment that
	 * was not run can run. Adds nothing if the experiment needs nothing.
	 * NULL: unknown. */
	void (*lacks)(const struct experiment *, struct text *);
};

void session_report(const struct report_input *, enum document_form,
	struct text *);

#endif
