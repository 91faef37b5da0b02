/* The verbs `doctor`, `machine` and `summary`. */
#include <string.h>

#include "doctor_run.h"
#include "machine_text.h"
#include "print_summary.h"
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

static const char *const session_option[] = { call_session_option, NULL };

static enum outcome exec_summary(const struct call *call, struct reply *reply)
{
	struct text_layout layout = call_layout(call);

	if (call_reads(call, reply))
		return OUTCOME_FAILED;
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
	{ "summary", "",
		"the machine in ten figures: the latest of each in the "
		"session, with the range in the published course reports, and "
		"the rank among them where three or more have the figure",
		"summary", 0, 0, ARGUMENT_NONE, NULL, session_option, 0, NULL,
		exec_summary },
	{ .name = NULL },
};
