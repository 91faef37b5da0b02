/*
 * The rows of the screens, for ui.c alone: whatever else wants a screen finds
 * it by views.h, which knows none of them.
 */
#ifndef BENCHTOP_VIEW_TABLE_H
#define BENCHTOP_VIEW_TABLE_H

#include "views.h"

extern const struct view view_table[VIEWS];

#endif
