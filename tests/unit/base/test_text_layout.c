/* The layout of plain text, for a terminal, for a pipe, and by locale. */
#include "check.h"

#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text_layout.h"

/* The slave of a new pseudoterminal with this number of columns. */
static int terminal_of(unsigned short columns, int *master)
{
	struct winsize size = { .ws_row = 24, .ws_col = columns };

	*master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(*master >= 0);
	assert_int_equal(grantpt(*master), 0);
	assert_int_equal(unlockpt(*master), 0);
	int fd = open(ptsname(*master), O_RDWR | O_NOCTTY);
	assert_true(fd >= 0);
	assert_int_equal(ioctl(fd, TIOCSWINSZ, &size), 0);
	return fd;
}

static struct text_layout layout_at(unsigned short columns)
{
	int master, fd = terminal_of(columns, &master);
	struct text_layout layout = text_layout_of(fd);

	close(fd);
	close(master);
	return layout;
}

static void test_width(void **state)
{
	int ends[2];

	assert_int_equal(layout_at(120).width, 120);
	assert_int_equal(layout_at(40).width, TEXT_COLUMNS);
	assert_int_equal(layout_at(0).width, TEXT_COLUMNS);
	assert_int_equal(layout_at(1000).width, TEXT_COLUMNS_MOST);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(text_layout_of(ends[1]).width, TEXT_COLUMNS);
	assert_false(text_layout_of(ends[1]).colour);
	close(ends[0]);
	close(ends[1]);
}

static void test_colour(void **state)
{
	unsetenv("NO_COLOR");
	setenv("TERM", "xterm", 1);
	assert_true(layout_at(80).colour);
	setenv("NO_COLOR", "1", 1);
	assert_false(layout_at(80).colour);
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	assert_false(layout_at(80).colour);
	unsetenv("TERM");
	assert_false(layout_at(80).colour);
}

static void test_locale(void **state)
{
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	assert_true(text_layout_of(STDOUT_FILENO).utf8);
	assert_non_null(setlocale(LC_CTYPE, "C"));
	assert_false(text_layout_of(STDOUT_FILENO).utf8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_colour),
		cmocka_unit_test(test_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
