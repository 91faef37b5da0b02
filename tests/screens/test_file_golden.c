/* The views of the experiments with files: golden grids by what is drawn, size
 * and tier. */
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

/* Block time by file size and order. */
static void test_reads(void **state)
{
	(void)state;
	golden_of("file-reads", "fs.read", "probe -3");
}

/* The curve of the cache with its knee. */
static void test_cache(void **state)
{
	(void)state;
	golden_of("file-cache", "fs.cache", "probe -2");
}

/* A line for each pattern. */
static void test_contention(void **state)
{
	(void)state;
	golden_of("file-contention", "fs.contention", "probe -6");
}

/* Local, remote, and what the network adds, in one table. */
static void test_remote(void **state)
{
	(void)state;
	golden_of("file-remote", "fs.remote", "sweep table; move -2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_cache),
		cmocka_unit_test(test_contention),
		cmocka_unit_test(test_remote),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
