/* The index of earlier runs: searched by point, machine and time, and harmless
 * if it is damaged. */
#include "past.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "made_runs.h"

static const double low[] = { 10, 11, 12, 13, 14, 15 };
static const double high[] = { 20, 21, 22, 23, 24, 25 };
static char state[64];

static int open_state(void **unused)
{
	(void)unused;
	snprintf(state, sizeof state, "/tmp/benchtop-past-XXXXXX");
	return mkdtemp(state) ? setenv("XDG_STATE_HOME", state, 1) : -1;
}

static int remove_one(const char *path, const struct stat *is, int kind,
	struct FTW *where)
{
	(void)is;
	(void)kind;
	(void)where;
	return remove(path);
}

static int close_state(void **unused)
{
	(void)unused;
	return nftw(state, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A session with one run of two points, begun on that day of March. */
static struct session *session_of(int day, const double *values)
{
	struct results *run =
		made_run("mem.made", UNIT_NS, LESS_IS_BETTER, METRIC_VALUE);

	snprintf(run->started, sizeof run->started,
		"2025-03-%02dT12:00:00+0100", day);
	made_launches(run, made_sized(run, "4K"), values, 6, 600);
	made_launches(run, made_sized(run, "8\"K"), high, 6, 600);
	return made_session(run);
}

static void keep(int day, const double *values)
{
	struct session *session = session_of(day, values);

	past_add(session, session->runs[0]);
	session_free(session);
}

static char *index_path(void)
{
	struct text path = { 0 };

	text_add(&path, "%s/benchtop/past.jsonl", state);
	return text_take(&path);
}

/* Writing to it does not wait for a reader. */
static void test_named_pipe(void **unused)
{
	struct session *session = session_of(3, low);
	char *path = index_path();
	struct past past;

	keep(1, low);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	alarm(10);
	keep(2, low);
	assert_int_equal(past_find(session, session->runs[0], 0, &past, 1), 0);
	alarm(0);
	assert_int_equal(unlink(path), 0);
	free(path);
	session_free(session);
}

static void test_latest_first(void **unused)
{
	struct session *session = session_of(9, low);
	struct past past[4];

	(void)unused;
	assert_int_equal(past_find(session, session->runs[0], 0, past, 4), 0);
	keep(1, low);
	keep(2, high);
	keep(9, low);  /* the run itself */
	keep(10, low); /* and a later run */
	assert_int_equal(past_find(session, session->runs[0], 0, past, 4), 2);
	assert_string_equal(past[0].at, "2025-03-02T12:00:00+0100");
	assert_true(past[0].median == 22.5 && past[1].median == 12.5);
	assert_int_equal(past[0].launch_count, 6);
	assert_true(past[0].launches[5] == 25);
	assert_int_equal(past_find(session, session->runs[0], 0, past, 1), 1);
	assert_true(past[0].median == 22.5);
	/* A value that needs escaping is found too. */
	assert_int_equal(past_find(session, session->runs[0], 1, past, 4), 2);
	session_free(session);
}

static void test_only_the_same(void **unused)
{
	struct session *session = session_of(9, low);
	struct results *run = session->runs[0];
	struct past past;

	(void)unused;
	keep(1, low);
	snprintf(session->machine.hostname, sizeof session->machine.hostname,
		"elsewhere");
	assert_int_equal(past_find(session, run, 0, &past, 1), 0);
	*session->machine.hostname = '\0';
	free(run->points[0].values[0]);
	run->points[0].values[0] = xstrdup("4");
	assert_int_equal(past_find(session, run, 0, &past, 1), 0);
	session_free(session);
}

static void test_damage_is_passed_over(void **unused)
{
	struct session *session = session_of(9, low);
	struct error error;
	struct text all = { 0 };
	struct past past;
	char *path = index_path();

	(void)unused;
	keep(1, low);
	keep(2, high);
	assert_int_equal(file_read(path, 1 << 20, &all, &error), 0);
	/* The last line of the point is truncated. */
	char *last = strstr(strstr(all.chars, "-02T"), "launches");
	*last = '\0';
	assert_int_equal(file_save(path, all.chars, strlen(all.chars), &error),
		0);
	assert_int_equal(past_find(session, session->runs[0], 0, &past, 1), 1);
	assert_true(past.median == 12.5);
	text_free(&all);
	free(path);
	session_free(session);
}

static void test_an_old_half_goes(void **unused)
{
	enum { LINE = 64 << 10 };
	struct session *session = session_of(9, low);
	char *path = index_path(), *filler = xmalloc(LINE);
	struct past past;
	struct stat is;

	(void)unused;
	keep(1, low);
	memset(filler, 'x', LINE);
	filler[LINE - 1] = '\n';
	FILE *file = fopen(path, "ae");
	assert_non_null(file);
	for (int i = 0; i < 40; i++)
		assert_int_equal(fwrite(filler, LINE, 1, file), 1);
	fclose(file);
	keep(2, high);
	assert_int_equal(stat(path, &is), 0);
	assert_true(is.st_size < 2 << 20);
	assert_int_equal(is.st_mode & 0777, 0600);
	assert_int_equal(past_find(session, session->runs[0], 0, &past, 1), 1);
	assert_true(past.median == 22.5);
	free(filler);
	free(path);
	session_free(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_named_pipe, open_state,
			close_state),
		cmocka_unit_test_setup_teardown(test_latest_first, open_state,
			close_state),
		cmocka_unit_test_setup_teardown(test_only_the_same, open_state,
			close_state),
		cmocka_unit_test_setup_teardown(test_damage_is_passed_over,
			open_state, close_state),
		cmocka_unit_test_setup_teardown(test_an_old_half_goes,
			open_state, close_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
