/* Comparisons as plain text, in every width. */
#include "print_compare.h"

#include <stdlib.h>

#include "golden_text.h"
#include "results.h"
#include "unit/session/made_runs.h"

enum { LAUNCHES = 8, LONG = 14 };

static void scaled(struct results *run, const char *size, double times,
	size_t count)
{
	double values[LAUNCHES];

	for (size_t i = 0; i < count; i++)
		values[i] = eight[i] * times;
	made_launches(run, made_sized(run, size), values, count, 300);
}

/* Almost all trials have a co-runner. */
static void share(struct results *run, size_t p, size_t alone)
{
	struct series *series = &run->points[p].series[0];
	uint16_t *flags = series->flags.data;

	for (size_t i = alone; i < series->flags.count; i++)
		flags[i] |= FLAG_SHARED;
}

static struct results *calls(bool today)
{
	struct results *run = made_run("cpu.syscall", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED);

	scaled(run, "getppid", today ? 1220 : 896, LAUNCHES);
	scaled(run, "read", today ? 1300 : 1237, LAUNCHES);
	scaled(run, "stat", today ? 1804 : 1803, LAUNCHES);
	scaled(run, "open", 2503, today ? 5 : LAUNCHES);
	scaled(run, "a name that is longer than the column has room for",
		today ? 600 : 800, LAUNCHES);
	share(run, 0, today ? 0 : 20);
	return run;
}

static struct results *loads(bool today)
{
	struct results *run = made_run("mem.latency", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED);

	for (int i = 0; i < LONG; i++) {
		char size[16];

		snprintf(size, sizeof size, "%dK", 1 << i);
		scaled(run, size, 100 * (i + 1) * (today && i > 11 ? 1.12 : 1),
			LAUNCHES);
	}
	return run;
}

static struct session *made_day(bool today)
{
	struct session *session = made_session(calls(today));
	struct results *rate = made_run("mem.bandwidth", UNIT_BYTES_PER_S,
		MORE_IS_BETTER, METRIC_VALUE);

	session_add_run(session, loads(today));
	scaled(rate, "1M", today ? 9.1e7 : 9e7, LAUNCHES);
	session_add_run(session, rate);
	if (today) {
		snprintf(session->machine.governor,
			sizeof session->machine.governor, "performance");
		snprintf(session->machine.command_line,
			sizeof session->machine.command_line,
			"quiet mitigations=off isolcpus=3 nohz_full=3");
		session_add_run(session,
			made_run("cpu.call", UNIT_NS, LESS_IS_BETTER,
				METRIC_TIMED));
	} else {
		snprintf(session->machine.governor,
			sizeof session->machine.governor, "powersave");
		snprintf(session->machine.command_line,
			sizeof session->machine.command_line, "quiet");
	}
	return session;
}

struct compared {
	struct compare_pair pair;
	bool verbose, gate;
};

static void print(const void *what, const struct text_layout *layout,
	struct text *text)
{
	const struct compared *compared = what;
	const struct compare_titles titles = {
		.brief = { "yesterday", "today" },
		.whole = { "runs/yesterday.json", "runs/today.json" },
		.gate = compared->gate ? "exit 7: retry (1 means slower)" :
					 NULL,
		.fails_at = compared->gate ? 1.05 : 0,
	};
	struct text_layout own = *layout;

	own.verbose = compared->verbose;
	print_compare(&compared->pair, &titles, &own, text);
}

static void test_two_days(void **state)
{
	struct session *yesterday = made_day(false), *today = made_day(true);
	struct compared compared = { .gate = true };

	compare_sessions(yesterday, today, &compared.pair);
	golden_text("compare", print, &compared);
	compared.gate = false;
	compared.verbose = true;
	golden_text("compare-verbose", print, &compared);
	compare_pair_free(&compared.pair);
	session_free(yesterday);
	session_free(today);
}

/* The ends of a ratio above 10 have more digits. No line is too long. */
static void test_large_ratio(void **state)
{
	struct results *before = made_run("cpu.syscall", UNIT_NS,
		LESS_IS_BETTER, METRIC_TIMED);
	struct results *after = made_run("cpu.syscall", UNIT_NS,
		LESS_IS_BETTER, METRIC_TIMED);
	struct text_layout layout = { .verbose = true, .bars = true };
	struct compare_titles titles = { .whole = { "a", "b" },
		.brief = { "a", "b" },
		.fails_at = 1.05 };
	struct compare_pair pair;

	scaled(before, "getppid", 100, LAUNCHES);
	scaled(after, "getppid", 123456, LAUNCHES);
	struct session *a = made_session(before), *b = made_session(after);
	compare_sessions(a, b, &pair);
	for (layout.width = 80; layout.width < 140; layout.width++) {
		struct text text = { 0 };

		print_compare(&pair, &titles, &layout, &text);
		assert_non_null(strstr(text.chars, "fails: the interval be"));
		for (char *line = strtok(text.chars, "\n"); line;
			line = strtok(NULL, "\n"))
			assert_true(text_width(line) <= layout.width);
		text_free(&text);
	}
	compare_pair_free(&pair);
	session_free(a);
	session_free(b);
}

static struct results *waits(const char *name, unsigned traits)
{
	struct results *run =
		made_run(name, UNIT_NS, LESS_IS_BETTER, METRIC_TIMED);

	run->plan.traits = traits;
	scaled(run, "1", 100, LAUNCHES);
	return run;
}

/* The rows of a guest have two thresholds; a gate below one is explained by
 * those of its rows. */
