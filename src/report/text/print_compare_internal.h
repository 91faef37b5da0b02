/* Functions that the files behind print_compare.h share. */
#ifndef BENCHTOP_PRINT_COMPARE_INTERNAL_H
#define BENCHTOP_PRINT_COMPARE_INTERNAL_H

#include "compare_row.h"
#include "print_compare.h"

/* Only the table. */
void print_compare_rows(const struct compare_pair *,
	const struct compare_titles *, const struct text_layout *,
	struct text *);

#endif
