/* The verbs `doctor`, `machine` and `summary`. */
#include <string.h>

#include "digest.h"
#include "doctor_run.h"
#include "machine_text.h"
#include "print_summary.h"
#include "subject.h"
#include "verbs.h"

static const char *const json_option[] = { "--json", NULL };
static const char *const doctor_options[] = { "--json", call_verbose_option,
	NULL };
static const char *const fixes[] = { "fixes", NULL };

static int check_doctor(const struct call *call, struct error *error)
{
	if (!call->count || !strcmp(call->arg[0], "fixes"))
		return 0;
	error_set(error, STATUS_USAGE,
		"`doctor` expected 'fixes' or no argument, not %s",
		text_quoted(call->arg[0]).chars);
	return call_fault(call, 0, 0, error);
}

static enum outcome exec_doctor(const struct call *call, struct reply *reply)
{
	if (lab_busy(call->lab))
		return reply_fail(reply, STATUS_USAGE,
			"the doctor cannot check during a run: stop the run "
			"first");
	const struct doctor_request request = {
		.reply = call->count ? DOCTOR_FIXES : DOCTOR_TABLE,
		.json = call_option(call, "--json") != NULL,
		.verbose = call_layout(call).verbose,
	};
	if (doctor_run(call->lab, &request, &reply->error))
		return OUTCOME_FAILED;
	return OUTCOME_WAIT;
}

static enum outcome exec_machine(const struct call *call, struct reply *reply)
{
	struct lab *lab = call->lab;
	const struct doctor_request request = {
		.reply = DOCTOR_MACHINE,
		.json = call_option(call, "--json") != NULL,
	};

	/* Measure the siblings first. Skip that during a run, which needs the
	 * machine, and on a screen, where the doctor does it. */
	if (!lab->screen && !lab_busy(lab) &&
		!doctor_run(lab, &request, &reply->error))
		return OUTCOME_WAIT;
	machine_text(lab_machine(lab), request.json, &reply->text);
	return OUTCOME_DONE;
}

static const char megabytes_option[] = "--MB", megahertz_option[] = "--MHz";
static const char *const summary_options[] = { megabytes_option,
	megahertz_option, call_session_option, NULL };

/* `summary NAME FIGURE`: reads the figure. The caller frees its conditions. */
static int read_figure(const struct call *call, struct subject *subject,
	struct error *error)
{
	struct call figure = *call;

	figure.arg++;
	figure.index++;
	figure.count--;
	return subject_read(&figure, subject, error);
}

static int check_summary(const struct call *call, struct error *error)
{
	struct subject subject = { 0 };
	int failed = call->count > 1 && read_figure(call, &subject, error);
	enum unit unit = subject.metric ? subject.metric->unit : UNIT_NONE;

	conditions_free(&subject.conditions);
	if (failed)
		return failed;
	if (call_option(call, megabytes_option) && unit != UNIT_BITS_PER_S &&
		unit != UNIT_BYTES_PER_S)
		return error_set(error, STATUS_USAGE,
			"%s expected a figure in bytes or bits per second",
			megabytes_option);
	if (call_option(call, megahertz_option) && unit != UNIT_HZ)
		return error_set(error, STATUS_USAGE, "%s expected a frequency",
			megahertz_option);
	return 0;
}

/* The latest point of the session that has the figure, else one that lacks it,
 * or NULL. */
static const struct point *find_figure(const struct facts *facts,
	const struct subject *subject, const struct results **of, int *metric)
{
	const struct point *found = NULL;
	struct digest digest;

	for (size_t r = facts->earlier_count; r-- > 0;) {
		const struct results *results = facts->earlier[r];
		int row = results_metric(results, subject->metric->name);

		if (row < 0 || strcmp(results->experiment,
				       subject->experiment->name) != 0)
			continue;
		for (size_t i = 0; i < results->point_count; i++) {
			const struct point *point = &results->points[i];

			if (!subject_matches(subject, results, point))
				continue;
			*of = results;
			*metric = row;
			found = point;
			if (point->state == POINT_OK &&
				digest_of(results, point, (unsigned)row,
					&digest))
				return point;
		}
	}
	return found;
}

static enum outcome exec_row(const struct call *call, struct reply *reply)
{
	struct text_layout layout = call_layout(call);
	const struct results *results = NULL;
	struct subject subject = { 0 };
	int metric = 0;
	int failed = read_figure(call, &subject, &reply->error);

	if (!failed) {
		const struct point *point = find_figure(lab_facts(call->lab),
			&subject, &results, &metric);

		print_summary_row(call->arg[0], results, point,
			(unsigned)metric,
			call_option(call, megabytes_option) ||
				call_option(call, megahertz_option),
			&layout, &reply->text);
	}
	conditions_free(&subject.conditions);
	return failed ? OUTCOME_FAILED : OUTCOME_DONE;
}

static enum outcome exec_summary(const struct call *call, struct reply *reply)
{
	struct text_layout layout = call_layout(call);

	if (call_reads(call, reply))
		return OUTCOME_FAILED;
	if (call->count == 1) {
		bool indented = call->arg[0][0] == ' ';

		text_add(&reply->text, "%s%s\n", indented ? "" : "\n",
			call->arg[0]);
		return OUTCOME_DONE;
	}
	if (call->count == 2)
		return exec_row(call, reply);
	if (!print_summary(call->lab->registry.list,
		    lab_facts(call->lab), &layout, &reply->text))
		return reply_fail(reply, STATUS_USAGE,
			"the session has none of these figures: `benchtop "
			"quick` measures them, --session= chooses another "
			"session");
	return OUTCOME_DONE;
}

const struct command machine_commands[] = {
	{ "doctor", "[fixes]",
		"check for conditions that distort measurements, the worst "
		"first; -v lists all checks, fixes prints the commands that "
		"correct them",
		"doctor", 0, 1, ARGUMENT_WORD, fixes, doctor_options, 0,
		check_doctor, exec_doctor },
	{ "machine", "", "describe this machine", "machine", 0, 0,
		ARGUMENT_NONE, NULL, json_option, 0, NULL, exec_machine },
	{ "summary", "[NAME [EXPERIMENT[.METRIC][{NAME=VALUE,..}]]]",
		"show the machine in ten figures: the latest of each in the "
		"session, with the range in the published course reports. "
		"Where two or more of them have the figure, `2nd of 4` is "
		"the place of this machine among them and itself, the fastest "
		"first. "
		"With a name and a figure, show that row of a summary that a "
		"script composes, with --MB a rate in MB/s, with --MHz a "
		"frequency in MHz; with a name only, "
		"its heading, or a line below it if the name begins with a "
		"blank",
		"summary open cpu.syscall{call=open-close}", 0, 2,
		ARGUMENT_TEXT, NULL, summary_options, 0, check_summary,
		exec_summary },
	{ .name = NULL },
};
