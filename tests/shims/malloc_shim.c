/* Allocations that fail on order. */
#include "malloc_shim.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Those of the C library, whose names these functions take. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static struct malloc_order *order; /* NULL: nothing fails */

/* Where hwloc is: it crashes if an allocation fails. */
static uintptr_t spared_from, spared_to;

static int find_spared(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	(void)context;
	if (!strstr(info->dlpi_name, "/libhwloc"))
		return 0;
	spared_from = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t end = info->dlpi_addr + part->p_vaddr + part->p_memsz;

		if (part->p_type == PT_LOAD && end > spared_to)
			spared_to = end;
	}
	return 1;
}

static bool is_benchtop(void)
{
	char program[512];
	ssize_t length =
		readlink("/proc/self/exe", program, sizeof program - 1);

	program[length > 0 ? length : 0] = '\0';
	return strstr(program, "/benchtop");
}

__attribute__((constructor)) static void read_order(void)
{
	const char *path = getenv("BENCHTOP_MALLOC");
	int fd = path && is_benchtop() ? open(path, O_RDWR | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	void *mapped = mmap(NULL, sizeof *order, PROT_READ | PROT_WRITE,
		MAP_SHARED, fd, 0);
	close(fd);
	dl_iterate_phdr(find_spared, NULL);
	if (mapped != MAP_FAILED)
		order = mapped;
}

static bool fails(const void *caller)
{
	uintptr_t from = (uintptr_t)caller;

	if (!order || (from >= spared_from && from < spared_to))
		return false;
	unsigned number = ++order->count;
	if (number < order->nth || (number > order->nth && !order->and_more))
		return false;
	order->reached = true;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL :
						    __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL :
						    __libc_realloc(old, size);
}
