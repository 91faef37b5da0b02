/* The verbs `compare`, `ab` and `score`. */
#include <stdlib.h>
#include <string.h>

#include "assign.h"
#include "judgement.h"
#include "lab.h"
#include "memory.h"
#include "print_compare.h"
#include "published.h"
#include "run_identity.h"
#include "run_queue.h"
#include "verbs.h"

/* ---- compare ---------------------------------------------------------- */

static const char slower_option[] = "--fail-if-slower=";
static const char *const compare_options[] = { slower_option, "--json",
	call_verbose_option, NULL };

/* Reads the percentage of --fail-if-slower; -1: not given. */
static int read_slower(const struct call *call, double *slower,
	struct error *error)
{
	const char *typed = call_option(call, slower_option);

	*slower = -1;
	if (!typed)
		return 0;
	/* The sign is required, because 0.05 could mean 0.05 % or 5 %. */
	bool sign = strchr(typed, '%') != NULL;
	if (sign &&
		!unit_parse(UNIT_PERCENT, typed, strlen(typed), slower,
			error) &&
		*slower >= 0)
		return 0;
	error->line = error->column = 0;
	return error_set(error, STATUS_USAGE,
		"--fail-if-slower %s: expected 0%% or more, with the percent "
		"sign, such as 5%%",
		text_quoted(typed).chars);
}

static int check_compare(const struct call *call, struct error *error)
{
	double slower;

	for (size_t i = 0; i < call->count; i++) {
		struct session *session;

		if (!published_is(call->arg[i]))
			continue;
		session = session_open(call->arg[i], error);
		if (!session)
			return call_fault(call, i, 0, error);
		session_free(session);
	}
	return read_slower(call, &slower, error);
}

/* The first session and its comparison with each other session. */
struct compared {
	struct session **sessions; /* owned, except the lab's own session */
	const char *names[65];     /* as typed */
	size_t count, repeated;    /* repeated: files left out */
	bool itself; /* all are the first, which is compared with itself */
	struct compare_pair *pairs; /* sessions 0 and 1, 0 and 2, .. */
	size_t pair_count;
	size_t rows, failures, undecided;
	size_t untested; /* a session without testable metrics; 0: none */
};

static void release(const struct call *call, struct compared *compared)
{
	for (size_t i = 0; i < compared->pair_count; i++)
		compare_pair_free(&compared->pairs[i]);
	free(compared->pairs);
	for (size_t i = 0; i < compared->count; i++)
		if (compared->sessions[i] != call->lab->session)
			session_free(compared->sessions[i]);
	free(compared->sessions);
}

/* Is it the kept session that a shell's words read by default? */
static bool is_own(const struct lab *lab, const struct session *session)
{
	const char *own = lab->session->path;

	return lab->one_command && own && session->path &&
		!strcmp(session->path, own);
}

static void add_session(const char *name, struct session *session,
	struct compared *compared)
{
	ARRAY_GROW(compared->sessions, compared->count);
	compared->names[compared->count] = name;
	compared->sessions[compared->count++] = session;
}

/* Is the session one of those from the second to the last before `end`? */
static bool is_among(const struct compared *compared, size_t end,
	const struct session *session)
{
	for (size_t i = 1; i < end; i++)
		if (run_identity_sessions(compared->sessions[i], session))
			return true;
	return false;
}

/* Which sessions have the runs of the first? To be freed. */
static bool *find_copies(const struct compared *compared, bool *others)
{
	bool *copies = xcalloc(compared->count + 1, sizeof *copies);

	*others = false;
	for (size_t i = 1; i < compared->count; i++) {
		copies[i] = run_identity_sessions(compared->sessions[0],
			compared->sessions[i]);
		*others = *others || !copies[i];
	}
	return copies;
}

/* Leaves out each session that an earlier file has, too. If that is all of
 * them, the first is compared with itself, a check of the method. */
