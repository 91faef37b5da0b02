/*
 * Traffic: memory that a team of threads reads, writes or copies with a
 * bandwidth kernel, and the proof that it did.
 *
 * Each thread has its own slice, which it touches first, so that the slice is
 * on the thread's NUMA node. A slice is traversed cyclically, chunk by chunk. A
 * chunk is at most 8 MiB, about a millisecond, so that an interruption spoils a
 * millisecond and not a whole pass. When a chunk is reached again, all other
 * chunks have passed through the caches.
 *
 * The buffer for reading is never written, and the other is never read. A slice
 * of one chunk in the other begins elsewhere in its page. Each buffer is
 * created when it is first needed. Both stay with the worker while its points
 * have the same size, pages and threads.
 *
 * Proof: for reading, the sum of the words is compared with the known sum of
 * every chunk. For writing and copying, a few words of the last chunk are
 * changed before each run and compared after it. traffic_prove() compares every
 * byte of one chunk per thread.
 */
#ifndef BENCHTOP_TRAFFIC_H
#define BENCHTOP_TRAFFIC_H

#include "buffer.h"
#include "kernels.h"
#include "team.h"

enum { TRAFFIC_CHUNK_BYTES = 8 << 20 };

struct traffic_slice; /* data of one thread */

struct traffic {
	/* Requested. */
	enum kernel_op op;
	enum pages pages;
	unsigned threads;
	uint64_t size_bytes; /* of all slices; twice that much for a copy */

	/* Actual. */
	struct probe *probe;
	struct team team;
	struct buffer *from, *to;               /* the same buffer unless
						 * copying */
	size_t chunk_bytes, chunks, span_bytes[2]; /* of each slice; the span
						    * in each buffer */
	struct traffic_slice *slices;           /* owned */
	size_t at;                              /* the next chunk */
	uint64_t word;                          /* the last word written */

	/* The current run. */
	const struct kernel *kernel;
	uint64_t ops;
};

/* Returns 0, or -1 with an error; a size that exceeds the available memory is
 * refused. Reuses the memory of an earlier traffic if it fits. */
int traffic_open(struct traffic *, struct probe *, struct error *);
/* The memory is kept for the next traffic. */
void traffic_close(struct traffic *);

/* Processes `ops` chunks of every slice. Returns the end of the slowest thread,
 * for probe_stop_judged(). */
uint64_t traffic_run(struct traffic *, const struct kernel *, uint64_t ops,
	bool *interrupted);
/* Verifies the result of the last run; calls probe_invalid() if it is wrong. */
void traffic_check(struct traffic *);
/* Runs once more and compares every byte of the chunk it should have
 * processed. */
void traffic_prove(struct traffic *, const struct kernel *);

/* The fastest kernel of the operation on this processor: tries all kernels in
 * random order, then the three best for longer. Adds a note with the rate of
 * each. */
const struct kernel *traffic_choose(struct traffic *);

/* The size for "auto": four times all last-level caches, at most a quarter of
 * the available memory, half of that if two buffers are needed. Adds a note if
 * the result is less than four times the caches. */
uint64_t traffic_auto_bytes(struct probe *, enum kernel_op);
/* Adds notes: kernel, threads, pages, size, the bytes per thread (of both
 * buffers for a copy), and the level that serves it, because a figure of a
 * cache is not one of memory. */
void traffic_note(const struct traffic *, const struct kernel *);
/* kernel_ownership(), but 0 if the size fits a cache of the core itself. Reads
 * /sys, so do not call it in a trial. */
double traffic_ownership(const struct traffic *, const struct kernel *);

/* Lines of 64 bytes that `ops` chunks contain, over all threads. For a copy
 * only the lines read (as many are written). */
uint64_t traffic_lines(const struct traffic *, uint64_t ops);

#endif
