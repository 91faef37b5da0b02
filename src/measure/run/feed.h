/*
 * Converts samples to results: the only reader of tapes, for a live run and for
 * an orphaned tape. Points, metrics and the clock of the results must be set
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
	bool in_launch;      /* a launch has begun and not ended */
	bool failed;         /* the worker reported it, or wrote invalid data */
	bool lost;           /* failed because of the network */
	struct point *point; /* being visited; NULL: none */
	struct point *pair[2]; /* points that alternate; NULL: a single point */
	struct {             /* results of the pilot, one per point */
		uint64_t ops;
		double setup_ns;
		uint16_t found;
	} * sized;
	struct moment clock_first, clock_last; /* of the launches */
	double overhead[2];                    /* before and after the trials */
	unsigned overheads;
	double jitter;
	/* A text whose pieces are being collected. */
	unsigned text_kind;
	size_t text_left;
	struct text text;
};

void feed_init(struct feed *, struct results *);
void feed_release(struct feed *);
/* Processes samples in the order in which they were written. An invalid record
 * ends the run with a sentence in results->error: a worker that overwrote its
 * tape must not crash the lab. */
void feed_samples(struct feed *, const struct sample *, size_t count);
/* Ends the run in the same way for an invalid tape: "the worker wrote an
 * impossible record: ..". */
void feed_broken(struct feed *, const char *what);
/* The worker has ended: closes a launch that is incomplete. */
void feed_end(struct feed *);

#endif
