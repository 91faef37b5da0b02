/* The verbs `list`, `show`, `set`, `predict` and `run`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assign.h"
#include "expect.h"
#include "json.h"
#include "lab.h"
#include "memory.h"
#include "predicted.h"
#include "print.h"
#include "run_queue.h"
#include "show.h"
#include "verbs.h"

static const char *const json_option[] = { "--json", NULL };
static const char *const expect_options[] = { call_session_option, NULL };
static const char *const run_options[] = { "--wait-quiet=", "--trials=",
	"--json", call_verbose_option, NULL };

static bool in_group(const struct experiment *experiment, const char *group)
{
	size_t length = registry_group(experiment);

	return !strcmp(group, "all") ||
		(strlen(group) == length &&
			!strncmp(experiment->name, group, length));
}

static bool is_group(const struct lab *lab, const char *word)
{
	for (size_t i = 0; i < lab->registry.count; i++)
		if (in_group(lab->registry.list[i], word))
			return true;
	return false;
}

/* ---- list ------------------------------------------------------------- */

/* Adds "cpu, fs, ipc, mem, net or all". */
static void add_groups(const struct registry *registry, struct text *text)
{
	size_t length = 0;

	/* The experiments of a group follow one another. */
	for (size_t i = 0; i < registry->count; i++) {
		const char *name = registry->list[i]->name;

		if (i && !strncmp(registry->list[i - 1]->name, name, length))
			continue;
		length = strcspn(name, ".") + 1;
		text_add(text, "%s%.*s", i ? ", " : "", (int)length - 1, name);
	}
	text_add(text, " or all");
}

static int check_list(const struct call *call, struct error *error)
{
	const struct registry *registry = &call->lab->registry;
	struct text groups = { 0 };

	if (!call->count || is_group(call->lab, call->arg[0]))
		return 0;
	const char *word = call->arg[0];
	const struct experiment *named = registry_called(registry, word);
	add_groups(registry, &groups);
	error_set(error, STATUS_USAGE, "%s is not a group: expected %s%s%s%s",
		text_quoted(word).chars, text_chars(&groups),
		named ? "; `show " : "", named ? named->name : "",
		named ? "` describes it" : "");
	text_free(&groups);
	return call_fault(call, 0, 0, error);
}

static enum outcome exec_list(const struct call *call, struct reply *reply)
{
	const char *group = call->count ? call->arg[0] : "all";
	const struct registry *registry = &call->lab->registry;
	bool json = call_option(call, "--json") != NULL;
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < registry->count; i++) {
		const struct experiment *experiment = registry->list[i];

		if (!in_group(experiment, group))
			continue;
		if (!json)
			text_add(&reply->text, "%-16s %s\n", experiment->name,
				experiment->question);
		cJSON *object = cJSON_CreateObject();
		json_add_text(object, "name", experiment->name);
		json_add_text(object, "title", experiment->title);
		json_add_text(object, "question", experiment->question);
		cJSON_AddItemToArray(array, object);
	}
	if (json)
		json_print(array, &reply->text);
	cJSON_Delete(array);
	return OUTCOME_DONE;
}

/* ---- targets: which experiments, with which parameters ---------------- */

struct targets {
	struct queued *list;
	size_t count;
	struct text left_out; /* sentences on skipped experiments of groups */
};

static void targets_free(struct targets *targets)
{
	for (size_t i = 0; i < targets->count; i++) {
		param_set_free(&targets->list[i].args);
		param_set_free(&targets->list[i].common);
	}
	free(targets->list);
	text_free(&targets->left_out);
}

static void add_target(const struct lab *lab, struct targets *targets,
	const struct experiment *experiment, bool of_group)
{
	ARRAY_GROW(targets->list, targets->count);
	struct queued *queued = &targets->list[targets->count++];

	*queued = (struct queued){
		.experiment = experiment,
		.budget_asked = lab->budget_set,
		.of_group = of_group,
	};
	param_set_init(&queued->args, experiment->params);
	param_set_copy(&queued->common, &lab->common);
}

