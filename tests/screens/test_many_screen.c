/* A fleet and a history on the Compare screen: opening, moving, leaving. */
#include "many_fixture.h"
#include "tiers.h"
#include "view_compare.h"

#include "seated.h"

static int open_lab(void **state)
{
	fixture_open(&lab, &screen);
	return 0;
}

static void open_fleet(void)
{
	many_keep_fleet(&lab.many, many_fleet());
	screen_take_ended(&screen);
}

static void expect(const char *what)
{
	if (!drawn_has(120, 40, what))
		fail_msg("no '%s' in\n%s", what, drawn_at(120, 40));
}

/* The sentence about the selected cell. */
static void assert_said(const char *what)
{
	if (!strstr(said(), what))
		fail_msg("no '%s' in '%s'", what, said());
}

/* What was read opens its place, once. */
static void test_opens(void **state)
{
	open_fleet();
	assert_int_equal(screen.view, VIEW_COMPARE);
	assert_int_equal(compare_place(&screen), COMPARE_FLEET);
	assert_said("5 of 40 machines differ");
	screen_execute(&screen, "view lab");
	assert_int_equal(screen.view, VIEW_LAB);
	many_keep_history(&lab.many, many_history());
	screen_execute(&screen, "view lab");
	assert_int_equal(compare_place(&screen), COMPARE_HISTORY);
	assert_said("48 runs, 2 changes");
}

/* A page does not cover it. */
static void test_closes_a_page(void **state)
{
	screen_open_page(&screen, "page", "some text\nof two lines\n");
	open_fleet();
	assert_null(screen.page.text);
}

/* Outliers are the first rows; the columns are kinds, then experiments. */
static void test_cells(void **state)
{
	open_fleet();
	press("Down");
	assert_said("n07: all series together: 1.19");
	press("Right");
	assert_said("n07: scatter between launches: ");
	press("Right");
	assert_said("n07: surroundings: 39 alike");
	press("Right");
	assert_said("n07: cpu.call, 3 series: 1.");
	screen_execute(&screen, "contrast left; contrast left; contrast left; "
				"contrast left; move -1");
	assert_said("n03: all series together: 0.99");
	expect("surroundings 0.99");
	expect("kernel 6.1.0-21, of most 6.1.0-18");
	press("End");
	assert_said("n39: ");
	expect("This machine is not an outlier.");
}

/* r11: an outlier has a sign. */
static void test_signs(void **state)
{
	static const struct {
		const char *host, *cells;
	} rows[] = {
		{ "n03", " ! " },
		{ "n07", ">" },
		{ "n11", ">" },
		{ "n19", ">" },
		{ "n30", "<" },
	};

	open_fleet();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *drawn = drawn_at(120, 40);
		const char *row = strstr(drawn, rows[i].host);

		assert_non_null(row);
		const char *end = strchr(row, '\n');
		const char *sign = strstr(row + 4, rows[i].cells);
		assert_true(sign && sign < end);
	}
	const char *good = strstr(drawn_at(120, 40), "n00");
	assert_true(strcspn(good, "<>!") > strcspn(good, "\n"));
}

static void test_pages(void **state)
{
	open_fleet();
	press("Enter");
	assert_non_null(strstr(screen.page.text,
		"5 of 40 machines differ from the others"));
	press("Esc");
	many_keep_history(&lab.many, many_history());
	screen_take_ended(&screen);
	press("Enter");
	assert_non_null(strstr(screen.page.text, "The level rises by 4.8 %"));
	press("Esc");
	assert_int_equal(compare_place(&screen), COMPARE_HISTORY);
}

static void test_runs(void **state)
{
	many_keep_history(&lab.many, many_history());
	screen_take_ended(&screen);
	expect("run 48 of 48, 2025-11-18 04:15: 10");
	expect("Run 41, 2025-11-11: The level rises by ");
	press("Home");
	assert_said("run 1 of 48, 2025-10-01 04:15: 9");
	expect("Run 21, 2025-10-21: The level rises by 4.8 %");
	expect("Changed here: kernel ");
	screen_execute(&screen, "move 9");
	assert_said("run 10 of 48");
	assert_said("not counted");
	press("Right");
	assert_said("run 11 of 48");
}

/* Too few runs for a test, and one run. */
static void test_few_runs(void **state)
{
	for (size_t count = 1; count < 4; count += 2) {
		struct history *history = many_history();
		struct history few;

		history_make("cpu.syscall", history->list, count, &few);
		history_own(&few, history->owned, &history->points);
		history->owned = NULL;
		history->points = (struct kept_points){ 0 };
		history_free(history);
		*history = few;
		many_keep_history(&lab.many, history);
		screen_take_ended(&screen);
		expect("Changes are searched from 10 counted runs on.");
	}
}

/* A dot is the median of some of many runs, so that their intervals do not
 * hide the levels. */
