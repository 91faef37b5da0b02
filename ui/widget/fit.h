/* Text for a place that may be too narrow for it. */
#ifndef BENCHTOP_FIT_H
#define BENCHTOP_FIT_H

#include "text.h"

/* Adds as many whole words as so many columns hold; " .." says that there are
 * more. Nothing where there is not even room for that. */
void fit_words(struct text *, const char *chars, int columns);

#endif
