/* How plain text is laid out. */
#include "text_layout.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const struct text_layout text_layout_plain = { .width = TEXT_COLUMNS,
	.bars = true };

static int columns_of(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) || size.ws_col < TEXT_COLUMNS)
		return TEXT_COLUMNS;
	if (size.ws_col > TEXT_COLUMNS_MOST)
		return TEXT_COLUMNS_MOST;
	return size.ws_col;
}

static bool wants_colour(void)
{
	const char *refused = getenv("NO_COLOR");
	const char *type = getenv("TERM");

	return !(refused && *refused) && type && strcmp(type, "dumb") != 0;
}

struct text_layout text_layout_of(int fd)
{
	bool terminal = isatty(fd);

	return (struct text_layout){
		.width = terminal ? columns_of(fd) : TEXT_COLUMNS,
		.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
		.bars = true,
		.colour = terminal && wants_colour(),
	};
}
