/* Results as plain text in ASCII with at most 80 columns; every figure is that
 * of the digest. */
#include "print.h"
#include "print_results.h"

#include "digest.h"
#include "say.h"

static struct results *last(void **state, const char *experiment)
{
	struct lab *lab = *state;

	return session_last(lab->session, experiment);
}

static char *printed(const struct results *results)
{
	struct text_layout layout = text_layout_plain;
	struct text text = { 0 };

	layout.verbose = true;
	print_results(results, NULL, &layout, &text);
	return text_take(&text);
}

static void assert_plain(const char *text)
{
	int column = 0;

	for (; *text; text++) {
		if (*text == '\n') {
			assert_int_not_equal(text[-1], ' ');
			column = 0;
			continue;
		}
		column++;
		assert_in_range(*text, ' ', '~');
		assert_true(column <= 80);
	}
	assert_int_equal(column, 0);
}

/* The line with this beginning, or NULL. */
static const char *line_with(const char *text, const char *piece)
{
	const char *at = strstr(text, piece);

	while (at && at > text && at[-1] != '\n')
		at--;
	return at;
}

static void test_single(void **state)
{
	const struct results *results = last(state, "cpu.syscall");
	struct text median = { 0 };
	struct digest digest;
	char *text = printed(results);

	assert_plain(text);
	assert_non_null(strstr(text, "cpu.syscall  System call   cpu 3"));
	assert_non_null(strstr(text, "call=getppid size=4K"));
	assert_true(digest_of(results, &results->points[0], 0, &digest));
	unit_show_within(&median, UNIT_NS, digest.summary.median,
		digest.summary.interval.high - digest.summary.interval.low);
	const char *headline = line_with(text, "time per call");
	assert_non_null(headline);
	assert_non_null(strstr(headline, median.chars));
	assert_non_null(strstr(headline, " 95 %"));
	assert_non_null(strstr(text, "10 ops x 600 trials, 10 launches"));
	assert_non_null(strstr(text, "sd within"));
	assert_non_null(strstr(text, "p25"));
	assert_non_null(strstr(text, "done: precise to"));
	assert_non_null(strstr(text, "you predicted 70"));
	text_free(&median);
	free(text);
}

/* A parsed histogram: the sums of its rows for each class. */
struct read_histogram {
	size_t sum[3], highest;
	size_t longest; /* bar, in cells */
};

/* Parses "78 3 1 |@@@@o!|" after a range. A bar has cells of a class only if
 * its count is not 0. */
static void read_row(const char *row, int classes,
	struct read_histogram *histogram)
{
	static const char marks[] = "@o!";
	const char *bar = strchr(row, '|');
	size_t count[3] = { 0 }, all = 0;

	assert_int_equal(sscanf(row, "%zu %zu %zu", &count[0], &count[1],
				 &count[2]),
		classes);
	for (int c = 0; c < 3; c++) {
		histogram->sum[c] += count[c];
		all += count[c];
	}
	if (!bar)
		return;
	size_t cells = strcspn(bar + 1, " |");
	const char *at = bar + 1;
	for (int c = 0; c < 3; c++) {
		size_t own = 0;

		for (; *at == marks[c]; at++)
			own++;
		assert_true(!own || count[c]);
	}
	assert_int_equal(at - bar - 1, cells);
	assert_int_equal(cells > 0, all > 0);
	if (all > histogram->highest) {
		histogram->highest = all;
		histogram->longest = cells;
	}
}

/* The rows count every trial, in a column for each existing class. The fullest
 * bin has the longest bar. */
static void test_histogram(void **state)
{
	enum { INDENT = 4, RANGE = 24 };
	const struct results *results = last(state, "cpu.syscall");
	struct read_histogram histogram = { 0 };
	struct text text = { 0 };
	char heads[3][16];

	print_histogram(results, &results->points[0], 0, true, &text);
	assert_plain(text.chars);
	char *line = strtok(text.chars, "\n");
	assert_int_equal(sscanf(line, "%15s %15s %15s", heads[0], heads[1],
				 heads[2]),
		3);
	assert_string_equal(heads[0], "alone");
	assert_string_equal(heads[1], "shared");
	assert_string_equal(heads[2], "excluded");
	while ((line = strtok(NULL, "\n")))
		read_row(line + INDENT + RANGE, 3, &histogram);
	assert_int_equal(histogram.sum[0], 519);
	assert_int_equal(histogram.sum[1], 76);
	assert_int_equal(histogram.sum[2], 5);
	assert_int_equal(histogram.longest, 22);
	text_free(&text);
}

