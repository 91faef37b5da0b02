/* `expect`: compares a figure of the last run with a bound. */
#include "expect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "lab.h"
#include "memory.h"
#include "print.h"
#include "regime.h"

const char *const expect_stats[] = { "median", "mean", "min", "max", "ci_low",
	"ci_high", "sd_within", "sd_between", "max_deviation", "shared",
	"excluded", "p1", "p5", "p25", "p50", "p75", "p90", "p95", "p99",
	"p99.9", NULL };
const char *const expect_operators[] = { "<", "<=", ">", ">=", NULL };

/* The parsed words of the statement. */
struct expectation {
	const struct experiment *experiment;
	size_t metric;
	struct param_set where; /* values in braces */
	bool *asked;            /* one per row: `where` has a value for it */
	const char *stat;
	const char *operator;
	double bound;
	bool in_cycles;
};

static void expectation_free(struct expectation *expectation)
{
	if (expectation->asked)
		param_set_free(&expectation->where);
	free(expectation->asked);
}

/* Is it a share of the trials? It does not depend on the timings. */
static bool is_share(const char *stat)
{
	return !strcmp(stat, "shared") || !strcmp(stat, "excluded");
}

/* ---- reading ---------------------------------------------------------- */

static int find_metric(const struct call *call, const char *name, size_t offset,
	struct expectation *expectation, struct error *error)
{
	const struct metric *metrics = expectation->experiment->metrics;
	const char *names[METRICS_MAX + 1];
	size_t count = 0;

	for (; metrics[count].name; count++) {
		names[count] = metrics[count].name;
		if (!strcmp(name, metrics[count].name)) {
			expectation->metric = count;
			return 0;
		}
	}
	names[count] = NULL;
	const char *nearest = text_nearest(name, names);
	struct text all = { 0 };
	for (size_t i = 0; i < count; i++)
		text_add(&all, "%s%s", i ? ", " : "", names[i]);
	error_set(error, STATUS_USAGE,
		nearest ? "%s has no metric %s: did you mean '%s'?" :
			  "%s has no metric %s: expected one of %s",
		expectation->experiment->name, text_quoted(name).chars,
		nearest ? nearest : all.chars);
	text_free(&all);
	return call_fault(call, 0, offset, error);
}

static int read_subject(const struct call *call, size_t length,
	struct expectation *expectation, struct error *error)
{
	const struct registry *registry = &call->lab->registry;
	char *name = xstrndup(call->arg[0], length);
	int failed = 0;

	expectation->experiment = registry_called(registry, name);
	char *dot = strrchr(name, '.');
	if (!expectation->experiment && dot) {
		*dot = '\0';
		expectation->experiment = registry_called(registry, name);
		if (expectation->experiment)
			failed = find_metric(call, dot + 1,
				(size_t)(dot + 1 - name), expectation, error);
		else
			*dot = '.';
	}
	if (!expectation->experiment)
		expectation->experiment = registry_get(registry, name, error);
	if (!expectation->experiment)
		failed = call_fault(call, 0, 0, error);
	free(name);
	return failed;
}

static int read_condition(const struct call *call, const char *word,
	size_t length, struct expectation *expectation, struct error *error)
{
	size_t offset = (size_t)(word - call->arg[0]);
	const char *equals = memchr(word, '=', length);
	const struct param *rows = expectation->experiment->params;

	if (!equals) {
		error_set(error, STATUS_USAGE,
			"%s is not a condition: expected NAME=VALUE",
			text_quoted_part(word, length).chars);
		return call_fault(call, 0, offset, error);
	}
	char *name = xstrndup(word, (size_t)(equals - word));
	char *value =
		xstrndup(equals + 1, length - (size_t)(equals + 1 - word));
	int failed;
	const struct param *row = param_row(rows, name);
	if (!row) {
		failed = param_unknown(rows, NULL, name, error);
		call_fault(call, 0, offset, error);
	} else {
		failed = param_set_values(&expectation->where, name, value,
			error);
		if (failed)
			call_fault(call, 0,
				offset + (size_t)(equals - word) +
					(size_t)error->column,
				error);
		expectation->asked[row - rows] = true;
	}
	free(name);
	free(value);
	return failed;
}

static int read_conditions(const struct call *call, const char *brace,
	struct expectation *expectation, struct error *error)
{
	const char *end = brace + strlen(brace) - 1;

