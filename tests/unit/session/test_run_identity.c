/* Copies of a session under another name are recognised, in memory and by their
 * files. Runs that were measured separately are not merged. */
#include "run_identity.h"

#include "kept_points.h"
#include "made_runs.h"
#include "session_folder.h"

enum difference {
	DIFFERENCE_NONE,
	DIFFERENCE_NOTE, /* not of a run */
	DIFFERENCE_HOST,
	DIFFERENCE_START,
	DIFFERENCE_SEED,
	DIFFERENCE_EXPERIMENT,
	DIFFERENCE_MEDIAN, /* labs with one seed that began in one second */
	DIFFERENCE_PLACE,
	DIFFERENCES,
};

static struct session *make(enum difference difference)
{
	struct session *session = simple("4K",
		difference == DIFFERENCE_MEDIAN ? 1.001 : 1, 300,
		LESS_IS_BETTER);
	struct results *run = session->runs[0];

	run->seed = difference == DIFFERENCE_SEED ? 2 : 1;
	if (difference == DIFFERENCE_NOTE)
		session_add_note(session, "a copy");
	if (difference == DIFFERENCE_HOST)
		snprintf(session->machine.hostname,
			sizeof session->machine.hostname, "other");
	if (difference == DIFFERENCE_START)
		run->started[18]++;
	if (difference == DIFFERENCE_EXPERIMENT) {
		free(run->experiment);
		run->experiment = xstrdup("mem.other");
	}
	if (difference == DIFFERENCE_PLACE) {
		session_add_run(session, made_run("mem.first", UNIT_NS,
			LESS_IS_BETTER, METRIC_TIMED));
		session->runs[0] = session->runs[1];
		session->runs[1] = run;
	}
	return session;
}

/* Does the file have the point of the other one? */
static bool is_repeated(const struct session *one, const struct session *other)
{
	static const char *const names[] = { "one.json", "other.json" };
	const struct session *sessions[] = { one, other };
	struct kept_points points = { 0 };
	struct error error;

	for (size_t i = 0; i < 2; i++) {
		const char *path = in_folder(names[i]);

		assert_int_equal(session_save_copy(sessions[i], path, &error),
			0);
		assert_true(kept_points_add(path, &points));
		assert_int_equal(points.count, i + 1);
		points.list[i].session = i;
	}
	bool *repeated = kept_points_repeated(&points);
	bool is = repeated[1];
	assert_false(repeated[0]);
	free(repeated);
	kept_points_free(&points);
	return is;
}

static void test_copies(void **state)
{
	struct session *original = make(DIFFERENCE_NONE);

	for (int i = 0; i < DIFFERENCES; i++) {
		struct session *other = make((enum difference)i);
		bool copy = i == DIFFERENCE_NONE || i == DIFFERENCE_NOTE;

		assert_int_equal(run_identity_sessions(original, other), copy);
		assert_int_equal(is_repeated(original, other), copy);
		session_free(other);
	}
	session_free(original);
}

/* Sessions without runs have none in common. */
static void test_without_runs(void **state)
{
	struct session *one = session_new(), *other = session_new();

	assert_false(run_identity_sessions(one, other));
	session_free(one);
	session_free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_without_runs),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
