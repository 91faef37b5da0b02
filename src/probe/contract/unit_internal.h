/* Shared by parsing and formatting of quantities: the table of forms, and
 * numbers printed and read independently of the locale. */
#ifndef BENCHTOP_UNIT_INTERNAL_H
#define BENCHTOP_UNIT_INTERNAL_H

#include "unit.h"

struct form {
	const char *typed; /* directly after the number; "" for a bare one */
	const char *shown; /* for users; NULL: parsed, never formatted */
	int tens, twos;    /* stored value = number * 10^tens * 2^twos */
	int times;         /* a further factor, for minutes; 0: 1 */
};

enum { FORMS_MAX = 24 };

struct unit_row {
	const char *name;
	const char *expected; /* in an error, after "expected" */
	int digits;           /* significant digits shown */
	bool whole;           /* without a prefix, 40 is shown as 40 */
	/* Ends with a row without `typed`. The forms used for writing come
	 * first, from small to large. */
	struct form forms[FORMS_MAX];
};
extern const struct unit_row unit_table[UNIT_COUNTS];

enum { PRINT_SIZE = 64 };

/* Like "%.*f", for a number of fewer than 20 digits before the point. */
void unit_print_fixed(char out[PRINT_SIZE], int decimals, double value);
/* "d.ddde+XX"; returns the exponent of the rounded number. */
int unit_print_scientific(char out[PRINT_SIZE], int decimals, double value);
double unit_read_number(const char *text);

#endif
