/*
 * The HTML report of a history: a plot of the runs with the levels, a row per
 * change with what changed beside it, a row per series, and a row per run, of
 * the last HISTORY_REPORT_RUNS.
 */
#ifndef BENCHTOP_HISTORY_REPORT_H
#define BENCHTOP_HISTORY_REPORT_H

#include "run_history.h"

enum { HISTORY_REPORT_RUNS = 1000 };

void history_report(const struct history *, struct text *);

#endif