static void test_many_runs(void **state)
{
	enum { RUNS = 400 };
	struct history *history = many_history();
	struct history *many = xcalloc(1, sizeof *many);
	struct kept_point *list = xcalloc(RUNS, sizeof *list);

	for (size_t i = 0; i < RUNS; i++) {
		list[i] = history->list[i * history->count / RUNS];
		list[i].headline.has_interval = true;
		list[i].headline.interval =
			(struct range){ .9 * list[i].headline.median,
				1.1 * list[i].headline.median };
	}
	history_make("cpu.syscall", list, RUNS, many);
	history_own(many, list, &history->points);
	history->points = (struct kept_points){ 0 };
	history_free(history);
	free(history);
	many_keep_history(&lab.many, many);
	screen_take_ended(&screen);
	expect("a dot: the median of ");
	/* An interval is a column of these. */
	size_t inked = 0;
	for (const char *at = drawn_at(80, 24); *at; at++)
		inked += *at == ':';
	assert_in_range(inked, 0, 100);
}

static void test_leaving(void **state)
{
	open_fleet();
	press("Esc");
	assert_int_equal(screen.view, VIEW_LAB);
	/* Without two sessions, the list of them. */
	press("4");
	assert_int_equal(compare_place(&screen), COMPARE_BROWSER);
	press("f");
	assert_int_equal(compare_place(&screen), COMPARE_FLEET);
	press("a");
	assert_int_equal(compare_place(&screen), COMPARE_BROWSER);
}

/* Without a fleet the key asks for files, and the places show the sessions. */
static void test_nothing_read(void **state)
{
	screen_execute(&screen, "view compare; contrast fleet");
	assert_int_equal(screen.prompt.kind, PROMPT_COMMAND);
	assert_string_equal(screen.prompt.line, "fleet ");
	press("Esc");
	screen_execute(&screen, "focus fleet");
	assert_int_equal(compare_place(&screen), COMPARE_BROWSER);
	screen_execute(&screen, "focus history; contrast left");
	assert_int_equal(compare_place(&screen), COMPARE_BROWSER);
	screen_execute(&screen, "fleet /missing");
	assert_said("cannot open '/missing'");
	assert_null(lab.many.fleet);
}

/* The headings and signs have a legend. A cell shows in which direction it
 * differs, also if the machine is no outlier there. */
static void test_direction(void **state)
{
	struct fleet_sessions *fleet = many_fleet();
	size_t count = fleet->series_count;

	fleet->fleet.ratio[count] = fleet->fleet.ratio[count + 1] =
		fleet->fleet.ratio[count + 2] = 1 / 1.3;
	fleet->fleet.ratio[2 * count] = fleet->fleet.ratio[2 * count + 1] =
		fleet->fleet.ratio[2 * count + 2] = 1.3;
	many_keep_fleet(&lab.many, fleet);
	screen_take_ended(&screen);
	expect("all: all series   sc: scatter   su: surroundings");
	for (int slower = 0; slower < 2; slower++) {
		const char *row = strstr(drawn_at(120, 40),
			slower ? " n02 " : " n01 ");

		assert_non_null(row);
		size_t end = strcspn(row, "\n");
		assert_int_equal(strcspn(row, "-") < end, !slower);
	}
	assert_non_null(strstr(drawn_at(80, 24), "shade: slower, - faster"));
}

/* A fleet with one machine and one series. */
static void test_one_machine(void **state)
{
	struct fleet_sessions *one = many_fleet();

	fleet_free(&one->fleet);
	free(one->machines);
	free(one->series);
	free(one->regimes);
	one->machines = NULL;
	one->series = NULL;
	one->machine_count = one->series_count = 0;
	for (size_t i = 1; i < one->points.count; i++)
		one->points.list[i].quality = QUALITY_NOT_ENOUGH;
	fleet_sessions_find(one);
	assert_int_equal(one->machine_count, 1);
	many_keep_fleet(&lab.many, one);
	screen_take_ended(&screen);
	expect("1 machine, too few");
	expect("An outlier needs 3 machines.");
	press("Right");
	assert_said("n00: scatter between launches: no figure: it needs at "
		    "least 3 series of at least 3 machines");
	draw_sizes(&screen, 200, 60, 4, 3);
}

static void test_r06_every_size(void **state)
{
	static const char *const lines[] = { "focus fleet; move 3",
		"focus history; move -30", "focus fleet; contrast right",
		"focus history; move 30" };

	many_keep_history(&lab.many, many_history());
	open_fleet();
	for (size_t i = 0; i < 2; i++) {
		screen_execute(&screen, lines[i]);
		draw_sizes(&screen, 300, 100, 4, 3);
	}
	draw_every_size(&screen, lines, sizeof lines / sizeof *lines);
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_opens),
		IN_LAB(test_closes_a_page),
		IN_LAB(test_cells),
		IN_LAB(test_signs),
		IN_LAB(test_pages),
		IN_LAB(test_runs),
		IN_LAB(test_few_runs),
		IN_LAB(test_many_runs),
		IN_LAB(test_leaving),
		IN_LAB(test_nothing_read),
		IN_LAB(test_direction),
		IN_LAB(test_one_machine),
		IN_LAB(test_r06_every_size),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
