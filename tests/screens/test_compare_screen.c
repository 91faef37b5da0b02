/* The Compare screen: selecting, moving, messages and refusals. */
#include <unistd.h>

#include "compare_fixture.h"
#include "tiers.h"
#include "view_compare.h"
#include "seated.h"

static int open_lab(void **state)
{
	made_open(&lab, &screen);
	screen_execute(&screen, "view compare");
	return 0;
}

static const char *drawn(void)
{
	return drawn_at(120, 40);
}

static void expect(const char *what)
{
	if (!strstr(drawn(), what))
		fail_msg("no '%s' in\n%s", what, drawn());
}

static void save(const struct session *session, struct text *path)
{
	struct error error;

	text_add(path, "%s/saved.json", getenv("HOME"));
	assert_int_equal(session_save_copy(session, path->chars, &error), 0);
}

/* ---- rows ------------------------------------------------------------- */

/* Every verdict has a sign, a word and a sentence. */
static void test_verdicts(void **state)
{
	static const char *const rows[] = { "cpu.syscall getppid",
		"cpu.syscall read", "mem.latency 32K", "mem.latency 8M",
		"cpu.syscall stat", "mem.latency 1G", "mem.fault" };
	static const char *const words[] = { "< faster 22.6 %",
		"< faster 14.4 %", "= equivalent", "= equivalent",
		"~ small change", "> slower 9.0 %", "> slower 2.59 x" };

	press("g");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		expect(rows[i]);
		expect(words[i]);
		assert_non_null(strstr(said(), rows[i]));
		press("Down");
	}
	assert_non_null(strstr(said(), "2.59 x slower on mem.fault"));
	press("PageUp");
	assert_non_null(strstr(said(), "22.6 % faster on cpu.syscall"));
}

/* A session that was saved without trials does not show excluded ones. */
static void test_no_trials_kept(void **state)
{
	struct text path = { 0 };
	struct error error;

	lab.session->runs[0]->figures_only = true;
	save(lab.session, &path);
	assert_int_equal(model_choose(&screen, 1, path.chars, NULL, &error), 0);
	expect("the session keeps no trials");
	text_free(&path);
}

/* "faster" and "slower" appear only if the interval excludes 1, for comparisons
 * in time, in cycles, and in reverse order. */
static void test_r16_faster_only_if_the_interval_excludes_1(void **state)
{
	static const char *const ways[] = { "", "n", "X", "n" };
	int faster = 0, slower = 0, neither = 0;

	press("g");
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (*ways[i])
			press(ways[i]);
		char *copy = xstrdup(drawn()), *rest = copy, *line;

		while ((line = strsep(&rest, "\n"))) {
			const char *sign = strpbrk(line, "<>=~?");
			double low, high;

			/* The selected row has a mark. */
			if (sign && sign < line + 4)
				sign = strpbrk(sign + 1, "<>=~?");
			if (!sign || sign < line + 20 ||
				sscanf(sign - 13, "%lf %lf", &low, &high) != 2)
				continue;
			bool above = low > 1, below = high < 1;
			faster += !strncmp(sign, "< faster", 8);
			slower += !strncmp(sign, "> slower", 8);
			assert_true(strncmp(sign, "< faster", 8) || below);
			assert_true(strncmp(sign, "> slower", 8) || above);
			if (above || below)
				continue;
			assert_true(*sign == '=' || *sign == '?');
			neither++;
		}
		free(copy);
	}
	assert_true(faster > 3 && slower > 3 && neither > 0);
	/* The same for intervals of all kinds. */
	for (double low = .9; low < 1.1; low += .001)
		for (double high = low; high < 1.1; high += .001) {
			enum verdict verdict = verdict_of(low, high, .01);

			assert_true(verdict != VERDICT_FASTER || high < 1);
			assert_true(verdict != VERDICT_SLOWER || low > 1);
		}
}

/* If colour marks a verdict, so does a word or a sign. */
static void test_r11_verdicts_are_words(void **state)
{
	struct grid grid = { 0 };
	int marked = 0;

	press("g");
	grid_reset(&grid, 120, 40, TIER_ASCII);
	view_draw(&screen, &grid);
	for (int row = 0; row < 40; row++) {
		struct text words = { 0 };
		bool coloured = false;

		for (int i = 0; i < 120; i++) {
			const struct cell *cell = &grid.cells[row * 120 + i];

			text_add_char(&words, (char)cell->code);
			coloured |= cell->role == ROLE_GOOD ||
				cell->role == ROLE_BAD;
		}
		if (coloured)
			assert_true(strstr(words.chars, "faster") ||
				strstr(words.chars, "slower"));
		marked += coloured;
		text_free(&words);
	}
	assert_true(marked >= 3);
	grid_free(&grid);
}

