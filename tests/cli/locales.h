/* Locales that need not be installed: made in a test's folder. */
#ifndef BENCHTOP_CLI_LOCALES_H
#define BENCHTOP_CLI_LOCALES_H

#include <locale.h>

#include "run.h"

/* Makes LANGUAGE.UTF-8, say "de_DE", to be found by this process and what it
 * starts through LOCPATH; where that fails, is it installed? It is not looked
 * for before: the C library remembers what it did not find. */
static inline bool make_locale(const char *language)
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

#endif
