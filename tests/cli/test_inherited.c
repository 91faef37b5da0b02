/* A new process costs the same in a lab that has loaded a large session,
 * because its workers do not inherit that memory. Pages are counted, not
 * timed. */
#include "run.h"
#include "session.h"

enum {
	RUNS = 10,
	POINTS = 500,
	/* Two workers of one lab may differ by this many pages. Inheriting the
	 * session would add more than a thousand. */
	FEW_PAGES = 32,
};

#define MEASURE \
	"run cpu.process trials=10 launches=6 budget=2s; " \
	"save %s --force"

static struct results *make_run(void)
{
	struct results *results = results_new("made.up");

	results_add_metric(results, "time", "time", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED, false);
	snprintf(results->started, sizeof results->started,
		"2025-03-01T12:00:00+0100");
	results->clock.hz = 1e9;
	results->clock.quantum = 1;
	results->plan.launches = 1;
	results->plan.trials = 1;
	results_add_launch(results);
	for (int p = 0; p < POINTS; p++) {
		struct point *point = results_add_point(results);
		struct series *series = &point->series[0];

		series->ops = 1;
		point_add_visit(results, point)->trials = 1;
		*(uint64_t *)column_add(&series->raw) = 1000;
		*(uint16_t *)column_add(&series->flags) = 0;
		series->slices[0].count = 1;
		point_add_note(point, "note", "of a point of a large session");
	}
	return results;
}

static void make_session(const char *path)
{
	struct session *session = session_new();
	struct error error = { 0 };

	for (int r = 0; r < RUNS; r++)
		session_add_run(session, make_run());
	if (session_save(session, path, false, &error))
		fail_msg("%s", error.message);
	session_free(session);
}

/* Pages of the workers of a lab that runs cpu.process after these
 * statements. */
static long pages_behind(const char *statements)
{
	struct text line = { 0 };
	struct error error = { 0 };
	char *path = strdup(in_folder("measured.json"));

	text_add(&line, "%s", statements);
	text_add(&line, MEASURE, path);
	struct ran ran = RUN(PROGRAM, "-c", text_chars(&line));
	assert_status(ran, 0);
	ran_free(&ran);
	text_free(&line);
	struct session *session = session_load(path, &error);
	if (!session)
		fail_msg("%s", error.message);
	const struct results *results = session->runs[session->run_count - 1];
	assert_string_equal(results->experiment, "cpu.process");
	const char *note = point_note(&results->points[0], "worker");
	assert_non_null(note);
	long pages = strtol(note, NULL, 10);
	session_free(session);
	free(path);
	return pages;
}

static void a_worker_is_as_small_behind_a_session(void **state)
{
	const char *path = in_folder("large.json");
	char load[300];

	make_session(path);
	snprintf(load, sizeof load, "load %s; ", path);
	long fresh = pages_behind(""), loaded = pages_behind(load);
	printf("%ld pages in a new lab, %ld behind a session\n", fresh, loaded);
	assert_true(fresh > 0);
	assert_true(labs(loaded - fresh) < FEW_PAGES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_worker_is_as_small_behind_a_session),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