/* A change in time without a change in cycles is explained by the clock; a
 * change in cycles is not. */
static void test_causes(void **state)
{
	press("g");
	expect("Explained by the clock");
	expect("4.100 GHz");
	press("Down");
	expect("Likely cause: kernel");
	press("End"); /* without cycles the governor comes first */
	expect("Likely cause: governor");
}

static void test_cycles(void **state)
{
	press("g");
	press("n");
	expect("in cycles");
	expect("377.1 cyc");
	assert_non_null(strstr(said(), "equivalent in cycles"));
	press("n");
	assert_null(strstr(drawn(), "377.1 cyc"));
}

/* The same row remains selected after sorting. */
static void test_order(void **state)
{
	press("g");
	press("s");
	expect("most changed first");
	assert_non_null(strstr(said(), "cpu.syscall getppid"));
	press("g");
	assert_non_null(strstr(said(), "mem.fault"));
	press("s");
	expect("as measured");
	press("s");
	expect("fastest first");
	assert_non_null(strstr(said(), "mem.fault"));
}

static void test_swap(void **state)
{
	press("X");
	press("g");
	assert_non_null(strstr(said(), "2.59 x faster on mem.fault"));
	press("X");
	press("g");
	assert_non_null(strstr(said(), "22.6 % faster"));
}

static void test_pages(void **state)
{
	press("d");
	assert_non_null(strstr(screen.page.text, "Differences:"));
	press("Esc");
	press("g");
	press("Enter");
	assert_non_null(strstr(screen.page.text, "call=getppid via=raw"));
	assert_non_null(strstr(screen.page.text, "Explained by the clock"));
	assert_non_null(strstr(screen.page.text, "would be detected"));
	/* A part without text leaves no empty lines. */
	press("Esc");
	for (int i = 0; i < 8; i++) {
		press("Enter");
		assert_null(strstr(screen.page.text, "\n\n\n"));
		press("Esc");
		press("Down");
	}
}

static const char none_kept[] = "no kept session of this machine has cpu.";

/* The history of the selected row, also while a session is chosen. */
static void test_history(void **state)
{
	press("h");
	assert_non_null(strstr(screen.message.chars, none_kept));
	press("b");
	assert_null(strstr(screen.message.chars, "kept"));
	press("h");
	assert_non_null(strstr(screen.message.chars, none_kept));
}

/* A new run of the present session is included at once. */
static void test_new_run(void **state)
{
	struct results *run = made_results(&swept_fault, 0);

	made_fill(run, swept_point(run, "16M", "local"), 700, .01);
	expect("> slower 2.59 x");
	session_add_run(lab.session, run);
	assert_null(strstr(drawn(), "2.59"));
}

/* The histograms contain every trial of the headline, and show the number of
 * outliers. */
static void test_r14_plot_counts_all(void **state)
{
	const struct compare_model *model = model_of(&screen);

	for (int i = 0; i < 7; i++) {
		drawn();
		for (int side = 0; side < 2; side++) {
			const struct histogram *half =
				&model->plot.halves[side];
			size_t sum =
				histogram_below(half) + histogram_above(half);

			for (size_t k = 0; k < half->bins; k++)
				sum += histogram_count(half, k);
			assert_int_equal(sum, model->plot.trials[side]);
			assert_int_equal(sum, MADE_LAUNCHES * MADE_TRIALS);
		}
		press("Down");
	}
}

/* The details of a run compare it with earlier runs of the same point. */
static void test_earlier_runs(void **state)
{
	struct results *run = made_results(&swept_fault, 0);

	made_fill(run, swept_point(run, "16M", "local"), 1800, .01);
	screen_execute(&screen, "view lab; pick mem.fault; details");
	assert_null(strstr(screen.page.text, "earlier runs"));
	session_add_run(lab.session, run);
	screen_execute(&screen, "details");
	assert_non_null(strstr(screen.page.text, "earlier runs of the same"));
	assert_non_null(strstr(screen.page.text, "equivalent"));
}

/* ---- sessions --------------------------------------------------------- */

/* A session is selected by a line, or in the list. */
static void test_choosing(void **state)
{
	struct session *session = made_before();
	struct text path = { 0 }, line = { 0 };

	save(session, &path);
	text_add(&line, "side b %s", path.chars);
	screen_execute(&screen, line.chars);
	expect("saved.json");
	assert_null(strstr(drawn(), "faster 1"));
	press("b");
	expect("Which session is B?");
	press("g");
	press("Enter");
	expect("B  this session");
	expect("< faster 22.6 %");
	press("a");
	expect("Which session is A?");
	press("Esc");
	assert_int_equal(screen.view, VIEW_COMPARE);
	expect("before.json");
	session_free(session);
	text_free(&path);
	text_free(&line);
}