	if (*end != '}') {
		error_set(error, STATUS_USAGE, "%s is not closed: expected }",
			text_quoted(brace).chars);
		return call_fault(call, 0, (size_t)(brace - call->arg[0]),
			error);
	}
	for (const char *at = brace + 1; at < end;) {
		size_t length = strcspn(at, ",}");

		if (read_condition(call, at, length, expectation, error))
			return -1;
		at += length + 1;
	}
	return 0;
}

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
	enum unit unit =
		expectation->experiment->metrics[expectation->metric].unit;

	if (is_share(expectation->stat))
		unit = UNIT_PERCENT;
	if (unit == UNIT_NS && length && word[length - 1] == 'c') {
		unit = UNIT_CYCLES;
		expectation->in_cycles = true;
	}
	if (unit_parse(unit, word, length, &expectation->bound, error))
		return call_fault(call, 3,
			error->column ? (size_t)error->column - 1 : 0, error);
	if (!unit_is_missing(unit, word, expectation->bound))
		return 0;
	error_set(error, STATUS_USAGE, "%s has no unit: expected %s",
		text_quoted(word).chars, unit_expected(unit));
	return call_fault(call, 3, length, error);
}

static int read_expectation(const struct call *call,
	struct expectation *expectation, struct error *error)
{
	const char *brace = strchr(call->arg[0], '{');
	size_t length =
		brace ? (size_t)(brace - call->arg[0]) : strlen(call->arg[0]);

	*expectation = (struct expectation){ 0 };
	if (read_subject(call, length, expectation, error))
		return -1;
	param_set_init(&expectation->where, expectation->experiment->params);
	expectation->asked = xcalloc(expectation->where.count + 1,
		sizeof *expectation->asked);
	if (brace && read_conditions(call, brace, expectation, error))
		return -1;
	if (read_word(call, 1, expect_stats,
		    "statistic: expected median, mean, min, max, ci_low, "
		    "ci_high, sd_within, sd_between, max_deviation, "
		    "shared, excluded or p1 .. p99.9",
		    &expectation->stat, error) ||
		read_word(call, 2, expect_operators,
			"comparison: expected <, <=, > or >=",
			&expectation->operator, error))
		return -1;
	return read_bound(call, expectation, error);
}

int check_expect(const struct call *call, struct error *error)
{
	struct expectation expectation;
	int failed = read_expectation(call, &expectation, error);

	expectation_free(&expectation);
	return failed;
}

/* ---- judging ---------------------------------------------------------- */

static double quantile_named(const struct summary *summary, const char *stat)
{
	double p = strtod(stat + 1, NULL) / 100;

	for (size_t i = 0; i < SUMMARY_QUANTILES; i++)
		if (fabs(summary_quantile[i] - p) < 1e-9)
			return summary->quantile[i];
	return NAN;
}

static double figure(const struct digest *digest, const struct summary *summary,
	const char *stat)
{
	const struct {
		const char *name;
		double value;
	} figures[] = {
		{ "median", summary->median },
		{ "mean", summary->mean },
		{ "min", summary->min },
		{ "max", summary->max },
		{ "ci_low",
			summary->has_interval ? summary->interval.low : NAN },
		{ "ci_high",
			summary->has_interval ? summary->interval.high : NAN },
		{ "sd_within", summary->sd_within },
		{ "sd_between", summary->sd_between },
		{ "max_deviation", summary->max_deviation },
		{ "shared", digest->shared },
		{ "excluded", digest->excluded },
	};

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		if (!strcmp(stat, figures[i].name))
			return figures[i].value;
	return quantile_named(summary, stat);
}

static bool holds(double value, const char *operator, double bound)
{
	if (!strcmp(operator, "<"))
		return value < bound;
	if (!strcmp(operator, "<="))
		return value <= bound;
	if (!strcmp(operator, ">"))
		return value > bound;
	return value >= bound;
}

static bool asked_for(const struct expectation *expectation,
	const struct results *results, const struct point *point)
{
	const struct param_set *where = &expectation->where;

	for (size_t row = 0; row < where->count; row++) {
		struct text wanted = { 0 };
		const char *has =
			point_value(results, point, where->rows[row].name);

		if (!expectation->asked[row])
			continue;
		param_set_text(where, 0, row, &wanted);
		bool same = has && !strcmp(has, text_chars(&wanted));
		text_free(&wanted);
		if (!same)
			return false;
	}
	return true;
}

enum judged { HOLDS, FAILS, UNDECIDED };

/* Do both ends of the median's interval give the same answer? Then its width
 * does not matter, even near 0, where the relative width is always large. */
static bool is_clear(const struct expectation *expectation,
	const struct summary *summary)
{
	const struct interval *interval = &summary->interval;

	return !strcmp(expectation->stat, "median") && summary->has_interval &&
		holds(interval->low, expectation->operator,
			expectation->bound) ==
		holds(interval->high, expectation->operator,
			expectation->bound);
}

