/* Golden grids of a screen in every size, in golden/VIEW-SIZE.txt. A file has
 * the characters of the first tier. For each further tier it has the numbers
 * and contents of the rows that differ from the tier above by more than its
 * glyphs (test_glyphs). Roles are the same in all tiers and stored once; a row
 * without roles has those of the row above.
 *
 * golden.c lists views that are another view with a few rows changed. Their
 * files have only the rows that differ from the file of that other view.
 * Contents that only grow with the screen have no file of the largest size,
 * other files of that size have only the first tier; test_r06 draws all.
 *
 * UPDATE_GOLDEN=1 rewrites the files. Run it twice if a view changes to which
 * others refer. */
#ifndef BENCHTOP_SCREENS_GOLDEN_H
#define BENCHTOP_SCREENS_GOLDEN_H

#include "fixture.h"

void golden(struct screen *screen, const char *view);

#endif