static void test_gate_of_guests(void **state)
{
	static const struct {
		unsigned first, second;
		double fails_at;
		const char *sentence; /* NULL: none */
	} cases[] = {
		{ 0, 0, 1.05, "the threshold, 10 %, never fails" },
		{ 0, 0, 1.15, NULL },
		{ TRAIT_BLOCKS, TRAIT_PARTIES, 1.05,
			"the threshold, 20 %, never fails" },
		{ TRAIT_BLOCKS, TRAIT_PARTIES, 1.15,
			"the threshold, 20 %, never fails" },
		{ 0, TRAIT_BLOCKS, 1.05,
			"the threshold of its row, 10 to 20 %, never fails" },
		{ 0, TRAIT_BLOCKS, 0, NULL },
	};
	struct text_layout layout = text_layout_plain;

	layout.width = 200;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct session *sessions[2];
		struct compare_titles titles = { .whole = { "a", "b" },
			.brief = { "a", "b" },
			.fails_at = cases[i].fails_at };
		struct compare_pair pair;
		struct text text = { 0 };

		for (int s = 0; s < 2; s++) {
			sessions[s] = made_session(
				waits("cpu.one", cases[i].first));
			session_add_run(sessions[s],
				waits("cpu.two", cases[i].second));
			snprintf(sessions[s]->machine.hypervisor,
				sizeof sessions[s]->machine.hypervisor, "KVM");
		}
		compare_sessions(sessions[0], sessions[1], &pair);
		print_compare(&pair, &titles, &layout, &text);
		assert_int_equal(strstr(text.chars, "never fails") != NULL,
			cases[i].sentence != NULL);
		if (cases[i].sentence)
			assert_non_null(strstr(text.chars, cases[i].sentence));
		text_free(&text);
		compare_pair_free(&pair);
		session_free(sessions[0]);
		session_free(sessions[1]);
	}
}

/* Colour only if requested, and without effect on the width. */
static void test_colour(void **state)
{
	struct session *yesterday = made_day(false), *today = made_day(true);
	const struct compare_titles titles = { .brief = { "A", "B" } };
	struct text_layout layout = { .width = 80, .colour = true };
	struct compare_pair pair;
	struct text coloured = { 0 }, plain = { 0 }, bare = { 0 };

	compare_sessions(yesterday, today, &pair);
	print_compare(&pair, &titles, &layout, &coloured);
	layout.colour = false;
	print_compare(&pair, &titles, &layout, &plain);
	assert_non_null(strstr(coloured.chars, "\033[33mundecided\033[0m"));
	assert_non_null(strstr(coloured.chars, "\033[32mfaster\033[0m"));
	for (const char *at = coloured.chars; *at; at++) {
		if (*at == '\033')
			at = strchr(at, 'm');
		else
			text_add_char(&bare, *at);
	}
	assert_string_equal(bare.chars, plain.chars);
	text_free(&coloured);
	text_free(&plain);
	text_free(&bare);
	compare_pair_free(&pair);
	session_free(yesterday);
	session_free(today);
}

/* ---- ab --------------------------------------------------------------- */

static struct results *turns(double b, size_t launches)
{
	struct results *run = made_run("cpu.syscall", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED);

	run->plan.abba = run->plan.paired = true;
	scaled(run, "getppid", 898, launches);
	scaled(run, "getpid", 898 * b, launches);
	return run;
}

static void print_turns(const void *what, const struct text_layout *layout,
	struct text *text)
{
	assert_true(print_ab(what, layout, text));
}

static void test_ab(void **state)
{
	static const struct {
		const char *name;
		double b;
		size_t launches;
	} rows[] = {
		{ "ab-faster", .967, LAUNCHES },
		{ "ab-slower", 3.2, LAUNCHES },
		{ "ab-equivalent", 1, LAUNCHES },
		{ "ab-few", 1.2, 3 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct results *run = turns(rows[i].b, rows[i].launches);

		golden_text(rows[i].name, print_turns, run);
		results_free(run);
	}
}

/* Triples both points in every second launch: the figures have not enough data,
 * the pairs have. */
static void spread_launches(struct results *run)
{
	for (size_t p = 0; p < 2; p++) {
		struct column *raw = &run->points[p].series[0].raw;
		uint64_t *ticks = raw->data;

		for (size_t i = 0; i < raw->count; i++)
			if (i * LAUNCHES / raw->count % 2)
				ticks[i] *= 3;
	}
}

/* Of pairs beside busy other tasks the answer states that it is of these. */
static void test_ab_beside_tasks(void **state)
{
	static const char beside[] =
		"other tasks were busy: alone, the ratio may differ";
	struct text text = { 0 };

	for (int i = 0; i < 4; i++) {
		struct results *run = turns(1, LAUNCHES);
		bool busy = i % 2, wide = i / 2;

		run->place.others = busy ? .5 : 0;
		if (wide)
			spread_launches(run);
		assert_true(print_ab(run, &text_layout_plain, &text));
		assert_non_null(strstr(text.chars, "A and B are equivalent"));
		assert_int_equal(strstr(text.chars, beside) != NULL, busy);
		text_free(&text);
		results_free(run);
	}
}

static void test_nothing_to_compare(void **state)
{
	struct results *run = made_run("cpu.syscall", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED);
	struct text text = { 0 };

	run->plan.abba = true;
	made_sized(run, "a");
	made_sized(run, "b");
	assert_false(print_ab(run, &text_layout_plain, &text));
	run->plan.abba = false;
	assert_false(print_ab(run, &text_layout_plain, &text));
	assert_int_equal(text.length, 0);
	results_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_days),
		cmocka_unit_test(test_large_ratio),
		cmocka_unit_test(test_gate_of_guests),
		cmocka_unit_test(test_colour),
		cmocka_unit_test(test_ab),
		cmocka_unit_test(test_ab_beside_tasks),
		cmocka_unit_test(test_nothing_to_compare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
