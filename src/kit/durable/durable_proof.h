/*
 * What a sync proves: whether the device has a volatile write cache, and
 * whether it completed a flush.
 */
#ifndef BENCHTOP_DURABLE_PROOF_H
#define BENCHTOP_DURABLE_PROOF_H

#include <stdbool.h>

#include "results.h"
#include "text.h"

struct file_flush;
struct probe;

enum write_cache {
	WRITE_CACHE_UNKNOWN, /* flushes are not counted */
	WRITE_CACHE_MEMORY,  /* the file system is in memory */
	WRITE_CACHE_NONE,
	WRITE_CACHE_VOLATILE, /* and flushes are counted */
};

/* Finds the device of a file, begins to count its flushes, and notes both. */
enum write_cache durable_note_device(int fd, struct file_flush *,
	struct probe *);
/* A sentence about the point, from the notes of durable_note_device(); distinct
 * for each answer. `flushed` is the share of the durable writes during which
 * the device completed a flush, NaN if unknown. With several threads their
 * flushes are counted together. Adds nothing without those notes. */
void durable_judge(const struct point *, double flushed, bool threads,
	struct text *answer);

#endif