static int add_named(const struct call *call, size_t i, struct targets *targets,
	struct error *error)
{
	const struct registry *registry = &call->lab->registry;
	const char *word = call->arg[i];

	if (!is_group(call->lab, word)) {
		const struct experiment *found =
			registry_get(registry, word, error);

		if (!found)
			return call_fault(call, i, 0, error);
		add_target(call->lab, targets, found, false);
		return 0;
	}
	for (size_t k = 0; k < registry->count; k++)
		if (in_group(registry->list[k], word))
			add_target(call->lab, targets, registry->list[k], true);
	return 0;
}

/* Checks whether each target can run. An experiment of a group that cannot run
 * is skipped with a sentence. A named one is an error. Verbs that do not
 * measure skip this check. */
static int check_runs(const struct call *call, struct targets *targets,
	struct error *error)
{
	size_t kept = 0;

	if (!(call->command->flags & COMMAND_MEASURES))
		return 0;
	for (size_t i = 0; i < targets->count; i++) {
		struct queued *queued = &targets->list[i];

		if (!run_check(queued->experiment, &queued->args, error) &&
			!run_check_line(queued, error)) {
			struct queued moved = *queued;

			*queued = (struct queued){ 0 };
			targets->list[kept++] = moved;
			continue;
		}
		if (!queued->of_group)
			return -1;
		text_add(&targets->left_out, "%s skipped: %s\n",
			queued->experiment->name, error->message);
		param_set_free(&queued->args);
		param_set_free(&queued->common);
	}
	targets->count = kept;
	return kept ? 0 : -1;
}

/* A parameter's name without a value is not meant as an experiment: `run
 * cpu.syscall call` does not ask for cpu.call. */
static int check_forgotten(const struct call *call, size_t i,
	const struct targets *targets, struct error *error)
{
	const char *word = call->arg[i];
	bool parameter = param_row(common_params, word) != NULL;

	for (size_t k = 0; k < targets->count && !parameter; k++)
		parameter = param_row(targets->list[k].experiment->params,
				    word) != NULL;
	/* `cpu` is a group, too. */
	if (!parameter || is_group(call->lab, word))
		return 0;
	error_set(error, STATUS_USAGE,
		"parameter '%s' has no value: expected %s=VALUE", word, word);
	return call_fault(call, i, 0, error);
}

static int refuse_nothing(const struct call *call, struct error *error)
{
	if (strchr(call->arg[0], ' '))
		error_set(error, STATUS_USAGE,
			"%s is one word: write the experiment and each setting "
			"as a word of its own, without these quotes",
			text_quoted(call->arg[0]).chars);
	else
		error_set(error, STATUS_USAGE,
			"missing experiment: expected `%s %s`",
			call->command->name, call->command->usage);
	return call_fault(call, 0, 0, error);
}

static int find_targets(const struct call *call, struct targets *targets,
	struct error *error)
{
	size_t names = 0;

	*targets = (struct targets){ 0 };
	for (; names < call->count && !is_assignment(call->arg[names]); names++)
		if (check_forgotten(call, names, targets, error) ||
			add_named(call, names, targets, error))
			return -1;
	if (!targets->count)
		return refuse_nothing(call, error);
	/* Parameters of an experiment are accepted only with a single
	 * experiment. */
	for (size_t i = 0; i < targets->count; i++) {
		struct queued *queued = &targets->list[i];
		bool single = targets->count == 1;

		if (assign_words(call, names,
			    single ? &queued->args : &queued->common,
			    single ? &queued->common : NULL,
			    &queued->budget_asked, error) ||
			assign_options(call, &queued->common, error))
			return -1;
	}
	return check_runs(call, targets, error);
}

static int check_targets(const struct call *call, struct error *error)
{
	struct targets targets;
	int failed = find_targets(call, &targets, error);

	targets_free(&targets);
	return failed;
}

