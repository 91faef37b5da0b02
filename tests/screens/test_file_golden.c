/* The views of the experiments with files: golden grids by content, size and
 * tier. */
#include "file_fixture.h"
#include "golden.h"

static void golden_of(const char *view, const char *name, const char *line)
{
	struct screen screen;
	struct lab lab;

	filed_open(&lab, &screen);
	fixture_select(&screen, name);
	screen_execute(&screen, "view sweep");
	screen_execute(&screen, line);
	golden(&screen, view);
	fixture_close(&lab, &screen);
}

static void test_files(void **state)
{
	static const struct {
		const char *view, *experiment, *line;
	} rows[] = {
		/* Block time over file size, by order. */
		{ "file-reads", "fs.read", "probe -3" },
		/* The curve of a file cache with its knee. */
		{ "file-cache", "fs.cache", "probe -2" },
		/* A line for each pattern. */
		{ "file-contention", "fs.contention", "probe -6" },
		/* The headline, local and remote, and what the network adds. */
		{ "file-remote", "fs.remote", "sweep table; move -2" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		golden_of(rows[i].view, rows[i].experiment, rows[i].line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
