/*
 * The manual page: a roff text (man macros) made from the tables of verbs,
 * options, parameters and experiments, so that it cannot say less or more
 * than the program does. assets/man/benchtop.1 is what it was when stored; a
 * test compares.
 */
#ifndef BENCHTOP_MANUAL_H
#define BENCHTOP_MANUAL_H

#include "text.h"

struct lab;

void manual_write(const struct lab *, struct text *);

#endif
