/* The size of traffic, and its notes. */
#include "available.h"
#include "caches.h"
#include "probe.h"
#include "traffic_internal.h"

enum {
	LINE_BYTES = 64,
	UNKNOWN_BYTES = 64 << 20, /* assumed last-level cache if it is not
				   * reported */
	LEAST_AUTO_BYTES = 64 << 20,
};

uint64_t traffic_cache_bytes(void)
{
	uint64_t known = caches_last_total("");

	return known ? known : UNKNOWN_BYTES;
}

uint64_t traffic_auto_bytes(struct probe *probe, enum kernel_op op)
{
	uint64_t wanted = 4 * traffic_cache_bytes();
	uint64_t most = memory_quarter();

	if (op == KERNEL_COPY)
		most /= 2;
	if (wanted < LEAST_AUTO_BYTES)
		wanted = LEAST_AUTO_BYTES;
	if (wanted <= most)
		return wanted;
	probe_note(probe, "capped",
		"%.0f MiB is four times the last-level caches, but more than a "
		"quarter of the available memory",
		(double)wanted / (1 << 20));
	return most;
}

/* ---- levels ----------------------------------------------------------- */

static uint64_t each_bytes(const struct traffic *traffic)
{
	uint64_t buffers = traffic->op == KERNEL_COPY ? 2 : 1;

	return buffers * traffic->chunks * traffic->chunk_bytes;
}

/* Finds the core's own cache that holds its thread's share, if any. */
static bool find_own_cache(const struct traffic *traffic, struct cache *found)
{
	struct caches caches;

	caches_read(&caches, "", traffic->probe->cpu);
	for (size_t i = 0; i + 1 < caches.count; i++)
		if (each_bytes(traffic) <= caches.list[i].size_bytes) {
			*found = caches.list[i];
			return true;
		}
	return false;
}

/* The reported last-level cache is ignored: a virtual machine may have only a
 * small part of it. */
static bool stays_in_core(const struct traffic *traffic)
{
	struct cache own;

	return find_own_cache(traffic, &own);
}

double traffic_ownership(const struct traffic *traffic,
	const struct kernel *kernel)
{
	return stays_in_core(traffic) ?
		0 :
		kernel_ownership(traffic->op, kernel->store);
}

/* ---- notes ------------------------------------------------------------ */

static struct serving level_beyond(uint64_t bytes, uint64_t last_bytes)
{
	if (bytes <= last_bytes)
		return (struct serving){ .level = LEVEL_LAST };
	if (bytes < 4 * last_bytes)
		return (struct serving){ LEVEL_LAST, LEVEL_MEMORY, false };
	return (struct serving){ .level = LEVEL_MEMORY };
}

static void note_level(const struct traffic *traffic)
{
	struct probe *probe = traffic->probe;
	uint64_t bytes = each_bytes(traffic);
	uint64_t last_bytes = caches_last_total("");
	struct text share = { 0 };
	struct serving serving;
	struct cache own;

	unit_write_whole(&share, UNIT_BYTES, (int64_t)bytes);
	probe_note(probe, "share", "%s", text_chars(&share));
	text_free(&share);
	if (find_own_cache(traffic, &own)) {
		serving = (struct serving){ .level = own.level, .each = true };
	} else if (last_bytes) {
		serving = level_beyond(bytes * traffic->threads, last_bytes);
	} else {
		probe_note(probe, "level", "unknown: the kernel reports no cache");
		return;
	}
	serving_note(probe, &serving);
}

void traffic_note(const struct traffic *traffic, const struct kernel *kernel)
{
	struct probe *probe = traffic->probe;
	uint64_t lines = traffic_lines(traffic, traffic->chunks);
	struct text pages = { 0 }, size = { 0 };

	buffer_describe(traffic->from, &pages);
	unit_write_whole(&size, UNIT_BYTES, (int64_t)(lines * LINE_BYTES));
	probe_note(probe, "kernel", "%s", kernel->name);
	probe_note(probe, "threads", "%u", traffic->threads);
	probe_note(probe, "pages", "%s", text_chars(&pages));
	probe_note(probe, "size", "%s%s", text_chars(&size),
		traffic->op == KERNEL_COPY ? ", read and written" : "");
	if (stays_in_core(traffic))
		probe_note(probe, "traffic",
			"not estimated: the size fits the core's own cache, "
			"and the estimate is for traffic beyond it");
	else if (traffic_ownership(traffic, kernel) == 0)
		probe_note(probe, "traffic",
			"not estimated: whether %s reads a line before it "
			"overwrites it is unknown",
			kernel->name);
	note_level(traffic);
	text_free(&pages);
	text_free(&size);
}
