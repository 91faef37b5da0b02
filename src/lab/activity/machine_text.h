/* A machine as text or as JSON. A line of text has a name in twelve columns, a
 * blank and the value. Long values continue on the next line, below the
 * value. */
#ifndef BENCHTOP_MACHINE_TEXT_H
#define BENCHTOP_MACHINE_TEXT_H

#include "machine.h"
#include "text.h"

void machine_text(const struct machine *, bool json, struct text *);

#endif
