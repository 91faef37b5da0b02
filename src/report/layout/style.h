/*
 * Bold and colour in plain text, if the layout has them.
 */
#ifndef BENCHTOP_STYLE_H
#define BENCHTOP_STYLE_H

#include "text.h"
#include "text_layout.h"

enum text_style {
	STYLE_PLAIN,
	STYLE_BOLD,  /* the requested figure */
	STYLE_GOOD,  /* verdicts */
	STYLE_ROUGH,
	STYLE_DOUBT, /* the figure is not reliable */
	STYLE_BAD,
	STYLES,
};

void style_add(struct text *, const struct text_layout *, enum text_style,
	const char *chars);

#endif