static void say_caution(const struct queued *queued, struct text *text)
{
	struct text caution = { 0 };

	run_caution(queued->experiment, &queued->args, &caution);
	if (caution.length)
		text_add(text, "%s: %s\n", queued->experiment->name,
			caution.chars);
	text_free(&caution);
}

/* Shows the full names of abbreviated experiments. */
static void say_meant(const struct call *call, struct text *text)
{
	const struct registry *registry = &call->lab->registry;
	struct error quiet;

	for (size_t i = 0; i < call->count; i++) {
		const char *word = call->arg[i];

		if (is_assignment(word) || is_group(call->lab, word) ||
			registry_find(registry, word))
			continue;
		text_add(text, "%s is %s\n", text_quoted(word).chars,
			registry_get(registry, word, &quiet)->name);
	}
}

static enum outcome exec_run(const struct call *call, struct reply *reply)
{
	struct targets targets;

	if (call->lab->interrupted)
		return reply_fail(reply, STATUS_INTERRUPTED,
			"not measured: interrupted");
	if (find_targets(call, &targets, &reply->error))
		return OUTCOME_FAILED;
	say_meant(call, &reply->remark);
	for (size_t i = 0; i < targets.count; i++) {
		targets.list[i].json = call_option(call, "--json") != NULL;
		targets.list[i].verbose =
			call_option(call, call_verbose_option) != NULL;
		if (!targets.list[i].json)
			say_caution(&targets.list[i], &reply->text);
		lab_enqueue(call->lab, &targets.list[i]);
	}
	text_add(&reply->text, "%s", text_chars(&targets.left_out));
	text_free(&targets.left_out);
	free(targets.list);
	return OUTCOME_WAIT;
}

/* ---- show ------------------------------------------------------------- */

static int check_show(const struct call *call, struct error *error)
{
	struct targets targets;
	int failed = find_targets(call, &targets, error);

	if (!failed && targets.count > 1) {
		error_set(error, STATUS_USAGE,
			"`show` expects one experiment, '%s' is a group",
			call->arg[0]);
		failed = call_fault(call, 0, 0, error);
	}
	targets_free(&targets);
	return failed;
}

static enum outcome exec_show(const struct call *call, struct reply *reply)
{
	struct targets targets;

	if (find_targets(call, &targets, &reply->error))
		return OUTCOME_FAILED;
	if (call_option(call, "--json"))
		show_json(call->lab, &targets.list[0], &reply->text);
	else
		show_text(call->lab, &targets.list[0], call->lab->layout.width,
			&reply->text);
	targets_free(&targets);
	return OUTCOME_DONE;
}

/* ---- set -------------------------------------------------------------- */

static int check_set(const struct call *call, struct error *error)
{
	struct param_set trial;
	bool asked;

	param_set_copy(&trial, &call->lab->common);
	int failed = assign_words(call, 0, &trial, NULL, &asked, error);
	param_set_free(&trial);
	if (failed || !call->count)
		return failed;
	return call_outlives(call, "", "run EXPERIMENT", error);
}

static enum outcome exec_set(const struct call *call, struct reply *reply)
{
	struct lab *lab = call->lab;

	if (assign_words(call, 0, &lab->common, NULL, &lab->budget_set,
		    &reply->error))
		return OUTCOME_FAILED;
	if (!call->count)
		show_common(&lab->common, lab->layout.width, &reply->text);
	lab->version++;
	return OUTCOME_DONE;
}

/* ---- predict ---------------------------------------------------------- */

static int check_predict(const struct call *call, struct error *error)
{
	struct prediction prediction;

	if (!is_predicted(call))
		return check_show(call, error);
	const struct experiment *experiment =
		registry_get(&call->lab->registry, call->arg[0], error);
	if (!experiment)
		return call_fault(call, 0, 0, error);
	if (read_predicted(call, experiment->metrics[0].unit, &prediction,
		    error))
		return -1;
	struct text run = { 0 };
	text_add(&run, "run %s", experiment->name);
	int failed = call_outlives(call, "", run.chars, error);
	text_free(&run);
	return failed;
}

