/* The Machine screen: golden grids by content, size and tier. */
#include "golden.h"
#include "machine_fixture.h"

static void golden_after(const char *view, const char *line)
{
	struct screen screen;
	struct lab lab;

	inspected_open(&lab, &screen);
	screen_execute(&screen, "view machine");
	screen_execute(&screen, line);
	inspected_now(&screen);
	golden(&screen, view);
	fixture_close(&lab, &screen);
}

static void test_checks(void **state)
{
	golden_after("machine", "move 1");
}

static void test_facts(void **state)
{
	golden_after("machine-facts", "focus facts; move 3");
}

/* During a run the doctor could not examine the machine, and the topology was
 * not read. */
static void test_nothing_known(void **state)
{
	struct screen screen;
	struct lab lab;

	inspected_open(&lab, &screen);
	lab.doctor.count = 0;
	inspection_of(&screen)->map.cores = 0;
	screen.view = VIEW_MACHINE;
	golden(&screen, "machine-nothing");
	fixture_close(&lab, &screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_checks),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_nothing_known),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
