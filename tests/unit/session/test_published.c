/* Figures without trials: read as written, refused if impossible, and never
 * treated as measured. */
#include <math.h>

#include "digest.h"
#include "edited_session.h"
#include "export.h"
#include "file.h"
#include "made_runs.h"
#include "published.h"

static struct session *one_figure(enum published_figure figure)
{
	struct results *run =
		made_run("cpu.made", UNIT_NS, LESS_IS_BETTER, METRIC_VALUE);
	struct published *published = point_publish(made_sized(run, ""), 0);

	*run->started = '\0';
	run->clock.quantum = 0;
	published->figure = figure;
	published->value = 12.5;
	published->sd_between = .5;
	published->min = 11.25;
	published->printed = xstrdup("33.75 cycles, \"about\"");
	published->source = xstrdup("Table 3");
	return made_session(run);
}

static void test_read_as_written(void **state)
{
	struct session *session = one_figure(PUBLISHED_MEAN);
	struct text first = { 0 }, second = { 0 };
	struct error error = { .message = "" };

	session_write(session, &first);
	struct session *again =
		session_read(first.chars, first.length, "x.json", &error);
	assert_string_equal(error.message, "");
	const struct published *published =
		again->runs[0]->points[0].series[0].published;
	assert_int_equal(published->figure, PUBLISHED_MEAN);
	assert_true(published->value == 12.5);
	assert_true(published->sd_between == .5 && published->min == 11.25);
	assert_true(isnan(published->sd_within) && isnan(published->max));
	assert_string_equal(published->printed, "33.75 cycles, \"about\"");
	assert_string_equal(published->source, "Table 3");
	assert_int_equal(results_published(again->runs[0]), 1);
	session_write(again, &second);
	assert_string_equal(first.chars, second.chars);
	text_free(&first);
	text_free(&second);
	session_free(session);
	session_free(again);
}

/* Only published statistics; no median if the publication has a mean. */
static void test_digest(void **state)
{
	static const enum published_figure figures[] = { PUBLISHED_MEAN,
		PUBLISHED_MEDIAN, PUBLISHED_LEAST, PUBLISHED_MOST,
		PUBLISHED_VALUE };

	for (size_t i = 0; i < PUBLISHED_FIGURES; i++) {
		struct session *session = one_figure(figures[i]);
		const struct results *run = session->runs[0];
		struct digest digest;
		double median;

		assert_true(digest_of(run, &run->points[0], 0, &digest));
		assert_non_null(digest.published);
		assert_true(digest.headline == 12.5);
		assert_int_equal(digest.trials, 0);
		assert_false(digest.summary.has_interval);
		assert_int_equal(isfinite(digest.summary.mean),
			figures[i] == PUBLISHED_MEAN);
		assert_int_equal(isfinite(digest.summary.median),
			figures[i] == PUBLISHED_MEDIAN);
		assert_true(digest.summary.min ==
			(figures[i] == PUBLISHED_LEAST ? 12.5 : 11.25));
		assert_false(results_median(run, &run->points[0], 0, &median));
		assert_false(results_visited(run));
		session_free(session);
	}
}

static void refused(const char *from, const char *to, const char *says)
{
	struct session *session = one_figure(PUBLISHED_MEAN);
	struct text text = { 0 }, edited = { 0 };
	struct error error = { .message = "" };

	session_write(session, &text);
	const char *at = strstr(text.chars, from);
	assert_non_null(at);
	text_add(&edited, "%.*s%s%s", (int)(at - text.chars), text.chars, to,
		at + strlen(from));
	assert_null(
		session_read(edited.chars, edited.length, "x.json", &error));
	if (!strstr(error.message, says))
		fail_msg("'%s' is not in '%s'", says, error.message);
	text_free(&text);
	text_free(&edited);
	session_free(session);
}

static void test_refused(void **state)
{
	refused("\"source\":\"Table 3\"", "\"source\":\"\"", "no source");
	refused("\"value\":12.5", "\"value\":null", "no value");
	refused("\"figure\":\"mean\"", "\"figure\":\"mode\"",
		"expected one of mean, median, min, max, value");
	refused("\"figure\":\"mean\",", "", "figure: missing");
	/* Every run without a published figure has a start time. */
	refused("\"published\":{", "\"publishe\":{", "expected a time");
}

/* Unknown cells are empty, and the source is beside the figure. */
static void test_csv(void **state)
{
	struct session *session = one_figure(PUBLISHED_MEAN);
	struct text csv = { 0 };

	assert_int_equal(
		session_export(session, EXPORT_CSV, false, &csv, NULL), 0);
	assert_non_null(strstr(csv.chars, "time,ns,,,,11.25,12.5,,,0.5,,"));
	assert_non_null(strstr(csv.chars, ",Table 3,"));
	text_free(&csv);
	session_free(session);
}

/* The program writes the sessions of the reports as they are stored, so that
 * `save` of a corrected one changes only what was corrected. */
static void test_stored_as_written(void **state)
{
	for (char name = 'a'; name <= 'e'; name++) {
		struct text path = { 0 }, stored = { 0 }, written = { 0 };
		struct error error;

		text_add(&path, SOURCE_FOLDER "/sessions/%c.json", name);
		assert_int_equal(
			file_read(path.chars, 1 << 20, &stored, &error), 0);
		struct session *session = session_read(stored.chars,
			stored.length, path.chars, &error);
		assert_non_null(session);
		session_write(session, &written);
		assert_string_equal(written.chars, stored.chars);
		session_free(session);
		text_free(&path);
		text_free(&stored);
		text_free(&written);
	}
}

static void test_names(void **state)
{
	struct error error;

	assert_true(published_is("published:a"));
	assert_false(published_is("a.json"));
	assert_null(session_open("published:f", &error));
	assert_non_null(strstr(error.message, "published:a to published:e"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_as_written),
		cmocka_unit_test(test_digest),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_stored_as_written),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