static enum outcome exec_model(const struct call *call, struct reply *reply)
{
	struct targets targets;

	if (find_targets(call, &targets, &reply->error))
		return OUTCOME_FAILED;
	show_prediction(call->lab, &targets.list[0], call->lab->layout.width,
		&reply->text);
	targets_free(&targets);
	return OUTCOME_DONE;
}

/* Does the lab have figures of this experiment, from an earlier run or from the
 * present run? */
static bool was_seen(const struct lab *lab, const struct experiment *experiment)
{
	const struct results *live = lab->run ? run_results(lab->run) : NULL;

	if (live && !strcmp(live->experiment, experiment->name) &&
		live->launch_count)
		return true;
	return session_last(lab->session, experiment->name) != NULL;
}

static enum outcome exec_predict(const struct call *call, struct reply *reply)
{
	struct lab *lab = call->lab;

	if (!is_predicted(call))
		return exec_model(call, reply);
	const struct experiment *experiment =
		registry_get(&lab->registry, call->arg[0], &reply->error);
	struct prediction *own = lab_prediction(lab, experiment);
	if (read_predicted(call, experiment->metrics[0].unit, own,
		    &reply->error))
		return OUTCOME_FAILED;
	own->post_hoc = was_seen(lab, experiment);
	lab->version++;
	return OUTCOME_DONE;
}

const struct command run_commands[] = {
	{ "list", "[GROUP]", "list the experiments and their questions",
		"list cpu", 0, 1, ARGUMENT_GROUP, NULL, json_option, 0,
		check_list, exec_list },
	{ "show", "EXPERIMENT [NAME=VALUE ...]",
		"show the parameters, method, plan and expected duration of an "
		"experiment",
		"show cpu.switch", 1, 64, ARGUMENT_EXPERIMENT, NULL,
		json_option, 0, check_show, exec_show },
	{ "set", "[NAME=VALUE ...]",
		"set options for all runs; without arguments, show them",
		"set precision=0.5% budget=20s", 0, 64, ARGUMENT_COMMON, NULL,
		NULL, COMMAND_RECORDED, check_set, exec_set },
	{ "predict", "EXPERIMENT [hw=LO..HI] [sw=LO..HI]",
		"set your prediction for all points (locked at start); without "
		"a range, show the model's. A time without a unit is in ns, "
		"250..300c is in cycles; a rate needs a unit",
		"predict cpu.syscall hw=30..60ns sw=20..80ns", 1, 64,
		ARGUMENT_EXPERIMENT, NULL, NULL, COMMAND_RECORDED,
		check_predict, exec_predict },
	{ "run", "EXPERIMENT|GROUP ... [NAME=VALUE ...]",
		"measure; a list or range of values makes a sweep; the "
		"experiments of a group run in turn. `alone` and `shared` in "
		"the result: trials without and beside a co-runner. "
		"--trials=none (or the setting keep=figures) saves figures and "
		"launch medians only, 1 kB per point and metric",
		"run cpu.syscall call=getppid,getpid via=raw,libc", 1, 64,
		ARGUMENT_TARGET, NULL, run_options,
		COMMAND_RECORDED | COMMAND_MEASURES, check_targets, exec_run },
	{ "expect", "EXPERIMENT[.METRIC][{NAME=VALUE,..}] STAT OP VALUE",
		"test the last run: every matching point must meet the bound. "
		"The exit status is 1 if a point misses it or has no such "
		"figure, and 7 (measure again) if the core was shared or the "
		"data is not enough, also for a quantile or an interval. With "
		"enough data the figure decides, not its interval, unless the "
		"core's frequency changed: `ci_high < 90ns` requires the whole "
		"interval below 90 ns, however wide it is",
		"expect cpu.syscall{call=getppid} median < 400ns", 4, 4,
		ARGUMENT_METRIC, NULL, expect_options,
		COMMAND_RECORDED | COMMAND_READS, check_expect, exec_expect },
	{ .name = NULL },
};
