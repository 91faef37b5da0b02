/*
 * Samples in, results out: the one reader of tapes, for a live run and for an
 * orphan alike. Points, metrics and the clock of the results must be there
 * before the first sample.
 */
#ifndef BENCHTOP_FEED_H
#define BENCHTOP_FEED_H

#include <stddef.h>
#include <stdint.h>

#include "results.h"
#include "ruler.h"
#include "sample.h"
#include "text.h"

struct feed {
	struct results *results;
	unsigned launch;     /* number of the launch; 0: the pilot */
	bool in_launch;      /* one has begun and not ended */
	bool failed;         /* the worker said so, or wrote nonsense */
	bool lost;           /* and so it did because of the network */
	struct point *point; /* being visited; NULL: none */
	struct point *pair[2]; /* that take turns; NULL: one is visited */
	struct {             /* what the pilot found, one per point */
		uint64_t ops;
		double setup_ns;
		uint16_t found;
	} * sized;
	struct moment clock_first, clock_last; /* of the launches */
	double overhead[2];                    /* before and after the trials */
	unsigned overheads;
	double jitter;
	/* A text that is being put together. */
	unsigned text_kind;
	size_t text_left;
	struct text text;
};

void feed_init(struct feed *, struct results *);
void feed_release(struct feed *);
/* Takes samples in the order they were written. A record that cannot be true
 * ends the run with a sentence in results->error: a worker that wrote over
 * its tape must not take the lab along. */
void feed_samples(struct feed *, const struct sample *, size_t count);
/* Ends the run so where the tape itself cannot be true: "the worker wrote an
 * impossible record: ..". */
void feed_broken(struct feed *, const char *what);
/* The worker is gone: closes a launch that did not end by itself. */
void feed_end(struct feed *);

#endif
