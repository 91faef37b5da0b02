/* Golden files of plain text in the layouts of its readers: 80, 100 and 120
 * columns, each in ASCII, and the lines that differ with block characters.
 * UPDATE_GOLDEN=1 writes the files again. */
#ifndef BENCHTOP_GOLDEN_TEXT_H
#define BENCHTOP_GOLDEN_TEXT_H

#include "text.h"
#include "text_layout.h"

/* Prints `what` in a layout. */
typedef void print_what(const void *what, const struct text_layout *,
	struct text *);

/* Fails if a line is wider than the layout or ends in a blank, or if a layout
 * without utf8 has more than ASCII. */
void assert_fits(const char *name, const struct text *,
	const struct text_layout *);
/* Compares a text with a file. */
void golden_file(const char *path, const struct text *);
/* Compares all layouts with tests/golden/NAME.txt; each must fit. */
void golden_text(const char *name, print_what *, const void *what);

#endif
