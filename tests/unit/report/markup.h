/* Checks that a text is well-formed XML, as far as pictures and pages use it.
 * Elements nest and are closed, attributes are quoted and not repeated, no bare
 * <, & or control character occurs, and no number is NaN or infinite. HTML is
 * checked in the same way, except for its first line and <meta>. */
#ifndef BENCHTOP_MARKUP_H
#define BENCHTOP_MARKUP_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "text.h"

enum { MARKUP_DEPTH = 32, MARKUP_NAME = 24 };

/* Returns the number of elements. Fails if the text is not well-formed, or has
 * an element or attribute that is not allowed (NULL: all are). */
size_t markup_check(const char *text, bool page, bool (*allowed)(const char *,
	const char *));
size_t count_of(const char *text, const char *piece);

#endif
