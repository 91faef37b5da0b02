/*
 * The size of the file cache, from the time of a block over the size of the
 * file that had filled it: the knee of each curve (knee.h) and its interval,
 * from what fits about as well and from the launches one by one.
 */
#ifndef BENCHTOP_FILE_KNEE_H
#define BENCHTOP_FILE_KNEE_H

#include <stdint.h>

struct facts;
struct findings;
struct results;

/* The arguments of fs.cache. */
struct filling_args {
	const char *where;
	int64_t limit_bytes, size_bytes, block_bytes;
	int order;
};
enum { FILLING_TIME }; /* the metric of the curve */

/* Compares with the point's note `expected`, in bytes. */
void filling_find(const struct results *, const struct facts *,
	struct findings *);

#endif
