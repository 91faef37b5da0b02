/* Shortens text for a place that may be too narrow. */
#ifndef BENCHTOP_FIT_H
#define BENCHTOP_FIT_H

#include "text.h"

/* Appends as many whole words as fit; " .." marks omitted words. Appends
 * nothing if not even that fits. */
void fit_words(struct text *, const char *chars, int columns);

#endif
