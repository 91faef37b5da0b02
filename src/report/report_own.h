/* The parts of a report. */
#ifndef BENCHTOP_REPORT_OWN_H
#define BENCHTOP_REPORT_OWN_H

#include "document.h"
#include "report.h"

/* The experiment of that name, NULL: this benchtop has none. */
const struct experiment *report_experiment(const struct report_input *,
	const char *name);
/* "Memory" for mem.latency. */
const char *report_category(const char *experiment);

void report_machine(struct document *, const struct session *);
/* One run under its own heading; `r` is its place in the session. */
void report_run(struct document *, const struct report_input *, size_t r);
void report_summary(struct document *, const struct report_input *);

#endif
