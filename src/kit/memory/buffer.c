/* Buffers: reserved between guards, written, and looked up in smaps. */
#include "buffer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "available.h"
#include "bijection.h"
#include "probe.h"
#include "text.h"

const char *const pages_choices[PAGES_KINDS + 1] = { "4K", "thp", "huge",
	NULL };

enum { ALIVE_PAGES = 1 << 16 };

/* ---- the mapping ------------------------------------------------------ */

static int refuse_mapping(size_t size_bytes, enum pages pages,
	struct error *error)
{
	int number = errno;
	struct text size = { 0 };

	if (pages != PAGES_HUGE)
		return memory_refuse_map(size_bytes, number, error);
	unit_show(&size, UNIT_BYTES, (double)size_bytes);
	error_set(error, STATUS_USAGE,
		"cannot map %s of huge pages: %s; 'sysctl vm.nr_hugepages=%zu' "
		"reserves them",
		text_chars(&size), strerror(number), size_bytes / HUGE_BYTES);
	text_free(&size);
	return -1;
}

static int refuse_reserving(size_t size_bytes, bool low, struct error *error)
{
	struct text size = { 0 };

	if (!low)
		return refuse_mapping(size_bytes, PAGES_4K, error);
	unit_show(&size, UNIT_BYTES, (double)size_bytes);
	error_set(error, STATUS_USAGE,
		"no room for %s below 4 GiB, the limit of pointers of four "
		"bytes",
		text_chars(&size));
	text_free(&size);
	return -1;
}

/* Address space with room for the guards and the alignment. For an address
 * below 4 GiB the kernel needs a hint at a free range. */
static void *reserve(size_t bytes, bool low)
{
	enum { FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };
	const uint64_t end = (uint64_t)1 << 32;

	if (!low)
		return mmap(NULL, bytes, PROT_NONE, FLAGS, -1, 0);
	for (uint64_t at = 16 << 20; at + bytes <= end; at += 64 << 20) {
		void *got = mmap((void *)(uintptr_t)at, bytes, PROT_NONE, FLAGS,
			-1, 0);

		if (got == MAP_FAILED)
			break;
		if ((uintptr_t)got + bytes <= end)
			return got;
		munmap(got, bytes);
	}
	errno = ENOMEM;
	return MAP_FAILED;
}

static bool try_reserve(struct buffer *buffer, uint64_t bytes, bool low)
{
	buffer->reserved_bytes = bytes;
	buffer->mapping_bytes = bytes + 2 * (size_t)HUGE_BYTES;
	buffer->mapping = reserve(buffer->mapping_bytes, low);
	return buffer->mapping != MAP_FAILED;
}

static uint64_t halved(uint64_t bytes, uint64_t least)
{
	uint64_t half = bytes / 2 / HUGE_BYTES * HUGE_BYTES;

	return half > least ? half : least;
}

/* Reserves this much address space. If that is limited, tries halves of it, and
 * keeps a half of the result for other uses. */
static int reserve_buffer(struct buffer *buffer, uint64_t bytes, uint64_t least,
	bool low, struct error *error)
{
	bool got = try_reserve(buffer, bytes, low), limited = !got;

	while (!got && bytes > least) {
		bytes = halved(bytes, least);
		got = try_reserve(buffer, bytes, low);
	}
	if (got && limited && bytes > least) {
		munmap(buffer->mapping, buffer->mapping_bytes);
		got = try_reserve(buffer, halved(bytes, least), low);
	}
	if (!got)
		return refuse_reserving(buffer->reserved_bytes, low, error);
	uintptr_t first = (uintptr_t)buffer->mapping + 1;
	buffer->start =
		(char *)((first + HUGE_BYTES - 1) & -(uintptr_t)HUGE_BYTES);
	return 0;
}

