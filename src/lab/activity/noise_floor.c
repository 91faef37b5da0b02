/* The noise floor: one setting against itself, measured in alternation. */
#include "noise_floor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare_sessions.h"
#include "lab.h"
#include "run.h"

enum { LAUNCHES = 6 };
static const int64_t budget_ns = 700000000;

/* The experiment of a pair; NULL: there are no more pairs. */
static const struct experiment *experiment_of(const struct registry *registry,
	size_t pair)
{
	for (size_t i = 0; i < registry->count; i++)
		if (registry->list[i]->noise && !pair--)
			return registry->list[i];
	return NULL;
}

/* Parses the setting of a pair: one value of one parameter, given twice. */
static int read_pair(const struct experiment *experiment, struct param_set *set)
{
	const char *value = strchr(experiment->noise, '=');
	struct error error;
	char name[32];

	param_set_init(set, experiment->params);
	if (!value)
		return -1;
	snprintf(name, sizeof name, "%.*s", (int)(value - experiment->noise),
		experiment->noise);
	const struct param *row = param_row(experiment->params, name);
	if (!row || param_set_values(set, name, value + 1, &error))
		return -1;
	param_set_twice(set, row);
	return 0;
}

/* NULL: the experiment cannot run. */
static struct run *begin(struct lab *lab, const struct experiment *experiment)
{
	struct param_set set;
	struct common common;
	struct error error;
	struct run *run = NULL;

	common_values(&lab->common, &common);
	common.launches = LAUNCHES;
	common.trials = PARAM_AUTO;
	common.budget_ns = budget_ns;
	if (!read_pair(experiment, &set)) {
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
			.executes = lab->executes,
		};

		run = run_start(&request, &error);
	}
	param_set_free(&set);
	return run;
}

/* Keeps a pair's result: its first metric, if that was tested. */
static void keep(struct noise_floor *floor, const struct results *results)
{
	struct compare_pair pair;
	struct noise_facts *noise = &floor->facts[floor->count];

	if (results->point_count != 2)
		return;
	*noise = (struct noise_facts){
		.experiment = results->descriptor->name,
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
		const struct experiment *experiment =
			experiment_of(&lab->registry, floor->pair);

		if (!experiment || floor->pair == NOISE_PAIRS)
			return true;
		floor->run = begin(lab, experiment);
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
