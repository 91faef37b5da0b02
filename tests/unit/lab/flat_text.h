/* The text of a conversation without line breaks. */
#ifndef BENCHTOP_FLAT_TEXT_H
#define BENCHTOP_FLAT_TEXT_H

#include "annotation_text.h"
#include "unit/packet/talk.h"

static inline void flat(const struct talk *talk, struct text *text)
{
	static const struct connection_filter every;
	struct text_layout layout = text_layout_plain;

	layout.width = 1000;
	text_clear(text);
	annotation_text(talk->annotator, "made", &every, &layout, text);
}

#endif
