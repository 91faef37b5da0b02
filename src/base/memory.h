/*
 * Memory: allocation that cannot fail softly, and bulk columns.
 *
 * The x-functions end the program with one sentence when memory is gone;
 * a caller never sees NULL. Whatever they return is released with free().
 *
 * A column is a growable array of equal elements that lives in its own
 * mapping, outside the heap, and is not copied into forked children
 * (MADV_DONTFORK). Samples are kept in columns so that a child forked from a
 * lab with a million samples is nearly as small, and as soon there, as one
 * forked from an empty lab. A child must not touch a column, unless it was let
 * through for that child by column_inherit().
 */
#ifndef BENCHTOP_MEMORY_H
#define BENCHTOP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

void *xmalloc(size_t size_bytes);
void *xcalloc(size_t count, size_t size_bytes);
void *xrealloc(void *old, size_t count, size_t size_bytes);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);

/* An array on the heap that grows by doubling: room for one more element. */
#define ARRAY_GROW(array, count) \
	((array) = array_grow((array), (count), sizeof *(array)))
void *array_grow(void *array, size_t count, size_t size_bytes);

struct column {
	void *data;           /* count elements, owned */
	size_t count;         /* elements in use */
	size_t element_bytes; /* fixed by column_init */
	size_t mapped_bytes;
};

void column_init(struct column *, size_t element_bytes);
void column_release(struct column *);
/* From now on children get it, as a copy of their own; or no longer. */
void column_inherit(const struct column *, bool);
/* Appends one element and returns its place, zeroed. */
void *column_add(struct column *);

#endif
