/*
 * The written report of a session: machine, every experiment with question,
 * method, prediction, table, picture and findings, and a summary at the end
 * that holds what was predicted against what was measured.
 *
 * In Markdown, or as one HTML file that needs no other. The tables have the
 * columns of a course report: median with its interval, mean, deviation within
 * and between launches, least, most, largest deviation of a launch.
 *
 * In HTML every number of a result says where it comes from, so that it can be
 * computed again from the session file by another program: an attribute
 *
 *     data-of="RUN/POINT/METRIC/FIGURE"
 *
 * with the places of run and point in the file from 0, the metric's name and
 * median, low, high, mean, sd_within, sd_between, min, max, max_deviation,
 * shared, excluded, cycles or median_all (of all trials, in brackets, where
 * every one is excluded); of what was predicted hardware, software, total (low
 * .. high) or ratio. Of a session beside it the name and a colon stand before.
 * Tables in Markdown hold the same numbers in the same order.
 */
#ifndef BENCHTOP_REPORT_H
#define BENCHTOP_REPORT_H

#include "document.h"
#include "session.h"

/* A session that stands beside it in the summary, and what it is called. */
struct report_beside {
	const char *name;
	const struct session *session;
};

struct report_input {
	const struct session *session;
	const struct experiment *const *experiments; /* all there are */
	size_t experiment_count;
	const struct report_beside *beside;
	size_t beside_count;
	/* Adds "; ..", what an experiment that was not run wants of a person
	 * before it can; nothing where it wants nothing. NULL: not known. */
	void (*lacks)(const struct experiment *, struct text *);
};

void session_report(const struct report_input *, enum document_form,
	struct text *);

#endif
