/*
 * A ring of io_uring(7): requests to the kernel and their completions, in
 * memory that both share. By the raw system calls (io_uring_setup(2),
 * io_uring_enter(2)), without liburing.
 *
 *     struct uring ring;
 *
 *     if (uring_open(&ring, 8, URING_NO_POLLER, &error))
 *             return -1;
 *     struct io_uring_sqe *request = uring_request(&ring);
 *     request->opcode = IORING_OP_NOP;
 *     request->user_data = 7;
 *     uring_submit(&ring, 1, 1);
 *     const struct io_uring_cqe *answer = uring_answer(&ring);
 *     ... answer->user_data, answer->res ...
 *     uring_seen(&ring);
 *     uring_close(&ring);
 *
 * With a poller, a kernel thread of this process takes the requests as soon as
 * they are published, on its own processor and without a system call. It sleeps
 * after URING_IDLE_MS without requests; uring_submit() then wakes it. Nothing
 * is registered: neither files nor buffers nor the ring.
 *
 * A ring belongs to one thread.
 */
#ifndef BENCHTOP_URING_H
#define BENCHTOP_URING_H

#include <errno.h>
#include <linux/io_uring.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "error.h"

enum { URING_NO_POLLER = -1, URING_IDLE_MS = 2, URING_MAPS = 3 };

struct uring {
	int fd; /* -1: closed */
	bool polled;
	uint32_t requests_mask, answers_mask;
	uint32_t next;  /* request to prepare */
	uint32_t first; /* answer to read */
	uint64_t calls; /* of io_uring_enter */
	/* Shared with the kernel. */
	struct io_uring_sqe *requests;
	const struct io_uring_cqe *answers;
	uint32_t *requests_tail, *answers_head;
	const uint32_t *requests_flags, *requests_dropped;
	const uint32_t *answers_tail, *answers_lost;
	struct uring_map {
		void *at;
		size_t bytes;
	} maps[URING_MAPS];
};

/* Opens a ring for `entries` requests (rounded up to a power of two) and twice
 * as many answers. `poller` is the processor of the polling thread, or
 * URING_NO_POLLER. Returns 0, or -1 with an error (STATUS_PERMISSION) that
 * states what forbids it and the cure. */
int uring_open(struct uring *, unsigned entries, int poller, struct error *);
/* The polling thread ends soon after. */
void uring_close(struct uring *);

/* The next request, zeroed. At most `entries` may be prepared and not yet
 * taken by the kernel: the caller counts those that are not answered. */
static inline struct io_uring_sqe *uring_request(struct uring *ring)
{
	struct io_uring_sqe *request =
		&ring->requests[ring->next++ & ring->requests_mask];

	memset(request, 0, sizeof *request);
	return request;
}

/* Calls io_uring_enter, counted in `calls`. Returns its result, or -errno. */
int uring_enter(struct uring *, unsigned submit, unsigned wait, unsigned flags);

/* Publishes the prepared requests, `count` of them. Without a poller, the
 * kernel takes them during the call and then waits until `wait` answers are
 * there. Returns 0 or -errno; -EBUSY: it did not take all. */
static inline int uring_submit(struct uring *ring, unsigned count,
	unsigned wait)
{
	if (!ring->polled) {
		__atomic_store_n(ring->requests_tail, ring->next,
			__ATOMIC_RELEASE);
		int taken = uring_enter(ring, count, wait,
			wait ? IORING_ENTER_GETEVENTS : 0);

		return taken < 0 ? taken : taken == (int)count ? 0 : -EBUSY;
	}
	/* The poller sets the flag and then looks at the tail again: the load
	 * here must not pass the store. */
	__atomic_store_n(ring->requests_tail, ring->next, __ATOMIC_SEQ_CST);
	if (__builtin_expect(__atomic_load_n(ring->requests_flags,
				     __ATOMIC_SEQ_CST) &
				    IORING_SQ_NEED_WAKEUP,
		    0)) {
		int woken = uring_enter(ring, 0, 0, IORING_ENTER_SQ_WAKEUP);

		return woken < 0 ? woken : 0;
	}
	return 0;
}

/* The oldest answer that uring_seen() has not released, or NULL. */
static inline const struct io_uring_cqe *uring_answer(const struct uring *ring)
{
	if (ring->first ==
		__atomic_load_n(ring->answers_tail, __ATOMIC_ACQUIRE))
		return NULL;
	return &ring->answers[ring->first & ring->answers_mask];
}

static inline void uring_seen(struct uring *ring)
{
	__atomic_store_n(ring->answers_head, ++ring->first, __ATOMIC_RELEASE);
}

/* Requests that the kernel refused, and answers that found no room: both 0
 * unless the caller exceeded the entries. */
uint32_t uring_lost(const struct uring *);

/* True if the poller sleeps. */
static inline bool uring_sleeps(const struct uring *ring)
{
	return __atomic_load_n(ring->requests_flags, __ATOMIC_ACQUIRE) &
		IORING_SQ_NEED_WAKEUP;
}

/* The threads of this process, also those that the kernel adds for rings: the
 * poller, and workers for requests that would block. */
enum { URING_THREADS = 64 };
struct uring_threads {
	size_t count;
	clockid_t clocks[URING_THREADS];
};
/* Lists them. Sets the count to 0 if there are more or /proc is missing. */
void uring_threads_find(struct uring_threads *);
/* Their CPU time up to now, ns; -1 if one has ended or the count is 0.
 *
 * Each thread's clock is read (clock_getcpuclockid(3)): it is exact also while
 * the thread is running on another processor. CLOCK_PROCESS_CPUTIME_ID and
 * getrusage(2) are exact for the calling thread only: what they include of
 * other threads may be as old as the last timer tick, usually 4 ms. */
int64_t uring_threads_ns(const struct uring_threads *);

/* Sets the error for a failed io_uring_setup, from its errno and
 * kernel.io_uring_disabled. `root` is a prefix of /proc, for tests; "" is this
 * machine. Returns -1. */
int uring_refuse(const char *root, int number, struct error *);

#endif
