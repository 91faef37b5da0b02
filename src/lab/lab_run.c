/* How the lab moves its runs along. */
#include <stdlib.h>
#include <string.h>

#include "hosts.h"
#include "json.h"
#include "judgement.h"
#include "lab_internal.h"
#include "linked.h"
#include "memo.h"
#include "memory.h"
#include "past.h"
#include "print.h"
#include "tape.h"

/* The command line that would repeat a run. */
static char *line_of(const struct queued *queued)
{
	struct text line = { 0 };

	text_add(&line, "%s %s", queued->abba ? "ab" : "run",
		queued->experiment->name);
	if (queued->abba)
		param_set_ab_line(&queued->args, &line);
	else
		param_set_line(&queued->args, &line);
	param_set_line(&queued->common, &line);
	if (queued->blocked)
		text_add(&line, " --blocked");
	return text_take(&line);
}

int lab_check_line(const struct queued *queued, struct error *error)
{
	_Static_assert((int)TAPE_LINE_MAX <= (int)JSON_STRING_MAX,
		"a session keeps it");
	char *line = line_of(queued);
	size_t length = strlen(line);

	free(line);
	if (length < TAPE_LINE_MAX)
		return 0;
	return error_set(error, STATUS_USAGE,
		"the line of this run of %s has %zu bytes: expected at most "
		"%d, which is what is kept with it; a range such as "
		"4K..512M*4 is short",
		queued->experiment->name, length, TAPE_LINE_MAX - 1);
}

static void report(struct lab *lab, bool kept, const struct error *error)
{
	lab->has_ended = true;
	lab->ended_run = kept;
	lab->version++;
	if (error)
		lab->ended.error = *error;
}

static bool same_values(const struct param_set *args, size_t index,
	const struct results *run, const struct point *point)
{
	struct text text = { 0 };
	bool same = true;

	for (size_t row = 0; row < args->count && same; row++) {
		const char *was = point_value(run, point, args->rows[row].name);

		text_clear(&text);
		param_set_text(args, index, row, &text);
		same = was && !strcmp(was, text_chars(&text));
	}
	text_free(&text);
	return same;
}

/* Does the session hold a point of what is to be run? */
static bool was_measured(const struct lab *lab, const struct queued *queued)
{
	size_t count = param_set_points(&queued->args);

	for (size_t i = 0; i < lab->session->run_count; i++) {
		const struct results *run = lab->session->runs[i];

		if (strcmp(run->experiment, queued->experiment->name))
			continue;
		for (size_t p = 0; p < run->point_count; p++)
			for (size_t k = 0; k < count; k++)
				if (same_values(&queued->args, k, run,
					    &run->points[p]))
					return true;
	}
	return false;
}

static void begin_next(struct lab *lab)
{
	struct queued queued = lab->queue[0];
	struct common common;
	struct error error = { 0 };
	char *line = line_of(&queued);
	struct prediction own = *lab_prediction(lab, queued.experiment);

	/* Said after a result, but not after one of what is run now. */
	own.post_hoc = own.post_hoc && was_measured(lab, &queued);
	memmove(lab->queue, lab->queue + 1,
		--lab->queue_count * sizeof *lab->queue);
	common_values(&queued.common, &common);
	struct run_request request = {
		.experiment = queued.experiment,
		.args = &queued.args,
		.common = &common,
		.budget_asked = queued.budget_asked,
		.abba = queued.abba,
		.blocked = queued.blocked,
		.prediction = own.set ? &own : NULL,
		.facts = lab_facts(lab),
		.line = line,
		.places = &lab->places,
		.clocks = lab->clocks,
		.fork_server = lab->fork_server,
	};
	if (!lab_check_machine(lab, &error))
		lab->run = run_start(&request, &error);
	lab->run_json = queued.json;
	lab->run_of_group = queued.of_group;
	if (!lab->run)
		report(lab, false, &error);
	free(line);
	param_set_free(&queued.args);
	param_set_free(&queued.common);
}

void lab_conclude(struct lab *lab)
{
	struct results *results = run_results(lab->run);

	memo_fill(results);
	run_find(lab->run);
	session_add_run(lab->session, results);
	lab_autosave(lab);
	if (lab->autosave && !lab->autosave_why)
		past_add(lab->session, results);
	text_clear(&lab->ended.text);
	if (lab->run_json) {
		session_write_run(results, &lab->ended.text);
	} else {
		print_results(results, &lab->ended.text);
		print_judgement(results, lab_machine(lab), &lab->ended.text);
	}
}

/* Who named an experiment asked for figures; a script must not pass without
 * them. The first reason stands for all. */
static void say_unavailable(const struct results *results, struct error *error)
{
	const char *why = results->points[0].why;

	error_set(error, STATUS_PERMISSION, "%s is unavailable here: %s",
		results->experiment, why ? why : "no point of it can be run");
}

/* Kept, saved and put in words; the run goes, and what it has to say comes. */
static void end_run(struct lab *lab)
{
	struct error error = { .status = run_status(lab->run) };
	struct results *results = run_take(lab->run);

	hosts_remember(results);
	run_close(lab->run, lab->autosave_why != NULL || !lab->autosave);
	lab->run = NULL;
	if (results->state == RUN_FAILED)
		error_set(&error, error.status, "%s: %s", results->experiment,
			results->error);
	else if (error.status)
		error_set(&error, error.status,
			"%s: stopped; what was measured is kept",
			results->experiment);
	else if (results->stopped.reason == STOP_UNAVAILABLE &&
		!lab->run_of_group)
		say_unavailable(results, &error);
	report(lab, true, &error);
}

/* The run is over. */
static void close_run(struct lab *lab)
{
	lab_keep_packets(lab, run_results(lab->run));
	/* What a child would find out for itself alone. */
	lab_machine(lab);
	lab_claim_autosave(lab);
	if (closing_is_worth_it(lab) && closing_start(lab))
		return;
	lab_conclude(lab);
	end_run(lab);
}

static void go_on_closing(struct lab *lab)
{
	bool good;

	if (!closing_step(lab, &good))
		return;
	lab->version++;
	if (good)
		session_add_run(lab->session, run_results(lab->run));
	else
		lab_conclude(lab);
	end_run(lab);
}

void lab_step(struct lab *lab)
{
	if (lab->examination.stage != EXAMINE_NOTHING) {
		lab->has_ended = examine_step(lab, &lab->ended);
		lab->ended_run = false;
		lab->version++;
		return;
	}
	if (lab->annotation.capture) {
		lab->has_ended = annotation_step(&lab->annotation, &lab->ended);
		lab->ended_run = false;
		lab->version++;
		return;
	}
	if (lab->linked) {
		lab->has_ended = linked_step(lab, &lab->ended);
		lab->ended_run = false;
		lab->version++;
		return;
	}
	if (!lab->run && lab->queue_count && !lab->has_ended)
		begin_next(lab);
	if (!lab->run)
		return;
	if (lab->closing.child.pid) {
		go_on_closing(lab);
		return;
	}
	run_step(lab->run);
	lab->version++;
	if (run_over(lab->run))
		close_run(lab);
}
