/* What follows from a run, as plain text; see print.h. */
#ifndef BENCHTOP_PRINT_FINDINGS_H
#define BENCHTOP_PRINT_FINDINGS_H

#include "results.h"
#include "text.h"

/* A table of what was found point by point, and the sentences about the run. */
void print_findings(const struct results *, struct text *);
/* Is it a sentence to be said beside that table? Not where the table says it:
 * of several points. */
bool finding_is_said(const struct results *, const struct finding *);

#endif
