/* The parts of a variance, by the analysis of variance. */
#include "split.h"

#include <math.h>
#include <stdbool.h>

/* A group of adjacent values: of a run, of a machine, or all. */
struct group {
	double count, sum;
};

/* Over all groups of one kind: their number, and the sum of their squared sums
 * over their counts. */
struct level {
	double groups, squares;
};

static double square_over_count(struct group group)
{
	return group.count > 0 ? group.sum * group.sum / group.count : 0;
}

static void close_group(struct group *group, struct level *level)
{
	level->groups++;
	level->squares += square_over_count(*group);
	*group = (struct group){ 0 };
}

static double least_0(double estimate)
{
	return estimate < 0 ? 0 : estimate;
}

struct split split_of(const struct split_value *values, size_t count)
{
	struct group all = { 0 }, machine = { 0 }, run = { 0 };
	struct level machines = { 0 }, runs = { 0 };
	/* Sums of squared numbers of values: of each run in all, of each run in
	 * its machine, of each machine in all. */
	double run_all = 0, run_machine = 0, machine_all = 0, of_runs = 0;
	double squares = 0;

	for (size_t i = 0; i < count; i++) {
		double value = values[i].value - values[0].value;
		bool last = i + 1 == count;
		bool ends = last || values[i + 1].machine != values[i].machine;

		squares += value * value;
		all.count++;
		all.sum += value;
		machine.count++;
		machine.sum += value;
		run.count++;
		run.sum += value;
		if (ends || values[i + 1].run != values[i].run) {
			of_runs += run.count * run.count;
			close_group(&run, &runs);
		}
		if (ends) {
			run_all += of_runs;
			run_machine += of_runs / machine.count;
			machine_all += machine.count * machine.count;
			of_runs = 0;
			close_group(&machine, &machines);
		}
	}
	struct split split = { NAN, NAN, NAN };
	double n = all.count, free_launches = n - runs.groups;
	double free_runs = runs.groups - machines.groups;
	double free_machines = machines.groups - 1;

	if (free_launches > 0)
		split.launch = least_0(squares - runs.squares) / free_launches;
	if (free_launches > 0 && free_runs > 0)
		split.run = least_0((runs.squares - machines.squares -
					    free_runs * split.launch) /
			(n - run_machine));
	double of_run = free_runs > 0 ? split.run : 0;
	if (free_launches > 0 && free_machines > 0)
		split.machine = least_0((machines.squares -
						square_over_count(all) -
						free_machines * split.launch -
						(run_machine - run_all / n) *
							of_run) /
			(n - machine_all / n));
	return split;
}
