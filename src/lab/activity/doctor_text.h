/* The doctor's findings as text and JSON. */
#ifndef BENCHTOP_DOCTOR_TEXT_H
#define BENCHTOP_DOCTOR_TEXT_H

#include "doctor.h"
#include "gap.h"
#include "text.h"

void doctor_text(const struct doctor *, const struct gap_facts *,
	struct text *);
void doctor_text_json(const struct doctor *, const struct gap_facts *,
	struct text *);
/* The commands of the findings that have one, as a shell script. */
void doctor_text_fixes(const struct doctor *, struct text *);
/* One line: how many findings of each verdict. */
void doctor_text_counts(const struct doctor *, struct text *);
/* The gap probe's histogram in lines, each indented by `indent`. */
void doctor_text_gaps(const struct gap_facts *, int indent, struct text *);

#endif
