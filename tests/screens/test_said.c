/* What the Lab screen says beside its figures: nothing stands there without
 * what it belongs to, and nothing that was asked for goes by silently. */
#include "fixture.h"

static struct screen screen;
static struct lab lab;

static int open_lab(void **state)
{
	(void)state;
	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	screen_execute(&screen, "pick cpu.syscall");
	return 0;
}

static int close_lab(void **state)
{
	(void)state;
	fixture_close(&lab, &screen);
	return 0;
}

static bool shows(int columns, int rows, const char *words)
{
	struct grid grid = { 0 };
	struct text drawn = { 0 };

	grid_reset(&grid, columns, rows, TIER_ASCII);
	view_draw(&screen, &grid);
	grid_dump(&grid, &drawn);
	bool found = strstr(text_chars(&drawn), words) != NULL;
	text_free(&drawn);
	grid_free(&grid);
	return found;
}

/* ---- figures and their parameters -------------------------------------- */

static void test_figures_name_their_parameters(void **state)
{
	(void)state;
	assert_true(shows(120, 40, "call=getppid size=4K"));
	assert_false(shows(120, 40, "form changed"));
	screen_execute(&screen, "edit call=getpid");
	assert_true(shows(120, 40, "time per call, call=getppid"));
	assert_true(shows(120, 40, "form changed: r"));
	assert_true(shows(80, 24, "time per call, call=getppid"));
	assert_true(shows(80, 24, "form changed: r"));
	assert_true(shows(200, 60, "form changed, r measures it"));
	/* Another number of points, then what was measured again. */
	screen_execute(&screen, "edit call=getppid,read");
	assert_true(shows(80, 24, "form changed"));
	screen_execute(&screen, "edit call=getppid");
	assert_false(shows(80, 24, "form changed"));
	screen_execute(&screen, "pick mem.latency");
	screen_execute(&screen, "edit call=getppid,getpid,read");
	assert_false(shows(120, 40, "form changed"));
	screen_execute(&screen, "edit call=getppid,read,getpid");
	assert_true(shows(120, 40, "form changed"));
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_figures_name_their_parameters),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
