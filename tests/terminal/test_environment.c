/* Terminals, locales and environment variables of all kinds. */

#include "cli/locales.h"
#include "cli/run.h"
#include "seat.h"

/* ---- no queries ------------------------------------------------------- */

/* Does a control sequence query the terminal? The answer would arrive later as
 * keys, or be read by the shell. */
static bool asks(const char *sequence)
{
	size_t length = strspn(sequence, "0123456789;:<=>? $!\"'");
	char final = sequence[length];

	switch (final) {
	case 'c': /* which terminal it is; "?c" is the console's cursor */
		return *sequence != '?';
	case 'n': /* where its cursor is */
	case 'x': /* its line's parameters */
		return true;
	case 'p': /* a mode; "!p" is a soft reset */
		return memchr(sequence, '$', length) != NULL;
	case 'q': /* its version; " q" is a cursor's shape */
		return *sequence == '>';
	case 'u': /* its keyboard */
		return *sequence == '?';
	case 't': /* its size and title; 22 and 23 only keep them */
		return strtol(sequence, NULL, 10) >= 11 &&
			strtol(sequence, NULL, 10) < 22;
	default:
		return false;
	}
}

static void assert_no_queries(const struct seat *seat)
{
	const char *at = text_chars(&seat->log);

	while ((at = strchr(at, '\033'))) {
		at++;
		if (*at == '[' && asks(at + 1)) {
			print_error("asked: ESC %.10s\n", at);
			fail();
		}
		/* Strings for the terminal: capabilities, colours, titles. */
		if (*at && strchr("P]Z", *at)) {
			print_error("said: ESC %.20s\n", at);
			fail();
		}
	}
}

static void test_r13_no_terminal_queries(void **state)
{
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	seat_type(&seat, "?q:glyphs block\r:mouse off\r:mouse on\r");
	seat_type(&seat, ":run cpu.syscall budget=2s launches=6\r");
	seat_shows(&seat, SEAT_LAUNCHED);
	seat_shows(&seat, SEAT_AT_REST);
	seat_resize(&seat, 80, 24);
	seat_idle(&seat);
	seat_send(&seat, "\032", 1);
	seat_await(&seat, SEAT_STOPPED);
	seat_foreground(&seat);
	seat_next_mark(&seat, seat.mark.serial);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	assert_no_queries(&seat);
	/* libvterm answers the queries that it knows, so there were none. */
	assert_int_equal(seat.said, 0);
	seat_close(&seat);
}

/* ---- terminal types --------------------------------------------------- */

/* A sequence that repeats one character; some terminals lack it. */
static bool repeats(const struct seat *seat)
{
	for (const char *at = text_chars(&seat->log);
		(at = strstr(at, "\033[")); at++) {
		size_t digits = strspn(at + 2, "0123456789");

		if (digits && at[2 + digits] == 'b')
			return true;
	}
	return false;
}

/* The mark before an error's sentence: bold crimson. The sentence itself keeps
 * the terminal's own colour. */
static VTermScreenCell wrong_word(struct seat *seat)
{
	int column, row;

	seat_type(seat, ":bogus\r");
	assert_true(seat_find(seat, "unknown command", &column, &row));
	VTermScreenCell letter = seat_cell(seat, column, row);
	assert_true(VTERM_COLOR_IS_DEFAULT_FG(&letter.fg));
	return seat_cell(seat, column - 2, row);
}

enum colour { NO_COLOUR = -1, VALUE = -2 }; /* else an index */

static void at_home(const char *type, const char *locale, const char *taste,
	int colour)
{
	/* On a console ncurses loads the library of its mouse, which leaks. */
	const char *environment[] = { type, locale, taste,
		strcmp(type, "TERM=linux") ? NULL :
					     "ASAN_OPTIONS=detect_leaks=0",
		NULL };
	bool ascii = strcmp(locale, "LC_ALL=C.UTF-8") != 0;
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .environment = environment });
	seat_idle(&seat);
	assert_true(seat_find(&seat, SEAT_LIST, NULL, NULL));
	assert_true(seat_find(&seat, SEAT_KEYS, NULL, NULL));
	assert_true(seat_find(&seat, ascii ? "+-" : "┌─", NULL, NULL));
	VTermScreenCell cell = wrong_word(&seat);
	assert_true(cell.attrs.bold);
	assert_true(VTERM_COLOR_IS_DEFAULT_BG(&cell.bg));
	if (colour == NO_COLOUR) {
		assert_true(VTERM_COLOR_IS_DEFAULT_FG(&cell.fg));
	} else if (colour == VALUE) {
		/* libvterm 0.1 parses the values shifted by one position to the
		 * left. */
		assert_true(VTERM_COLOR_IS_RGB(&cell.fg));
		assert_true(seat_logged(&seat, "38:2::215:0:95m"));
	} else {
		assert_true(VTERM_COLOR_IS_INDEXED(&cell.fg));
		assert_int_equal(cell.fg.indexed.idx, colour);
	}
	for (size_t i = 0; ascii && i < seat.log.length; i++)
		assert_true((unsigned char)seat.log.chars[i] < 128);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	assert_restored(&seat);
	assert_false(repeats(&seat));
	assert_no_queries(&seat);
	seat_close(&seat);
}

