/*
 * Traffic: memory that a team of threads reads, writes or copies with a
 * bandwidth kernel, and the proof that it did.
 *
 * Each thread has a slice of its own, which it was the first to touch, so that
 * it lies on its node. A slice is passed chunk by chunk, round and round: a
 * chunk is at most 8 MiB, about a millisecond, so that an interruption spoils
 * a millisecond and not a whole pass; by the time a chunk comes round again
 * all others have gone through the caches.
 *
 * What is read is never written, and the other way round: of two buffers each
 * is made when it is first wanted, and both stay with the worker while its
 * points have the same size, pages and threads.
 *
 * Proof: what is read is summed up, and the sum of every chunk is known; where
 * something is written or copied a few words of the last chunk are spoiled
 * before and compared after each run, and traffic_prove() compares every byte
 * of one chunk of each thread.
 */
#ifndef BENCHTOP_TRAFFIC_H
#define BENCHTOP_TRAFFIC_H

#include "buffer.h"
#include "kernels.h"
#include "team.h"

enum { TRAFFIC_CHUNK_BYTES = 8 << 20 };

struct traffic_slice; /* what belongs to one thread */

struct traffic {
	/* What is wished. */
	enum kernel_op op;
	enum pages pages;
	unsigned threads;
	uint64_t size_bytes; /* of all slices; twice that much for a copy */

	/* What is there. */
	struct probe *probe;
	struct team team;
	struct buffer *from, *to;               /* the same but for a copy */
	size_t chunk_bytes, chunks, span_bytes; /* of each slice */
	struct traffic_slice *slices;           /* owned */
	size_t at;                              /* the chunk that comes next */
	uint64_t word;                          /* that was written last */

	/* The run. */
	const struct kernel *kernel;
	uint64_t ops;
};

/* 0, or -1 with a sentence; memory that is not there is refused in words.
 * Takes over the memory of an earlier traffic where it fits. */
int traffic_open(struct traffic *, struct probe *, struct error *);
/* The memory stays for the next. */
void traffic_close(struct traffic *);

/* `ops` chunks of every slice. The end of the slowest, for a probe_stop. */
uint64_t traffic_run(struct traffic *, const struct kernel *, uint64_t ops,
	bool *interrupted);
/* Did the last run do what it should? Calls probe_invalid() if not. */
void traffic_check(struct traffic *);
/* One more run, and a comparison of every byte it should have passed. */
void traffic_prove(struct traffic *, const struct kernel *);

/* Tries all kernels of the operation that this processor has, in a random
 * order, and the three best longer: the fastest, with a note of what each did.
 */
const struct kernel *traffic_choose(struct traffic *);

/* The size that "auto" stands for: four times all last-level caches, at most a
 * quarter of the available memory, half of that where it is needed twice; notes
 * that it is less than four times the caches. */
uint64_t traffic_auto_bytes(struct probe *, enum kernel_op);
/* Notes which kernel, threads, pages and size it is, the share of each thread
 * in bytes (of a copy, both buffers'), and which level serves it: a figure of a
 * cache is not one of memory. */
void traffic_note(const struct traffic *, const struct kernel *);
/* Bytes on the way to memory for each that the program moves: an ordinary store
 * reads its line first. 0: nobody knows what this kernel's stores do, or the
 * size fits a cache of the core's own. Looks at /sys: not for a trial. */
double traffic_ownership(const struct traffic *, const struct kernel *);

/* Lines of 64 bytes that `ops` pass, over all threads; of a copy, those read
 * (as many are written). */
uint64_t traffic_lines(const struct traffic *, uint64_t ops);

#endif
