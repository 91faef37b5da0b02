/* The heat map of a fleet as SVG (plot.h): machines down, series across. */
#ifndef BENCHTOP_PLOT_FLEET_H
#define BENCHTOP_PLOT_FLEET_H

#include "fleet_sessions.h"

/* The rows and columns to draw: indices of machines and of series. */
struct plot_fleet {
	const struct fleet_sessions *sessions;
	const size_t *machines, *series;
	size_t machine_count, series_count;
};

/* The first three columns are the kinds overall, scatter and surroundings; the
 * series follow, numbered from 1. The shade is the ratio to the median of the
 * compared machines. A cross marks an outlier. */
void plot_fleet(const struct plot_fleet *, struct text *svg);

#endif
