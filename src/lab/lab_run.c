/* How the lab moves its runs along. */
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "linked.h"
#include "memory.h"
#include "print.h"

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
	return text_take(&line);
}

static void report(struct lab *lab, bool kept, const struct error *error)
{
	lab->has_ended = true;
	lab->ended_run = kept;
	lab->version++;
	if (error)
		lab->ended.error = *error;
}

static void begin_next(struct lab *lab)
{
	struct queued queued = lab->queue[0];
	struct common common;
	struct error error = { 0 };
	char *line = line_of(&queued);
	const struct prediction *own = lab_prediction(lab, queued.experiment);

	memmove(lab->queue, lab->queue + 1,
		--lab->queue_count * sizeof *lab->queue);
	common_values(&queued.common, &common);
	struct run_request request = {
		.experiment = queued.experiment,
		.args = &queued.args,
		.common = &common,
		.budget_asked = queued.budget_asked,
		.abba = queued.abba,
		.prediction = own->set ? own : NULL,
		.facts = lab_facts(lab),
		.line = line,
		.places = &lab->places,
		.clocks = lab->clocks,
	};
	if (!lab_check_machine(lab, &error))
		lab->run = run_start(&request, &error);
	lab->run_json = queued.json;
	if (!lab->run)
		report(lab, false, &error);
	free(line);
	param_set_free(&queued.args);
	param_set_free(&queued.common);
}

/* The run is over: keep it, save it, say it. */
static void end_run(struct lab *lab)
{
	struct error error = { .status = run_status(lab->run) };
	struct results *results = run_take(lab->run);
	size_t saved = lab->session->run_count;

	session_add_run(lab->session, results);
	lab_autosave(lab);
	run_close(lab->run, lab->autosave_why != NULL || !lab->autosave);
	lab->run = NULL;
	text_clear(&lab->ended.text);
	if (lab->run_json)
		session_write_run(lab->session->runs[saved], &lab->ended.text);
	else
		print_results(results, &lab->ended.text);
	if (results->state == RUN_FAILED)
		error_set(&error, error.status, "%s: %s", results->experiment,
			results->error);
	else if (error.status)
		error_set(&error, error.status,
			"%s: stopped; what was measured is kept",
			results->experiment);
	report(lab, true, &error);
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
		lab->version += lab->has_ended;
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
	run_step(lab->run);
	lab->version++;
	if (run_over(lab->run))
		end_run(lab);
}
