/* Included by every unit test. */
#include "check.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

void check_within(double got, double want, double relative, const char *what,
	const char *file, int line)
{
	double scale = fmax(fabs(got), fabs(want));

	if (got == want)
		return;
	if (isfinite(scale) && fabs(got - want) <= relative * scale)
		return;
	print_error("%s is %.17g, expected %.17g\n", what, got, want);
	_fail(file, line);
}

bool make_locale_in(const char *folder, const char *language)
{
	char name[40], command[400];

	snprintf(name, sizeof name, "%s.UTF-8", language);
	snprintf(command, sizeof command,
		"localedef -i %s -f UTF-8 %s/%s >/dev/null 2>&1", language,
		folder, name);
	if (!system(command))
		setenv("LOCPATH", folder, 1);
	bool there = setlocale(LC_ALL, name) != NULL;
	setlocale(LC_ALL, "C");
	return there;
}

bool set_comma_locale(void)
{
	char folder[] = "/tmp/benchtop-locale-XXXXXX", command[40];

	if (!mkdtemp(folder))
		return false;
	bool set = make_locale_in(folder, "de_DE") &&
		setlocale(LC_ALL, "de_DE.UTF-8") &&
		!strcmp(localeconv()->decimal_point, ",");
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return !system(command) && set;
}