/* A class without trials has no column; without canaries there are no
 * regimes. */
static void test_histogram_of_one_class(void **state)
{
	struct results *results = last(state, "cpu.syscall");
	struct point *point = &results->points[0];
	uint16_t *flags = point->series[0].flags.data;
	struct read_histogram histogram = { 0 };
	struct text text = { 0 };

	point->canary.count = 0;
	for (size_t i = 0; i < 600; i++)
		flags[i] &= FLAG_SHARED;
	print_histogram(results, point, 0, true, &text);
	char *line = strtok(text.chars, "\n");
	assert_string_equal(line + strspn(line, " "), "trials");
	while ((line = strtok(NULL, "\n")))
		read_row(line + 4 + 24, 1, &histogram);
	assert_int_equal(histogram.sum[0], 600);
	text_free(&text);
}

/* The shares of the causes add up to the share of excluded trials; the warm-up
 * is shown separately. */
static void test_flags_sum(void **state)
{
	struct results *results = last(state, "cpu.syscall");
	uint16_t *flags = results->points[0].series[0].flags.data;
	struct text text = { 0 };
	struct digest digest;

	for (size_t i = 0; i < 600; i++)
		flags[i] = i < 100 ? FLAG_WARMUP :
			i < 150    ? FLAG_MIGRATED :
			i < 200    ? FLAG_SHARED | FLAG_WARMUP :
			i < 250    ? FLAG_SHARED :
			i < 260    ? FLAG_MIXED :
			i < 270    ? FLAG_FREQUENCY :
			i < 275    ? FLAG_PREEMPTED | FLAG_WARMUP :
				     0;
	assert_true(digest_of(results, &results->points[0], 0, &digest));
	say_shares(&digest, &text);
	/* 50 of 445 trials each. The pooled figure contains the mixed ones. */
	assert_string_equal(text.chars,
		"shared 11.2 %, excluded 11.2 % of the trials (50 migrated), "
		"at another core frequency 2.25 %; 155 warm-up trials");
	text_free(&text);
}

/* A reason common to all points is printed once. */
static void test_none_runs(void **state)
{
	struct results *results = last(state, "mem.latency");
	struct text text = { 0 };

	for (size_t i = 0; i < results->point_count; i++) {
		results->points[i].state = POINT_UNAVAILABLE;
		results->points[i].why = xstrdup("nothing is there");
	}
	print_figures(results, &text);
	assert_non_null(strstr(text.chars,
		"all 3 points are unavailable: nothing is there\n"));
	assert_null(strstr(strstr(text.chars, "is there") + 1, "is there"));
	text_clear(&text);
	/* Different reasons are printed separately. */
	results->points[1].why[0] = 'N';
	print_figures(results, &text);
	assert_null(strstr(text.chars, "all 3"));
	assert_non_null(strstr(text.chars, "unavailable: Nothing is there"));
	text_free(&text);
}

/* Excluded trials and trials of the other regime have their own marks. A
 * co-runner costs 3 %. */
static void test_bars_of_classes(void **state)
{
	static const struct {
		unsigned flags;
		const char *bar, *head;
	} cases[] = {
		{ FLAG_MIGRATED, "@!", "excluded\n" },
		{ FLAG_SHARED, "@o", "   alone   shared" },
		/* With a co-runner in four launches of five. */
		{ 0, "@o", "  shared    alone" },
	};
	struct results *results = last(state, "cpu.syscall");
	uint16_t *flags = results->points[0].series[0].flags.data;
	uint64_t *ticks = results->points[0].series[0].raw.data;

	for (size_t i = 0; i < 600; i++)
		ticks[i] += i % 3 ? 0 : 54;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct text text = { 0 };

		for (size_t i = 0; i < 600; i++)
			if (cases[c].flags)
				flags[i] = i % 3 ? 0 : (uint16_t)cases[c].flags;
			else
				flags[i] =
					i < 480 || i % 3 == 0 ? FLAG_SHARED : 0;
		print_histogram(results, &results->points[0], 0, true, &text);
		assert_plain(text.chars);
		assert_non_null(strstr(text.chars, cases[c].bar));
		assert_non_null(strstr(text.chars, cases[c].head));
		text_free(&text);
	}
}

