/* The queue of runs, and the activity that measures one run. */
#include "run_queue.h"

#include <stdlib.h>
#include <string.h>

#include "activity.h"
#include "digest.h"
#include "finish_child.h"
#include "hosts.h"
#include "json.h"
#include "memory.h"
#include "past.h"
#include "print_results.h"
#include "read_again.h"
#include "tape.h"

/* The command line that repeats a run. */
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

int run_check_line(const struct queued *queued, struct error *error)
{
	_Static_assert((int)TAPE_LINE_MAX <= (int)JSON_STRING_MAX,
		"a session holds every tape line");
	char *line = line_of(queued);
	size_t length = strlen(line);

	free(line);
	if (length < TAPE_LINE_MAX)
		return 0;
	return error_set(error, STATUS_USAGE,
		"the line of this run of %s has %zu bytes: expected at most "
		"%d; use a range such as 4K..512M*4",
		queued->experiment->name, length, TAPE_LINE_MAX - 1);
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

/* Does the session have a result for any point of this queued run? */
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

/* State of the activity that measures a run. */
struct measuring {
	struct finish_child finish;
	bool json;     /* the reply is JSON */
	bool verbose;  /* the reply shows everything */
	bool of_group; /* the user did not name the experiment */
};

void run_conclude(struct lab *lab)
{
	const struct measuring *measuring = lab->doing;
	struct results *results = run_results(lab->run);
	struct text_layout layout = lab->layout;

	layout.verbose |= measuring->verbose;
	results_keep_figures(results);
	run_find(lab->run);
	session_add_run(lab->session, results);
	lab_autosave_unnamed(lab);
	if (lab->autosave && !lab->autosave_why)
		past_add(lab->session, results);
	text_clear(&lab->ended.text);
	if (measuring->json) {
		session_write_run(results, &lab->ended.text);
	} else {
		/* An empty line separates the results of one command. */
		if (lab->printed_results)
			text_add_char(&lab->ended.text, '\n');
		print_results(results, lab_machine(lab), &layout,
			&lab->ended.text);
	}
}

/* A user who names an experiment needs its figures, so the script must fail
 * without them. The first point's reason is shown for all. */
static void say_unavailable(const struct results *results, struct error *error)
{
	const char *why = results->points[0].why;

	error_set(error, STATUS_PERMISSION, "%s is unavailable here: %s",
		results->experiment, why ? why : "no point can run");
}

static bool has_trials(const struct point *point)
{
	for (size_t v = 0; v < point->visit_count; v++)
		if (point->visits[v].trials)
			return true;
	return false;
}

/* True for a run that was stopped before its first trial. */
static bool is_empty(const struct results *results)
{
	for (size_t i = 0; i < results->point_count; i++)
		if (has_trials(&results->points[i]))
			return false;
	return results->state == RUN_STOPPED;
}

static void drop_run(struct lab *lab, struct reply *reply)
{
	const struct measuring *measuring = lab->doing;

	reply->error.status = STATUS_INTERRUPTED;
	text_clear(&reply->text);
	if (!measuring->json)
		text_add(&reply->text,
			"%s: stopped before its first trial, nothing is kept\n",
			run_results(lab->run)->experiment);
	run_close(lab->run, false);
	lab->run = NULL;
}

/* Releases the run. Its results are in the saved session. */
static void end_run(struct lab *lab, struct error *error)
{
	const struct measuring *measuring = lab->doing;
	enum status status = run_status(lab->run);
	struct results *results = run_take(lab->run);

	*error = (struct error){ .status = status };
	lab_autosave_name(lab);
	hosts_remember(results);
	bool saved = lab->autosave && !lab->autosave_why;
	lab->left_tapes |= !saved;
	run_close(lab->run, !saved);
	lab->run = NULL;
	lab->ended_run = true;
	lab->printed_results |= !measuring->json;
	lab->printed_short |= !measuring->json && !measuring->verbose;
	if (results->state == RUN_FAILED)
		error_set(error, status, "%s: %s", results->experiment,
			results->error);
	else if (status)
		error_set(error, status, "%s: stopped; the data measured so "
			"far is kept",
			results->experiment);
	else if (results->stopped.reason == STOP_UNAVAILABLE &&
		!measuring->of_group)
		say_unavailable(results, error);
}

/* True once the run is finished; false if a child finishes it. */
static bool finish(struct lab *lab)
{
	struct measuring *measuring = lab->doing;

	lab_keep_packets(lab, run_results(lab->run));
	/* Do this before the fork, since the child's changes to the lab are
	 * lost. */
	lab_machine(lab);
	lab_autosave_yield(lab);
	if (finish_child_pays(lab) &&
		finish_child_start(&measuring->finish, lab))
		return false;
	run_conclude(lab);
	return true;
}

/* True once the child that finishes the run has ended. */
static bool finished(struct lab *lab)
{
	struct measuring *measuring = lab->doing;
	enum finish_end end = finish_child_step(&measuring->finish, lab);

	if (end == FINISH_NOT_YET)
		return false;
	if (end == FINISH_GOOD) {
		session_add_run(lab->session, run_results(lab->run));
		return true;
	}
	if (end == FINISH_LATE)
		lab_autosave_end(lab, FINISH_MOST_MS / 1000);
	run_conclude(lab);
	return true;
}

static bool step(struct lab *lab, struct reply *reply)
{
	const struct measuring *measuring = lab->doing;
	bool over;

	if (measuring->finish.child.pid) {
		over = finished(lab);
	} else {
		run_step(lab->run);
		over = run_over(lab->run);
		if (over && is_empty(run_results(lab->run))) {
			drop_run(lab, reply);
			return true;
		}
		over = over && finish(lab);
	}
	if (over)
		end_run(lab, &reply->error);
	return over;
}

static int descriptor(const struct lab *lab)
{
	const struct measuring *measuring = lab->doing;
	const struct child *child = &measuring->finish.child;

	return child->pid ? child->pidfd : run_descriptor(lab->run);
}

static void stop(struct lab *lab)
{
	run_stop(lab->run);
}

static void cut(struct lab *lab)
{
	run_cut(lab->run);
}

static void abandon(struct lab *lab)
{
	struct measuring *measuring = lab->doing;

	finish_child_abandon(&measuring->finish);
	free(measuring);
	run_close(lab->run, true);
	lab->run = NULL;
}

static const struct activity activity = {
	.step = step,
	.descriptor = descriptor,
	.stop = stop,
	.cut = cut,
	.abandon = abandon,
};

/* ---- the queue -------------------------------------------------------- */

static void begin(struct lab *lab, const struct queued *queued)
{
	struct measuring *measuring = xcalloc(1, sizeof *measuring);
	struct prediction own = *lab_prediction(lab, queued->experiment);
	char *line = line_of(queued);
	struct common common;

	/* A prediction is post hoc only if the session already has a result for
	 * one of these points. */
	own.post_hoc = own.post_hoc && was_measured(lab, queued);
	common_values(&queued->common, &common);
	const struct run_request request = {
		.experiment = queued->experiment,
		.args = &queued->args,
		.common = &common,
		.budget_asked = queued->budget_asked,
		.abba = queued->abba,
		.blocked = queued->blocked,
		.prediction = own.set ? &own : NULL,
		.facts = lab_facts(lab),
		.line = line,
		.places = &lab->places,
		.clocks = lab->clocks,
		.executes = lab->executes,
	};
	measuring->json = queued->json;
	measuring->verbose = queued->verbose;
	measuring->of_group = queued->of_group;
	lab_begin(lab, &activity, measuring);
	if (!lab_check_machine(lab, &lab->ended.error))
		lab->run = run_start(&request, &lab->ended.error);
	if (!lab->run)
		lab_activity_over(lab);
	free(line);
}

static void begin_next(struct lab *lab)
{
	struct queued queued = lab->queue[0];

	memmove(lab->queue, lab->queue + 1,
		--lab->queue_count * sizeof *lab->queue);
	begin(lab, &queued);
	param_set_free(&queued.args);
	param_set_free(&queued.common);
}

void lab_step(struct lab *lab)
{
	if (lab_can_begin(lab))
		begin_next(lab);
	read_again_step(lab);
	if (!lab->activity)
		return;
	lab->version++;
	if (lab->activity->step(lab, &lab->ended))
		lab_activity_over(lab);
}
