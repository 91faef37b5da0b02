/* One sentence and a status. */
#include "error.h"

#include <stdio.h>

int error_vset(struct error *error, enum status status, const char *format,
	va_list list)
{
	error->status = status;
	vsnprintf(error->message, sizeof error->message, format, list);
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
