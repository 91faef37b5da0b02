/* The last line of a command that measured. It shows where the results are kept
 * and which commands use them. */
#ifndef BENCHTOP_NEXT_H
#define BENCHTOP_NEXT_H

#include "lab.h"

/* "kept as session 14      next: benchtop report -o x.html | -v for all". Adds
 * nothing if no result was printed as text, or if the session is not kept. */
void say_next(const struct lab *, struct text *);

#endif
