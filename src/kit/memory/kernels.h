/*
 * Bandwidth kernels: loops that read, write or copy a buffer once, as fast as
 * one kind of instruction can. They are written in assembly, so that the
 * compiler does not change what is measured.
 *
 * A vector kernel traverses several regions of the buffer at once, four lines
 * of each in turn: eight regions for reading, four for copying, two for
 * writing. More streams let the prefetchers of a core fetch more at a time; a
 * single stream loses a tenth of the bandwidth or more. `loop` and `unrolled`
 * correspond to compiled plain C: words of eight bytes in one stream, one or 32
 * per iteration.
 *
 * Proof of work: reading kernels return the sum of the words they read. The
 * exception is rep-lods, whose instruction keeps only the last word and returns
 * it. Writing kernels write a given word; the caller compares copies.
 * kernel_fence() waits until every store is visible. Otherwise non-temporal
 * stores could still be pending at the end of the timed region.
 *
 * The kernels that this processor supports are determined once from the flags
 * in /proc/cpuinfo. These flags are the features that the kernel has enabled.
 * cpuid is not used: it traps in a virtual machine.
 */
#ifndef BENCHTOP_KERNELS_H
#define BENCHTOP_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kernel_op { KERNEL_READ, KERNEL_WRITE, KERNEL_COPY, KERNEL_OPS };
/* "read", "write", "copy", NULL. */
extern const char *const kernel_ops[KERNEL_OPS + 1];

/* The names of this architecture's kernels: "best" first, NULL last. */
extern const char *const kernel_names[];
enum { KERNEL_BEST };

/* How a kernel's stores treat the lines they fill. */
enum kernel_store {
	STORE_OWNS,    /* the line is read first: read for ownership */
	STORE_STREAMS, /* bypass the caches: the line is not read */
	STORE_UNKNOWN, /* the processor or the library decides */
};

typedef uint64_t kernel_function(char *to, const char *from, size_t bytes,
	uint64_t word);

struct kernel {
	const char *name;
	enum kernel_op op;
	unsigned regions; /* traversed at once; 0: takes any number of bytes */
	enum kernel_store store;
	const char *needs; /* a flag of /proc/cpuinfo; NULL: none */
	bool sums;         /* returns the sum of all words */
	kernel_function *function;
};

/* The kernel of that name for an operation, or NULL. */
const struct kernel *kernel_find(enum kernel_op, const char *name);
/* Kernel number i, NULL after the last. */
const struct kernel *kernel_at(size_t i);
/* The kernel's number for kernel_at(). */
size_t kernel_number(const struct kernel *);
/* True if this processor supports the kernel. */
bool kernel_runs(const struct kernel *);

/* One pass over `bytes` bytes, any number, with 64-byte aligned addresses.
 * Neither address may be NULL, even if it is not used. All eight bytes of
 * `word` must be equal. Returns the sum of the words read; an incomplete last
 * word is padded with zeros. */
uint64_t kernel_run(const struct kernel *, char *to, const char *from,
	size_t bytes, uint64_t word);
/* Waits for the stores of all passes before. Call it once, after the last pass:
 * after each, it would take a third of the time of a pass over 4 KiB. */
void kernel_fence(void);
/* The sum that a reading kernel returns, computed by plain C. */
uint64_t kernel_sum(const char *from, size_t bytes);
/* A word to write: never zero, and not the one of the last run. */
uint64_t kernel_word_after(uint64_t last);
/* True if all words of a buffer equal `word`. */
bool kernel_wrote(const char *to, size_t bytes, uint64_t word);

/* Bytes transferred to and from memory per byte that a kernel moves: an
 * ordinary store reads its line first. 0: unknown for these stores. */
double kernel_ownership(enum kernel_op, enum kernel_store);

#endif