/* Long sentences of an experiment are wrapped; for a page they are not. */
static void test_long_sentences(void **state)
{
	struct results *results = last(state, "cpu.syscall");
	struct text text = { 0 }, sentence = { 0 };

	for (int i = 0; i < 60; i++)
		text_add(&sentence, "word ");
	text_add(&sentence, "end");
	finding_add(&results->findings, "long", "%s", sentence.chars);
	results_warn(results, "%s", sentence.chars);
	char *lines = printed(results);
	assert_plain(lines);
	assert_non_null(strstr(lines, "\n  word word "));
	assert_non_null(strstr(lines, "\n    word word "));
	print_figures(results, &text);
	assert_non_null(strstr(text.chars, sentence.chars));
	assert_null(strchr(text.chars, '@'));
	assert_null(strstr(text.chars, "longest"));
	text_free(&text);
	text_free(&sentence);
	free(lines);
}

static void test_sweep(void **state)
{
	struct results *results = last(state, "mem.latency");
	char *text = printed(results);

	assert_plain(text);
	for (size_t i = 0; i < 3; i++) {
		struct text row = { 0 }, median = { 0 };
		struct digest digest;

		/* Only parameters that vary are named. */
		text_add(&row, "  call=%s ", fixture_calls[i]);
		const char *line = strstr(text, row.chars);
		assert_non_null(line);
		assert_true(
			digest_of(results, &results->points[i], 0, &digest));
		unit_show(&median, UNIT_NS, digest.summary.median);
		assert_non_null(strstr(line, median.chars));
		text_free(&row);
		text_free(&median);
	}
	assert_null(strstr(text, "size=4K "));
	assert_non_null(strstr(text, "for each of the 3 points: "));
	free(text);
	/* The model has a prediction for each point, so the point is named. */
	results->prediction.by = BY_MODEL;
	text = printed(results);
	assert_non_null(strstr(text, "  call=getppid: the model predicted"));
	free(text);
}

/* Expensive points show how many launches visited them. All launches visited
 * the others; their number ends the text. */
static void test_draws(void **state)
{
	struct results *results = last(state, "mem.latency");

	results->points[1].visit_count = 9;
	char *text = printed(results);
	assert_plain(text);
	const char *row = strstr(text, "  call=getpid ");
	assert_non_null(row);
	const char *said = strstr(row, "9 of 10 launches");
	assert_non_null(said);
	assert_true(said < strstr(row, "  you predicted"));
	assert_null(strstr(said + 9, " of 10 launches"));
	free(text);
}

/* A row that cannot be trusted has a word, which is explained once. */
static void test_legend(void **state)
{
	static const char says[] =
		"  shared core: beside a co-runner or other tasks";
	struct results *results = last(state, "mem.latency");

	char *text = printed(results);
	assert_null(strstr(text, "shared core"));
	free(text);
	for (size_t p = 0; p < 2; p++) {
		struct column *flags = &results->points[p].series[0].flags;

		for (size_t i = 0; i < flags->count; i++)
			((uint16_t *)flags->data)[i] = FLAG_SHARED;
	}
	results->points[1].why = xstrdup("no counter here");
	text = printed(results);
	assert_plain(text);
	const char *first = strstr(text, "shared core\n");
	assert_non_null(first);
	assert_non_null(strstr(first, "shared core  unverified\n"));
	const char *legend = strstr(text, says);
	assert_non_null(legend);
	assert_null(strstr(legend + 1, says));
	assert_non_null(strstr(legend, "  unverified: no counter here\n"));
	free(text);
}

/* An unmeasured point shows its reason, in a sweep and as a single point. */
static void test_unavailable(void **state)
{
	struct results *sweep = last(state, "mem.latency");
	struct results *single = last(state, "cpu.syscall");

	sweep->points[1].state = POINT_UNAVAILABLE;
	sweep->points[1].why = xstrdup("no such call here");
	char *text = printed(sweep);
	assert_plain(text);
	assert_non_null(strstr(text, "call=getpid"));
	assert_non_null(strstr(text, "unavailable: no such call here"));
	free(text);
	single->points[0].state = POINT_INVALID;
	single->points[0].why = xstrdup("the kernel counted 3 calls, not 10");
	text = printed(single);
	assert_plain(text);
	assert_non_null(strstr(text, "invalid: the kernel counted 3 calls"));
	free(text);
}

