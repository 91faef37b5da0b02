/*
 * Memory: allocation that does not return on failure, and bulk columns.
 *
 * The x-functions end the process with one sentence if memory is exhausted;
 * they never return NULL. The caller releases what they return with free().
 *
 * A column is a growable array of equal elements. From COLUMN_MAPPED bytes on
 * it has a mapping of its own, which forked children do not inherit
 * (MADV_DONTFORK). Samples are kept in columns so that a fork stays fast, and
 * the child small, even if the lab holds a million samples. A child must not
 * access a column unless column_inherit() was called for it before the fork.
 * Smaller columns are in the heap: the kernel limits the number of mappings
 * (vm.max_map_count, 65530), and a session can have more columns.
 */
#ifndef BENCHTOP_MEMORY_H
#define BENCHTOP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

void *xmalloc(size_t size_bytes);
void *xcalloc(size_t count, size_t size_bytes);
/* Begins at a page: for data that the kernel copies and an experiment times.
 * Large blocks of malloc() begin 16 bytes after the beginning of a page, where
 * some processors copy a page three times slower. */
void *xpages(size_t size_bytes);
void *xrealloc(void *old, size_t count, size_t size_bytes);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);
/* Ends the process with this sentence and STATUS_INTERNAL; for callers of
 * mmap(2). */
_Noreturn void memory_exhausted(size_t size_bytes);
/* Returns the free memory of the heap to the system. */
void memory_trim(void);
/* From now on the memory of a large buffer returns when it is freed. */
void memory_return_large(void);
/* Sets a function that restores the terminal before the sentence, without
 * allocating; NULL: none. */
void memory_before_exit(void (*restore)(void));

/* Makes room for one more element in a heap array, which grows by doubling. */
#define ARRAY_GROW(array, count) \
	((array) = array_grow((array), (count), sizeof *(array)))
void *array_grow(void *array, size_t count, size_t size_bytes);

enum { COLUMN_MAPPED = 64 << 10 };

struct column {
	void *data;           /* count elements, owned */
	size_t count;         /* elements in use */
	size_t element_bytes; /* fixed by column_init */
	size_t room_bytes;    /* of data */
};

void column_init(struct column *, size_t element_bytes);
void column_release(struct column *);
/* Sets whether children forked from now on inherit a copy of the column. */
void column_inherit(const struct column *, bool);
/* Appends one element, zeroed, and returns its address. */
void *column_add(struct column *);

#endif
