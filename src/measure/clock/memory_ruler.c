/* Loads from a fixed region. */
#include "memory_ruler.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "available.h"

enum {
	LINE_BITS = 6,
	LINES_BITS = 20, /* of the region */
};
_Static_assert(MEMORY_RULER_BYTES == 1 << (LINE_BITS + LINES_BITS),
	"the top bits of a random number name a line");

int memory_ruler_make(void)
{
	/* The trials need as much. */
	if (memory_available("") < 2 * (uint64_t)MEMORY_RULER_BYTES)
		return -1;
	int fd = memfd_create("benchtop ruler", MFD_CLOEXEC);

	if (fd >= 0 && posix_fallocate(fd, 0, MEMORY_RULER_BYTES)) {
		close(fd);
		return -1;
	}
	return fd;
}

void memory_ruler_map(struct memory_ruler *ruler, int fd, uint64_t seed)
{
	void *base = fd < 0 ?
		MAP_FAILED :
		mmap(NULL, MEMORY_RULER_BYTES, PROT_READ,
			MAP_SHARED | MAP_POPULATE, fd, 0);

	ruler->base = base == MAP_FAILED ? NULL : base;
	ruler->random = seed;
}

uint64_t memory_ruler_run(struct memory_ruler *ruler, enum tick_source source)
{
	uint64_t random = ruler->random;
	const char *base = ruler->base;
	uint64_t start = tick_now(source);

	for (int i = 0; i < MEMORY_RULER_LOADS; i++) {
		size_t line = (size_t)(random >> (64 - LINES_BITS))
			<< LINE_BITS;

		/* Knuth, MMIX. Adding the loaded value, 0, makes the next load
		 * wait. */
		random = random * 6364136223846793005u + 1442695040888963407u +
			*(const volatile uint64_t *)(const void *)(base + line);
	}
	uint64_t stop = tick_now(source);
	ruler->random = random;
	return stop - start;
}
