/*
 * A finding by its name.
 */
#ifndef BENCHTOP_TESTS_NAMED_H
#define BENCHTOP_TESTS_NAMED_H

#include "results.h"

/* The first with this name; NULL: none. */
const struct finding *finding_named(const struct findings *, const char *name);

#endif
