/* `expect`: reading the four words, judging every matching point. */
#include "expect.h"

#include "digest.h"
#include "say.h"

static const struct refused rows[] = {
	{ "expect cpu.cal median < 1ns", "1:8",
		"unknown experiment 'cpu.cal': di" },
	{ "expect cpu.call.tme median < 1", "1:17", "no metric 'tme': did y" },
	{ "expect cpu.call.x.y median < 1", "1:8", "unknown experiment" },
	{ "expect . median < 1", "1:8", "unknown experiment '.'" },
	{ "expect cpu.call{call=getpid median < 1", "1:16", "expected }" },
	{ "expect cpu.call{call} median < 1", "1:17", "'call' is not a "
		"condit" },
	{ "expect cpu.call{cal=read} median < 1", "1:17", "did you mean 'cal" },
	{ "expect cpu.call{call=reed} median < 1", "1:22", "call: 'reed'" },
	{ "expect cpu.call{size=4K,call=x} median < 1", "1:30", "call: 'x'" },
	{ "expect cpu.call{size=4K,size} median < 1", "1:25", "not a cond" },
	{ "expect cpu.call medium < 1", "1:17", "'medium' is not a statistic" },
	{ "expect cpu.call p42 < 1", "1:17", "'p42' is not a statistic" },
	{ "expect cpu.call median = 1", "1:24", "'=' is not a comparison" },
	{ "expect cpu.call median == 1", "1:24", "expected <, <=, > or >=" },
	{ "expect cpu.call median < fast", "1:26", "expected a time" },
	{ "expect cpu.call median < 1kg", "1:27", "expected a time" },
	{ "expect cpu.call median < ''", "1:26", "expected a time" },
	{ "expect cpu.call median < 1,5ns", "1:27", "expected a time" },
	{ "expect cpu.call median < nan", "1:26", "expected a time" },
	{ "expect cpu.call excluded < 5ns", "1:29", "expected a percentage" },
	{ "expect cpu.call median < xc", "1:26", "expected cycles" },
};

static void test_refused(void **state)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_refused(*state, &rows[i]);
}

/* Checks the outcome of a line: the sentence and its status, or "" if it holds.
 * The text goes to *lines unless NULL. */
static char *judged_as(struct lab *lab, const char *line, enum status status,
	char **lines)
{
	struct reader reader = reader_of(line);
	struct reply reply = { 0 };
	struct words words;
	struct error error;

	assert_int_equal(words_read(&words, &reader, &error), 0);
	enum outcome outcome = command_exec(lab, &words, &reply);
	words_free(&words);
	if (lines)
		*lines = text_take(&reply.text);
	if (outcome == OUTCOME_DONE) {
		reply_free(&reply);
		return xstrdup("");
	}
	assert_int_equal(reply.error.status, status);
	reply_free(&reply);
	return xstrdup(reply.error.message);
}

static char *judged(struct lab *lab, const char *line, char **lines)
{
	return judged_as(lab, line, STATUS_EXPECT, lines);
}

static void assert_judged(struct lab *lab, const char *line, const char *says)
{
	char *got = judged(lab, line, NULL);

	if (*says ? !strstr(got, says) : *got)
		fail_msg("%s: '%s'", line, got);
	free(got);
}

/* A figure of a point, from its digest. */
static struct summary figures(struct lab *lab, const char *experiment, size_t i)
{
	const struct results *results = session_last(lab->session, experiment);
	struct digest digest;

	assert_true(digest_of(results, &results->points[i], 0, &digest));
	return digest.summary;
}

/* Each statistic is that of the digest: a bound just above it holds, a bound
 * just below does not. */
static void test_statistics(void **state)
{
	struct summary clean = figures(*state, "cpu.syscall", 0);
	const struct {
		const char *name;
		double value;
	} stats[] = {
		{ "median", clean.median },
		{ "mean", clean.mean },
		{ "min", clean.min },
		{ "max", clean.max },
		{ "ci_low", clean.interval.low },
		{ "ci_high", clean.interval.high },
		{ "sd_within", clean.sd_within },
		{ "sd_between", clean.sd_between },
		{ "max_deviation", clean.max_deviation },
		{ "p5", clean.quantile[1] },
		{ "p25", clean.quantile[2] },
		{ "p50", clean.quantile[3] },
		{ "p75", clean.quantile[4] },
		{ "p90", clean.quantile[5] },
		{ "p95", clean.quantile[6] },
	};

	assert_true(clean.has_interval);
	for (size_t i = 0; i < sizeof stats / sizeof *stats; i++) {
		struct text line = { 0 };
		double above = stats[i].value * (1 + 1e-9) + 1e-9;
		double below = stats[i].value * (1 - 1e-9) - 1e-9;

		text_add(&line, "expect cpu.syscall %s < %.12f", stats[i].name,
			above);
		assert_judged(*state, line.chars, "");
		text_clear(&line);
		if (below > 0) {
			text_add(&line, "expect cpu.syscall %s <= %.12f",
				stats[i].name, below);
			assert_judged(*state, line.chars,
				": not met");
		}
		text_free(&line);
	}
}

