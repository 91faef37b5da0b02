/* Escape sequences of ECMA-48, which all current terminals support. */
#include "style.h"

static const char *const sequences[STYLES] = {
	[STYLE_PLAIN] = "",
	[STYLE_BOLD] = "1",
	[STYLE_GOOD] = "32",
	[STYLE_ROUGH] = "33",
	[STYLE_DOUBT] = "35",
	[STYLE_BAD] = "31",
};

void style_add(struct text *text, const struct text_layout *layout,
	enum text_style style, const char *chars)
{
	if (layout->colour && style != STYLE_PLAIN && *chars)
		text_add(text, "\033[%sm%s\033[0m", sequences[style], chars);
	else
		text_add(text, "%s", chars);
}
