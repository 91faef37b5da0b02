/* Runs of the real engine in this process. */
#include "engine.h"

#include <poll.h>
#include <stdlib.h>

#include "digest.h"

static struct clock_cache clocks;
struct facts facts;

void give_up(const char *why)
{
	printf("FAILED: %s\n", why);
	remove_tape_folder(NULL);
	exit(FAILED);
}

struct results *measured_as(const struct experiment *experiment,
	const char *words, int64_t launches, int64_t trials, bool in_turns)
{
	struct error error = { 0 };
	struct param_set set;
	struct common common = { .cpu = place.cpu,
		.launches = launches,
		.trials = trials,
		.precision = .01,
		.budget_ns = 60000000000,
		.seed = PARAM_AUTO };
	struct run_request request = { .experiment = experiment,
		.args = &set,
		.common = &common,
		.budget_asked = true,
		.abba = in_turns,
		.facts = &facts,
		.line = "run",
		.places = &places,
		.clocks = &clocks };
	char copy[200], *rest = NULL;

	param_set_init(&set, experiment->params);
	snprintf(copy, sizeof copy, "%s", words);
	for (char *word = strtok_r(copy, " ", &rest); word;
		word = strtok_r(NULL, " ", &rest)) {
		char *value = strchr(word, '=');

		*value++ = '\0';
		if (param_set_values(&set, word, value, &error))
			give_up(error.message);
		if (in_turns && param_set_points(&set) == 1)
			param_set_twice(&set, param_row(set.rows, word));
	}
	struct run *run = run_start(&request, &error);
	param_set_free(&set);
	if (!run)
		give_up(error.message);
	while (!run_over(run)) {
		struct pollfd ended = { run_descriptor(run), POLLIN, 0 };

		poll(&ended, 1, 100);
		run_step(run);
	}
	run_find(run);
	struct results *results = run_take(run);
	run_close(run, false);
	if (results->state != RUN_DONE)
		give_up(results->error ? results->error : "not done");
	return results;
}

struct results *measured(const struct experiment *experiment, const char *words,
	int64_t launches, int64_t trials)
{
	return measured_as(experiment, words, launches, trials, false);
}

struct digest figures(const struct results *results, const struct point *point,
	unsigned metric, struct attempt *attempt)
{
	struct digest digest;

	if (!digest_of(results, point, metric, &digest))
		give_up("no trial");
	if (digest.shared > loud_most || digest.excluded > loud_most ||
		digest.regime == REGIME_SHARED ||
		digest.quality == QUALITY_NOT_ENOUGH)
		noise(attempt,
			"%.0f %% of the trials shared the core, %.0f %% were "
			"excluded: %s",
			digest.shared * 100, digest.excluded * 100,
			quality_word(digest.quality));
	return digest;
}

void canary_range_add(struct canary_range *range, const struct results *results)
{
	const struct point *point = &results->points[0];

	for (size_t i = 0; i < point->visit_count; i++) {
		double usual = point->visits[i].usual;

		if (!(usual > 0))
			continue;
		if (!(range->least > 0) || usual < range->least)
			range->least = usual;
		range->most = fmax(range->most, usual);
	}
}

void expect_one_frequency(const struct canary_range *range,
	struct attempt *attempt)
{
	double moved = range->most / range->least - 1;

	if (moved > .01)
		noise(attempt, "the core's frequency moved by %.1f %%",
			moved * 100);
}

int run_engine_checks(const struct check *checks, size_t count)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (make_tape_folder(NULL))
		return FAILED;
	int worst = run_checks(checks, count);
	remove_tape_folder(NULL);
	return worst;
}
