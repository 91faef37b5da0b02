/* The table of bandwidth kernels, their selection, and the rest of a buffer
 * after all whole turns. */
#include "kernels.h"

#include <string.h>

#include "cpuinfo.h"

enum {
	TURN_BYTES = 256, /* of each region in a turn of a kernel's loop */
	PAGE_BYTES = 4096,
	SKEWED_BYTES = 64 << 10,
};

const char *const kernel_ops[] = { "read", "write", "copy", NULL };

#define DECLARE(name) \
	extern __attribute__((visibility("hidden"))) kernel_function name

#define ROW(NAME, OP, REGIONS, STORE, NEEDS, FUNCTION)                      \
	{                                                                   \
		.name = NAME, .op = OP, .regions = REGIONS, .store = STORE, \
		.needs = NEEDS, .sums = (OP) == KERNEL_READ,                \
		.function = FUNCTION                                        \
	}

DECLARE(kernel_read_loop);
DECLARE(kernel_read_unrolled);
DECLARE(kernel_write_loop);
DECLARE(kernel_write_unrolled);
DECLARE(kernel_copy_loop);
DECLARE(kernel_copy_unrolled);

/* The implementation that the C library chooses for this processor. */
static uint64_t library_memset(char *to, const char *from, size_t bytes,
	uint64_t word)
{
	(void)from;
	memset(to, (int)(word & 0xff), bytes);
	return 0;
}

static uint64_t library_memcpy(char *to, const char *from, size_t bytes,
	uint64_t word)
{
	(void)word;
	memcpy(to, from, bytes);
	return 0;
}

#if defined(__x86_64__)

DECLARE(kernel_read_sse);
DECLARE(kernel_read_avx);
DECLARE(kernel_read_avx512);
DECLARE(kernel_read_prefetch_avx);
DECLARE(kernel_read_rep_lods);
DECLARE(kernel_write_sse);
DECLARE(kernel_write_avx);
DECLARE(kernel_write_avx512);
DECLARE(kernel_write_rep_stos);
DECLARE(kernel_write_nt_sse);
DECLARE(kernel_write_nt_avx);
DECLARE(kernel_write_nt_avx512);
DECLARE(kernel_copy_sse);
DECLARE(kernel_copy_avx);
DECLARE(kernel_copy_avx512);
DECLARE(kernel_copy_prefetch_avx);
DECLARE(kernel_copy_rep_movs);
DECLARE(kernel_copy_nt_sse);
DECLARE(kernel_copy_nt_avx);
DECLARE(kernel_copy_nt_avx512);

const char *const kernel_names[] = { "best", "loop", "unrolled", "sse", "avx",
	"avx512", "prefetch-avx", "rep-lods", "rep-stos", "rep-movs", "nt-sse",
	"nt-avx", "nt-avx512", "memset", "memcpy", NULL };

