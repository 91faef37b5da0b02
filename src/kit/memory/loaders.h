/*
 * Loaders: threads that read, write or copy memory with a bandwidth
 * kernel, at a rate limited by pauses, while the caller does other work.
 *
 * Each thread has its own slice, touches it first and traverses it cyclically,
 * block by block, until the caller's work ends. With a pause the blocks have 4
 * KiB, so that requests spread evenly over time; without, 1 MiB. A thread
 * counts the blocks that it completed before the work ended, and reads the
 * clock after each. Its rate is that number divided by the time to the end of
 * the last one and its pause.
 *
 * Proof: every word of the memory that is read is distinct and known from its
 * place, so the sum of the words that a kernel reads is known. Of the first
 * block to be written or copied, words at random places are changed before each
 * run and compared after it. loaders_prove() compares every byte of it.
 *
 * The memory stays with the worker from one point to the next.
 */
#ifndef BENCHTOP_LOADERS_H
#define BENCHTOP_LOADERS_H

#include "buffer.h"
#include "kernels.h"
#include "team.h"

struct loader;

struct loaders {
	/* Requested. The first of the processors is the caller's. */
	enum kernel_op op;
	enum pages pages;
	uint64_t size_bytes; /* of all slices; twice that much for a copy */
	unsigned threads;    /* with the caller: at least 2 */
	const int *cpus;     /* one for each; borrowed */

	/* Actual. */
	struct probe *probe;
	struct team team;
	uint64_t slice_bytes;
	const struct buffer *from, *to; /* the same buffer unless copying */
	struct loader *list; /* owned; the caller's is not used */

	/* The last run. */
	const struct kernel *kernel;
	uint64_t pause; /* ticks after each block */
	uint64_t block_bytes, word, end;
	void (*work)(void *context);
	void *context;
	_Alignas(64) _Atomic bool over;
	/* Result: bytes per second that the threads moved; a copied byte counts
	 * twice. */
	_Alignas(64) double per_s;
};

/* Starts the threads and touches the memory. Returns 0, or -1 with an error.
 * The struct must not be moved. */
int loaders_start(struct loaders *, struct probe *, struct error *);
void loaders_stop(struct loaders *);

/* Calls work(context) in the caller's thread, timed from probe_start(), while
 * the other threads run. Returns the time when the work ended, for
 * probe_stop_judged(). *interrupted is set if any thread was interrupted, or
 * completed no block. */
uint64_t loaders_run(struct loaders *, const struct kernel *,
	double pause_ns, void (*work)(void *context), void *context,
	bool *interrupted);
/* Verifies the last run; calls probe_invalid() if a kernel skipped work. */
void loaders_check(const struct loaders *);
/* Runs a kernel without pauses and verifies whole blocks. Untimed: afterwards
 * they are in the caller's caches. */
void loaders_prove(struct loaders *, const struct kernel *);

/* The kernel with the highest rate without pauses, the median of several
 * attempts in random order. */
const struct kernel *loaders_choose(struct loaders *);

#endif
