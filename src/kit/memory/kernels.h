/*
 * Bandwidth kernels: loops that read, write or copy a buffer once, as fast as
 * one kind of instruction can, written in assembly so that no compiler decides
 * what is measured.
 *
 * A vector kernel passes over several regions of the buffer at once, four
 * lines of each in turn: eight regions where it reads, four where it copies,
 * two where it writes. More streams are more of what the prefetchers of a core
 * can fetch at a time; one stream alone leaves a tenth of the bandwidth unused
 * and more. `loop` and `unrolled` are what a compiler makes of plain C: words
 * of eight bytes in one stream, one or 32 in a turn.
 *
 * Proof of work: reading kernels return the sum of the words they read (only
 * rep-lods, whose instruction forgets, returns the last one), writing kernels
 * write a given word, copies are compared by their caller. kernel_run() ends
 * with a fence that waits until every store is visible, so that a timed region
 * round it holds what was begun in it: non-temporal stores would else still
 * be under way.
 *
 * Which kernels this processor has is taken from the flags in /proc/cpuinfo,
 * once: these are what the kernel has enabled, not only what the processor
 * could do, and cpuid, which traps in a virtual machine, stays out of it.
 */
#ifndef BENCHTOP_KERNELS_H
#define BENCHTOP_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kernel_op { KERNEL_READ, KERNEL_WRITE, KERNEL_COPY, KERNEL_OPS };
/* "read", "write", "copy", NULL. */
extern const char *const kernel_ops[KERNEL_OPS + 1];

/* The names of this architecture's kernels, "best" first, NULL last. */
extern const char *const kernel_names[];
enum { KERNEL_BEST };

/* What a kernel's stores do to the lines they fill. */
enum kernel_store {
	STORE_OWNS,    /* the line is read first: read for ownership */
	STORE_STREAMS, /* past the caches: the line is not read */
	STORE_UNKNOWN, /* the processor or the library decides */
};

typedef uint64_t kernel_function(char *to, const char *from, size_t bytes,
	uint64_t word);

struct kernel {
	const char *name;
	enum kernel_op op;
	unsigned regions; /* at once; 0: takes any number of bytes */
	enum kernel_store store;
	const char *needs; /* a flag of /proc/cpuinfo; NULL nothing */
	bool sums;         /* what it returns is the sum of all words */
	kernel_function *function;
};

/* The kernel of that name for an operation, or NULL: there is none. */
const struct kernel *kernel_find(enum kernel_op, const char *name);
/* The kernels one by one, NULL at the end. */
const struct kernel *kernel_at(size_t i);
/* Its number for kernel_at(). */
size_t kernel_number(const struct kernel *);
/* Does this processor have what it needs? */
bool kernel_runs(const struct kernel *);
/* Is a word among the flags of such a line? For kernel_runs() and its test. */
bool kernel_flag_in(const char *flags, const char *flag);

/* One pass over `bytes` bytes, any number, from or to an address that is a
 * multiple of 64; of the two addresses neither may be NULL, even where it is
 * not used. All eight bytes of `word` must be equal. Returns the sum of
 * the words read; a last word that is not whole counts as if filled up with
 * zeros. */
uint64_t kernel_run(const struct kernel *, char *to, const char *from,
	size_t bytes, uint64_t word);
/* The sum a reading kernel returns, computed plainly. */
uint64_t kernel_sum(const char *from, size_t bytes);

#endif
