/* Locales that need not be installed. */
#include "locales.h"

bool make_locale(const char *language)
{
	const char *locales = in_folder("locales");

	mkdir(locales, 0700);
	return make_locale_in(locales, language);
}