static void test_comparisons(void **state)
{
	struct lab *lab = *state;

	assert_judged(lab, "expect cpu.syscall median < 1us", "");
	assert_judged(lab, "expect cpu.syscall median <= 1us", "");
	assert_judged(lab, "expect cpu.syscall median > 1ns", "");
	assert_judged(lab, "expect cpu.syscall median >= 1ns", "");
	assert_judged(lab, "expect cpu.syscall median > 1us", ": not met");
	assert_judged(lab, "expect cpu.syscall median >= 1us", ": not met");
	assert_judged(lab, "expect cpu.syscall median < 1ns", ": not met");
	assert_judged(lab, "expect cpu.syscall shared < 50%", "");
	assert_judged(lab, "expect cpu.syscall shared < 0.1%", ": not met");
	assert_judged(lab, "expect cpu.syscall excluded < 50%", "");
	assert_judged(lab, "expect cpu.syscall excluded < 0.1%", ": not met");
	/* The core's frequency is unknown, so no number of trials gives
	 * cycles. */
	assert_judged(lab, "expect cpu.syscall median < 9e9c", ": not met");
}

/* A condition selects points; each of them must hold, and each has a line. */
static void test_points(void **state)
{
	struct lab *lab = *state;
	double first = figures(lab, "mem.latency", 0).median;
	double second = figures(lab, "mem.latency", 1).median;
	struct text line = { 0 };
	char *lines;

	assert_true(first < second);
	text_add(&line, "expect mem.latency median < %.9fns",
		(first + second) / 2);
	char *says = judged(lab, line.chars, &lines);
	assert_non_null(strstr(says, "not met by 2 of 3 points"));
	assert_non_null(strstr(lines, "ok   mem.latency call=getppid median"));
	assert_non_null(strstr(lines, "FAIL mem.latency call=getpid median"));
	assert_non_null(strstr(lines, "FAIL mem.latency call=read median"));
	free(lines);
	free(says);
	text_clear(&line);
	text_add(&line, "expect mem.latency{call=getppid} median < %.9fns",
		(first + second) / 2);
	assert_judged(lab, line.chars, "");
	text_free(&line);
	assert_judged(lab, "expect mem.latency{call=read,size=4K} median < 1s",
		"");
	assert_judged(lab, "expect mem.latency.time{size=4096} median < 1s",
		"");
	assert_judged(lab, "expect mem.latency{size=8K} median < 1s",
		"no point of the last run matches 'mem.latency{size=8K}': it "
		"has size=4K");
	assert_judged(lab, "expect mem.latency{size=8K,call=read} median < 1s",
		"it has call=getppid,getpid,read size=4K");
	/* An unmeasured point neither holds nor fails. */
	says = judged_as(lab, "expect cpu.call median < 1s", STATUS_AGAIN,
		&lines);
	assert_string_equal(says,
		"undecided: the session has no run of cpu.call: expected `run "
		"cpu.call` before, or --session=NUMBER");
	free(says);
	free(lines);
	/* A counter is a metric of every experiment, if it was counted. */
	says = judged_as(lab, "expect mem.latency.page-faults median < 1",
		STATUS_AGAIN, &lines);
	assert_string_equal(says,
		"undecided: the last run of mem.latency has no metric "
		"page-faults: expected a run that measured it");
	free(says);
	free(lines);
}

/* ---- undecided -------------------------------------------------------- */

static void set_flags(struct results *results, size_t at, unsigned flags)
{
	struct column *all = &results->points[at].series[0].flags;

	for (size_t i = 0; i < all->count; i++)
		((uint16_t *)all->data)[i] = (uint16_t)flags;
}

