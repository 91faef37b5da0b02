/* A history as SVG (plot.h). */
#ifndef BENCHTOP_PLOT_HISTORY_H
#define BENCHTOP_PLOT_HISTORY_H

#include "run_history.h"

enum { PLOT_HISTORY_INTERVALS = 300, PLOT_HISTORY_RUNS = 4000 };

/* A dot per counted run and a small cross for every other; intervals of at most
 * PLOT_HISTORY_INTERVALS runs, a line along each level, a dashed border at each
 * change. Of more than
 * PLOT_HISTORY_RUNS runs the last are drawn. The canary and the memory ruler
 * have lower plots. */
void plot_history(const struct history *, enum history_what, struct text *svg);

#endif
