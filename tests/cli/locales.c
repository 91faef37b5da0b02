/* Locales that need not be installed. */
#include "locales.h"

#include <stdlib.h>
#include <sys/stat.h>

bool make_locale(const char *language)
{
	struct text name = { 0 }, path = { 0 };

	text_add(&name, "%s.UTF-8", language);
	text_add(&path, "%s/%s", in_folder("locales"), name.chars);
	mkdir(in_folder("locales"), 0700);
	struct ran ran = RUN("/usr/bin/env", "localedef", "-i", language, "-f",
		"UTF-8", path.chars);
	if (!ran.status)
		setenv("LOCPATH", in_folder("locales"), 1);
	bool there = setlocale(LC_ALL, name.chars) != NULL;
	setlocale(LC_ALL, "C");
	ran_free(&ran);
	text_free(&name);
	text_free(&path);
	return there;
}
