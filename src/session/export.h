/*
 * A session in formats other programs read.
 *
 * CSV after RFC 4180, units in the names of the columns' values (a column
 * `unit`), C locale; text that a spreadsheet could take for a formula is
 * quoted with a leading apostrophe. JSON Lines: one object a line, each
 * complete in itself. Both exist per figure (one row per run, point and
 * metric) and per trial.
 */
#ifndef BENCHTOP_EXPORT_H
#define BENCHTOP_EXPORT_H

#include <stdbool.h>

#include "session.h"

enum export_format { EXPORT_CSV, EXPORT_JSONL };

void session_export(const struct session *, enum export_format, bool trials,
	struct text *);

#endif
