/*
 * The rows of the views, only for ui.c. Other code finds views through views.h,
 * which does not depend on any view.
 */
#ifndef BENCHTOP_VIEW_TABLE_H
#define BENCHTOP_VIEW_TABLE_H

#include "views.h"

extern const struct view view_table[VIEWS];

#endif
