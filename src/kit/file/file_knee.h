/*
 * The size of the file cache, from the time per block over the size of the file
 * that had filled it. Each curve gives a knee (knee.h). Its interval covers the
 * sizes that fit about as well and the knees of single launches.
 */
#ifndef BENCHTOP_FILE_KNEE_H
#define BENCHTOP_FILE_KNEE_H

#include <stdint.h>

struct facts;
struct findings;
struct results;

/* Arguments of fs.cache. */
struct filling_args {
	const char *where;
	int64_t limit_bytes, size_bytes, block_bytes;
	int order;
};
enum { FILLING_TIME }; /* the metric of the curve */

/* Compares the result with the point's note `expected`, in bytes. */
void filling_find(const struct results *, const struct facts *,
	struct findings *);

#endif