/* Makes bytes from..to of the reserved space usable. */
static int map(const struct buffer *buffer, size_t from, size_t to,
	struct error *error)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
	char *start = buffer->start + from;

	if (buffer->pages == PAGES_HUGE)
		flags |= MAP_HUGETLB | 21 << MAP_HUGE_SHIFT;
	else
		flags |= MAP_NORESERVE;
	if (mmap(start, to - from, PROT_READ | PROT_WRITE, flags, -1, 0) ==
		MAP_FAILED)
		return refuse_mapping(to - from, buffer->pages, error);
	if (buffer->pages == PAGES_4K)
		madvise(start, to - from, MADV_NOHUGEPAGE);
	if (buffer->pages == PAGES_THP)
		madvise(start, to - from, MADV_HUGEPAGE);
	return 0;
}

/* Returns bytes from..to to the reserved space. */
static void unmap(const struct buffer *buffer, size_t from, size_t to)
{
	(void)mmap(buffer->start + from, to - from, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* ---- the first writes ------------------------------------------------- */

static void touch(char *start, size_t bytes, uint64_t seed, struct probe *probe)
{
	size_t step = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t count = bytes / step;
	uint64_t state = seed;
	struct bijection order;

	bijection_draw(&order, count, &state);
	for (uint64_t i = 0; i < order.values; i++) {
		uint64_t page = seed ? bijection_at(&order, i) : i;

		if (page < count)
			*(volatile uint64_t *)(start + page * step) = page + 1;
		if (probe && i % ALIVE_PAGES == 0)
			probe_alive(probe);
	}
}

/* ---- lookup ----------------------------------------------------------- */

struct smaps {
	uint64_t resident_kib, huge_kib, page_kib;
	bool found;
};

static void read_field(const char *line, struct smaps *smaps)
{
	uint64_t kib;

	if (sscanf(line, "Rss: %" SCNu64, &kib) == 1)
		smaps->resident_kib += kib;
	/* Reserved huge pages do not count as resident. */
	else if (sscanf(line, "Private_Hugetlb: %" SCNu64, &kib) == 1)
		smaps->resident_kib += kib;
	else if (sscanf(line, "AnonHugePages: %" SCNu64, &kib) == 1)
		smaps->huge_kib += kib;
	else if (sscanf(line, "KernelPageSize: %" SCNu64, &kib) == 1)
		smaps->page_kib = kib;
}

static struct smaps look_up(const struct buffer *buffer)
{
	const uintptr_t first = (uintptr_t)buffer->start;
	struct smaps smaps = { 0 };
	char line[4096];
	bool inside = false;
	FILE *file = fopen("/proc/self/smaps", "re");

	while (file && fgets(line, sizeof line, file)) {
		uintptr_t from, to;

		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) == 2) {
			inside = from >= first &&
				to <= first + buffer->size_bytes;
			smaps.found |= inside;
		} else if (inside) {
			read_field(line, &smaps);
		}
	}
	if (file)
		fclose(file);
	return smaps;
}

int buffer_verify(struct buffer *buffer, struct error *error)
{
	struct smaps smaps = look_up(buffer);

	if (!smaps.found)
		return error_set(error, STATUS_INTERNAL,
			"cannot find the pages of the buffer in "
			"/proc/self/smaps: expected /proc");
	if (smaps.resident_kib * 1024 < buffer->size_bytes)
		return error_set(error, STATUS_USAGE,
			"%" PRIu64 " KiB of the buffer are present, expected "
			"%zu: not enough memory, the rest was swapped out",
			smaps.resident_kib, buffer->size_bytes / 1024);
	buffer->page_bytes = smaps.page_kib * 1024;
	buffer->huge_bytes = smaps.huge_kib * 1024;
	if (buffer->page_bytes >= HUGE_BYTES)
		buffer->huge_bytes = buffer->size_bytes;
	if (buffer->pages == PAGES_4K && buffer->huge_bytes)
		return error_set(error, STATUS_USAGE,
			"%zu KiB of the buffer are on huge pages, expected "
			"none",
			buffer->huge_bytes / 1024);
	return 0;
}

/* ---- buffers ---------------------------------------------------------- */

