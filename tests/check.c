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

bool set_comma_locale(void)
{
	char folder[] = "/tmp/benchtop-locale-XXXXXX", command[200];

	if (!mkdtemp(folder))
		return false;
	snprintf(command, sizeof command,
		"localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
		folder);
	bool set = !system(command) && !setenv("LOCPATH", folder, 1) &&
		setlocale(LC_ALL, "de_DE.UTF-8") &&
		!strcmp(localeconv()->decimal_point, ",");
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return !system(command) && set;
}