/* Undecided: the point must be measured again. */
static void assert_undecided(struct lab *lab, const char *line,
	const char *says)
{
	char *lines;
	char *got = judged_as(lab, line, STATUS_AGAIN, &lines);

	if (!strstr(got, "undecided: measure again") ||
		!strstr(lines, "?    cpu.syscall") || !strstr(lines, says))
		fail_msg("%s: '%s'\n%s", line, got, lines);
	free(got);
	free(lines);
}

/* A time that meets an upper bound with a co-runner also meets it without. A
 * time that does not meet it may do so without. */
static void test_shared_core(void **state)
{
	struct lab *lab = *state;
	struct results *results = session_last(lab->session, "cpu.syscall");

	set_flags(results, 0, FLAG_SHARED);
	assert_judged(lab, "expect cpu.syscall median < 1us", "");
	assert_judged(lab, "expect cpu.syscall p90 < 1us", "");
	assert_undecided(lab, "expect cpu.syscall median < 1ns",
		"(shared core: 0 % of the trials ran");
	assert_undecided(lab, "expect cpu.syscall mean < 1ns", "(shared core");
	/* A time below a lower bound with a co-runner is also below it
	 * without. */
	assert_judged(lab, "expect cpu.syscall median > 1us", ": not met");
	assert_undecided(lab, "expect cpu.syscall median > 1ns",
		"(shared core");
	/* Shares count trials, so they are decided on a shared core. */
	assert_judged(lab, "expect cpu.syscall shared >= 100%", "");
	assert_judged(lab, "expect cpu.syscall shared < 50%", ": not met");
	assert_judged(lab, "expect cpu.syscall excluded > 0", ": not met");
}

/* Other tasks on the same processors change a figure in either direction, by up
 * to a factor of two. */
static void test_other_tasks(void **state)
{
	struct lab *lab = *state;
	struct results *results = session_last(lab->session, "cpu.syscall");

	results->place.others = .4;
	struct digest digest;
	struct text line = { 0 };
	assert_true(digest_of(results, &results->points[0], 0, &digest));
	for (int i = 0; i < 4; i++) {
		static const double times[] = { .6, 1.8, .4, 2.2 };

		text_clear(&line);
		text_add(&line, "expect cpu.syscall median < %.3gns",
			digest.headline * times[i]);
		if (i < 2)
			assert_undecided(lab, line.chars, "(shared core");
		else
			assert_judged(lab, line.chars,
				i == 2 ? ": not met" : "");
	}
	/* More data would decide nothing. */
	text_clear(&line);
	text_add(&line, "expect cpu.syscall median < %.3gns",
		digest.headline * .6);
	char *says = judged_as(lab, line.chars, STATUS_AGAIN, NULL);
	assert_non_null(strstr(says, "measure again after the other tasks have "
				     "ended"));
	assert_null(strstr(says, "budget="));
	free(says);
	text_free(&line);
	assert_judged(lab, "expect cpu.syscall shared < 50%", "");
}

static void test_not_enough_data(void **state)
{
	struct lab *lab = *state;
	struct results *results = session_last(lab->session, "cpu.syscall");

	results->points[0].visit_count = 5;
	assert_undecided(lab, "expect cpu.syscall median < 1us",
		"(not enough data: 5 launches, 6\n     needed)");
	assert_undecided(lab, "expect cpu.syscall median < 1ns", "5 launches");
	assert_undecided(lab, "expect cpu.syscall ci_high < 1us", "5 launches");
	assert_judged(lab, "expect cpu.syscall shared < 50%", "");
}

/* Too few trials for a quantile. */
static void test_no_quantile(void **state)
{
	static const char why[] = "- < 1.000 s (not enough data for p99.9)";
	struct lab *lab = *state;
	struct results *results = session_last(lab->session, "cpu.syscall");

	assert_undecided(lab, "expect cpu.syscall p99.9 < 1s", why);
	assert_undecided(lab, "expect cpu.syscall p99.9 > 0", "p99.9)");
	set_flags(results, 0, FLAG_SHARED);
	assert_undecided(lab, "expect cpu.syscall p99.9 < 1s", why);
}

/* A metric without values at a point is not an answer; a point that was not
 * reached will have one. */
static void test_no_values(void **state)
{
	struct lab *lab = *state;
	struct results *results = session_last(lab->session, "cpu.syscall");
	struct point *point = &results->points[0];
	size_t visits = point->visit_count;
	char *lines;

	for (size_t i = 0; i < visits; i++)
		point->series[0].slices[i].count = 0;
	free(judged(lab, "expect cpu.syscall median < 1s", &lines));
	assert_non_null(strstr(lines, "FAIL cpu.syscall"));
	assert_non_null(strstr(lines, "(no such figure)"));
	free(lines);
	point->visit_count = 0;
	assert_undecided(lab, "expect cpu.syscall median < 1s", "not enough");
	point->visit_count = visits;
}