static void leave_out_repeated(const struct lab *lab, struct compared *compared)
{
	size_t kept = 1;
	bool others, *copies = find_copies(compared, &others);

	compared->itself = !others;
	for (size_t i = 1; i < compared->count; i++) {
		struct session *session = compared->sessions[i];

		if (copies[i] ? others || i > 1 :
				is_among(compared, kept, session)) {
			if (session != lab->session)
				session_free(session);
			compared->repeated++;
			continue;
		}
		compared->names[kept] = compared->names[i];
		compared->sessions[kept++] = session;
	}
	compared->count -= compared->repeated;
	free(copies);
}

/* Opens all named sessions. A single one is compared with the lab's own
 * session. */
static int open_all(const struct call *call, struct compared *compared,
	struct error *error)
{
	struct lab *lab = call->lab;

	if (call->count == 1 && !lab->session->run_count)
		return error_set(error, STATUS_USAGE,
			"nothing to compare with %s: the session has no runs; "
			"name a second FILE",
			text_quoted(call->arg[0]).chars);
	for (size_t i = 0; i < call->count; i++) {
		struct session *session =
			lab_open_session(lab, call->arg[i], error);

		if (!session)
			return -1;
		add_session(call->arg[i], session, compared);
	}
	if (call->count != 1)
		return 0;
	if (is_own(lab, compared->sessions[0]))
		return error_set(error, STATUS_USAGE,
			"%s is the last session, with which it would be "
			"compared: name a second FILE",
			text_quoted(call->arg[0]).chars);
	lab_machine(lab);
	add_session("this session", lab->session, compared);
	return 0;
}

static void count_failures(const struct compare_pair *pair, size_t session,
	double slower, struct compared *compared)
{
	struct compare_counts counts;

	compare_count(pair, &counts);
	if (pair->row_count == counts.figures + counts.too_few)
		compared->untested = session;
	compared->rows += pair->row_count;
	compared->undecided += counts.undecided;
	for (size_t i = 0; i < pair->row_count && slower >= 0; i++) {
		compared->failures += compare_row_fails(&pair->rows[i], slower);
		compared->undecided +=
			compare_row_may_fail(&pair->rows[i], slower);
	}
}

static void compare_all(struct compared *compared, double slower)
{
	for (size_t i = 1; i < compared->count; i++) {
		struct compare_pair pair;

		compare_sessions(compared->sessions[0], compared->sessions[i],
			&pair);
		count_failures(&pair, i, slower, compared);
		ARRAY_GROW(compared->pairs, compared->pair_count);
		compared->pairs[compared->pair_count++] = pair;
	}
}

/* ---- names of sessions ------------------------------------------------ */

/* Adds the date in the name of a kept session: 20251120-091500-4711 becomes
 * "11-20 09:15". */
static bool add_kept_date(const char *name, struct text *text)
{
	static const char form[] = "dddddddd-dddddd-";

	for (size_t i = 0; form[i]; i++)
		if (form[i] == 'd' ? name[i] < '0' || name[i] > '9' :
				     name[i] != form[i])
			return false;
	text_add(text, "%.2s-%.2s %.2s:%.2s", name + 4, name + 6, name + 9,
		name + 11);
	return true;
}

/* A short name of session `i`, for its column of figures. */
static void name_briefly(const struct call *call,
	const struct compared *compared, size_t i, struct text *text)
{
	enum { MOST = 12, NUMBER_MOST = 4 };
	static const char ending[] = ".json";
	const char *name = compared->names[i], *slash = strrchr(name, '/');
	const char *base = slash ? slash + 1 : name;
	size_t length = strlen(base);
	struct text safe = { 0 };

	if (compared->sessions[i] == call->lab->session) {
		text_add(text, "%s", call->lab->one_command ? "last" :
							      "present");
		return;
	}
	if (!base[strspn(base, "0123456789")])
		text_add(&safe, "%s", length > NUMBER_MOST ? "#" : "session ");
	if (text_ends(base, ending))
		length -= sizeof ending - 1;
	if (!add_kept_date(base, &safe))
		text_add_safe(&safe, base, length);
	text_add_cut(text, text_chars(&safe), MOST);
	text_free(&safe);
}

