/*
 * Headings of the table of findings (finding_table.h). A finding about a single
 * point is a cell of the column that has its name. The name is short and stays
 * the same in files. An experiment declares what people read instead, where the
 * name does not explain itself.
 */
#ifndef BENCHTOP_HEADING_H
#define BENCHTOP_HEADING_H

#include "rows.h"

struct heading {
	const char *name; /* of the finding; NULL in the last row */
	const char *shown;
};

/* In a descriptor: HEADINGS({ "over-own", "times own lines" }), */
#define HEADINGS(...) .headings = ROWS(heading, __VA_ARGS__)

#endif
