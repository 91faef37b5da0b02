/* Locales that need not be installed: compiled into a test's folder. */
#ifndef BENCHTOP_CLI_LOCALES_H
#define BENCHTOP_CLI_LOCALES_H

#include <locale.h>
#include <stdbool.h>

#include "run.h"

/* make_locale_in() a folder of this test. */
bool make_locale(const char *language);

#endif
