/* The picture of slow start: segments per round trip. */
#include "plot.h"
#include "report_internal.h"
#include "segments.h"

enum { BAR = 40 };

/* The plain-text form for Markdown. */
static void add_plain(const struct results *results, const struct point *point,
	const struct segments *segments, struct text *plain)
{
	point_describe(results, point, true, plain);
	text_add(plain, "%sround segments\n", plain->length ? "\n" : "");
	for (size_t i = 0; i < segments->rounds; i++) {
		unsigned long count = segments->in[i];
		size_t length =
			(count * BAR + segments->most - 1) / segments->most;

		text_add(plain, "%5zu %8lu ", i + 1, count);
		text_pad(plain, '@', length);
		text_add_char(plain, '\n');
	}
}

void report_rounds(struct document *document, const struct results *results)
{
	struct text svg = { 0 }, plain = { 0 };
	struct segments segments;

	if (!plot_rounds(results, &svg))
		return;
	for (size_t p = 0; p < results->point_count; p++)
		if (segments_of(&results->points[p], &segments))
			add_plain(results, &results->points[p], &segments,
				&plain);
	document_figure(document, svg.chars, plain.chars,
		"Segments sent in each round trip, from one connection. The "
		"dashed line doubles the first round each time; growth is the "
		"ratio to the round before.");
	text_free(&svg);
	text_free(&plain);
}
