/* The doctor's findings as text and JSON. */
#ifndef BENCHTOP_DOCTOR_TEXT_H
#define BENCHTOP_DOCTOR_TEXT_H

#include "doctor.h"
#include "gap.h"
#include "text_layout.h"
#include "text.h"

/* Bad findings, then notes, then the number of checks that are ok. A verbose
 * layout has every check with all its facts. Commands are never wrapped: the
 * brief text has only those that fit on a line. */
void doctor_text(const struct doctor *, const struct gap_facts *,
	const struct text_layout *, struct text *);
void doctor_text_json(const struct doctor *, const struct gap_facts *,
	struct text *);
/* A shell script of all commands that correct findings, the worst first. Its
 * comments are wrapped, its commands are not. */
void doctor_text_fixes(const struct doctor *, int width, struct text *);
/* One line with the number of findings of each verdict. */
void doctor_text_counts(const struct doctor *, struct text *);
/* The gap probe's histogram in lines, each indented by `indent`. */
void doctor_text_gaps(const struct gap_facts *, int indent, struct text *);

#endif
