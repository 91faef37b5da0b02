/*
 * Touches: one byte in each stride of a memory area, in a given order, and the
 * page faults that the kernel counted meanwhile.
 */
#ifndef BENCHTOP_TOUCHES_H
#define BENCHTOP_TOUCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct probe;

struct touches {
	uint32_t *order; /* of the touches, in strides; owned, all pages
			  * present */
	size_t count;
	size_t stride_bytes;
	bool writes; /* writes a non-zero byte; else reads one */
};

/* Draws an order: ascending, or random from the probe's generator. */
void touches_draw(struct touches *, size_t size_bytes, size_t stride_bytes,
	bool random, struct probe *);
void touches_free(struct touches *);
/* Performs touches `from` to `to` - 1, as far as they exist. */
void touches_make(const struct touches *, char *memory, size_t from, size_t to);
/* The number of pages of that size that all touches together access. */
uint64_t touches_pages(const struct touches *, size_t page_bytes);

/* Page faults of the calling thread. */
struct faults {
	uint64_t minor, major;
};
struct faults faults_now(void);
struct faults faults_since(struct faults);

#endif
