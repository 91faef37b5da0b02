/* Other session files: newer versions are recognised, other programs' files are
 * not changed, and figures that do not follow from their trials are
 * detected. */
#include "session.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "check.h"
#include "edited_session.h"
#include "session_folder.h"

/* ---- versions --------------------------------------------------------- */

/* A file of another program is overwritten only with an option. */
static void what_is_no_session_stays(void **state)
{
	static const char *const others[] = { "{}", "hello\n", "[1,8]",
		"{\"format\":\"else\",\"schema\":[1,8]}",
		"{\"format\":\"benchtop-session\"}",
		"{\"format\":\"benchtop-session\",\"schema\":[1,9],",
		"{\"format\": \"benchtop-session\",\n \"schema\": [2, 0]" };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct session *session = sample_session();
		struct error error = { .message = "" };
		struct stat is;
		char path[200];

		snprintf(path, sizeof path, "%s", in_folder("else.json"));
		write_file(path, others[i], strlen(others[i]));
		assert_int_equal(session_save(session, path, false, &error),
			-1);
		assert_int_equal(error.status, STATUS_OUTPUT);
		assert_non_null(strstr(error.message, "will not overwrite"));
		assert_int_equal(stat(path, &is), 0);
		assert_int_equal(is.st_size, strlen(others[i]));
		assert_int_equal(session_save(session, path, true, &error), 0);
		assert_int_equal(session_save(session, path, false, &error), 0);
		session_free(session);
	}
}

static void newer_minor(void **state)
{
	char path[200];
	struct error error;
	struct text text = edited("\"schema\":[1,8],",
		"\"schema\":[1,9],\"sky\":{\"a\":[1,{\"b\":2}]},");
	size_t checked;

	snprintf(path, sizeof path, "%s", in_folder("newer.json"));
	write_file(path, text.chars, text.length);
	text_free(&text);
	assert_int_equal(session_verify(path, &checked, &error), 0);
	struct session *session = session_load(path, &error);
	assert_non_null(session);
	assert_true(session->newer);
	assert_int_equal(session->unknown_count, 1);
	assert_string_equal(session->unknown[0], "sky");
	/* An autosaved copy does not change this. */
	assert_int_equal(session_save_copy(session, in_folder("copy.json"),
				 &error),
		0);
	assert_string_equal(session->path, path);
	assert_int_equal(session_save(session, path, false, &error), -1);
	assert_int_equal(error.status, STATUS_OUTPUT);
	assert_non_null(strstr(error.message, "sky"));
	assert_int_equal(session_save(session, in_folder("other.json"), false,
				 &error),
		0);
	assert_false(session->newer);
	session_free(session);
	session = session_load(path, &error);
	assert_int_equal(session_save(session, path, true, &error), 0);
	assert_int_equal(session->unknown_count, 0);
	assert_int_equal(session_save(session, path, false, &error), 0);
	session_free(session);
}

