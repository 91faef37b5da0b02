/* Every figure of a result as plain text, in lines that fit the layout. */
#ifndef BENCHTOP_PRINT_FULL_H
#define BENCHTOP_PRINT_FULL_H

#include "machine.h"
#include "results.h"
#include "text.h"
#include "text_layout.h"

void print_full(const struct results *, const struct machine *,
	const struct text_layout *, struct text *);

#endif
