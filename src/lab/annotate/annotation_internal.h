/* Functions shared by the files that implement annotation_text.h. */
#ifndef BENCHTOP_ANNOTATION_INTERNAL_H
#define BENCHTOP_ANNOTATION_INTERNAL_H

#include "annotation_text.h"

/* State while one connection is written as text. */
struct telling {
	const struct connection *connection;
	const struct text_layout *layout;
	int64_t resolution_ns; /* the resolution of the timestamps */
	bool in_seconds;       /* times: the connection is long */
	struct text *text;
};

/* A span from here on is written in seconds. */
#define LONG_SPAN_NS (100 * INT64_C(1000000000))

/* "51.281 ms", flush right, at least `width` columns wide; "-" if it is
 * unknown. Times up to 100 s need 12 columns with microseconds, 15 with
 * nanoseconds. */
void tell_span(const struct telling *, int64_t span_ns, int width);
/* The same within a sentence. */
void add_span(const struct telling *, int64_t span_ns, struct text *sentence);
/* The same for a column, in seconds or in milliseconds. */
void tell_span_in(const struct telling *, int64_t span_ns, int width,
	bool in_seconds);
/* Writes t_ns in the same way, counted from the connection's first packet: all
 * times of a connection in one unit. */
void tell_time(const struct telling *, int64_t t_ns, int width);
/* The same in microseconds at most, for tables without room for nanoseconds;
 * --json has them. */
struct telling tell_coarse(const struct telling *);
/* Writes a sentence, wrapped at blanks and indented. */
void tell(const struct telling *, int indent, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
const char *tell_side(const struct telling *, int side);

/* annotation_ladder.c */
void tell_handshake(const struct telling *);
void tell_teardown(const struct telling *);
/* annotation_rounds.c */
void tell_transfer(const struct telling *);
/* annotation_losses.c */
void tell_losses(const struct telling *);
/* annotation_events.c */
void tell_events(const struct telling *);
/* "by time-out", "needlessly", .. */
const char *tell_retransmission(enum retransmission);

#endif