/* AVX2 is needed to add whole words in 32-byte vectors. */
static const struct kernel table[] = {
	ROW("loop", KERNEL_READ, 1, STORE_OWNS, NULL, kernel_read_loop),
	ROW("unrolled", KERNEL_READ, 1, STORE_OWNS, NULL, kernel_read_unrolled),
	ROW("sse", KERNEL_READ, 8, STORE_OWNS, NULL, kernel_read_sse),
	ROW("avx", KERNEL_READ, 8, STORE_OWNS, "avx2", kernel_read_avx),
	ROW("avx512", KERNEL_READ, 8, STORE_OWNS, "avx512f",
		kernel_read_avx512),
	ROW("prefetch-avx", KERNEL_READ, 8, STORE_OWNS, "avx2",
		kernel_read_prefetch_avx),
	{ .name = "rep-lods",
		.op = KERNEL_READ,
		.function = kernel_read_rep_lods },
	ROW("loop", KERNEL_WRITE, 1, STORE_OWNS, NULL, kernel_write_loop),
	ROW("unrolled", KERNEL_WRITE, 1, STORE_OWNS, NULL,
		kernel_write_unrolled),
	ROW("sse", KERNEL_WRITE, 2, STORE_OWNS, NULL, kernel_write_sse),
	ROW("avx", KERNEL_WRITE, 2, STORE_OWNS, "avx2", kernel_write_avx),
	ROW("avx512", KERNEL_WRITE, 2, STORE_OWNS, "avx512f",
		kernel_write_avx512),
	ROW("rep-stos", KERNEL_WRITE, 0, STORE_UNKNOWN, NULL,
		kernel_write_rep_stos),
	ROW("nt-sse", KERNEL_WRITE, 2, STORE_STREAMS, NULL,
		kernel_write_nt_sse),
	ROW("nt-avx", KERNEL_WRITE, 2, STORE_STREAMS, "avx2",
		kernel_write_nt_avx),
	ROW("nt-avx512", KERNEL_WRITE, 2, STORE_STREAMS, "avx512f",
		kernel_write_nt_avx512),
	ROW("memset", KERNEL_WRITE, 0, STORE_UNKNOWN, NULL, library_memset),
	ROW("loop", KERNEL_COPY, 1, STORE_OWNS, NULL, kernel_copy_loop),
	ROW("unrolled", KERNEL_COPY, 1, STORE_OWNS, NULL, kernel_copy_unrolled),
	ROW("sse", KERNEL_COPY, 4, STORE_OWNS, NULL, kernel_copy_sse),
	ROW("avx", KERNEL_COPY, 4, STORE_OWNS, "avx2", kernel_copy_avx),
	ROW("avx512", KERNEL_COPY, 4, STORE_OWNS, "avx512f",
		kernel_copy_avx512),
	ROW("prefetch-avx", KERNEL_COPY, 4, STORE_OWNS, "avx2",
		kernel_copy_prefetch_avx),
	ROW("rep-movs", KERNEL_COPY, 0, STORE_UNKNOWN, NULL,
		kernel_copy_rep_movs),
	ROW("nt-sse", KERNEL_COPY, 4, STORE_STREAMS, NULL, kernel_copy_nt_sse),
	ROW("nt-avx", KERNEL_COPY, 4, STORE_STREAMS, "avx2",
		kernel_copy_nt_avx),
	ROW("nt-avx512", KERNEL_COPY, 4, STORE_STREAMS, "avx512f",
		kernel_copy_nt_avx512),
	ROW("memcpy", KERNEL_COPY, 0, STORE_UNKNOWN, NULL, library_memcpy),
};

void kernel_fence(void)
{
	__asm__ volatile("mfence" : : : "memory");
}

#elif defined(__aarch64__)

DECLARE(kernel_read_neon);
DECLARE(kernel_read_neon_nt);
DECLARE(kernel_write_neon);
DECLARE(kernel_write_neon_nt);
DECLARE(kernel_copy_neon);
DECLARE(kernel_copy_neon_nt);

const char *const kernel_names[] = { "best", "loop", "unrolled", "neon",
	"neon-nt", "memset", "memcpy", NULL };

/* Unknown: many cores detect that a whole line is written and do not read it
 * first, and they may ignore the hint of stnp. */
static const struct kernel table[] = {
	ROW("loop", KERNEL_READ, 1, STORE_UNKNOWN, NULL, kernel_read_loop),
	ROW("unrolled", KERNEL_READ, 1, STORE_UNKNOWN, NULL,
		kernel_read_unrolled),
	ROW("neon", KERNEL_READ, 4, STORE_UNKNOWN, NULL, kernel_read_neon),
	ROW("neon-nt", KERNEL_READ, 4, STORE_UNKNOWN, NULL,
		kernel_read_neon_nt),
	ROW("loop", KERNEL_WRITE, 1, STORE_UNKNOWN, NULL, kernel_write_loop),
	ROW("unrolled", KERNEL_WRITE, 1, STORE_UNKNOWN, NULL,
		kernel_write_unrolled),
	ROW("neon", KERNEL_WRITE, 2, STORE_UNKNOWN, NULL, kernel_write_neon),
	ROW("neon-nt", KERNEL_WRITE, 2, STORE_UNKNOWN, NULL,
		kernel_write_neon_nt),
	ROW("memset", KERNEL_WRITE, 0, STORE_UNKNOWN, NULL, library_memset),
	ROW("loop", KERNEL_COPY, 1, STORE_UNKNOWN, NULL, kernel_copy_loop),
	ROW("unrolled", KERNEL_COPY, 1, STORE_UNKNOWN, NULL,
		kernel_copy_unrolled),
	ROW("neon", KERNEL_COPY, 4, STORE_UNKNOWN, NULL, kernel_copy_neon),
	ROW("neon-nt", KERNEL_COPY, 4, STORE_UNKNOWN, NULL,
		kernel_copy_neon_nt),
	ROW("memcpy", KERNEL_COPY, 0, STORE_UNKNOWN, NULL, library_memcpy),
};

