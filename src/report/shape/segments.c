/* Parses the note `rounds`. */
#include "segments.h"

#include <ctype.h>
#include <stdlib.h>

bool segments_of(const struct point *point, struct segments *segments)
{
	const char *at = point_note(point, "rounds");

	*segments = (struct segments){ 0 };
	while (at && isdigit((unsigned char)*at) &&
		segments->rounds < SEGMENTS_ROUNDS) {
		char *end;
		unsigned long count = strtoul(at, &end, 10);

		segments->in[segments->rounds++] = count;
		if (count > segments->most)
			segments->most = count;
		at = *end == ',' ? end + 1 : end;
	}
	segments->more = at && *at;
	return segments->rounds >= 2 && segments->most > 0;
}