static const struct {
	const char *type;
	int colour;
} types[] = {
	{ "TERM=xterm", 1 },
	{ "TERM=xterm-256color", 161 },
	{ "TERM=xterm-direct", VALUE },
	{ "TERM=screen", 1 },
	{ "TERM=tmux-256color", 161 },
	{ "TERM=linux", 1 },
	{ "TERM=vt100", NO_COLOUR },
	{ "TERM=vt220", NO_COLOUR },
};

static void test_terminal_types(void **state)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		at_home(types[i].type, "LC_ALL=C.UTF-8", "NO_COLOR",
			types[i].colour);
}

static void test_r11_no_color(void **state)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		at_home(types[i].type, "LC_ALL=C.UTF-8", "NO_COLOR=1",
			NO_COLOUR);
}

/* An empty value has no effect. */
static void test_no_color_empty(void **state)
{
	at_home("TERM=xterm-256color", "LC_ALL=C.UTF-8", "NO_COLOR=", 161);
}

static void test_locales(void **state)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		at_home(types[i].type, "LC_ALL=C", "NO_COLOR", types[i].colour);
		at_home(types[i].type, "LC_ALL=POSIX", "NO_COLOR",
			types[i].colour);
	}
}

/* A locale that is not installed is not an error. */
static void test_unknown_locale(void **state)
{
	at_home("TERM=xterm-256color", "LC_ALL=xx_YY.UTF-8", "NO_COLOR", 161);
}

/* ---- every size, locale and preference -------------------------------- */

/* The screen is complete, uses the glyphs of its tier, and restores the
 * terminal. */
static void at_home_in_size(int columns, int rows, const char *locale,
	const char *taste, bool utf8)
{
	const char *environment[] = { locale, taste, NULL };
	struct seat seat;

	seat_open(&seat,
		&(struct seat_options){ .columns = columns,
			.rows = rows,
			.environment = environment });
	seat_idle(&seat);
	assert_true(seat_find(&seat, SEAT_LIST, NULL, NULL));
	assert_true(seat_find(&seat, SEAT_KEYS, NULL, NULL));
	assert_true(seat_find(&seat, utf8 ? "┌─" : "+-", NULL, NULL));
	/* A number with a decimal point in any locale. */
	seat_type(&seat, ":predict cpu.call hw=1.5..2.5ns\r");
	if (rows >= 24) /* at this size the form is beside the list */
		assert_true(seat_find(&seat, "1.5..2.5", NULL, NULL));
	assert_false(seat_find(&seat, "1,5", NULL, NULL));
	for (size_t i = 0; !utf8 && i < seat.log.length; i++)
		assert_true((unsigned char)seat.log.chars[i] < 128);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	assert_restored(&seat);
	assert_no_queries(&seat);
	seat_close(&seat);
}

static void in_every_size(const char *locale, bool utf8)
{
	static const int sizes[][2] = { { 40, 10 }, { 80, 24 }, { 120, 40 },
		{ 200, 60 } };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		at_home_in_size(sizes[i][0], sizes[i][1], locale, "NO_COLOR",
			utf8);
		at_home_in_size(sizes[i][0], sizes[i][1], locale, "NO_COLOR=1",
			utf8);
	}
}

static void test_sizes_and_locales(void **state)
{
	in_every_size("LC_ALL=C", false);
	in_every_size("LC_ALL=C.UTF-8", true);
	/* Some terminals draw ambiguous characters double-width in this locale;
	 * the screen uses none of them. */
	if (make_locale("ja_JP"))
		in_every_size("LC_ALL=ja_JP.UTF-8", true);
	else
		print_message("without ja_JP.UTF-8: localedef makes none\n");
	if (make_locale("de_DE"))
		in_every_size("LC_ALL=de_DE.UTF-8", true);
	else
		print_message("without de_DE.UTF-8: localedef makes none\n");
	unsetenv("LOCPATH");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r13_no_terminal_queries),
		cmocka_unit_test(test_terminal_types),
		cmocka_unit_test(test_r11_no_color),
		cmocka_unit_test(test_no_color_empty),
		cmocka_unit_test(test_locales),
		cmocka_unit_test(test_unknown_locale),
		cmocka_unit_test(test_sizes_and_locales),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
