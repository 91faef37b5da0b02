/* The verb `link`: a program on an emulated path. */
#include <string.h>

#include "assign.h"
#include "lab.h"
#include "link_command.h"
#include "link_params.h"
#include "verbs.h"

/* The number of arguments before the word `--`. Without `--` all arguments are
 * settings. */
static size_t settings_count(const struct call *call, bool *has_program)
{
	size_t dashes = 1, count = 0;

	while (dashes < call->words->count &&
		strcmp(call->words->word[dashes], "--"))
		dashes++;
	while (count < call->count && call->index[count] < dashes)
		count++;
	*has_program = count < call->count;
	return count;
}

/* Without `--`, a word that is not NAME=VALUE is most likely the program. */
static int check_dashes(const struct call *before, bool has_program,
	struct error *error)
{
	for (size_t i = 0; i < before->count && !has_program; i++) {
		if (is_assignment(before->arg[i]))
			continue;
		error_set(error, STATUS_USAGE,
			"%s is not a setting: put `--` before the program",
			text_quoted(before->arg[i]).chars);
		return call_fault(before, i, 0, error);
	}
	return 0;
}

static int check_one_link(const struct param_set *set, struct error *error)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->values[i].count != 1)
			return error_set(error, STATUS_USAGE,
				"%s: %s is a sweep, expected one value: a "
				"program runs on one link",
				set->rows[i].name,
				text_quoted(set->values[i].typed).chars);
	return 0;
}

/* Reads the settings before the program. *program is the index of the program's
 * first word. */
static int read_call(const struct call *call, struct link_settings *settings,
	size_t *program, struct error *error)
{
	struct call before = *call;
	struct param_set set;
	struct link_verb args;
	bool has_program;

	before.count = *program = settings_count(call, &has_program);
	if (check_dashes(&before, has_program, error))
		return -1;
	param_set_init(&set, link_params);
	int failed = assign_words(&before, 0, &set, NULL, NULL, error) ||
		check_one_link(&set, error);
	if (!failed) {
		param_set_args(&set, 0, &args);
		*settings = link_settings_of(&args.link);
		settings->seed = (uint64_t)args.seed;
		settings->cpu =
			args.cpu == PARAM_AUTO ? LINK_ANY_CPU : (int)args.cpu;
		failed = link_check(settings, error);
	}
	param_set_free(&set);
	if (!failed && !has_program)
		return error_set(error, STATUS_USAGE,
			"no program to run on the link: expected `--` and a "
			"command after the settings");
	return failed ? -1 : 0;
}

static int check_link(const struct call *call, struct error *error)
{
	struct link_settings settings;
	size_t program;

	if (call->lab->screen)
		return error_set(error, STATUS_USAGE,
			"`link` needs the terminal for its program: run "
			"`benchtop link` in a shell");
	return read_call(call, &settings, &program, error);
}

static enum outcome exec_link(const struct call *call, struct reply *reply)
{
	struct link_request request = { .report = LINK_SILENT };
	size_t program;

	if (lab_busy(call->lab))
		return reply_fail(reply, STATUS_USAGE,
			"cannot open a link during a run: stop the run first");
	if (read_call(call, &request.settings, &program, &reply->error))
		return OUTCOME_FAILED;
	request.words = call->arg + program;
	request.far = call_option(call, "--far=");
	if (call_option(call, "--counters"))
		request.report = LINK_COUNTERS;
	if (call_option(call, "--json"))
		request.report = LINK_JSON;
	if (link_command(call->lab, &request, &reply->error))
		return OUTCOME_FAILED;
	return OUTCOME_WAIT;
}

static const char *const link_options[] = { "--far=", "--counters", "--json",
	NULL };

const struct command link_commands[] = {
	{ "link", "[NAME=VALUE ...] -- COMMAND",
		"run a program at the near end of an emulated path, in its own "
		"network namespace. $BENCHTOP_LINK_FAR is the address of the "
		"far end, --far= runs a shell command there, --counters prints "
		"packet counters",
		"link rtt=40ms queue=80p \"--far=iperf3 -s\" -- "
		"iperf3 -c 10.77.0.2",
		1, 256, ARGUMENT_LINK, NULL, link_options, 0, check_link,
		exec_link },
	{ .name = NULL },
};
