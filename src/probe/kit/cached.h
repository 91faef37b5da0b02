/*
 * A file whose pages are all in the page cache, or proven not to be.
 *
 * The file lies in the state folder ($XDG_STATE_HOME/benchtop), is written
 * with random data, so that no file system can store it as a hole or compress
 * it, and synced. It never has a name (O_TMPFILE), or loses it before anything
 * is written: whatever ends its process removes it.
 *
 * posix_fadvise(POSIX_FADV_DONTNEED) skips pages that are dirty or mapped, and
 * says nothing: an eviction counts when mincore(2) has found no page present.
 * Where files live in memory (tmpfs) that cannot be, and is refused in words.
 */
#ifndef BENCHTOP_CACHED_H
#define BENCHTOP_CACHED_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct probe;

struct cached {
	int fd; /* -1: not open */
	size_t size_bytes;
};

/* 0, or -1 with a sentence: no folder, not enough space, .. . The probe (may be
 * NULL) is kept alive, and its random numbers fill the file. */
int cached_open(struct cached *, size_t size_bytes, struct probe *,
	struct error *);
void cached_close(struct cached *);

/* Reads the file until every page is in the cache; 0 or -1 with a sentence. */
int cached_fill(const struct cached *, struct error *);
/* Writes back what is dirty, evicts, and proves it: 0, or -1 with a sentence.
 * Nobody may have the file mapped. */
int cached_evict(const struct cached *, struct error *);
/* How many of its pages are in the cache; -1 where mincore cannot say. */
int64_t cached_resident(const struct cached *);

#endif
