/* What HTML and SVG of this program may contain. */
#ifndef BENCHTOP_MARKUP_H
#define BENCHTOP_MARKUP_H

#include "text.h"

/* Aborts unless all tags are closed, elements and attributes have names that
 * the program uses, attributes are quoted, and links stay in the document. */
void must_be_markup(const struct text *);

#endif
