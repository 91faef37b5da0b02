/* A fleet and a history on the Compare screen: golden grids. */
#include "golden.h"
#include "many_fixture.h"

static void test_fleet(void **state)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	many_keep_fleet(&lab.many, many_fleet());
	screen_take_ended(&screen);
	screen_execute(&screen, "move 1");
	golden(&screen, "fleet");
	fixture_close(&lab, &screen);
}

static void test_history(void **state)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	many_keep_history(&lab.many, many_history());
	screen_take_ended(&screen);
	screen_execute(&screen, "move -8");
	golden(&screen, "history");
	fixture_close(&lab, &screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fleet),
		cmocka_unit_test(test_history),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
