/* Shared by the tests of quantities. */
#ifndef BENCHTOP_QUANTITY_H
#define BENCHTOP_QUANTITY_H

#include <string.h>

#include "check.h"
#include "unit.h"

double parsed(enum unit unit, const char *text);
int64_t parsed_whole(enum unit unit, const char *text);

#endif
