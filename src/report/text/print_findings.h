/* The findings of a run, as plain text; see print.h. */
#ifndef BENCHTOP_PRINT_FINDINGS_H
#define BENCHTOP_PRINT_FINDINGS_H

#include "results.h"
#include "text.h"

/* A table of the findings per point, then the sentences about the whole run. */
void print_findings(const struct results *, struct text *);
/* True if the finding's sentence must be printed beside the table. False if the
 * run has several points and the table already contains the finding. */
bool finding_is_said(const struct results *, const struct finding *);

#endif
