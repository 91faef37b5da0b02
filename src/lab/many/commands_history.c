/* The verb `history`: one experiment over the kept sessions. */
#include <stdlib.h>
#include <string.h>

#include "assign.h"
#include "history_report.h"
#include "kept_index.h"
#include "lab.h"
#include "many_verbs.h"
#include "memory.h"
#include "print_history.h"
#include "save_page.h"
#include "subject.h"

static const char changed_option[] = "--fail-if-changed";
static const char *const history_options[] = { changed_option, "--json",
	SAVE_PAGE_OPTIONS, "--text", call_verbose_option, NULL };

/* ---- the wanted setting ----------------------------------------------- */

/* The wanted figure, and its settings, one "via=raw" per named parameter,
 * written as in files. */
struct wanted {
	const struct experiment *experiment;
	const struct metric *metric;
	char **pairs; /* owned */
	size_t count;
};

static void wanted_free(struct wanted *wanted)
{
	for (size_t i = 0; i < wanted->count; i++)
		free(wanted->pairs[i]);
	free(wanted->pairs);
}

static size_t row_of(const struct param_set *set, const char *word)
{
	size_t length = strcspn(word, "="), row = 0;

	while (strncmp(set->rows[row].name, word, length) != 0 ||
		set->rows[row].name[length])
		row++;
	return row;
}

/* Adds the value of a row, which argument `i` has set. */
static int add_pair(const struct call *call, size_t i,
	const struct param_set *set, size_t row, struct wanted *wanted,
	struct error *error)
{
	struct text first = { 0 }, last = { 0 };

	param_set_text(set, 0, row, &first);
	param_set_text(set, param_set_points(set) - 1, row, &last);
	bool one = !strcmp(text_chars(&first), text_chars(&last));
	if (one) {
		struct text pair = { 0 };

		text_add(&pair, "%s=%s", set->rows[row].name,
			text_chars(&first));
		ARRAY_GROW(wanted->pairs, wanted->count);
		wanted->pairs[wanted->count++] = text_take(&pair);
	}
	text_free(&first);
	text_free(&last);
	if (one)
		return 0;
	error_set(error, STATUS_USAGE,
		"%s is a sweep: expected one value, `history` shows one "
		"setting",
		text_quoted(call->arg[i]).chars);
	return call_fault(call, i, 0, error);
}

static int read_settings(const struct call *call,
	struct conditions *conditions, struct wanted *wanted,
	struct error *error)
{
	struct param_set *set = &conditions->where;
	int failed = 0;

	for (size_t row = 0; row < set->count && !failed; row++)
		if (conditions->asked[row])
			failed = add_pair(call, 0, set, row, wanted, error);
	if (!failed)
		failed = assign_words(call, 1, set, NULL, NULL, error);
	for (size_t i = 1; i < call->count && !failed; i++)
		failed = add_pair(call, i, set, row_of(set, call->arg[i]),
			wanted, error);
	return failed;
}

static int read_wanted(const struct call *call, struct wanted *wanted,
	struct error *error)
{
	struct subject subject;
	int failed = subject_read(call, &subject, error);

	*wanted = (struct wanted){ .experiment = subject.experiment,
		.metric = subject.metric };
	if (!failed && !subject.named && subject.experiment->watched)
		wanted->metric = metric_row(subject.experiment->metrics,
			subject.experiment->watched);
	if (!failed)
		failed = read_settings(call, &subject.conditions, wanted,
			error);
	conditions_free(&subject.conditions);
	if (failed)
		wanted_free(wanted);
	return failed;
}

static int check_history(const struct call *call, struct error *error)
{
	struct wanted wanted;

	if (save_page_check(call, error) || read_wanted(call, &wanted, error))
		return -1;
	wanted_free(&wanted);
	return 0;
}

/* ---- matching points -------------------------------------------------- */

static bool has_all(const struct kept_point *point, const struct wanted *wanted)
{
	for (size_t i = 0; i < wanted->count; i++)
		if (!kept_point_has(point, wanted->pairs[i]))
			return false;
	return true;
}

