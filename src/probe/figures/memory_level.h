/*
 * Which level of memory serves a point. A point has it as the words of its
 * note `level`; those words are written and read here and nowhere else.
 */
#ifndef BENCHTOP_MEMORY_LEVEL_H
#define BENCHTOP_MEMORY_LEVEL_H

#include <stdbool.h>

#include "text.h"

struct point;

enum memory_level {
	LEVEL_UNKNOWN,
	LEVEL_L1, /* 1, as the kernel counts caches */
	LEVEL_L2,
	LEVEL_L3,
	LEVEL_L4,
	LEVEL_LAST, /* the last-level cache, whichever that is */
	LEVEL_MEMORY,
	MEMORY_LEVELS,
};
/* "L1d", "L2", .., "memory"; "?" for LEVEL_UNKNOWN. */
const char *memory_level_name(enum memory_level);
enum memory_level memory_level_named(const char *);

struct serving {
	enum memory_level level;
	enum memory_level also; /* serves a part; LEVEL_UNKNOWN: none */
	bool each; /* the cache of each core holds the share of its thread */
};
/* "L2", "L2 and L3", "fits L2 of each core", "fits the last-level cache". */
void serving_write(const struct serving *, struct text *);
/* Reads those words; all zero where they are unknown. */
struct serving serving_read(const char *words);
bool serving_same(const struct serving *, const struct serving *);

/* False where the point has no such note. */
bool point_serving(const struct point *, struct serving *);
/* Does this level alone serve the point as a whole? Not where it is unknown. */
bool point_served_by(const struct point *, enum memory_level);

#endif
