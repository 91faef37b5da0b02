/*
 * Annotated connections as ASCII text for a learner. The text has the handshake
 * as a ladder with times, the rounds as a table with bars, and the end of slow
 * start. Losses, events with repeats folded, and teardown follow. A verbose
 * layout has every connection, round and event.
 */
#ifndef BENCHTOP_ANNOTATION_TEXT_H
#define BENCHTOP_ANNOTATION_TEXT_H

#include "annotate.h"
#include "connection_filter.h"
#include "text.h"
#include "text_layout.h"

/* `name` is the file name, for the first line. Only connections that match the
 * filter are explained. */
void annotation_text(const struct annotator *, const char *name,
	const struct connection_filter *, const struct text_layout *,
	struct text *);
/* Adds what happened: "client: retransmitted (fast), 100..1548". `last` is the
 * last of several equal events, or `first`. */
void event_text(const struct connection *, const struct tcp_event *first,
	const struct tcp_event *last, struct text *);
/* The first lines of that text: what the capture holds. */
void annotation_capture(const struct annotator *, const char *name,
	const struct text_layout *, struct text *);

#endif
