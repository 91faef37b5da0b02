/*
 * What stands in a test file: numbers that no file system can compress, find
 * twice or leave out, and that anybody can compute again to see whether what
 * was read is what was written.
 *
 * Word n of a file is splitmix64's output number n of the file's seed (Steele,
 * Lea and Flood 2014): any part can be computed without what is before it.
 */
#ifndef BENCHTOP_FILE_CONTENT_H
#define BENCHTOP_FILE_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes from `offset`, a multiple of 8. */
void file_content(uint64_t seed, uint64_t offset, void *into, size_t length);
bool file_content_same(uint64_t seed, uint64_t offset, const void *bytes,
	size_t length);

#endif
