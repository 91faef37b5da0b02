/* `expect`: compares a figure of the last run with a bound. */
#include "expect.h"

#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "memory.h"
#include "print_bound.h"
#include "subject.h"
#include "wrap.h"

const char *const expect_stats[] = { "median", "mean", "min", "max", "ci_low",
	"ci_high", "sd_within", "sd_between", "max_deviation", "shared",
	"excluded", "p1", "p5", "p25", "p50", "p75", "p90", "p95", "p99",
	"p99.9", NULL };
const char *const expect_operators[] = { "<", "<=", ">", ">=", NULL };

/* The parsed words of the statement. */
struct expectation {
	struct subject subject;
	struct bound bound;
};

/* ---- reading ---------------------------------------------------------- */

static int read_word(const struct call *call, size_t i, const char *const *list,
	const char *what, const char **found, struct error *error)
{
	for (; *list; list++)
		if (!strcmp(*list, call->arg[i])) {
			*found = *list;
			return 0;
		}
	error_set(error, STATUS_USAGE, "%s is not a %s",
		text_quoted(call->arg[i]).chars, what);
	return call_fault(call, i, 0, error);
}

static int read_bound(const struct call *call, struct expectation *expectation,
	struct error *error)
{
	const char *word = call->arg[3];
	size_t length = strlen(word);
	struct bound *bound = &expectation->bound;
	enum unit unit = expectation->subject.metric->unit;

	if (bound_is_share(bound))
		unit = UNIT_PERCENT;
	if (unit == UNIT_NS && length && word[length - 1] == 'c') {
		unit = UNIT_CYCLES;
		bound->in_cycles = true;
	}
	if (unit_parse(unit, word, length, &bound->value, error))
		return call_fault(call, 3,
			error->column ? (size_t)error->column - 1 : 0, error);
	if (!unit_is_missing(unit, word, bound->value))
		return 0;
	error_set(error, STATUS_USAGE, "%s has no unit: expected %s",
		text_quoted(word).chars, unit_expected(unit));
	return call_fault(call, 3, length, error);
}

static int read_expectation(const struct call *call,
	struct expectation *expectation, struct error *error)
{
	*expectation = (struct expectation){ 0 };
	if (subject_read(call, &expectation->subject, error))
		return -1;
	if (read_word(call, 1, expect_stats,
		    "statistic: expected median, mean, min, max, ci_low, "
		    "ci_high, sd_within, sd_between, max_deviation, "
		    "shared, excluded or p1 .. p99.9",
		    &expectation->bound.stat, error) ||
		read_word(call, 2, expect_operators,
			"comparison: expected <, <=, > or >=",
			&expectation->bound.operator, error))
		return -1;
	return read_bound(call, expectation, error);
}

int check_expect(const struct call *call, struct error *error)
{
	struct expectation expectation;
	int failed = read_expectation(call, &expectation, error);

	conditions_free(&expectation.subject.conditions);
	return failed;
}

/* ---- judging ---------------------------------------------------------- */

/* Adds the values that a parameter has in a run, each once. */
static void say_values(const struct results *results, const char *name,
	struct text *text)
{
	enum { MOST = 12 };
	const char *seen[MOST];
	size_t count = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		const char *value =
			point_value(results, &results->points[i], name);
		size_t k = 0;

		while (value && k < count && strcmp(seen[k], value) != 0)
			k++;
		if (!value || k < count)
			continue;
		text_add(text, "%s%s", k ? "," : "", k < MOST ? value : "..");
		if (k == MOST)
			return;
		seen[count++] = value;
	}
}

/* Reports that no point has the values in braces, with those that exist. */
static void refuse_where(const struct call *call,
	const struct expectation *expectation, const struct results *results,
	struct error *error)
{
	const struct param_set *where = &expectation->subject.conditions.where;
	struct text has = { 0 };