/* ---- output ----------------------------------------------------------- */

/* The gate's result over all sessions. */
static const char *gate_words(const struct compared *compared)
{
	return compared->failures ? "exit 1: slower" :
		compared->undecided ?
			"exit 7: retry (1 means slower)" :
		compared->untested ? "exit 1: nothing could be tested" :
				     "exit 0: not slower";
}

static void print_text(const struct call *call,
	const struct compared *compared, double slower, struct text *text)
{
	struct text_layout layout = call_layout(call);

	for (size_t i = 0; i < compared->pair_count; i++) {
		struct text a = { 0 }, b = { 0 };
		struct compare_titles titles = {
			.whole = { compared->names[0],
				compared->names[i + 1] },
			.fails_at = slower < 0 ? 0 : 1 + slower,
		};

		name_briefly(call, compared, 0, &a);
		name_briefly(call, compared, i + 1, &b);
		bool same = !strcmp(a.chars, b.chars);
		titles.brief[0] = same ? "A" : a.chars;
		titles.brief[1] = same ? "B" : b.chars;
		if (slower >= 0 && i + 1 == compared->pair_count)
			titles.gate = gate_words(compared);
		text_add(text, "%s", i ? "\n" : "");
		print_compare(&compared->pairs[i], &titles, &layout, text);
		text_free(&a);
		text_free(&b);
	}
}

static void print_json(const struct compared *compared, struct text *text)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < compared->pair_count; i++) {
		cJSON *object = cJSON_CreateObject();

		json_add_text(object, "a", compared->names[0]);
		json_add_text(object, "b", compared->names[i + 1]);
		compare_write(&compared->pairs[i], object);
		cJSON_AddItemToArray(list, object);
	}
	json_print(list, text);
	cJSON_Delete(list);
}

static enum outcome say_gate(const struct compared *compared,
	const char *typed, struct reply *reply)
{
	if (compared->failures)
		return reply_fail(reply, STATUS_EXPECT,
			"%zu of %zu comparisons proven slower by %s or more",
			compared->failures, compared->rows, typed);
	if (compared->undecided)
		return reply_fail(reply, STATUS_AGAIN,
			"%zu of %zu comparisons undecided (shared core or "
			"host, or not enough data): measure again",
			compared->undecided, compared->rows);
	if (compared->untested)
		return reply_fail(reply, STATUS_EXPECT,
			"--fail-if-slower %s: no metric of %s could be tested",
			typed, compared->names[compared->untested]);
	return OUTCOME_DONE;
}

static void say_repeated(const struct compared *compared, struct text *remark)
{
	if (compared->itself)
		text_add(remark,
			"one session is compared with itself: both sides have "
			"the same trials\n");
	else if (compared->repeated)
		text_add(remark,
			"%zu file%s a session that another file has: it counts "
			"once\n",
			compared->repeated,
			compared->repeated == 1 ? " has" : "s have");
}

static enum outcome exec_compare(const struct call *call, struct reply *reply)
{
	struct compared compared = { 0 };
	enum outcome outcome = OUTCOME_DONE;
	double slower;

	if (read_slower(call, &slower, &reply->error))
		return OUTCOME_FAILED;
	if (call->count == 1 && call_reads(call, reply))
		return OUTCOME_FAILED;
	if (open_all(call, &compared, &reply->error)) {
		release(call, &compared);
		return OUTCOME_FAILED;
	}
	leave_out_repeated(call->lab, &compared);
	compare_all(&compared, slower);
	say_repeated(&compared, &reply->remark);
	if (call_option(call, "--json"))
		print_json(&compared, &reply->text);
	else
		print_text(call, &compared, slower, &reply->text);
	if (slower >= 0)
		outcome = say_gate(&compared,
			call_option(call, slower_option), reply);
	release(call, &compared);
	return outcome;
}

/* ---- ab --------------------------------------------------------------- */

