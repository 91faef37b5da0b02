/*
 * Requests that keep a ring busy: requests without work, or reads of the blocks
 * of a file in an order.
 *
 * At most `depth` requests wait for answers. Each uses a slot with a buffer of
 * its own, so that no two requests read into the same buffer. The slots take
 * turns in the order of the answers.
 *
 * The loop has no alignment clones (clones.h), although a request without work
 * takes less than 100 ns: nearly all of that is in the kernel, and sixteen
 * layouts of the loop differed by 3 %.
 */
#ifndef BENCHTOP_URING_LOAD_H
#define BENCHTOP_URING_LOAD_H

#include "file_order.h"
#include "uring.h"

enum { URING_DEPTH_MOST = 256 };

struct uring_slot {
	uint32_t block; /* of the last read */
	bool waiting;   /* for an answer */
	bool filled;    /* by a request: the buffer holds that block */
};

struct uring_load {
	/* Set by the caller. */
	struct uring ring;
	unsigned depth; /* 1 .. URING_DEPTH_MOST */
	unsigned batch; /* requests that are submitted together, 1 .. depth */
	int fd;         /* of the file; -1: requests without work */
	size_t block_bytes;
	struct file_order order;
	char *buffers; /* `depth` blocks */
	/* Set by these functions. */
	uint64_t wrong;   /* answers that did not fit their requests */
	uint32_t waiting; /* requests without an answer */
	uint32_t first;   /* of `free` */
	uint32_t free[URING_DEPTH_MOST]; /* slots */
	struct uring_slot slots[URING_DEPTH_MOST];
};

/* Call when the caller's fields are set. */
void uring_load_begin(struct uring_load *);
/* Makes `count` requests and returns when all are answered. If fewer than
 * `batch` slots are free, as many answers are awaited before the next batch:
 * in the system call, or with a poller by polling. Returns 0, or -errno; -EIO:
 * an answer was wrong, incomplete or an error. */
int uring_load_run(struct uring_load *, uint64_t count);
/* True if every buffer holds the content of the block that was read into it
 * last (file_content.h). Compares at most `most_bytes` of each. */
bool uring_load_same(const struct uring_load *, uint64_t seed,
	size_t most_bytes);

#endif
