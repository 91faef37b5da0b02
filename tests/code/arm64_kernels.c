/* Every bandwidth kernel of arm64, at many sizes: the right bytes and sums. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

enum { MOST = 70000, GUARD = 256 };

static char *from, *to;

static int is_right(const struct kernel *kernel, size_t size)
{
	const uint64_t word = 0xa5a5a5a5a5a5a5a5u;

	memset(to, 0x11, MOST + GUARD);
	uint64_t sum = kernel_run(kernel, to, from, size, word);
	if (kernel->op == KERNEL_READ)
		return sum == kernel_sum(from, size);
	for (size_t i = 0; i < MOST + GUARD; i++) {
		char wanted = kernel->op == KERNEL_COPY ? from[i] : (char)0xa5;

		if (to[i] != (i < size ? wanted : 0x11))
			return 0;
	}
	return 1;
}

int main(void)
{
	const struct kernel *kernel;
	size_t count = 0;

	from = aligned_alloc(64, (MOST + GUARD) / 64 * 64 + 64);
	to = aligned_alloc(64, (MOST + GUARD) / 64 * 64 + 64);
	for (size_t i = 0; i < MOST + GUARD; i++)
		from[i] = (char)(i * 131 + i / 251);
	for (size_t i = 0; (kernel = kernel_at(i)); i++, count++)
		for (size_t size = 0; size <= MOST; size += 1 + size / 9)
			if (!is_right(kernel, size)) {
				fprintf(stderr, "wrong: %s %s of %zu bytes\n",
					kernel_ops[kernel->op], kernel->name,
					size);
				return 1;
			}
	printf("%zu kernels move the right bytes\n", count);
	return count < 12;
}
