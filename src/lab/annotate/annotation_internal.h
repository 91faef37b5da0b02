/* What the files of annotation_text.h share. */
#ifndef BENCHTOP_ANNOTATION_INTERNAL_H
#define BENCHTOP_ANNOTATION_INTERNAL_H

#include "annotation_text.h"

/* State while one connection is written as text. */
struct telling {
	const struct connection *connection;
	int64_t resolution_ns; /* no more digits than the timestamps have */
	struct text *text;
};

/* "51.281 ms", flush right, at least `width` columns wide: up to 100 s takes 12
 * to the microsecond and 15 to the nanosecond; "-" where it is unknown. */
void tell_span(const struct telling *, int64_t span_ns, int width);
/* The same from the connection's first packet. */
void tell_time(const struct telling *, int64_t t_ns, int width);
/* A sentence, broken at blanks, under an indent. */
void tell(const struct telling *, int indent, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
const char *tell_side(const struct telling *, int side);

/* annotation_ladder.c */
void tell_handshake(const struct telling *);
void tell_teardown(const struct telling *);
/* annotation_rounds.c */
void tell_transfer(const struct telling *);
void tell_losses(const struct telling *);
void tell_events(const struct telling *);

#endif
