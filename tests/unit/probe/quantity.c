/* Shared by the tests of quantities. */
#include "quantity.h"

double parsed(enum unit unit, const char *text)
{
	struct error error = { 0 };
	double value;

	if (unit_parse(unit, text, strlen(text), &value, &error))
		fail_msg("%s: %s", text, error.message);
	return value;
}

int64_t parsed_whole(enum unit unit, const char *text)
{
	struct error error = { 0 };
	int64_t value;

	if (unit_parse_whole(unit, text, strlen(text), &value, &error))
		fail_msg("%s: %s", text, error.message);
	return value;
}
