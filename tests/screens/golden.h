/* Golden grids of a screen in every size: golden/VIEW-SIZE.txt, the letters of
 * every tier and below them the roles, which are the same in all.
 * UPDATE_GOLDEN=1 writes them anew. */
#ifndef BENCHTOP_SCREENS_GOLDEN_H
#define BENCHTOP_SCREENS_GOLDEN_H

#include "fixture.h"

void golden(struct screen *screen, const char *view);

#endif
