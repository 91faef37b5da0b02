/* The Machine screen: its keys, its words, and the doctor's second
 * examination. */
#include <poll.h>
#include <time.h>

#include "machine_fixture.h"
#include "tiers.h"

#include "run_queue.h"
#include "seated.h"

static int open_lab(void **state)
{
	inspected_open(&lab, &screen);
	screen_execute(&screen, "view machine");
	return 0;
}

static void expect(const char *what)
{
	const char *drawn = drawn_at(120, 40);

	if (!strstr(drawn, what))
		fail_msg("no '%s' in\n%s", what, drawn);
}

/* The worst check first, then in the doctor's order; each check once. */
static void test_order(void **state)
{
	static const char *const order[] = { "frequency", "capture", "turbo",
		"gaps", "mitigations", "counters", "clock", "smt" };

	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		assert_string_equal(inspection_row(&lab.doctor, i)->check,
			order[i]);
	assert_null(inspection_row(&lab.doctor, lab.doctor.count));
	expect("2 bad  4 notes  8 ok");
}

/* Checks show their time and the key that repeats them. Cheap checks are
 * repeated when the user returns to the screen. */
static void test_age_is_said(void **state)
{
	time_t now = time(NULL);
	struct text at = { 0 }, title = { 0 };

	lab.doctor_at = now - 60;
	lab.gaps.watched_s = 1;
	machine_say_checked(&lab, &at);
	screen_execute(&screen, "view lab; view machine");
	assert_int_equal(lab.doctor_at, now - 60);
	assert_non_null(strstr(said(), "Checked at "));
	assert_non_null(strstr(said(), at.chars));
	assert_non_null(strstr(said(), "; R checks again."));
	text_add(&title, " ok  %s ", at.chars);
	expect(title.chars);
	lab.gaps.watched_s = 0;
	screen_execute(&screen, "view lab; view machine");
	assert_true(lab.doctor_at >= now);
	assert_non_null(strstr(said(), "Quick checks at "));
	text_free(&at);
	text_free(&title);
}

static const struct doctor_row *check_named(const char *name)
{
	for (size_t i = 0; i < lab.doctor.count; i++)
		if (!strcmp(lab.doctor.rows[i].check, name))
			return &lab.doctor.rows[i];
	fail_msg("no check '%s'", name);
	return NULL;
}

/* The quick checks before the first run examine the processor on which that run
 * measures: a correction would otherwise move interrupts to it. */
static void test_checks_choose_the_processor(void **state)
{
	struct text cpu = { 0 };
	struct place place;
	struct error error;

	doctor_free(&lab.doctor);
	lab.places.chosen = -1;
	screen_execute(&screen, "view lab; view machine");
	assert_int_equal(place_plan(&lab.places, PARAM_AUTO, 0, &place, &error),
		0);
	assert_int_equal(lab.places.chosen, place.cpu);
	assert_non_null(strstr(place.facts.why, "first choice"));
	text_add(&cpu, "cpu %d", place.cpu);
	assert_non_null(strstr(check_named("interrupts")->found, cpu.chars));
	text_free(&cpu);
}

static void test_selected_is_explained(void **state)
{
	press("g");
	assert_non_null(strstr(said(), "frequency: times in ns move"));
	expect("sudo cpupower frequency-set -g performance");
	press("Down");
	expect("sudo setcap cap_net_raw+ep benchtop-capture");
	press("Enter");
	assert_non_null(strstr(screen.page.text, "effect   connections are"));
	assert_non_null(strstr(screen.page.text, "touches  net.* with"));
	press("Esc");
	press("End");
	assert_non_null(strstr(said(), "build: Release"));
}

static void test_fixes(void **state)
{
	press("g");
	press("f");
	const char *own = strstr(screen.page.text, "cpupower");
	const char *other = strstr(screen.page.text, "setcap");

	assert_true(own && other && own < other);
	assert_non_null(strstr(screen.page.text, "perf_event_paranoid=1"));
}

