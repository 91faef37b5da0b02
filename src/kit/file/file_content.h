/*
 * The content of a test file: numbers that no file system can compress,
 * deduplicate or store as a hole. They can be recomputed to verify what was
 * read.
 *
 * Word n of a file is output number n of splitmix64 with the file's seed
 * (Steele, Lea and Flood 2014), so any part can be computed without the
 * preceding part.
 */
#ifndef BENCHTOP_FILE_CONTENT_H
#define BENCHTOP_FILE_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Computes the bytes from `offset`, a multiple of 8. */
void file_content(uint64_t seed, uint64_t offset, void *into, size_t length);
bool file_content_same(uint64_t seed, uint64_t offset, const void *bytes,
	size_t length);

#endif
