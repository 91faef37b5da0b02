/*
 * A stream of bytes in shared memory, from one process that writes to one that
 * reads, like a pipe: the writer sleeps while the ring is full, the reader
 * while it is empty. A futex is called only if the other end sleeps.
 */
#ifndef BENCHTOP_RING_H
#define BENCHTOP_RING_H

#include <stddef.h>
#include <stdint.h>

struct ring;

/* The memory is shared with children forked later. The capacity is rounded up
 * to a power of two of at least 64 bytes and must not exceed 1 GiB. NULL: out
 * of memory. */
struct ring *ring_new(size_t capacity_bytes);
void ring_free(struct ring *);
size_t ring_capacity(const struct ring *);
/* The bytes that were written and not yet read. */
size_t ring_filled(const struct ring *);

/* Writes all bytes. */
void ring_write(struct ring *, const void *from, size_t size_bytes);
/* Reads at least one and at most `most` bytes. Returns their number. */
size_t ring_read(struct ring *, void *into, size_t most_bytes);

#endif
