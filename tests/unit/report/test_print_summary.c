/* A machine in ten figures, beside published ones. */
#include "print_summary.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "golden_text.h"
#include "highlight.h"
#include "made_results.h"

static struct results *run_of(const char *experiment, const char *const *names,
	size_t count, const char *const *values)
{
	struct results *results = made_results(names, count);

	free(results->experiment);
	results->experiment = strdup(experiment);
	made_point(results, values);
	return results;
}

static struct results *thread(const char *until)
{
	static const char *const names[] = { "until" };

	return run_of("cpu.thread", names, 1, &until);
}

static struct results *call(const char *name)
{
	static const char *const names[] = { "call", "via" };
	const char *const values[] = { name, "raw" };

	return run_of("cpu.syscall", names, 2, values);
}

static struct results *published(struct results *results, double ns)
{
	struct published *figure = point_publish(&results->points[0], 0);

	figure->value = ns;
	figure->printed = strdup("as printed");
	figure->source = strdup("Table 1");
	return results;
}

static const struct experiment experiments[] = {
	{ .name = "cpu.syscall",
		HIGHLIGHTS({ "system call", "time", "call=getppid via=raw" }) },
	{ .name = "cpu.thread",
		HIGHLIGHTS({ "new thread, joined", "time", "until=joined" },
			{ "new thread, first", "time", "until=first" }) },
	{ .name = "cpu.other" },
};
static const struct experiment *const list[] = { &experiments[0],
	&experiments[1], &experiments[2], NULL };

static void print(const void *what, const struct text_layout *layout,
	struct text *text)
{
	print_summary(list, what, layout, text);
}

static struct published_runs read_runs(void *runs)
{
	return *(const struct published_runs *)runs;
}

static void test_rows(void **state)
{
	struct results *first = thread("joined"), *last = thread("joined"),
		       *other = thread("returned"), *time = call("getppid"),
		       *few = thread("first");
	struct results *a = published(thread("joined"), 20190),
		       *b = published(thread("joined"), 7387),
		       *again = published(thread("joined"), 7000),
		       *c = published(call("getppid"), 146.6),
		       *more = published(thread("joined"), 18000),
		       *d = published(call("times"), 272.7);
	const struct results *const earlier[] = { first, last, other, time,
		few };
	/* A session counts once. */
	const struct published_run runs[] = { { "a", a }, { "b", b },
		{ "b", again }, { "c", c }, { "c", more }, { "d", d } };
	struct published_runs all = { runs, 6 };
	const struct facts facts = { .earlier = earlier, .earlier_count = 5,
		.read_published = read_runs, .reader = &all };

	made_trials(first, 0, 40, 9000, 0);
	made_trials(last, 0, 40, 8200, 0);
	made_trials(other, 0, 40, 5000, 0);
	made_trials(time, 0, 40, 80, 0);
	few->launch_count = 5;
	made_trials(few, 0, 40, 6000, 0);
	golden_text("summary", print, &facts);
	for (size_t i = 0; i < 5; i++)
		results_free((struct results *)earlier[i]);
	for (size_t i = 0; i < 6; i++)
		results_free((struct results *)runs[i].run);
}

static void print_of(const struct results *run, const struct facts *published,
	struct text *text)
{
	const struct text_layout layout = { .width = 80 };
	struct facts facts = *published;

	facts.earlier = &run;
	facts.earlier_count = 1;
	text_clear(text);
	assert_int_equal(print_summary(list, &facts, &layout, text), 1);
}

/* Only a figure of enough data, measured on this machine, has a place. */
static void test_places(void **state)
{
	struct results *reports[12];
	struct published_run runs[12];
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g",
		"h", "i", "j", "k", "l" };
	struct results *few = thread("joined"), *good = thread("joined");
	struct published_runs all = { runs, 12 };
	const struct facts facts = { .read_published = read_runs,
		.reader = &all };
	struct text text = { 0 };

	for (size_t i = 0; i < 12; i++) {
		reports[i] = published(thread("joined"),
			1000 * (double)(i + 1));
		runs[i] = (struct published_run){ names[i], reports[i] };
	}
	few->launch_count = 5; /* six have an interval */
	made_trials(few, 0, 40, 8200, 0);
	made_trials(good, 0, 40, 10500, 0);
	print_of(few, &facts, &text);
	assert_non_null(strstr(text.chars, "not enough data"));
	assert_null(strstr(text.chars, "fastest"));
	assert_null(strstr(text.chars, " of "));
	print_of(good, &facts, &text);
	assert_non_null(strstr(text.chars, "fastest"));
	assert_non_null(strstr(text.chars, "11th of 13"));
	all.count = 2;
	print_of(good, &facts, &text);
	assert_non_null(strstr(text.chars, "3rd of 3"));
	all.count = 1;
	print_of(good, &facts, &text);
	assert_null(strstr(text.chars, "fastest"));
	all.count = 12;
	print_of(reports[2], &facts, &text);
	assert_non_null(strstr(text.chars, "3 us  published"));
	assert_null(strstr(text.chars, "fastest"));
	text_free(&text);
	results_free(few);
	results_free(good);
	for (size_t i = 0; i < 12; i++)
		results_free(reports[i]);
}

/* The words are shorter than in other tables: ranks need the room. */
static void test_all_excluded(void **state)
{
	struct results *interrupted = thread("joined");
	struct published_runs none = { NULL, 0 };
	const struct facts facts = { .read_published = read_runs,
		.reader = &none };
	struct text text = { 0 };

	made_trials(interrupted, 0, 40, 8200, FLAG_PREEMPTED);
	print_of(interrupted, &facts, &text);
	assert_non_null(strstr(text.chars, "all excluded"));
	text_free(&text);
	results_free(interrupted);
}

static void test_nothing(void **state)
{
	const struct text_layout layout = { .width = 80 };
	struct results *other = thread("returned");
	const struct results *const earlier[] = { other };
	const struct facts facts = { .earlier = earlier, .earlier_count = 1 };
	struct text text = { 0 };

	made_trials(other, 0, 40, 5000, 0);
	assert_int_equal(print_summary(list, &facts, &layout, &text), 0);
	assert_int_equal(text.length, 0);
	results_free(other);
}

/* A row that a script composes: whole millions, however precise. */
static void test_millions(void **state)
{
	static const struct {
		enum unit unit;
		const char *shown;
	} rows[] = { { UNIT_HZ, "  4098 MHz  " },
		{ UNIT_BYTES_PER_S, "  4098 MB/s  " },
		{ UNIT_BITS_PER_S, "  512 MB/s  " } };
	const struct text_layout layout = { .width = 80 };
	struct results *results = thread("joined");
	struct text text = { 0 };

	made_trials(results, 0, 40, 4098360900, 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		results->metrics[0].unit = rows[i].unit;
		text_clear(&text);
		print_summary_row("Mhz", results, results->points, 0, true,
			&layout, &text);
		assert_non_null(strstr(text.chars, rows[i].shown));
	}
	text_free(&text);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_all_excluded),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_millions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
