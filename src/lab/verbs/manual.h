/*
 * The manual page: a roff text (man macros) generated from the tables of verbs,
 * options, parameters and experiments, so that it matches the program. The
 * build stores it as benchtop.1, to be installed.
 */
#ifndef BENCHTOP_MANUAL_H
#define BENCHTOP_MANUAL_H

#include "text.h"

struct lab;

void manual_write(const struct lab *, struct text *);

#endif
