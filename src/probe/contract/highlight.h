/* The figures of an experiment that `summary` shows: one or two of the ten that
 * describe a machine, or none. */
#ifndef BENCHTOP_HIGHLIGHT_H
#define BENCHTOP_HIGHLIGHT_H

#include "rows.h"

struct highlight {
	const char *name; /* at most 21 columns; NULL ends the list */
	const char *metric;
	const char *where; /* the first point that matches: "call=getppid" */
};

/* In a descriptor: HIGHLIGHTS({ "page fault", "fault", "kind=cow" }), */
#define HIGHLIGHTS(...) .highlights = ROWS(highlight, __VA_ARGS__)

#endif
