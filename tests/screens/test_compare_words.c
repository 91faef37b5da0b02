/* The Compare screen: the words of rows and of their explanations. */
#include "compare_fixture.h"
#include "seated.h"
#include "view_compare.h"

static int open_lab(void **state)
{
	made_open(&lab, &screen);
	screen_execute(&screen, "view compare");
	return 0;
}

static void expect(const char *what)
{
	const char *drawn = drawn_at(120, 40);

	if (!strstr(drawn, what))
		fail_msg("no '%s' in\n%s", what, drawn);
}

/* An undecided row shows the shares with a co-runner, not an interval. */
static void test_undecided(void **state)
{
	struct results *run = lab.session->runs[0];
	struct series *series = &run->points[0].series[0];
	uint16_t *flags = series->flags.data;

	for (size_t i = 0; i < series->flags.count; i++)
		flags[i] = FLAG_SHARED;
	run->version++;
	compare_forget(&screen);
	expect("shared A 0 % B 100 %");
	assert_non_null(strstr(drawn_at(80, 24), "shared 0 100 %"));
	expect("! undecided");
}

static size_t times(const char *text, const char *what)
{
	size_t count = 0;

	while ((text = strstr(text, what))) {
		text += strlen(what);
		count++;
	}
	return count;
}

/* The row and its explanation name other tasks where these are the reason,
 * which the explanation gives once, with the cure. */
static void test_undecided_by_other_tasks(void **state)
{
	static const char reason[] =
		"other tasks used 0 % of the processors of A, 46 % of B";
	struct results *run = lab.session->runs[0];

	run->place.others = .46;
	run->version++;
	compare_forget(&screen);
	press("g");
	expect("others A 0 % B 46 %");
	assert_non_null(strstr(drawn_at(80, 24), "others 0 46 %"));
	press("Enter");
	assert_int_equal(times(screen.page.text, reason), 1);
	assert_non_null(strstr(screen.page.text, "Measure again."));
	press("Esc");
	run->place.others = 0;
}

/* The threshold of a row is stated: that of its equivalence, and beyond which a
 * change is detected, unless other guests may change the figure. In a guest it
 * is higher for tasks that wait for each other. */
static void test_threshold(void **state)
{
	struct results *run = lab.session->runs[0];

	snprintf(lab.session->machine.hypervisor,
		sizeof lab.session->machine.hypervisor, "KVM");
	run->plan.traits |= TRAIT_BLOCKS;
	run->version++;
	compare_forget(&screen);
	press("g");
	press("Down");
	press("Enter");
	assert_non_null(strstr(screen.page.text, "is equivalent within 20 %: "));
	assert_non_null(strstr(screen.page.text,
		"A change that exceeds the threshold of 20 % by "));
	press("Esc");
	expect("below the threshold of its row, 10 to 20 %: small");
	run->plan.traits |= TRAIT_THREADS;
	run->version++;
	compare_forget(&screen);
	press("Enter");
	assert_non_null(strstr(screen.page.text, "is equivalent within 20 %: "));
	assert_null(strstr(screen.page.text, "would be detected"));
}

/* A narrow column drops the group first, then the experiment of a metric, and
 * the words of the point last. Rows of one experiment remain distinct. */
static void test_names_of_metrics(void **state)
{
	static const char *const calls[] = { "getppid", "read" };
	static const struct {
		int columns;
		const char *name;
	} rows[] = {
		{ 40, "cpu.syscall retransmissions read" },
		{ 30, "syscall retransmissions read" },
		{ 23, "retransmissions read" },
		{ 18, "retransmissions .." },
	};
	char time[] = "time", again[] = "retransmissions";
	struct metric_info metrics[] = { { .name = time }, { .name = again } };
	struct results *results = fixture_results(&fixture_syscall, calls, 2);
	struct results run = *results;
	struct compare_row row = {
		.second = { .run = &run, .point = &run.points[1], .metric = 1 },
	};
	struct model_row shown = { .row = &row };
	struct text text = { 0 };

	run.metrics = metrics;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		text_clear(&text);
		model_say_name(&shown, rows[i].columns, &text);
		assert_string_equal(text.chars, rows[i].name);
	}
	text_free(&text);
	results_free(results);
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_undecided),
		IN_LAB(test_undecided_by_other_tasks),
		IN_LAB(test_threshold),
		IN_LAB(test_names_of_metrics),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
