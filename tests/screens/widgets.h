/* A grid for drawing widgets. */
#ifndef BENCHTOP_SCREENS_WIDGETS_H
#define BENCHTOP_SCREENS_WIDGETS_H

#include "fixture.h"

extern struct grid grid;

struct pane fresh(int columns, int rows, enum tier tier);
char *dumped(void);
int free_grid(void **state);
double draw(uint32_t *seed, double least, double most);
int count_role(enum role role);

#endif