static uint64_t rounded_up(uint64_t size_bytes, enum pages pages)
{
	uint64_t page = pages == PAGES_4K ? (uint64_t)sysconf(_SC_PAGESIZE) :
					    HUGE_BYTES;

	if (size_bytes > UINT64_MAX - 4 * (uint64_t)HUGE_BYTES)
		return UINT64_MAX;
	size_bytes += !size_bytes;
	return (size_bytes + page - 1) / page * page;
}

/* Reserved huge pages are not part of the available memory, so the kernel must
 * check them. */
int buffer_check(const struct buffer *buffer, uint64_t size_bytes,
	struct error *error)
{
	uint64_t room = memory_available("");

	if (buffer->pages == PAGES_HUGE || room == UINT64_MAX)
		room = (uint64_t)1 << 46;
	else
		room += buffer->size_bytes;
	if (size_bytes <= room)
		return 0;
	return memory_refuse("", (double)size_bytes, (double)room, error);
}

static int grow(struct buffer *buffer, size_t size_bytes,
	const struct buffer_wish *wish, struct probe *probe,
	struct error *error)
{
	size_t had = buffer->size_bytes;

	if (map(buffer, had, size_bytes, error))
		return -1;
	buffer->size_bytes = size_bytes;
	if (wish->untouched)
		return 0;
	touch(buffer->start + had, size_bytes - had, wish->seed, probe);
	if (!buffer_verify(buffer, error))
		return 0;
	unmap(buffer, had, size_bytes);
	buffer->size_bytes = had;
	return -1;
}

int buffer_open(struct buffer *buffer, const struct buffer_wish *wish,
	struct probe *probe, struct error *error)
{
	uint64_t size_bytes = rounded_up(wish->size_bytes, wish->pages);
	uint64_t reserve_bytes = rounded_up(wish->reserve_bytes, wish->pages);

	*buffer = (struct buffer){ .pages = wish->pages };
	if (buffer_check(buffer, size_bytes, error))
		return -1;
	if (reserve_bytes < size_bytes)
		reserve_bytes = size_bytes;
	if (reserve_buffer(buffer, reserve_bytes, size_bytes, wish->low,
		    error)) {
		*buffer = (struct buffer){ 0 };
		return -1;
	}
	if (!grow(buffer, size_bytes, wish, probe, error))
		return 0;
	buffer_close(buffer);
	return -1;
}

int buffer_extend(struct buffer *buffer, uint64_t size_bytes, uint64_t seed,
	struct probe *probe, struct error *error)
{
	struct buffer_wish wish = { .seed = seed };

	size_bytes = rounded_up(size_bytes, buffer->pages);
	if (size_bytes <= buffer->size_bytes)
		return 0;
	if (buffer_check(buffer, size_bytes, error))
		return -1;
	if (size_bytes > buffer->reserved_bytes)
		return memory_refuse("", (double)size_bytes,
			(double)buffer->reserved_bytes, error);
	return grow(buffer, size_bytes, &wish, probe, error);
}

void buffer_close(struct buffer *buffer)
{
	if (buffer->start)
		munmap(buffer->mapping, buffer->mapping_bytes);
	*buffer = (struct buffer){ 0 };
}

static void write_size(struct text *text, size_t bytes)
{
	unit_write_whole(text, UNIT_BYTES, (int64_t)bytes);
}

void buffer_describe(const struct buffer *buffer, struct text *text)
{
	double share = (double)buffer->huge_bytes / (double)buffer->size_bytes;

	if (buffer->page_bytes >= HUGE_BYTES) {
		write_size(text, buffer->page_bytes);
	} else if (buffer->huge_bytes >= buffer->size_bytes) {
		write_size(text, HUGE_BYTES);
	} else if (buffer->huge_bytes) {
		write_size(text, HUGE_BYTES);
		text_add(text, " (%.0f %%), ", share * 100);
		write_size(text, buffer->page_bytes);
	} else {
		write_size(text, buffer->page_bytes);
	}
}
