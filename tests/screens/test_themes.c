/* Colours are verified by computation: contrast by WCAG 2.1, difference by CIE
 * 1976, colour blindness by Machado, Oliveira and Fernandes (IEEE TVCG 15,
 * 2009, severity 1). */
#include <math.h>
#include <stdlib.h>

#include "fixture.h"
#include "memo.h"
#include "theme.h"

static const enum role plotted[] = { ROLE_SERIES, ROLE_FLAGGED, ROLE_BAD,
	ROLE_PREDICTED };
enum { PLOTTED = sizeof plotted / sizeof *plotted };

static void linear_of(int colour, double linear[3])
{
	uint8_t rgb[3];

	theme_rgb(colour, rgb);
	for (int i = 0; i < 3; i++) {
		double c = rgb[i] / 255.0;

		linear[i] = c <= 0.04045 ? c / 12.92 :
					   pow((c + 0.055) / 1.055, 2.4);
	}
}

static double luminance(int colour)
{
	double c[3];

	linear_of(colour, c);
	return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

static double contrast(double a, double b)
{
	return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

static const double sight[][3][3] = {
	{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	{ { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
		{ -0.003882, -0.048116, 1.051998 } },
	{ { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
		{ -0.011820, 0.042940, 0.968881 } },
	{ { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 },
		{ 0.004733, 0.691367, 0.303900 } },
};
enum { SIGHTS = sizeof sight / sizeof *sight };

static void seen_as(int colour, int kind, double seen[3])
{
	double linear[3];

	linear_of(colour, linear);
	for (int i = 0; i < 3; i++) {
		seen[i] = 0;
		for (int k = 0; k < 3; k++)
			seen[i] += sight[kind][i][k] * linear[k];
		seen[i] = fmin(fmax(seen[i], 0), 1);
	}
}

static double cube_root(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

static void lab_of(int colour, int kind, double lab[3])
{
	static const double xyz[3][3] = {
		{ 0.4124564, 0.3575761, 0.1804375 },
		{ 0.2126729, 0.7151522, 0.0721750 },
		{ 0.0193339, 0.1191920, 0.9503041 },
	};
	static const double white[3] = { 0.95047, 1, 1.08883 };
	double seen[3], f[3];

	seen_as(colour, kind, seen);
	for (int i = 0; i < 3; i++)
		f[i] = cube_root((xyz[i][0] * seen[0] + xyz[i][1] * seen[1] +
					 xyz[i][2] * seen[2]) /
			white[i]);
	lab[0] = 116 * f[1] - 16;
	lab[1] = 500 * (f[0] - f[1]);
	lab[2] = 200 * (f[1] - f[2]);
}

static double difference(int a, int b, int kind)
{
	double p[3], q[3];

	lab_of(a, kind, p);
	lab_of(b, kind, q);
	return sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) +
		pow(p[2] - q[2], 2));
}

/* Published values of a colour verify the computation. */
static void test_arithmetic(void **state)
{
	double lab[3];

	assert_true(fabs(contrast(luminance(16), luminance(231)) - 21) < 1e-9);
	lab_of(196, 0, lab); /* pure red */
	assert_true(fabs(lab[0] - 53.24) < 0.05);
	assert_true(fabs(lab[1] - 80.09) < 0.05);
	assert_true(fabs(lab[2] - 67.20) < 0.05);
}

static void test_r12_contrast(void **state)
{
	for (int i = 0; i < PLOTTED; i++) {
		double any =
			luminance(theme_look(THEME_ANY, plotted[i]).colour256);
		double dark =
			luminance(theme_look(THEME_DARK, plotted[i]).colour256);
		double light = luminance(
			theme_look(THEME_LIGHT, plotted[i]).colour256);

		assert_true(contrast(any, 0) >= 3);
		assert_true(contrast(any, 1) >= 3);
		assert_true(contrast(dark, 0) >= 4.5);
		assert_true(contrast(light, 1) >= 4.5);
	}
}

static void test_r12_told_apart(void **state)
{
	static const enum theme coloured[] = { THEME_ANY, THEME_DARK,
		THEME_LIGHT };

	for (size_t t = 0; t < 3; t++)
		for (int i = 0; i < PLOTTED; i++)
			for (int k = 0; k < i; k++)
				for (int kind = 0; kind < SIGHTS; kind++)
					assert_true(
						difference(
							theme_look(coloured[t],
								plotted[i])
								.colour256,
							theme_look(coloured[t],
								plotted[k])
								.colour256,
							kind) >= 25);
}

/* Running text has the terminal's own colour, in every theme. */
static void test_r12_text_is_never_coloured(void **state)
{
	static const enum role running[] = { ROLE_TEXT, ROLE_DIM, ROLE_STRONG,
		ROLE_FRAME, ROLE_KEY, ROLE_SELECT };

	for (int theme = 0; theme < THEMES; theme++)
		for (size_t i = 0; i < sizeof running / sizeof *running; i++) {
			struct look look =
				theme_look((enum theme)theme, running[i]);

			assert_int_equal(look.colour256, -1);
			assert_int_equal(look.colour8, -1);
		}
	for (int role = 0; role < ROLES; role++) {
		assert_int_equal(
			theme_look(THEME_MONO, (enum role)role).colour256, -1);
		assert_int_equal(
			theme_look(THEME_HIGH, (enum role)role).colour256, -1);
		assert_false(
			theme_look(THEME_HIGH, (enum role)role).attributes &
			LOOK_DIM);
	}
}

/* Without colour, adjacent elements of a plot still differ. */
static void test_r11_nothing_is_lost_without_colour(void **state)
{
	static const enum theme plain[] = { THEME_MONO, THEME_HIGH };

	for (size_t i = 0; i < 2; i++) {
		assert_int_not_equal(
			theme_look(plain[i], ROLE_SERIES).attributes,
			theme_look(plain[i], ROLE_FLAGGED).attributes);
		assert_int_not_equal(theme_look(plain[i], ROLE_TEXT).attributes,
			theme_look(plain[i], ROLE_SELECT).attributes);
		assert_int_not_equal(theme_look(plain[i], ROLE_TEXT).attributes,
			theme_look(plain[i], ROLE_BAD).attributes);
		assert_int_not_equal(theme_look(plain[i], ROLE_TEXT).attributes,
			theme_look(plain[i], ROLE_KEY).attributes);
	}
}

/* Do two cells differ without colour? */
static bool told_apart(const struct cell *a, const struct cell *b)
{
	return a->code != b->code ||
		theme_look(THEME_MONO, (enum role)a->role).attributes !=
		theme_look(THEME_MONO, (enum role)b->role).attributes;
}

/* On a drawn screen no flagged, predicted or warning cell equals a cell of
 * clean trials, in any tier. */
static void test_r11_series_differ_in_mono(void **state)
{
	enum { COLUMNS = 120, ROWS = 40, CELLS = COLUMNS * ROWS };
	static struct screen screen;
	static struct lab lab;

	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	fixture_select(&screen, "cpu.syscall");
	for (int tier = 0; tier < TIERS; tier++) {
		struct grid grid = { 0 };
		int pairs = 0;

		grid_reset(&grid, COLUMNS, ROWS, (enum tier)tier);
		view_draw(&screen, &grid);
		for (int i = 0; i < CELLS; i++)
			for (int j = 0; j < CELLS; j++) {
				const struct cell *a = &grid.cells[i];
				const struct cell *b = &grid.cells[j];

				if (a->role != ROLE_SERIES || a->code == ' ' ||
					b->code == ' ' ||
					(b->role != ROLE_FLAGGED &&
						b->role != ROLE_PREDICTED))
					continue;
				assert_true(told_apart(a, b));
				pairs++;
			}
		assert_true(pairs > 0);
		grid_free(&grid);
	}
	fixture_close(&lab, &screen);
}

/* All trials of a point beside a co-runner. */
static void share_core(struct lab *lab)
{
	struct series *series =
		session_last(lab->session, "mem.latency")->points[0].series;
	uint16_t *flags = series->flags.data;

	for (size_t i = 0; i < series->flags.count; i++)
		flags[i] = FLAG_SHARED;
	memo_forget(session_last(lab->session, "mem.latency"));
}

/* If colour warns, so do a sign or words: a coloured cell is never only a blank
 * or a line. */
static void test_r11_warnings_are_said(void **state)
{
	enum { COLUMNS = 120, ROWS = 40 };
	static struct screen screen;
	static struct lab lab;
	struct grid grid = { 0 };
	int said = 0;

	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	fixture_select(&screen, "mem.latency");
	share_core(&lab);
	screen_execute(&screen, "run nothing"); /* is refused */
	grid_reset(&grid, COLUMNS, ROWS, TIER_ASCII);
	view_draw(&screen, &grid);
	for (int row = 0; row < ROWS; row++) {
		int letters = 0, coloured = 0;

		for (int i = 0; i < COLUMNS; i++) {
			const struct cell *cell =
				&grid.cells[row * COLUMNS + i];
			bool warns = cell->role == ROLE_WARN ||
				cell->role == ROLE_BAD;

			coloured += warns;
			letters += warns &&
				(cell->code == '!' ||
					(cell->code >= 'a' &&
						cell->code <= 'z'));
		}
		assert_true(!coloured || letters);
		said += letters > 0;
	}
	assert_true(said >= 2);
	grid_free(&grid);
	fixture_close(&lab, &screen);
}

static void test_names(void **state)
{
	for (int theme = 0; theme < THEMES; theme++)
		assert_int_equal(theme_named(theme_name((enum theme)theme)),
			theme);
	assert_int_equal(theme_named("pink"), THEMES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_r12_contrast),
		cmocka_unit_test(test_r12_told_apart),
		cmocka_unit_test(test_r12_text_is_never_coloured),
		cmocka_unit_test(test_r11_nothing_is_lost_without_colour),
		cmocka_unit_test(test_r11_series_differ_in_mono),
		cmocka_unit_test(test_r11_warnings_are_said),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
