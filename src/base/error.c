/* One sentence and a status. */
#include "error.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

int error_vset(struct error *error, enum status status, const char *format,
	va_list list)
{
	char sentence[sizeof error->message];
	struct text safe = { 0 };

	error->status = status;
	vsnprintf(sentence, sizeof sentence, format, list);
	text_add_safe(&safe, sentence, strlen(sentence));
	snprintf(error->message, sizeof error->message, "%s",
		text_chars(&safe));
	text_free(&safe);
	return -1;
}

int error_set(struct error *error, enum status status, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	error_vset(error, status, format, list);
	va_end(list);
	return -1;
}
