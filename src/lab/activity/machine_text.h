/* A machine in words: a name in twelve columns, a blank and its description,
 * line by line, broken at column 80 and then indented below the value; or as
 * JSON. */
#ifndef BENCHTOP_MACHINE_TEXT_H
#define BENCHTOP_MACHINE_TEXT_H

#include "machine.h"
#include "text.h"

void machine_text(const struct machine *, bool json, struct text *);

#endif
