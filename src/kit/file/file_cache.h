/*
 * Loading a file into the page cache and evicting it, with verification.
 *
 * posix_fadvise(POSIX_FADV_DONTNEED) silently skips pages that are dirty or
 * mapped. An eviction therefore counts only if dirty pages have been written
 * back and mincore(2) finds no page present. Only the given file is evicted:
 * drop_caches would empty the cache of the whole system. On file systems in
 * memory (tmpfs) eviction is impossible and gives an error.
 */
#ifndef BENCHTOP_FILE_CACHE_H
#define BENCHTOP_FILE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

struct probe;

/* Number of pages of a file of that size. */
uint64_t file_pages(uint64_t size_bytes);
/* The pages of the first `size_bytes` of a file that are in the cache, by
 * mincore, else by cachestat (Linux 6.5); -1 if both fail. */
int64_t file_resident(int fd, uint64_t size_bytes);
/* The dirty pages of the file; -1 without cachestat. */
int64_t file_dirty(int fd, uint64_t size_bytes);
/* True if the file system keeps its files in memory (tmpfs, ramfs). */
bool file_lives_in_memory(int fd);

/* Writes dirty pages back, evicts the file and verifies it. Returns 0, or -1
 * with an error. No process may have the file mapped. */
int file_evict(int fd, uint64_t size_bytes, struct error *);
/* Reads the file until every page is in the cache, and verifies it. Returns 0,
 * or -1 with an error. Calls probe_alive() (the probe may be NULL). A file that
 * may fit into the processor's last-level cache is read four times. A victim
 * cache holds little of data that was read once, and a block takes half as long
 * when the cache holds it. */
int file_warm(int fd, uint64_t size_bytes, struct probe *, struct error *);

#endif
