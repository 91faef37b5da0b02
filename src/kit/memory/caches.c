/* The caches that the kernel reports, and which of them a chain fits. */
#include "caches.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "available.h"
#include "file.h"
#include "probe.h"
#include "processors.h"

enum {
	INDICES_MAX = 8,
	LINE_USUAL = 64,
};

/* ---- sysfs ------------------------------------------------------------ */

struct entry {
	const char *root;
	int cpu, index;
};

static bool peek(const struct entry *entry, const char *name, char *into,
	size_t size_bytes)
{
	char path[512];

	snprintf(path, sizeof path,
		"%s/sys/devices/system/cpu/cpu%d/cache/index%d/%s", entry->root,
		entry->cpu, entry->index, name);
	return !file_peek(path, into, size_bytes) && into[0];
}

static unsigned peek_number(const struct entry *entry, const char *name)
{
	char digits[32];
	unsigned number = 0;

	if (peek(entry, name, digits, sizeof digits))
		sscanf(digits, "%u", &number);
	return number;
}

/* "32K", "2048K", "1M". */
static uint64_t peek_size(const struct entry *entry)
{
	char digits[32], unit = ' ';
	uint64_t size = 0;

	if (!peek(entry, "size", digits, sizeof digits) ||
		sscanf(digits, "%" SCNu64 "%c", &size, &unit) < 1)
		return 0;
	return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : size;
}

static bool read_cache(const struct entry *entry, struct cache *cache)
{
	char type[16];
	unsigned level = peek_number(entry, "level");

	if (!level || level > LEVEL_L4 ||
		!peek(entry, "type", type, sizeof type) ||
		!strcmp(type, "Instruction"))
		return false;
	cache->level = (enum memory_level)level;
	cache->size_bytes = peek_size(entry);
	cache->line_bytes = peek_number(entry, "coherency_line_size");
	cache->ways = peek_number(entry, "ways_of_associativity");
	return cache->size_bytes != 0;
}

static void insert(struct caches *caches, const struct cache *cache)
{
	size_t at = caches->count++;

	for (; at && caches->list[at - 1].size_bytes > cache->size_bytes; at--)
		caches->list[at] = caches->list[at - 1];
	caches->list[at] = *cache;
}

void caches_read(struct caches *caches, const char *root, int cpu)
{
	struct entry entry = { .root = root, .cpu = cpu };

	*caches = (struct caches){ 0 };
	for (; entry.index < INDICES_MAX; entry.index++) {
		struct cache cache = { .size_bytes = 0 };

		if (caches->count < CACHES_MAX && read_cache(&entry, &cache))
			insert(caches, &cache);
	}
}

/* ---- the last level --------------------------------------------------- */

/* The size of the last cache if this processor is the first that shares it,
 * else 0, so that each cache is counted once. */
static uint64_t counted_here(const char *root, int cpu)
{
	struct entry entry = { .root = root, .cpu = cpu };
	uint64_t largest = 0;
	int largest_at = -1, first = cpu;
	char list[256];

	for (; entry.index < INDICES_MAX; entry.index++) {
		struct cache cache;

		if (!read_cache(&entry, &cache) || cache.size_bytes <= largest)
			continue;
		largest = cache.size_bytes;
		largest_at = entry.index;
	}
	entry.index = largest_at;
	if (largest && peek(&entry, "shared_cpu_list", list, sizeof list))
		sscanf(list, "%d", &first);
	return first == cpu ? largest : 0;
}

uint64_t caches_last_total(const char *root)
{
	struct processors online;
	uint64_t total = 0;
	char list[512], path[512];

	snprintf(path, sizeof path, "%s/sys/devices/system/cpu/online", root);
	if (file_peek(path, list, sizeof list))
		return 0;
	processors_read(list, &online);
	for (int cpu = 0; cpu < PROCESSORS_MAX; cpu++)
		if (online.has[cpu])
			total += counted_here(root, cpu);
	return total;
}

int64_t caches_reach(unsigned times, uint64_t least_bytes)
{
	enum { MOST = 1 << 30, USUAL = 64 << 20 };
	static uint64_t last;
	struct caches caches;

	if (!last) {
		caches_read(&caches, "", 0);
		last = caches.count ? caches.list[caches.count - 1].size_bytes :
				      USUAL;
	}
	uint64_t bytes = times * last;
	uint64_t most = memory_quarter() < MOST ? memory_quarter() : MOST;
	bytes = bytes < least_bytes ? least_bytes : bytes;
	return (int64_t)(bytes < most ? bytes : most);
}

/* CPUID leaf 1, ECX bit 31, which hypervisors set. */
static bool is_guest(void)
{
#ifdef __x86_64__
	unsigned a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c >> 31;
#else
	return false;
#endif
}

int64_t caches_reach_bytes(void)
{
	enum { GUEST_MOST = 256 << 20 };
	int64_t bytes = caches_reach(4, 0);

	return bytes > GUEST_MOST && is_guest() ? GUEST_MOST : bytes;
}

/* ---- which level serves ----------------------------------------------- */

/* The bytes of a cache that the chain occupies. */
static double filled(const struct cache *cache, uint64_t nodes,
	uint64_t stride_bytes)
{
	uint64_t line = cache->line_bytes ? cache->line_bytes : LINE_USUAL;
	uint64_t sets = cache->size_bytes / line;
	uint64_t apart = stride_bytes / line;

	if (stride_bytes <= line)
		return (double)nodes * (double)stride_bytes;
	if (cache->ways)
		sets /= cache->ways;
	/* The largest power of two that divides the stride in lines. A stride
	 * that is not a multiple of the line visits all sets. */
	uint64_t power = stride_bytes % line ? 1 : apart & -apart;
	if (power > sets)
		power = sets;
	return (double)nodes * (double)line * (double)(power ? power : 1);
}

struct serving caches_serving(const struct caches *caches, uint64_t nodes,
	uint64_t stride_bytes)
{
	struct serving serving = { .level = LEVEL_UNKNOWN };

	for (size_t i = 0; i < caches->count; i++) {
		const struct cache *cache = &caches->list[i];
		double share = filled(cache, nodes, stride_bytes) /
			(double)cache->size_bytes;
		bool last = i + 1 == caches->count;

		if (share > 1.25)
			continue;
		serving.level = cache->level;
		if (share > .8)
			serving.also = last ? LEVEL_MEMORY :
					      caches->list[i + 1].level;
		return serving;
	}
	serving.level = caches->count ? LEVEL_MEMORY : LEVEL_UNKNOWN;
	return serving;
}

void serving_note(struct probe *probe, const struct serving *serving)
{
	struct text words = { 0 };

	serving_write(serving, &words);
	probe_note(probe, "level", "%s", text_chars(&words));
	text_free(&words);
}

void caches_note_serving(struct probe *probe, uint64_t nodes,
	uint64_t stride_bytes)
{
	struct caches caches;

	caches_read(&caches, "", probe->cpu);
	const struct serving serving =
		caches_serving(&caches, nodes, stride_bytes);
	serving_note(probe, &serving);
}

void caches_write_ways(const struct caches *caches, struct text *text)
{
	for (size_t i = 0; i < caches->count; i++)
		text_add(text, "%s%u", i ? " " : "", caches->list[i].ways);
}

size_t caches_read_ways(const char *note, unsigned ways[CACHES_MAX])
{
	size_t count = 0;
	int used = 0;

	while (note && count < CACHES_MAX &&
		sscanf(note, "%u%n", &ways[count], &used) == 1) {
		note += used;
		count++;
	}
	return count;
}
