/* The analysis of a fleet, private to fleet.c and fleet_series.c. */
#ifndef BENCHTOP_FLEET_INTERNAL_H
#define BENCHTOP_FLEET_INTERNAL_H

#include "fleet.h"

/* The figures in the order of machines within each series. */
struct analysis {
	struct fleet *fleet;
	double expected;
	const size_t *groups; /* NULL: all are alike */
	struct fleet_figure *figures;
	size_t figure_count;
	struct fleet_outlier *tests; /* all, with their p */
	size_t test_count;
	bool *tested;   /* per cell of the fleet: by a test of its series */
	double *shifts; /* of group g in series s at [g * series_count + s]:
			 * its median over the fleet's; NaN: no figure */
	/* Per machine, of logarithms of scatter: sums, relative to the compared
	 * machines and to the fleet, and their number. */
	double *sums, *fleet_sums;
	size_t *counts;
};

static inline size_t fleet_group_of(const struct analysis *analysis,
	size_t machine)
{
	return analysis->groups ? analysis->groups[machine] : 0;
}

static inline size_t fleet_cell(const struct fleet *fleet, size_t machine,
	size_t series)
{
	return machine * fleet->series_count + series;
}

/* Are the machines of a group compared with each other only? */
static inline bool fleet_is_large(const struct analysis *analysis, size_t group)
{
	return analysis->fleet->groups[group].machines >= FLEET_LEAST;
}

void fleet_add_test(struct analysis *, struct fleet_outlier);
/* Analyses the figures first .. next - 1, all those of one series. */
void fleet_analyse_series(struct analysis *, size_t first, size_t next);

#endif