static const char *const ab_options[] = { "--blocked", "--wait-quiet=",
	"--trials=", "--json", call_verbose_option, NULL };

static void queued_free(struct queued *queued)
{
	param_set_free(&queued->args);
	param_set_free(&queued->common);
}

static int read_ab(const struct call *call, struct queued *queued,
	struct error *error)
{
	const struct lab *lab = call->lab;
	const struct experiment *experiment =
		registry_get(&lab->registry, call->arg[0], error);

	*queued = (struct queued){ .experiment = experiment,
		.budget_asked = lab->budget_set,
		.abba = true };
	if (!experiment)
		return call_fault(call, 0, 0, error);
	param_set_init(&queued->args, experiment->params);
	param_set_copy(&queued->common, &lab->common);
	if (assign_ab(call, 1, &queued->args, &queued->common,
		    &queued->budget_asked, error) ||
		assign_options(call, &queued->common, error) ||
		run_check(experiment, &queued->args, error) ||
		run_check_line(queued, error)) {
		queued_free(queued);
		return -1;
	}
	return 0;
}

static int check_ab(const struct call *call, struct error *error)
{
	struct queued queued;

	if (read_ab(call, &queued, error))
		return -1;
	queued_free(&queued);
	return 0;
}

static enum outcome exec_ab(const struct call *call, struct reply *reply)
{
	struct queued queued;

	if (call->lab->interrupted)
		return reply_fail(reply, STATUS_INTERRUPTED,
			"not measured: interrupted");
	if (read_ab(call, &queued, &reply->error))
		return OUTCOME_FAILED;
	queued.json = call_option(call, "--json") != NULL;
	queued.verbose = call_option(call, call_verbose_option) != NULL;
	queued.blocked = call_option(call, "--blocked") != NULL;
	lab_enqueue(call->lab, &queued);
	return OUTCOME_WAIT;
}

/* ---- score ------------------------------------------------------------ */

static const char *const score_options[] = { "--json", call_session_option,
	NULL };

static enum outcome exec_score(const struct call *call, struct reply *reply)
{
	if (call_reads(call, reply))
		return OUTCOME_FAILED;
	const struct session *session = call->lab->session;
	if (call_option(call, "--json"))
		write_score(session, &reply->text);
	else
		print_score(session, &call->lab->layout, &reply->text);
	return OUTCOME_DONE;
}

const struct command compare_commands[] = {
	{ "compare", "FILE ... [--fail-if-slower 5%]",
		"compare sessions with the first (or one with the present "
		"session): differing conditions, then a verdict per metric. "
		"FILE may be a number of `sessions`, `last`, or a published "
		"course report, published:a to published:e. B/A is the median "
		"ratio of all pairs of launches; above 1 is slower, also for "
		"rates. -v shows every point, its threshold and its interval. "
		"--fail-if-slower gives the exit status 1 if a metric is "
		"proven slower by this much or nothing could be tested, and 7 "
		"(measure again) if one is undecided or if other guests of the "
		"host may have caused its change",
		"compare monday.json today.json --fail-if-slower 5%", 1, 64,
		ARGUMENT_FILE, published_names, compare_options,
		COMMAND_READS, check_compare, exec_compare },
	{ "ab", "EXPERIMENT NAME=A,B [NAME=VALUE ...]",
		"compare two settings in one run, with one verdict. Their "
		"trials alternate, or with --blocked their visits. Equal "
		"values, NAME=A NAME=A, test the method: they should be "
		"equivalent. -v shows all figures",
		"ab cpu.syscall via=raw,libc call=getppid", 2, 64,
		ARGUMENT_EXPERIMENT, NULL, ab_options,
		COMMAND_RECORDED | COMMAND_MEASURES, check_ab, exec_ab },
	{ "score", "",
		"compare the predictions of this session with its results: "
		"both figures, their ratio and a reason per experiment, then a "
		"summary",
		"score", 0, 0, ARGUMENT_NONE, NULL, score_options,
		COMMAND_READS, NULL, exec_score },
	{ .name = NULL },
};
