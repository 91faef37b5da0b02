/* Allocation that does not return on failure, and columns. */
#include "memory.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"

static void (*before_exit)(void);

void memory_before_exit(void (*restore)(void))
{
	before_exit = restore;
}

/* Without destructors and buffers: they may need memory. */
void memory_exhausted(size_t size_bytes)
{
	if (before_exit)
		before_exit();
	dprintf(STDERR_FILENO,
		"benchtop: out of memory: cannot allocate %zu bytes; autosaved "
		"runs are kept, and `benchtop recover` recovers an interrupted "
		"run\n",
		size_bytes);
	_exit(STATUS_INTERNAL);
}

/* musl has neither function, and returns large buffers by itself. */
void memory_trim(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

void memory_return_large(void)
{
#ifdef __GLIBC__
	enum { LARGE_BYTES = 128 << 10 };

	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
#endif
}

void *xmalloc(size_t size_bytes)
{
	void *made = malloc(size_bytes ? size_bytes : 1);

	if (!made)
		memory_exhausted(size_bytes);
	return made;
}

void *xcalloc(size_t count, size_t size_bytes)
{
	size_t wanted;

	if (__builtin_mul_overflow(count, size_bytes, &wanted))
		memory_exhausted(SIZE_MAX);
	void *made = calloc(count ? count : 1, size_bytes ? size_bytes : 1);
	if (!made)
		memory_exhausted(wanted);
	return made;
}

void *xpages(size_t size_bytes)
{
	void *made;

	if (posix_memalign(&made, (size_t)sysconf(_SC_PAGESIZE), size_bytes))
		memory_exhausted(size_bytes);
	return made;
}

void *xrealloc(void *old, size_t count, size_t size_bytes)
{
	size_t wanted;

	if (__builtin_mul_overflow(count, size_bytes, &wanted))
		memory_exhausted(SIZE_MAX);
	void *made = realloc(old, wanted ? wanted : 1);
	if (!made)
		memory_exhausted(wanted);
	return made;
}

char *xstrdup(const char *text)
{
	return xstrndup(text, strlen(text));
}

char *xstrndup(const char *text, size_t length)
{
	char *made = xmalloc(length + 1);

	memcpy(made, text, length);
	made[length] = '\0';
	return made;
}

void *array_grow(void *array, size_t count, size_t size_bytes)
{
	/* The capacity is the next power of two, so it need not be stored. */
	if (count & (count - 1))
		return array;
	return xrealloc(array, count ? count * 2 : 1, size_bytes);
}

void column_init(struct column *column, size_t element_bytes)
{
	*column = (struct column){ .element_bytes = element_bytes };
}

static bool is_mapped(const struct column *column)
{
	return column->room_bytes >= COLUMN_MAPPED;
}

void column_release(struct column *column)
{
	if (is_mapped(column))
		munmap(column->data, column->room_bytes);
	else
		free(column->data);
	column_init(column, column->element_bytes);
}

void column_inherit(const struct column *column, bool inherit)
{
	if (is_mapped(column))
		madvise(column->data, column->room_bytes,
			inherit ? MADV_DOFORK : MADV_DONTFORK);
}

static void widen_in_heap(struct column *column, size_t bytes)
{
	size_t before = column->room_bytes;

	column->data = xrealloc(column->data, bytes, 1);
	memset((char *)column->data + before, 0, bytes - before);
}

static void widen_mapping(struct column *column, size_t bytes)
{
	void *old = column->data, *data;

	if (is_mapped(column))
		data = mremap(old, column->room_bytes, bytes, MREMAP_MAYMOVE);
	else
		data = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (data == MAP_FAILED)
		memory_exhausted(bytes);
	if (!is_mapped(column)) {
		memcpy(data, old, column->room_bytes);
		free(old);
	}
	madvise(data, bytes, MADV_DONTFORK);
	column->data = data;
}

static void column_widen(struct column *column)
{
	enum { FIRST = 16 };
	size_t bytes = column->room_bytes ? column->room_bytes * 2 :
					    FIRST * column->element_bytes;

	if (bytes < COLUMN_MAPPED)
		widen_in_heap(column, bytes);
	else
		widen_mapping(column, bytes);
	column->room_bytes = bytes;
}

void *column_add(struct column *column)
{
	size_t used = column->count * column->element_bytes;

	if (used + column->element_bytes > column->room_bytes)
		column_widen(column);
	column->count++;
	return (char *)column->data + used;
}
