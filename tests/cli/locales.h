/* Locales that need not be installed: compiled into a test's folder. */
#ifndef BENCHTOP_CLI_LOCALES_H
#define BENCHTOP_CLI_LOCALES_H

#include <locale.h>
#include <stdbool.h>

#include "run.h"

/* Compiles LANGUAGE.UTF-8, for example "de_DE", and sets LOCPATH so that this
 * process and its children find it. If that fails, returns whether the locale
 * is installed. The installed locale is not searched first, because the C
 * library caches what it did not find. */
bool make_locale(const char *language);

#endif