/* A wide interval decides only bounds on its ends that are met or outside. */
static void test_wide_intervals(void **state)
{
	struct lab *lab = *state;
	struct results *results = session_last(lab->session, "cpu.syscall");
	uint64_t *ticks = results->points[0].series[0].raw.data;

	/* The interval is 40 to 130 ns. */
	for (size_t i = 0; i < 600; i++)
		ticks[i] = 840 + 200 * (i / 60);
	assert_undecided(lab, "expect cpu.syscall median < 1us", "not enough");
	assert_undecided(lab, "expect cpu.syscall median > 1us", "not enough");
	assert_undecided(lab, "expect cpu.syscall median < 90ns",
		"(not enough data: interval too wide,\n     +-41 %)");
	assert_undecided(lab, "expect cpu.syscall mean < 1us", "not enough");
	assert_judged(lab, "expect cpu.syscall ci_high < 1us", "");
	assert_judged(lab, "expect cpu.syscall ci_low > 140ns", ": not met");
	assert_undecided(lab, "expect cpu.syscall ci_low > 90ns", "not enough");
	set_flags(results, 0, FLAG_SHARED);
	assert_undecided(lab, "expect cpu.syscall median < 1us", "not enough");
}

/* A narrow interval around the bound leaves the decision to the figure, and the
 * line states it. */
static void test_bound_within(void **state)
{
	static const char within[] = "(the interval contains the bound)";
	struct lab *lab = *state;
	struct summary clean = figures(lab, "cpu.syscall", 0);
	const struct {
		const char *stat;
		double bound;
		bool met, close;
	} bounds[] = {
		{ "median", clean.interval.high * .9999, true, true },
		{ "median", clean.interval.low * 1.0001, false, true },
		{ "median", clean.interval.high * 1.01, true, false },
		{ "ci_high", clean.interval.high * .9999, false, false },
	};

	assert_true(clean.interval.high > clean.interval.low * 1.001);
	for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
		struct text line = { 0 };
		char *lines;

		text_add(&line, "expect cpu.syscall %s < %.9fns", bounds[i].stat,
			bounds[i].bound);
		char *says = judged(lab, line.chars, &lines);
		if (!*says != bounds[i].met ||
			!!strstr(lines, within) != bounds[i].close)
			fail_msg("%s: '%s'\n%s", line.chars, says, lines);
		free(says);
		free(lines);
		text_free(&line);
	}
}

/* One failed point has priority over undecided points. */
static void test_failures_outweigh(void **state)
{
	struct lab *lab = *state;
	struct results *results = session_last(lab->session, "mem.latency");
	char *lines;

	set_flags(results, 0, FLAG_SHARED);
	char *says = judged(lab, "expect mem.latency median < 1ns", &lines);
	assert_non_null(strstr(says, "not met by 2 of 3 points"));
	assert_non_null(strstr(lines, "?    mem.latency call=getppid"));
	assert_non_null(strstr(lines, "FAIL mem.latency call=read"));
	free(says);
	free(lines);
}

/* An unmeasured point does not hold, for any expectation. */
static void test_not_measured(void **state)
{
	struct lab *lab = *state;
	struct results *results = session_last(lab->session, "cpu.syscall");
	struct point *point = &results->points[0];
	char *lines;

	point->state = POINT_UNAVAILABLE;
	point->why = xstrdup("not here");
	free(judged(lab, "expect cpu.syscall median > 0", &lines));
	assert_non_null(strstr(lines, "FAIL"));
	assert_non_null(strstr(lines, "(not here)"));
	free(lines);
	assert_judged(lab, "expect cpu.syscall median < 1s", ": not met");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_LAB(test_refused),
		WITH_LAB(test_statistics),
		WITH_LAB(test_comparisons),
		WITH_LAB(test_points),
		WITH_LAB(test_shared_core),
		WITH_LAB(test_other_tasks),
		WITH_LAB(test_not_enough_data),
		WITH_LAB(test_no_quantile),
		WITH_LAB(test_no_values),
		WITH_LAB(test_wide_intervals),
		WITH_LAB(test_bound_within),
		WITH_LAB(test_failures_outweigh),
		WITH_LAB(test_not_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
