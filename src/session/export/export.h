/*
 * A session in formats other programs read.
 *
 * CSV after RFC 4180, units in the names of the columns' values (a column
 * `unit`), C locale; text that a spreadsheet could take for a formula is
 * quoted with a leading apostrophe. JSON Lines: one object a line, each
 * complete in itself. Both exist per figure (one row per run, point and
 * metric) and per trial. OpenMetrics is for the textfile collector of
 * node_exporter (a file NAME.prom in its folder): gauges in base units, one
 * family per experiment and metric, the parameters and the statistic as
 * labels, of each point the latest run. Markdown has a table of figures for
 * each run. Published figures say so: by their source, where there is room.
 */
#ifndef BENCHTOP_EXPORT_H
#define BENCHTOP_EXPORT_H

#include <stdbool.h>

#include "session.h"

enum export_format {
	EXPORT_CSV,
	EXPORT_JSONL,
	EXPORT_OPENMETRICS,
	EXPORT_MARKDOWN,
	EXPORT_PCAP, /* a run's packets, which no session holds: packets.h */
	EXPORT_FORMATS,
};
/* "csv", ..; NULL-terminated, in the order of the enum. */
extern const char *const export_names[];

/* `trials`: CSV and JSON Lines only. */
void session_export(const struct session *, enum export_format, bool trials,
	struct text *);

#endif
