/*
 * The level of memory that serves a point. A point has it as the text of its
 * note `level`, which only this module formats and parses.
 */
#ifndef BENCHTOP_MEMORY_LEVEL_H
#define BENCHTOP_MEMORY_LEVEL_H

#include <stdbool.h>

#include "text.h"

struct point;

enum memory_level {
	LEVEL_UNKNOWN,
	LEVEL_L1, /* numbered like the kernel's cache levels */
	LEVEL_L2,
	LEVEL_L3,
	LEVEL_L4,
	LEVEL_LAST, /* the last-level cache, of any level */
	LEVEL_MEMORY,
	MEMORY_LEVELS,
};
/* "L1d", "L2", .., "memory"; "?" for LEVEL_UNKNOWN. */
const char *memory_level_name(enum memory_level);
enum memory_level memory_level_named(const char *);

struct serving {
	enum memory_level level;
	enum memory_level also; /* serves a part; LEVEL_UNKNOWN: none */
	bool each; /* the cache of each core holds its thread's share */
};
/* Adds "L2", "L2 and L3", "fits L2 of each core", "fits the last-level
 * cache". */
void serving_write(const struct serving *, struct text *);
/* Parses these texts; all zero if unknown. */
struct serving serving_read(const char *words);
bool serving_same(const struct serving *, const struct serving *);

/* The text of the note, or NULL if the point has none or its level is
 * unknown. */
const char *point_level(const struct point *);
/* Returns false if the point has no such note. */
bool point_serving(const struct point *, struct serving *);
/* True if only this level serves the point; false if it is unknown. */
bool point_served_by(const struct point *, enum memory_level);

#endif
