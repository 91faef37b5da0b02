/* Shortens text to whole words. */
#include "fit.h"

#include <string.h>

#include "grid.h"

void fit_words(struct text *text, const char *chars, int columns)
{
	static const char more[] = " ..";
	size_t length;
	const char *at = chars;

	if (text_columns(chars) <= columns) {
		text_add(text, "%s", chars);
		return;
	}
	const char *line = text_line(&at, columns - (int)strlen(more), &length);
	if (line && columns > (int)strlen(more) + 1)
		text_add(text, "%.*s%s", (int)length, line, more);
}
