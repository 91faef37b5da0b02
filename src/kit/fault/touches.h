/*
 * Touches: one byte in each stride of a memory, in a given order, and what the
 * kernel counted meanwhile.
 */
#ifndef BENCHTOP_TOUCHES_H
#define BENCHTOP_TOUCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct probe;

struct touches {
	uint32_t *order; /* of the touches, in strides; owned, present */
	size_t count;
	size_t stride_bytes;
	bool writes; /* a byte that is not zero; else reads one */
};

/* Draws an order: ascending, or by the probe's random numbers. */
void touches_draw(struct touches *, size_t size_bytes, size_t stride_bytes,
	bool random, struct probe *);
void touches_free(struct touches *);
/* Touches number `from` to `to` - 1; fewer where there are not so many. */
void touches_make(const struct touches *, char *memory, size_t from, size_t to);
/* How many pages of that size all touches together touch. */
uint64_t touches_pages(const struct touches *, size_t page_bytes);

/* Page faults of the calling thread. */
struct faults {
	uint64_t minor, major;
};
struct faults faults_now(void);
struct faults faults_since(struct faults);

#endif