/* A co-runner makes figures only worse. So if a figure beside a co-runner meets
 * a bound on good values, it also does on a core of its own. If it misses a
 * bound that asks for bad values, it also does on a core of its own. */
static bool is_beyond_sharing(const struct expectation *expectation,
	enum direction direction, bool holds)
{
	bool upper = *expectation->operator == '<';

	if (direction == NEITHER_IS_BETTER)
		return false;
	return holds == (upper == (direction == LESS_IS_BETTER));
}

static enum judged judge_value(const struct expectation *expectation,
	const struct results *results, const struct point *point,
	const struct digest *digest, double value)
{
	const struct summary *summary =
		expectation->in_cycles ? &digest->cycles : &digest->summary;
	unsigned metric = (unsigned)expectation->metric;
	bool good = holds(value, expectation->operator, expectation->bound);

	if (is_share(expectation->stat) || !isfinite(value) ||
		digest->published)
		return good ? HOLDS : FAILS;
	if (digest->quality == QUALITY_NOT_ENOUGH &&
		!is_clear(expectation, summary))
		return UNDECIDED;
	if (!results_settled(results, point, metric) &&
		!is_beyond_sharing(expectation,
			results->metrics[metric].better, good))
		return UNDECIDED;
	return good ? HOLDS : FAILS;
}

static void say_undecided(const struct digest *digest, struct text *text)
{
	text_add(text, " (");
	say_quality(digest, text);
	text_add_char(text, ')');
}

/* Judges one point and adds its line to the text. */
static enum judged judge(const struct expectation *expectation,
	const struct results *results, const struct point *point,
	struct text *text)
{
	static const char *const words[] = { "ok  ", "FAIL", "?   " };
	struct digest digest = { .quality = QUALITY_GOOD };
	enum unit unit = expectation->in_cycles ?
		UNIT_CYCLES :
		results->metrics[expectation->metric].unit;
	double value = NAN;

	if (is_share(expectation->stat))
		unit = UNIT_PERCENT;
	if (point->state == POINT_OK &&
		digest_of(results, point, (unsigned)expectation->metric,
			&digest) &&
		(!expectation->in_cycles || digest.has_cycles))
		value = figure(&digest,
			expectation->in_cycles ? &digest.cycles :
						 &digest.summary,
			expectation->stat);
	enum judged judged =
		judge_value(expectation, results, point, &digest, value);
	text_add(text, "%s %s ", words[judged], results->experiment);
	point_describe(results, point, true, text);
	text_add(text, " %s ", expectation->stat);
	unit_show(text, unit, value);
	text_add(text, " %s ", expectation->operator);
	unit_show(text, unit, expectation->bound);
	if (point->state != POINT_OK)
		text_add(text, " (%s)", point->why);
	else if (!isfinite(value))
		text_add(text, " (no such figure)");
	else if (judged == UNDECIDED)
		say_undecided(&digest, text);
	text_add_char(text, '\n');
	return judged;
}

enum outcome exec_expect(const struct call *call, struct reply *reply)
{
	struct expectation expectation;
	size_t matched = 0, of[UNDECIDED + 1] = { 0 };

	if (read_expectation(call, &expectation, &reply->error) ||
		call_reads(call, reply)) {
		expectation_free(&expectation);
		return OUTCOME_FAILED;
	}
	const struct results *results =
		session_last(call->lab->session, expectation.experiment->name);
	for (size_t i = 0; results && i < results->point_count; i++) {
		if (!asked_for(&expectation, results, &results->points[i]))
			continue;
		matched++;
		of[judge(&expectation, results, &results->points[i],
			&reply->text)]++;
	}
	expectation_free(&expectation);
	if (!results)
		return reply_fail(reply, STATUS_AGAIN,
			"undecided: the session has no run of %s; measure it "
			"first",
			text_quoted(call->arg[0]).chars);
	if (!matched)
		return reply_fail(reply, STATUS_EXPECT,
			"no point of the last run matches %s",
			text_quoted(call->arg[0]).chars);
	if (of[FAILS])
		return reply_fail(reply, STATUS_EXPECT,
			"expected %s %s %s %s: not met by %zu of %zu points",
			call->arg[0], call->arg[1], call->arg[2], call->arg[3],
			of[FAILS], matched);
	if (of[UNDECIDED])
		return reply_fail(reply, STATUS_AGAIN,
			"expected %s %s %s %s: undecided at %zu of %zu points: "
			"measure again",
			call->arg[0], call->arg[1], call->arg[2], call->arg[3],
			of[UNDECIDED], matched);
	return OUTCOME_DONE;
}
