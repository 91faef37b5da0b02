/*
 * The manual page: a roff text (man macros) made from the tables of verbs,
 * options, parameters and experiments, so that it cannot say less or more
 * than the program does. The build stores it as benchtop.1, to be installed.
 */
#ifndef BENCHTOP_MANUAL_H
#define BENCHTOP_MANUAL_H

#include "text.h"

struct lab;

void manual_write(const struct lab *, struct text *);

#endif