static void test_map(void **state)
{
	expect("[3]");
	expect("15");
	expect("[3] measures");
	expect("31.2G");
	lab.places.chosen = -1;
	expect("no processor chosen yet");
}

/* If not all cores fit, the map shows the number of those left out. */
static void test_many_cores(void **state)
{
	struct cpu_map *map = &inspection_of(&screen)->map;

	for (int i = 0; i < 128; i++) {
		map->core[i] = (struct cpu_map_core){ .cpu = { i, i + 128 },
			.threads = 2 };
		for (size_t k = 0; k < map->levels; k++)
			map->level[k].share[i] = i / 8;
	}
	map->cores = 128;
	expect("more cores");
	draw_sizes(&screen, 300, 100, 4, 3);
}

static void test_facts_scroll(void **state)
{
	assert_non_null(strstr(drawn_at(80, 24), "AMD Ryzen 7 7700"));
	press("Tab");
	assert_int_equal(screen.focus[VIEW_MACHINE], MACHINE_FACTS);
	for (int i = 0; i < 4; i++)
		press("Down");
	assert_null(strstr(drawn_at(80, 24), "AMD Ryzen 7 7700"));
	assert_non_null(strstr(drawn_at(80, 24), "5 to "));
	press("End"); /* not beyond the last row */
	assert_non_null(strstr(drawn_at(80, 24), "built by"));
	press("d");
	assert_non_null(strstr(screen.page.text, "AMD Ryzen 7 7700"));
}

static void test_click(void **state)
{
	struct grid grid = { 0 };

	press("g");
	grid_reset(&grid, 80, 24, TIER_ASCII);
	view_draw(&screen, &grid);
	screen_click(&screen, &grid, 50, 4);
	assert_non_null(strstr(said(), "turbo"));
	screen_click(&screen, &grid, 4, 1);
	assert_int_equal(screen.focus[VIEW_MACHINE], MACHINE_FACTS);
	grid_free(&grid);
}

static void test_refused(void **state)
{
	lab.doctor.count = 0;
	screen_execute(&screen, "checkup explain");
	assert_non_null(strstr(said(), "no checks yet"));
	screen_execute(&screen, "checkup fixes");
	assert_non_null(strstr(said(), "no checks yet"));
	screen_execute(&screen, "checkup everything");
	assert_non_null(strstr(said(), "expected one of explain"));
}

/* R examines the machine with measurements; the results appear in the rows, not
 * on a page. */
static void test_recheck(void **state)
{
	enum { LIMIT_S = 60, TURN_MS = 20 };
	time_t end = time(NULL) + LIMIT_S;

	press("R");
	if (!lab_busy(&lab))
		fail_msg("not begun: %s", said());
	press("R");
	assert_non_null(strstr(said(), "during a run: stop the run first"));
	while (lab_busy(&lab) && time(NULL) < end) {
		struct pollfd polled = { .fd = lab_descriptor(&lab),
			.events = POLLIN };

		poll(&polled, polled.fd >= 0, TURN_MS);
		lab_step(&lab);
		screen_take_ended(&screen);
	}
	assert_false(lab_busy(&lab));
	screen_take_ended(&screen);
	assert_null(screen.page.text);
	assert_non_null(strstr(said(), "Checks done: "));
	assert_true(lab.doctor.count > 10);
	assert_true(lab.gaps.watched_s > 0);
	struct text text = { 0 };
	inspection_explain(&lab, check_named("gaps"), &text);
	assert_non_null(strstr(text.chars, "10 to 100 us"));
	text_free(&text);
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_order),
		IN_LAB(test_age_is_said),
		IN_LAB(test_checks_choose_the_processor),
		IN_LAB(test_selected_is_explained),
		IN_LAB(test_fixes),
		IN_LAB(test_map),
		IN_LAB(test_many_cores),
		IN_LAB(test_facts_scroll),
		IN_LAB(test_click),
		IN_LAB(test_refused),
		IN_LAB(test_recheck),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
