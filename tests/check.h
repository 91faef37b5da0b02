/* Included by every unit test: cmocka with the headers it needs, and
 * comparisons of doubles. */
#ifndef BENCHTOP_CHECK_H
#define BENCHTOP_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Relative tolerance 1e-9, or as given. Two zeros are equal. */
#define assert_near(got, want) assert_within((got), (want), 1e-9)
#define assert_within(got, want, relative) \
	check_within((got), (want), (relative), #got, __FILE__, __LINE__)

void check_within(double got, double want, double relative, const char *what,
	const char *file, int line);

/* Ends the test as skipped. The reason is one of tests/skips.allow. */
#define skip_because(reason)                     \
	do {                                     \
		print_message("SKIP: " reason "\n"); \
		skip();                          \
	} while (0)

/* Compiles LANGUAGE.UTF-8, for example "de_DE", into a folder, and sets LOCPATH
 * so that this process and its children find it. If that fails, returns whether
 * the locale is installed. The installed locale is not searched first, because
 * the C library caches what it did not find. */
bool make_locale_in(const char *folder, const char *language);
/* Sets a locale whose decimal point is a comma, compiled into a temporary
 * folder. False: it cannot be compiled here. */
bool set_comma_locale(void);

#endif
