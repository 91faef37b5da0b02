/*
 * A file in and out of the page cache, and the proof of it.
 *
 * posix_fadvise(POSIX_FADV_DONTNEED) skips pages that are dirty or mapped, and
 * says nothing: an eviction counts when what was dirty has been written back
 * and mincore(2) finds no page present. Nothing else is ever evicted: the
 * system's own lever (drop_caches) takes everybody's cache. Where files live
 * in memory (tmpfs) an eviction cannot be, and is refused in words.
 */
#ifndef BENCHTOP_FILE_CACHE_H
#define BENCHTOP_FILE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

struct probe;

/* Pages a file of that size has. */
uint64_t file_pages(uint64_t size_bytes);
/* How many of the first `size_bytes` of a file are in the cache, in pages: by
 * mincore, else by cachestat (Linux 6.5); -1 where neither can say. */
int64_t file_resident(int fd, uint64_t size_bytes);
/* How many of its pages are to be written back; -1: cachestat is not here. */
int64_t file_dirty(int fd, uint64_t size_bytes);
/* Does the file live in memory, or only in it? */
bool file_lives_in_memory(int fd);

/* Writes back what is dirty, evicts, and proves it: 0, or -1 with a sentence.
 * Nobody may have the file mapped. */
int file_evict(int fd, uint64_t size_bytes, struct error *);
/* Reads until every page is in the cache, and proves it; 0, or -1 with a
 * sentence. The probe (may be NULL) is kept alive. What may fit into the
 * processor's last cache is read four times: where that is filled by evictions
 * it has little of what was read once, and a block takes half as long when it
 * has. */
int file_warm(int fd, uint64_t size_bytes, struct probe *, struct error *);

#endif