/* Every object may have members that a later version adds. */
static void unknown_members_are_named(void **state)
{
	static const struct {
		const char *after, *path;
	} rows[] = {
		{ "\"tool\":{", "tool.new" },
		{ "\"machine\":{", "machine.new" },
		{ "\"caches\":[\n   {", "machine.caches[0].new" },
		{ "\"environment\":[\n  {", "environment[0].new" },
		{ "\"notes\":[\n  {", "notes[0].new" },
		{ "\"runs\":[\n  {", "runs[0].new" },
		{ "\"clock\":{", "runs[0].clock.new" },
		{ "\"place\":{", "runs[0].place.new" },
		{ "\"plan\":{", "runs[0].plan.new" },
		{ "\"prediction\":{", "runs[0].prediction.new" },
		{ "\"findings\":[\n    {", "runs[0].findings[0].new" },
		{ "\"metrics\":[\n    {", "runs[0].metrics[0].new" },
		{ "\"launches\":[\n    {", "runs[0].launches[0].new" },
		{ "\"args\":{", "runs[0].points[0].args.new" },
		{ "\"points\":[\n    {", "runs[0].points[0].new" },
		{ "\"visits\":[{", "runs[0].points[0].visits[0].new" },
		{ "\"metrics\":{", "runs[0].points[0].metrics.new" },
		{ "\"time\":{", "runs[0].points[0].metrics.time.new" },
		{ "\"quantiles\":{",
			"runs[0].points[0].metrics.time.quantiles.new" },
		{ "\"flags_by\":{",
			"runs[0].points[0].metrics.time.flags_by.new" },
		{ "\"cycles\":{", "runs[0].points[0].metrics.time.cycles.new" },
		{ "\"derived\":{",
			"runs[0].points[0].metrics.gain.derived.new" },
		{ "\"traces\":{", "runs[0].points[0].traces.new" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct error error = { .message = "" };
		char with[200];
		size_t checked;

		snprintf(with, sizeof with, "%s\"new\":[1],", rows[i].after);
		struct text text = edited(rows[i].after, with);
		struct session *session = read_text(&text);
		assert_int_equal(session->unknown_count, 1);
		assert_string_equal(session->unknown[0], rows[i].path);
		assert_false(session->newer);
		session_free(session);
		write_file(in_folder("u.json"), text.chars, text.length);
		text_free(&text);
		session_verify(in_folder("u.json"), &checked, &error);
		assert_string_equal(error.message, "");
	}
}

/* So many unknown members that not all are named; a check still ignores
 * them. */
static void many_unknown_members(void **state)
{
	struct text with = { 0 };
	struct error error = { .message = "" };
	size_t checked;

	text_add(&with, "\"schema\":[1,8],");
	for (int i = 0; i < 200; i++)
		text_add(&with, "\"new%d\":%d,", i, i);
	struct text text = edited("\"schema\":[1,8],", with.chars);
	text_free(&with);
	struct session *session = read_text(&text);
	assert_int_equal(session->unknown_count, 50);
	session_free(session);
	write_file(in_folder("u.json"), text.chars, text.length);
	text_free(&text);
	session_verify(in_folder("u.json"), &checked, &error);
	assert_string_equal(error.message, "");
}

/* A later version may have other reasons for the end of a run. */
static void unknown_reason_is_kept(void **state)
{
	struct text text = edited("\"stopped\":\"precision\"",
		"\"stopped\":\"eclipse\"");
	struct session *session = read_text(&text);
	struct error error = { .message = "" };
	size_t checked;

	assert_int_equal(session->runs[0]->stopped.reason, STOP_OTHER);
	assert_string_equal(stop_word(&session->runs[0]->stopped), "eclipse");
	session_free(session);
	write_file(in_folder("e.json"), text.chars, text.length);
	text_free(&text);
	session_verify(in_folder("e.json"), &checked, &error);
	assert_string_equal(error.message, "");
}

static void newer_major(void **state)
{
	struct text text = edited("\"schema\":[1,8]", "\"schema\":[2,0]");
	struct error error;

	assert_null(session_read(text.chars, text.length, "x.json", &error));
	assert_int_equal(error.status, STATUS_INPUT);
	assert_string_equal(error.message,
		"'x.json' is a session of schema 2.0, this benchtop reads "
		"1.x: needs a newer benchtop");
	text_free(&text);
}

/* ---- verify ----------------------------------------------------------- */

static void verify_edit(const char *old, const char *new, const char *path)
{
	struct text text = edited(old, new);
	struct error error = { .message = "" };
	size_t checked = 0;

	write_file(in_folder("v.json"), text.chars, text.length);
	text_free(&text);
	int failed = session_verify(in_folder("v.json"), &checked, &error);
	if (!path) {
		assert_string_equal(error.message, "");
		assert_int_equal(failed, 0);
		assert_true(checked > 1000);
		return;
	}
	assert_int_equal(failed, -1);
	assert_int_equal(error.status, STATUS_INPUT);
	if (!strstr(error.message, path))
		fail_msg("%s: no '%s' in: %s", old, path, error.message);
}

static void verify_finds_changes(void **state)
{
	static const char time[] = "runs[0].points[0].metrics.time.";
	struct session *session = sample_session();
	char tick[32], other[32];

	verify_edit("\"schema\"", "\"schema\"", NULL);
	verify_edit("\"version\":\"", "\"version\":\"7.", NULL);
	verify_edit("\"median\":1.", "\"median\":2.",
		"metrics.time.median: the file has 2.");
	verify_edit("\"excluded\":0.1", "\"excluded\":0.2", time);
	verify_edit("\"shared\":0.3", "\"shared\":0.2", time);
	verify_edit("\"shared\":105", "\"shared\":104", "flags_by.shared");
	verify_edit("\"alone\":{\"trials\":153", "\"alone\":{\"trials\":154",
		"regimes.alone.trials");
	verify_edit("\"factor\":1.00", "\"factor\":1.01", "slowdown.factor");
	verify_edit("\"regime\":\"alone\"", "\"regime\":\"pooled\"",
		"time.regime");
	verify_edit("\"warm-up\":28", "\"warm-up\":27", "flags_by.warm-up");
	verify_edit("\"quality\":", "\"quality\":null,\"x\":", "quality");
	verify_edit("\"p99.9\":null", "\"p99.9\":1", "quantiles[\"p99.9\"]");
	verify_edit(",\"max_deviation\":", ",\"max_deviatiom\":",
		"max_deviation: the file has nothing");
	/* Removes a flag, then changes a tick of a flagged trial, on which no
	 * figure depends, then either half of a canary. */
	verify_edit("\"flags\":[[0,128,1,128,5,1,", "\"flags\":[[0,128,5,1,",
		time);
	snprintf(tick, sizeof tick, "\"ticks\":[[%" PRIu64 ",",
		((uint64_t *)session->runs[0]
				->points[0]
				.series[0]
				.raw.data)[0]);
	snprintf(other, sizeof other, "\"ticks\":[[%d,", 9);
	verify_edit(tick, other, "runs[0].points[0].check: the file has '");
	verify_edit("\"canary\":[436,438", "\"canary\":[436,437", "runs[0].");
	verify_edit("\"canary_throughput\":[450,452",
		"\"canary_throughput\":[450,455", "runs[0].");
	session_free(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_session_stays),
		cmocka_unit_test(newer_minor),
		cmocka_unit_test(unknown_members_are_named),
		cmocka_unit_test(many_unknown_members),
		cmocka_unit_test(unknown_reason_is_kept),
		cmocka_unit_test(newer_major),
		cmocka_unit_test(verify_finds_changes),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