/* All trials excluded: the median of all trials is shown with a mark. */
static void test_all_excluded(void **state)
{
	struct results *results = last(state, "cpu.syscall");
	struct column *flags = &results->points[0].series[0].flags;

	for (size_t i = 0; i < flags->count; i++)
		((uint16_t *)flags->data)[i] = FLAG_PREEMPTED;
	char *text = printed(results);
	assert_plain(text);
	assert_non_null(strstr(text, "all trials excluded; ~"));
	assert_non_null(strstr(text, "600 preempted"));
	free(text);
}

static void test_endings(void **state)
{
	static const struct {
		enum stop_reason reason;
		enum run_state state;
		const char *says;
	} rows[] = {
		{ STOP_PRECISION, RUN_DONE, "done: precise to" },
		{ STOP_BUDGET, RUN_DONE, "done: budget used" },
		{ STOP_MAXIMUM, RUN_DONE, "done: launch limit reached" },
		{ STOP_USER, RUN_STOPPED, "stopped, trials kept" },
		{ STOP_FAULT, RUN_FAILED, "ended by a fault" },
		{ STOP_UNAVAILABLE, RUN_DONE, "unavailable on this machine" },
		{ STOP_INVALID, RUN_DONE, "it would have been invalid" },
	};
	struct results *results = last(state, "cpu.syscall");

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct text text = { 0 };

		results->stopped.reason = rows[i].reason;
		results->state = rows[i].state;
		say_ending(results, &text);
		assert_non_null(strstr(text.chars, rows[i].says));
		assert_non_null(strstr(text.chars, "10 launches in 1.250 s"));
		text_free(&text);
	}
}

/* A run that stopped at the clock's quantum before it reached its precision. */
static void test_coarse(void **state)
{
	struct results *results = last(state, "cpu.syscall");
	struct text text = { 0 };

	results->stopped.reason = STOP_PRECISION;
	results->plan.precision = 1e-6;
	say_ending(results, &text);
	assert_non_null(strstr(text.chars,
		"done: precise to the clock's resolution after"));
	text_clear(&text);
	results->plan.precision = .05;
	say_ending(results, &text);
	assert_non_null(strstr(text.chars, "done: precise to 0."));
	text_free(&text);
}

static void test_prediction(void **state)
{
	struct results *results = last(state, "cpu.syscall");
	struct prediction *own = &results->prediction;
	struct digest digest;
	static const struct {
		double low, high; /* as factors of the measured value */
		const char *says, *place;
	} rows[] = {
		{ .5, 2, "inside", ", inside your" },
		{ .1, .5, "2 times the upper bound", ", 2 times your max" },
		{ .5, 1 / 1.04, "4 % above the upper bound",
			", 4 % above your max" },
		{ 1 / .7, 2, "30 % below the lower bound",
			", 30 % below your min" },
		{ -2, -1, ": above the upper bound", ", above your max" },
		{ -2, 0, ": above the upper bound", ", above your max" },
		{ 4, 8, "4 times less than the lower", ", 4 times less than" },
	};

	assert_true(digest_of(results, &results->points[0], 0, &digest));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct text text = { 0 };
		double median = digest.summary.median;

		own->total = (struct range){ rows[i].low * median,
			rows[i].high * median };
		say_prediction(results, &results->points[0], own, &text);
		assert_non_null(strstr(text.chars, rows[i].says));
		text_clear(&text);
		say_place_in_prediction(own, median, UNIT_NS, &text);
		assert_non_null(strstr(text.chars, rows[i].place));
		text_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_LAB(test_single),
		WITH_LAB(test_histogram),
		WITH_LAB(test_histogram_of_one_class),
		WITH_LAB(test_bars_of_classes),
		WITH_LAB(test_none_runs),
		WITH_LAB(test_flags_sum),
		WITH_LAB(test_long_sentences),
		WITH_LAB(test_sweep),
		WITH_LAB(test_draws),
		WITH_LAB(test_legend),
		WITH_LAB(test_unavailable),
		WITH_LAB(test_all_excluded),
		WITH_LAB(test_endings),
		WITH_LAB(test_coarse),
		WITH_LAB(test_prediction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
