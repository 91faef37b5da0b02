/* The verb `report`. */
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "lab.h"
#include "memory.h"
#include "plot.h"
#include "published.h"
#include "report.h"
#include "report_file.h"
#include "run.h"
#include "verbs.h"

static const char *const report_options[] = { "-o=", "--title=", "--author=",
	"--course=", "--beside=", "--force", NULL };

static int check_report(const struct call *call, struct error *error)
{
	const char *path = call_option(call, "-o=");
	const char *beside = call_option(call, "--beside=");

	error->line = error->column = 0;
	if (!path)
		return error_set(error, STATUS_USAGE,
			"`report` has no output file: expected -o NAME.html or "
			"-o NAME.md");
	if (report_file_form(path) < 0)
		return error_set(error, STATUS_USAGE,
			"-o %s: expected a name that ends in .html or .md, or "
			"'-'",
			text_quoted(path).chars);
	/* Check this before any measurement, since a report is usually a
	 * script's last statement. */
	bool all = beside && !strcmp(beside, "all");
	if (!all && (!beside || !published_is(beside)))
		return 0;
	char *found = published_path(all ? *published_names : beside, error);
	free(found);
	return found ? 0 : -1;
}

/* ---- published sessions shown beside ---------------------------------- */

struct beside {
	struct report_beside *list;
	size_t count;
};

static void beside_free(struct beside *beside)
{
	for (size_t i = 0; i < beside->count; i++) {
		session_free((struct session *)beside->list[i].session);
		free((char *)beside->list[i].name);
	}
	free(beside->list);
}

static int beside_add(struct beside *beside, const char *name,
	struct error *error)
{
	struct session *session = session_open(name, error);
	const char *colon = strchr(name, ':');
	struct text shown = { 0 };

	if (!session)
		return -1;
	if (published_is(name) && colon)
		name = colon + 1;
	text_add_safe(&shown, name, strlen(name));
	ARRAY_GROW(beside->list, beside->count);
	beside->list[beside->count++] =
		(struct report_beside){ text_take(&shown), session };
	return 0;
}

static int beside_open(const char *asked, struct beside *beside,
	struct error *error)
{
	*beside = (struct beside){ 0 };
	if (!asked)
		return 0;
	if (strcmp(asked, "all"))
		return beside_add(beside, asked, error);
	for (size_t i = 0; published_names[i]; i++)
		if (beside_add(beside, published_names[i], error))
			return -1;
	return 0;
}

/* Adds the reason if the experiment cannot run without further parameters. */
static void lacks(const struct experiment *experiment, struct text *text)
{
	struct param_set args;
	struct error error;

	param_set_init(&args, experiment->params);
	if (run_check(experiment, &args, &error))
		text_add(text, "; %s", error.message);
	param_set_free(&args);
}

/* ---- writing ---------------------------------------------------------- */

/* Title, author and course of the report, made safe for a terminal. */
struct front_matter {
	struct text title, author, course;
};

static const char *typed(const struct call *call, const char *option,
	struct text *text)
{
	const char *value = call_option(call, option);

	if (!value || !*value)
		return NULL;
	text_add_safe(text, value, strlen(value));
	return text->chars;
}

static void front_matter_free(struct front_matter *front)
{
	text_free(&front->title);
	text_free(&front->author);
	text_free(&front->course);
}

static void compose(const struct call *call, const struct session *session,
	const struct beside *beside, struct text *out)
{
	const char *path = call_option(call, "-o=");
	struct lab *lab = call->lab;
	struct front_matter front = { 0 };
	struct report_input input = {
		.session = session,
		.title = typed(call, "--title=", &front.title),
		.author = typed(call, "--author=", &front.author),
		.course = typed(call, "--course=", &front.course),
		.experiments = lab->registry.list,
		.experiment_count = lab->registry.count,
		.beside = beside->list,
		.beside_count = beside->count,
		.lacks = lacks,
	};

	session_report(&input, (enum document_form)report_file_form(path), out);
	front_matter_free(&front);
}

static int write_report(const struct call *call, const struct session *session,
	struct reply *reply)
{
	const char *path = call_option(call, "-o=");
	struct beside beside;
	struct text out = { 0 };
	int failed = 0;

	if (beside_open(call_option(call, "--beside="), &beside,
		    &reply->error)) {
		beside_free(&beside);
		return -1;
	}
	compose(call, session, &beside, &out);
	bool replaces = report_file_is(path);
	if (!strcmp(path, "-"))
		text_add_chars(&reply->text, out.chars, out.length);
	else
		failed = file_save(path, out.chars, out.length, &reply->error);
	if (!failed && strcmp(path, "-")) {
		text_add(&reply->text, "report of %zu run%s in ",
			session->run_count, session->run_count == 1 ? "" : "s");
		text_add_safe(&reply->text, path, strlen(path));
		text_add(&reply->text, "%s\n",
			replaces ? ", in place of an earlier report" : "");
	}
	text_free(&out);
	beside_free(&beside);
	return failed;
}

static enum outcome exec_report(const struct call *call, struct reply *reply)
{
	struct lab *lab = call->lab;
	int failed;

	if (!call_option(call, "--force") &&
		report_file_check(call_option(call, "-o="), &reply->error))
		return OUTCOME_FAILED;
	if (!call->count && call_reads(call, reply))
		return OUTCOME_FAILED;
	struct session *session = lab->session;
	if (call->count)
		session = lab_open_session(lab, call->arg[0], &reply->error);
	else
		lab_machine(lab);
	if (!session)
		return OUTCOME_FAILED;
	if (!session->run_count)
		failed = error_set(&reply->error, STATUS_USAGE,
			"nothing to report: the session has no runs; use `run` "
			"or `load` first, or name a FILE");
	else
		failed = write_report(call, session, reply);
	if (session != lab->session)
		session_free(session);
	return failed ? OUTCOME_FAILED : OUTCOME_DONE;
}

const struct command report_commands[] = {
	{ "report", "[FILE] -o OUT.html|OUT.md",
		"write the session, or that of FILE (also a number of "
		"`sessions`, or `last`), as a report: summary, machine, "
		"questions, predictions, tables, plots; --title, --author and "
		"--course head it; --beside all adds the published machines. An "
		"earlier report is replaced, another file only with --force",
		"report today.json -o today.html --author='A. Student'", 0, 1,
		ARGUMENT_FILE, published_names, report_options, COMMAND_READS,
		check_report,
		exec_report },
	{ .name = NULL },
};
