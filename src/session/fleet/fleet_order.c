/* The order in which a fleet is shown. */
#include <stdlib.h>

#include "fleet_sessions.h"
#include "memory.h"

/* The indices below `count`, those with `first` before the others. */
static void put_first(const bool *first, size_t count, size_t *order)
{
	size_t at = 0;

	for (int rest = 0; rest < 2; rest++)
		for (size_t i = 0; i < count; i++)
			if (first[i] != rest)
				order[at++] = i;
}

void fleet_order_find(const struct fleet_sessions *sessions,
	struct fleet_order *order)
{
	size_t machines = sessions->machine_count;
	size_t series = sessions->series_count;
	bool *machine = xcalloc(machines + 1, sizeof *machine);
	bool *column = xcalloc(series + 1, sizeof *column);

	order->machines = xcalloc(machines + 1, sizeof *order->machines);
	order->series = xcalloc(series + 1, sizeof *order->series);
	for (size_t i = 0; i < sessions->fleet.outlier_count; i++) {
		const struct fleet_outlier *outlier =
			&sessions->fleet.outliers[i];

		machine[outlier->machine] = true;
		if (outlier->kind == FLEET_SERIES)
			column[outlier->series] = true;
	}
	put_first(machine, machines, order->machines);
	put_first(column, series, order->series);
	free(machine);
	free(column);
}

void fleet_order_free(struct fleet_order *order)
{
	free(order->machines);
	free(order->series);
	*order = (struct fleet_order){ 0 };
}
