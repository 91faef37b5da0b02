/* Two settings that are one, measured in turns. */
#include "noise_floor.h"

#include <math.h>

#include "compare_sessions.h"
#include "lab.h"
#include "run.h"

static const struct {
	const char *experiment, *name, *value;
} pairs[NOISE_PAIRS] = {
	{ "cpu.loop", "count", "1024" },
	{ "cpu.syscall", "call", "getppid" },
};

enum { LAUNCHES = 6 };
static const int64_t budget_ns = 700000000;

/* The parameters of a pair: one value of one row, twice. */
static int read_pair(const struct experiment *experiment, size_t pair,
	struct param_set *set)
{
	const struct param *row =
		param_row(experiment->params, pairs[pair].name);
	struct error error;

	param_set_init(set, experiment->params);
	if (!row ||
		param_set_values(set, pairs[pair].name, pairs[pair].value,
			&error))
		return -1;
	param_set_twice(set, row);
	return 0;
}

/* NULL: it cannot be run. */
static struct run *begin(struct lab *lab, size_t pair)
{
	const struct experiment *experiment =
		registry_find(&lab->registry, pairs[pair].experiment);
	struct param_set set;
	struct common common;
	struct error error;
	struct run *run = NULL;

	if (!experiment)
		return NULL;
	common_values(&lab->common, &common);
	common.launches = LAUNCHES;
	common.trials = PARAM_AUTO;
	common.budget_ns = budget_ns;
	if (!read_pair(experiment, pair, &set)) {
		const struct run_request request = {
			.experiment = experiment,
			.args = &set,
			.common = &common,
			.budget_asked = true,
			.abba = true,
			.facts = lab_facts(lab),
			.line = "doctor",
			.places = &lab->places,
			.clocks = lab->clocks,
			.fork_server = lab->fork_server,
		};

		run = run_start(&request, &error);
	}
	param_set_free(&set);
	return run;
}

/* What a pair came to: its first metric that was tested. */
static void keep(struct noise_floor *floor, const struct results *results)
{
	struct compare_pair pair;
	struct noise_facts *noise = &floor->facts[floor->count];

	if (results->point_count != 2)
		return;
	*noise = (struct noise_facts){
		.experiment = pairs[floor->pair].experiment,
		.visible = NAN,
	};
	floor->count++;
	compare_points(results, 0, 1, &pair);
	if (pair.row_count && pair.rows[0].basis == COMPARE_LAUNCHES) {
		const struct compare_row *row = &pair.rows[0];

		noise->visible = row->visible;
		noise->found = row->ratio - 1;
		noise->told_apart = row->holds &&
			(row->verdict == VERDICT_FASTER ||
				row->verdict == VERDICT_SLOWER);
	}
	compare_pair_free(&pair);
}

bool noise_floor_step(struct noise_floor *floor, struct lab *lab)
{
	if (!floor->run) {
		if (floor->pair == NOISE_PAIRS)
			return true;
		floor->run = begin(lab, floor->pair);
		if (!floor->run)
			floor->pair++;
		return false;
	}
	run_step(floor->run);
	if (!run_over(floor->run))
		return false;
	struct results *results = run_take(floor->run);
	keep(floor, results);
	results_free(results);
	run_close(floor->run, false);
	floor->run = NULL;
	floor->pair++;
	return false;
}

void noise_floor_abandon(struct noise_floor *floor)
{
	run_close(floor->run, false);
	floor->run = NULL;
}