/* The first matching point of the latest run that has one; NULL: none. */
static const struct kept_point *latest(const struct kept_points *points,
	const struct wanted *wanted)
{
	const struct kept_point *found = NULL;

	for (size_t i = points->count; i-- > 0;) {
		const struct kept_point *point = &points->list[i];

		if (found &&
			(point->session != found->session ||
				point->run != found->run))
			break;
		if (has_all(point, wanted))
			found = point;
	}
	return found;
}

/* True unless the sessions of both are known to be of different processors. */
static bool same_processor(const struct kept_point *one,
	const struct kept_point *other)
{
	const char *a = one->surroundings->value[SURROUNDING_PROCESSOR];
	const char *b = other->surroundings->value[SURROUNDING_PROCESSOR];

	return !a || !b || !strcmp(a, b);
}

/* Lists the points with the setting, unit and processor of `like`, each run
 * once. The caller frees the list; `points` still owns its strings. */
static struct kept_point *choose(const struct kept_points *points,
	const struct kept_point *like, size_t *count, size_t *repeated)
{
	struct kept_point *list = xcalloc(points->count + 1, sizeof *list);
	bool *copies = kept_points_repeated(points);

	*count = *repeated = 0;
	for (size_t i = 0; i < points->count; i++) {
		const struct kept_point *point = &points->list[i];

		if (strcmp(point->setting, like->setting) != 0 ||
			point->unit != like->unit ||
			!same_processor(point, like))
			continue;
		if (copies[i])
			++*repeated;
		else
			list[(*count)++] = *point;
	}
	free(copies);
	return list;
}

/* ---- the machine ------------------------------------------------------ */

/* Sessions of a machine that is named may be gathered from there. So its
 * processor is that of its latest session. */
static struct machine wanted_machine(struct lab *lab)
{
	struct machine machine = *lab_machine(lab);

	if (machine_given_name())
		*machine.cpu = '\0';
	return machine;
}

/* ---- replies ---------------------------------------------------------- */

/* A gate without a run is undecided, as that of `expect`. */
static enum outcome refuse(const struct wanted *wanted, size_t count, bool gate,
	struct reply *reply)
{
	const char *name = wanted->experiment->name;
	const char *metric = wanted->metric->name;
	enum status status = gate ? STATUS_AGAIN : STATUS_INPUT;

	if (count)
		return reply_fail(reply, status,
			"no kept session has %s.%s with this setting: `history "
			"%s.%s` shows the last",
			name, metric, name, metric);
	if (machine_given_name())
		return reply_fail(reply, status,
			"no kept session of %s, which BENCHTOP_HOST names, has "
			"%s.%s",
			text_quoted(machine_given_name()).chars, name, metric);
	return reply_fail(reply, status,
		"no kept session of this machine has %s.%s: expected `run %s` "
		"before",
		name, metric, name);
}

static enum outcome say_gate(const struct history *history,
	const struct metric *metric, struct reply *reply)
{
	const struct history_series *figure = &history->series[HISTORY_FIGURE];
	const struct change *worse = history_worse(history, metric->better);
	size_t without = history_without_logarithm(history);

	if (without)
		return reply_fail(reply, STATUS_USAGE,
			"%s: --fail-if-changed cannot judge the %s, because "
			"%zu value%s not above 0, and changes are found on "
			"logarithms",
			history->experiment, metric->name, without,
			without == 1 ? " is" : "s are");
	switch (history_judge(history, metric->better)) {
	case HISTORY_WORSE:
		return reply_fail(reply, STATUS_EXPECT,
			"%s: the %s changed by %+.1f %% with session %zu, "
			"%zu counted runs ago",
			history->experiment, metric->name,
			history_step(worse) * 100,
			history->list[figure->runs[worse->at]].session,
			figure->count - worse->at);
	case HISTORY_UNDECIDED:
		if (figure->count < CHANGES_LEAST)
			return reply_fail(reply, STATUS_AGAIN,
				"%s: %zu run%s, expected at least %d: "
				"measure again",
				history->experiment, figure->count,
				figure->count == 1 ? " counts" : "s count",
				CHANGES_LEAST);
		return reply_fail(reply, STATUS_AGAIN,
			"%s: the last run does not count: measure again",
			history->experiment);
	case HISTORY_UNCHANGED:
		break;
	}
	return OUTCOME_DONE;
}