	for (size_t row = 0; row < where->count; row++) {
		if (!expectation->subject.conditions.asked[row])
			continue;
		text_add(&has, " %s=", where->rows[row].name);
		say_values(results, where->rows[row].name, &has);
	}
	error_set(error, STATUS_EXPECT,
		"no point of the last run matches %s: it has%s",
		text_quoted(call->arg[0]).chars, text_chars(&has));
	text_free(&has);
}

/* "expected pipe time < 5us: not met by 1 of 3 points". */
static enum outcome fail_bound(struct reply *reply, const struct call *call,
	enum status status, const char *verdict, const char *at,
	size_t count, size_t points, const char *cure)
{
	struct text where = { 0 };

	if (points > 1)
		text_add(&where, " %s %zu of %zu points", at, count, points);
	reply_fail(reply, status, "expected %s %s %s %s: %s%s%s", call->arg[0],
		call->arg[1], call->arg[2], call->arg[3], verdict,
		text_chars(&where), cure);
	text_free(&where);
	return OUTCOME_FAILED;
}

/* A finding with the name of the metric states the cause of its value. */
static void print_cause(const struct results *results, const char *metric,
	int width, struct text *text)
{
	for (size_t i = 0; i < results->findings.count; i++) {
		const struct finding *finding = &results->findings.list[i];

		if (finding->has_value || strcmp(finding->name, metric) != 0)
			continue;
		text_add(text, "     ");
		wrap(text, finding->sentence, 5, width);
	}
}

/* What may decide: no amount of data does beside other tasks. */
static const char *cure(const size_t of[])
{
	if (of[BOUND_CROWDED])
		return ": measure again after the other tasks have ended";
	if (of[BOUND_UNDECIDED])
		return ": measure again, on a quieter core or with a larger "
		       "budget=";
	return ": state the bound in cycles";
}

enum outcome exec_expect(const struct call *call, struct reply *reply)
{
	struct expectation expectation;
	const struct subject *subject = &expectation.subject;
	size_t matched = 0, of[BOUND_BLURRED + 1] = { 0 };

	if (read_expectation(call, &expectation, &reply->error) ||
		call_reads(call, reply)) {
		conditions_free(&expectation.subject.conditions);
		return OUTCOME_FAILED;
	}
	const struct results *results =
		session_last(call->lab->session, subject->experiment->name);
	int metric = results ?
		results_metric(results, subject->metric->name) :
		-1;
	expectation.bound.metric = metric < 0 ? 0 : (unsigned)metric;
	for (size_t i = 0; metric >= 0 && i < results->point_count; i++) {
		if (!subject_matches(subject, results, &results->points[i]))
			continue;
		matched++;
		of[print_bound(&expectation.bound, results, &results->points[i],
			&call->lab->layout, &reply->text)]++;
	}
	if (metric >= 0 && !matched)
		refuse_where(call, &expectation, results, &reply->error);
	const char *name = subject->experiment->name;
	const char *wanted = subject->metric->name;
	conditions_free(&expectation.subject.conditions);
	if (!results)
		return reply_fail(reply, STATUS_AGAIN,
			"undecided: the session has no run of %s: expected "
			"`run %s` before, or --session=NUMBER",
			name, name);
	if (metric < 0)
		return reply_fail(reply, STATUS_AGAIN,
			"undecided: the last run of %s has no metric %s: "
			"expected a run that measured it",
			name, wanted);
	if (!matched)
		return OUTCOME_FAILED;
	if (of[BOUND_MISSED])
		print_cause(results, wanted, call->lab->layout.width,
			&reply->text);
	if (of[BOUND_MISSED])
		return fail_bound(reply, call, STATUS_EXPECT, "not met", "by",
			of[BOUND_MISSED], matched, "");
	size_t undecided = matched - of[BOUND_MET];
	if (undecided)
		return fail_bound(reply, call, STATUS_AGAIN, "undecided", "at",
			undecided, matched, cure(of));
	return OUTCOME_DONE;
}
