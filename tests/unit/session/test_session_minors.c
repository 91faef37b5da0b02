/* Sessions that older versions of benchtop wrote: one of each schema. They load
 * whole, and saved again they have the present schema. */
#include "session.h"

#include "check.h"
#include "digest.h"
#include "session_folder.h"

enum { POINTS = 2, TRIALS = 12 };

static struct session *load_minor(unsigned minor)
{
	struct error error = { .message = "" };
	char path[400];

	snprintf(path, sizeof path,
		"%s/tests/unit/session/older/1.%u.json", SOURCE_FOLDER, minor);
	struct session *session = session_load(path, &error);
	if (!session)
		fail_msg("%s", error.message);
	assert_int_equal(session->minor, minor);
	assert_false(session->newer);
	assert_int_equal(session->unknown_count, 0);
	return session;
}

static void assert_whole(const struct session *session)
{
	assert_string_equal(session->machine.hostname, "host");
	assert_int_equal(session->note_count, 1);
	assert_int_equal(session->run_count, 1);
	const struct results *run = session->runs[0];
	assert_string_equal(run->experiment, "cpu.syscall");
	assert_int_equal(run->point_count, POINTS);
	for (size_t p = 0; p < POINTS; p++) {
		struct digest digest;

		assert_int_equal(run->points[p].series[0].raw.count, TRIALS);
		assert_true(digest_of(run, &run->points[p], 0, &digest));
		assert_true(digest.summary.median > 0);
	}
}

static void every_minor_loads(void **state)
{
	for (unsigned minor = 0; minor < SESSION_MINOR; minor++) {
		struct session *session = load_minor(minor);
		struct error error = { .message = "" };
		size_t checked;

		assert_whole(session);
		const char *path = in_folder("again.json");
		assert_int_equal(session_save(session, path, true, &error), 0);
		session_free(session);
		assert_int_equal(session_verify(path, &checked, &error), 0);
		session = session_load(path, &error);
		assert_non_null(session);
		assert_int_equal(session->minor, SESSION_MINOR);
		assert_whole(session);
		session_free(session);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_minor_loads),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
