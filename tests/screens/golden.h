/* Golden grids of a screen in every size, in golden/VIEW-SIZE.txt: the letters
 * of the first tier; of each further tier the rows that differ by more than its
 * glyphs (test_glyphs) from the tier above, behind their numbers; the roles,
 * which are the same in all. UPDATE_GOLDEN=1 writes the files again. */
#ifndef BENCHTOP_SCREENS_GOLDEN_H
#define BENCHTOP_SCREENS_GOLDEN_H

#include "fixture.h"

void golden(struct screen *screen, const char *view);

#endif