/* Returns the history of the latest setting that is wanted, which owns the
 * points; NULL: none has it. To be freed with its memory. */
static struct history *find_history(const struct wanted *wanted,
	const struct kept_points *points)
{
	const struct kept_point *like = latest(points, wanted);
	struct history *history;
	size_t count, repeated;

	if (!like)
		return NULL;
	history = xcalloc(1, sizeof *history);
	struct kept_point *list = choose(points, like, &count, &repeated);
	history_make(wanted->experiment->name, list, count, history);
	history->repeated = repeated;
	history->of_other = wanted->metric != wanted->experiment->metrics;
	history_own(history, list, points);
	return history;
}

/* Does the screen show the history, with its plot? */
static bool is_shown(const struct call *call)
{
	const struct lab *lab = call->lab;

	return (lab->screen || lab->screen_follows) && !*call->options;
}

static int save_report(const struct call *call, const struct history *history,
	struct reply *reply)
{
	struct text page = { 0 };

	history_report(history, &page);
	return save_page_end(call, &page, reply);
}

static enum outcome reply_history(const struct call *call,
	const struct metric *metric, const struct history *history,
	struct reply *reply)
{
	const struct text_layout layout = call_layout(call);

	if (call_option(call, "--json"))
		history_write(history, &reply->text);
	else
		print_history(history, &layout, &reply->text);
	return call_option(call, changed_option) ?
		say_gate(history, metric, reply) :
		OUTCOME_DONE;
}

static enum outcome exec_history(const struct call *call, struct reply *reply)
{
	enum outcome outcome = OUTCOME_DONE;
	struct kept_points points;
	struct wanted wanted;
	bool page;

	if (save_page_begin(call, &page, &reply->error) ||
		read_wanted(call, &wanted, &reply->error))
		return OUTCOME_FAILED;
	struct machine machine = wanted_machine(call->lab);
	index_points(&machine, wanted.experiment->name, wanted.metric->name,
		&points);
	index_remark(&reply->remark);
	struct history *history = find_history(&wanted, &points);
	if (!history) {
		outcome = refuse(&wanted, points.count,
			call_option(call, changed_option) != NULL, reply);
		kept_points_free(&points);
	} else if (is_shown(call)) {
		many_keep_history(&call->lab->many, history);
	} else {
		outcome = page && save_report(call, history, reply) ?
			OUTCOME_FAILED :
			reply_history(call, wanted.metric, history, reply);
		history_free(history);
		free(history);
	}
	wanted_free(&wanted);
	return outcome;
}

const struct command history_commands[] = {
	{ "history", "EXPERIMENT[.METRIC][{NAME=VALUE,..}] [NAME=VALUE ...] "
		"[--fail-if-changed] [-o OUT.html]",
		"show one setting over the kept sessions of this machine: day, "
		"median, trials that had the core alone, kernel; without "
		"NAME=VALUE, the setting measured last. METRIC is "
		"the headline unless it is named; where that is a constant, as "
		"the rate of the counter, the rate of the core. From ten runs "
		"on it "
		"finds changes of the level, and prints what changed beside "
		"each: kernel, microcode, mitigations, governor, libc, "
		"benchtop. The canary and the memory ruler are tested too: "
		"where they change, the machine changed. Of more than 40 runs "
		"the last 20 and those at changes are printed; -v shows all. "
		"-o also writes a page with a plot of the runs; an earlier "
		"report is replaced, another file only with --force. On "
		"a terminal it opens the Compare screen with a plot; --text "
		"prints. "
		"--fail-if-changed gives the exit status 1 if a change for the "
		"worse began in the last ten counted runs and no later change "
		"undid it, and 7 (measure again) if fewer than ten runs count "
		"or the last does not",
		"history cpu.syscall{call=getppid}", 1, 64,
		ARGUMENT_SETTING, NULL, history_options, COMMAND_SHOWS,
		check_history, exec_history },
	{ .name = NULL },
};
