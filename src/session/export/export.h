/*
 * Sessions in formats that other programs read.
 *
 * CSV follows RFC 4180, in the C locale, with a column `unit` for the units of
 * values. Text that a spreadsheet could take for a formula is prefixed with an
 * apostrophe. JSON Lines has one complete object per line. Both exist per
 * figure (one row per run, point and metric) and per trial.
 *
 * OpenMetrics is for the textfile collector of node_exporter (a file NAME.prom
 * in its folder): gauges in base units, one family per experiment and metric,
 * with parameters and statistic as labels. For each point the latest run is
 * used. Markdown has a table of figures for each run. Published figures are
 * marked by their source, where there is space.
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
	EXPORT_PCAP, /* a run's packets, not stored in a session: packets.h */
	EXPORT_FORMATS,
};
/* "csv", ..; NULL-terminated, in the order of the enum. */
extern const char *const export_names[];

/* Limits: every row repeats the texts of its point, so that a file of long
 * texts would become thousands of times as long. Usual rows have 300 bytes. */
enum {
	EXPORT_PARAMETERS_MAX = 1024, /* of all runs */
	EXPORT_BYTES_FREE = 64 << 20, /* for a few rows of any length */
	EXPORT_ROW_BYTES_MAX = 2048,  /* on average above that size */
};

/* `trials`: for CSV and JSON Lines only. Returns 0, or -1 with an error if a
 * limit is exceeded. */
int session_export(const struct session *, enum export_format, bool trials,
	struct text *, struct error *);

/* Adds a fleet as OpenMetrics: the ratio of every machine in every series, its
 * ratio over all series, its scatter, and the outliers. Above 1 is slower. */
struct fleet_sessions;
void fleet_export(const struct fleet_sessions *, struct text *);

#endif
