/* The Compare screen: golden grids by content, size and tier. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compare_fixture.h"
#include "file.h"
#include "golden.h"

static void golden_after(const char *view, const char *line)
{
	struct screen screen;
	struct lab lab;

	made_open(&lab, &screen);
	screen_execute(&screen, "view compare");
	screen_execute(&screen, line);
	golden(&screen, view);
	fixture_close(&lab, &screen);
}

static void test_after_lines(void **state)
{
	static const struct {
		const char *view, *line;
	} rows[] = {
		{ "compare", "move 1" },
		{ "compare-cycles", "contrast cycles; contrast order; move 2" },
		{ "compare-swapped", "contrast swap; move 100" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		golden_after(rows[i].view, rows[i].line);
}

/* The two sessions have no row in common. */
static void test_nothing_in_both(void **state)
{
	struct screen screen;
	struct lab lab;

	made_open(&lab, &screen);
	struct session *session = model_of(&screen)->sides[0].session;
	while (session->run_count)
		results_free(session->runs[--session->run_count]);
	screen_execute(&screen, "view compare");
	golden(&screen, "compare-nothing");
	fixture_close(&lab, &screen);
}

static void put_session(const char *path, const struct session *session,
	time_t changed)
{
	struct timespec times[2] = { { changed, 0 }, { changed, 0 } };
	struct text text = { 0 };
	struct error error;

	session_write(session, &text);
	assert_int_equal(file_save(path, text.chars, text.length, &error), 0);
	utimensat(AT_FDCWD, path, times, 0);
	text_free(&text);
}

/* The list of sessions, with those that labs saved automatically. */
static void put_kept(const char *name, const struct session *session)
{
	char *folder = folder_state();
	struct text path = { 0 };

	text_add(&path, "mkdir -p %s/sessions", folder);
	assert_int_equal(system(path.chars), 0);
	text_clear(&path);
	text_add(&path, "%s/sessions/%s", folder, name);
	put_session(path.chars, session, 1763474520);
	text_free(&path);
	free(folder);
}

/* A folder with files of known dates, and a kept session. */
static void test_browser(void **state)
{
	struct screen screen;
	struct lab lab;
	struct text folder = { 0 };
	struct session *session = made_before();
	struct error error;

	text_add(&folder, "%s/work", (char *)*state);
	assert_int_equal(mkdir(folder.chars, 0700), 0);
	char *was = getcwd(NULL, 0);
	assert_int_equal(chdir(folder.chars), 0);
	put_session("before.json", session, 1763474520);
	put_session("older.json", session, 1763000000);
	assert_int_equal(file_save("no-session.json", "{}", 2, &error), 0);
	put_kept("20251117-091500-4711.json", session);
	swept_open(&lab, &screen);
	screen_execute(&screen, "view compare; move 2");
	/* The list needs a published session, which an installation might
	 * lack. */
	struct browser *browser = &model_of(&screen)->browser;
	assert_int_equal(browser->list[3].kind, BROWSED_KEPT);
	assert_int_equal(browser->list[4].kind, BROWSED_PUBLISHED);
	golden(&screen, "compare-browser");
	screen_execute(&screen, "move 1; choose");
	assert_string_equal(model_name(model_of(&screen), 0), "session 1");
	fixture_close(&lab, &screen);
	assert_int_equal(chdir(was), 0);
	free(was);
	session_free(session);
	text_free(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_after_lines),
		cmocka_unit_test(test_nothing_in_both),
		cmocka_unit_test(test_browser),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
