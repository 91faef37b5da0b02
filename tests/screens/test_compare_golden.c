/* The Compare screen: golden grids by what is drawn, size and tier. */
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

/* Nothing of one is in the other. */
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

/* The files of a folder of its own, at known times. */
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
	swept_open(&lab, &screen);
	screen_execute(&screen, "view compare; move 2");
	/* Where the program is tested may have no published sessions. */
	struct browser *browser = &model_of(&screen)->browser;
	assert_int_equal(browser->list[3].kind, BROWSED_PUBLISHED);
	for (size_t i = 0; i < browser->count; i++)
		if (browser->list[i].kind == BROWSED_FILE)
			browser->list[i].size_bytes = 20480;
	golden(&screen, "compare-browser");
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
