/* Locales that need not be installed: made in a test's folder. */
#ifndef BENCHTOP_CLI_LOCALES_H
#define BENCHTOP_CLI_LOCALES_H

#include <locale.h>
#include <stdbool.h>

#include "run.h"

/* Makes LANGUAGE.UTF-8, say "de_DE", to be found by this process and what it
 * starts through LOCPATH; where that fails, is it installed? It is not looked
 * for before: the C library remembers what it did not find. */
bool make_locale(const char *language);

#endif