/* A click on a row selects it; a click on a session opens the list. */
static void test_clicks(void **state)
{
	struct grid grid = { 0 };

	press("g");
	grid_reset(&grid, 80, 24, TIER_ASCII);
	view_draw(&screen, &grid);
	screen_click(&screen, &grid, 10, 10);
	assert_non_null(strstr(said(), "mem.latency 32K"));
	screen_click(&screen, &grid, 10, 2);
	expect("Which session is A?");
	grid_reset(&grid, 80, 24, TIER_ASCII);
	view_draw(&screen, &grid);
	screen_click(&screen, &grid, 10, 8); /* this session */
	expect("A  this session");
	grid_free(&grid);
}

static void test_refused(void **state)
{
	static const struct {
		const char *line, *sentence;
	} cases[] = {
		{ "side c", "expected one of a, b" },
		{ "side a /nowhere/x.json", "/nowhere/x.json" },
		{ "side a published:z", "published:a to published:e" },
		{ "browse c", "expected one of a, b" },
		{ "contrast sideways", "expected one of cycles" },
		{ "choose x", "not a number of steps" },
		{ "contrast again", "does not record how it was measured" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		screen_execute(&screen, cases[i].line);
		if (!strstr(said(), cases[i].sentence))
			fail_msg("%s: '%s'", cases[i].line, said());
	}
	/* The earlier choice is still selected. */
	expect("before.json");
}

static void test_not_chosen(void **state)
{
	fixture_close(&lab, &screen);
	swept_open(&lab, &screen);
	screen_execute(&screen, "view compare; contrast cycles");
	assert_non_null(strstr(said(), "A is not chosen"));
	expect("A  not chosen");
	press("Enter"); /* the first entry: this session */
	expect("No experiment was measured in both");
	screen_execute(&screen, "contrast cycles");
	assert_non_null(strstr(said(), "no cycles"));
}

/* Without a session to compare with, the list of sessions is shown, with its
 * own keys; Esc leaves it. */
static void test_keys_of_the_list(void **state)
{
	fixture_close(&lab, &screen);
	swept_open(&lab, &screen);
	press("4");
	expect(" Enter use ");
	press("Tab");
	press("Tab");
	expect(" Enter use ");
	press("Enter");
	expect(" Enter explain ");
	press("a");
	expect(" Enter use ");
	press("Esc");
	assert_int_equal(screen.view, VIEW_COMPARE);
	press("Esc");
	assert_int_equal(screen.view, VIEW_LAB);
	fixture_close(&lab, &screen);
	swept_open(&lab, &screen);
	press("4");
	press("Esc");
	assert_int_equal(screen.view, VIEW_LAB);
}

/* After another session was loaded, the screen uses no data of the old one. */
static void test_load(void **state)
{
	struct session *session = made_before();
	struct text path = { 0 }, line = { 0 };

	drawn();
	save(session, &path);
	text_add(&line, "load %s", path.chars);
	screen_execute(&screen, line.chars);
	/* The first drawing shows the new session, also in the title. */
	assert_null(strstr(drawn(), "choose two sessions"));
	assert_null(strstr(drawn(), "faster 22"));
	expect("= equivalent");
	session_free(session);
	text_free(&path);
	text_free(&line);
}

static void test_r06_every_size(void **state)
{
	static const char *const lines[] = { "focus compared",
		"contrast cycles; move 3", "focus browser",
		"focus compared; side a published:a; move 2" };

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		screen_execute(&screen, lines[i]);
		draw_sizes(&screen, 300, 100, 4, 3);
	}
	draw_every_size(&screen, lines, sizeof lines / sizeof *lines);
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_verdicts),
		IN_LAB(test_no_trials_kept),
		IN_LAB(test_r16_faster_only_if_the_interval_excludes_1),
		IN_LAB(test_r11_verdicts_are_words),
		IN_LAB(test_causes),
		IN_LAB(test_cycles),
		IN_LAB(test_order),
		IN_LAB(test_swap),
		IN_LAB(test_pages),
		IN_LAB(test_history),
		IN_LAB(test_new_run),
		IN_LAB(test_r14_plot_counts_all),
		IN_LAB(test_earlier_runs),
		IN_LAB(test_choosing),
		IN_LAB(test_clicks),
		IN_LAB(test_refused),
		IN_LAB(test_not_chosen),
		IN_LAB(test_keys_of_the_list),
		IN_LAB(test_load),
		IN_LAB(test_r06_every_size),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