void kernel_fence(void)
{
	__asm__ volatile("dsb ish" : : : "memory");
}

#endif

/* ---- choosing --------------------------------------------------------- */

const struct kernel *kernel_at(size_t i)
{
	return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

size_t kernel_number(const struct kernel *kernel)
{
	return (size_t)(kernel - table);
}

const struct kernel *kernel_find(enum kernel_op op, const char *name)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].op == op && !strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}

bool kernel_runs(const struct kernel *kernel)
{
	return !kernel->needs || cpuinfo_has(kernel->needs);
}

/* ---- running ---------------------------------------------------------- */

/* The rest that is shorter than a turn of all regions. */
static uint64_t run_rest(const struct kernel *kernel, char *to,
	const char *from, size_t bytes, uint64_t word)
{
	if (kernel->op == KERNEL_READ)
		return kernel_sum(from, bytes);
	for (size_t i = 0; i < bytes; i++) {
		to[i] = kernel->op == KERNEL_COPY ? from[i] : (char)word;
		/* Prevents replacement by memset or memcpy. */
		__asm__ volatile("" : : : "memory");
	}
	return 0;
}

/* Regions whose starts are whole pages apart compete for the same cache sets,
 * so each is one turn shorter than that. The number of regions is a power of
 * two: a shift, because a division would be a tenth of a pass over 4 KiB. */
static size_t region_bytes(size_t bytes, unsigned regions)
{
	size_t region = bytes >> __builtin_ctz(regions);

	region = region / TURN_BYTES * TURN_BYTES;

	if (region >= SKEWED_BYTES && region % PAGE_BYTES == 0)
		region -= TURN_BYTES;
	return region;
}

uint64_t kernel_run(const struct kernel *kernel, char *to, const char *from,
	size_t bytes, uint64_t word)
{
	uint64_t sum = 0;

	if (!kernel->regions) {
		sum = kernel->function(to, from, bytes, word);
		bytes = 0;
	}
	while (bytes && bytes >= kernel->regions * (size_t)TURN_BYTES) {
		size_t region = region_bytes(bytes, kernel->regions);
		size_t done = region * kernel->regions;

		sum += kernel->function(to, from, region, word);
		to += done;
		from += done;
		bytes -= done;
	}
	if (bytes)
		sum += run_rest(kernel, to, from, bytes, word);
	return sum;
}

uint64_t kernel_sum(const char *from, size_t bytes)
{
	uint64_t sum = 0, word;

	for (; bytes >= sizeof word; bytes -= sizeof word) {
		memcpy(&word, from, sizeof word);
		sum += word;
		from += sizeof word;
	}
	word = 0;
	memcpy(&word, from, bytes);
	return sum + word;
}

uint64_t kernel_word_after(uint64_t last)
{
	return (last % 256 % 255 + 1) * 0x0101010101010101u;
}

/* All words are equal if the first is right and each equals the next. */
bool kernel_wrote(const char *to, size_t bytes, uint64_t word)
{
	return !memcmp(to, &word, sizeof word) &&
		!memcmp(to, to + sizeof word, bytes - sizeof word);
}

double kernel_ownership(enum kernel_op op, enum kernel_store store)
{
	if (op == KERNEL_READ || store == STORE_STREAMS)
		return 1;
	if (store == STORE_UNKNOWN)
		return 0;
	return op == KERNEL_WRITE ? 2 : 1.5;
}
