/* What a sync proves. */
#include "durable_proof.h"

#include <math.h>
#include <string.h>

#include "file_cache.h"
#include "file_flush.h"
#include "file_system.h"
#include "probe.h"

/* Of the note write-cache. */
static const char *const caches[] = {
	[WRITE_CACHE_UNKNOWN] = "unknown: flushes are not counted",
	[WRITE_CACHE_MEMORY] = "the file system is in memory",
	[WRITE_CACHE_NONE] = "none is reported",
	[WRITE_CACHE_VOLATILE] = "volatile, flushes are counted",
};

static enum write_cache cache_of(int fd, const struct file_flush *flush)
{
	if (file_lives_in_memory(fd) || flush->memory)
		return WRITE_CACHE_MEMORY;
	if (!flush->counted)
		return WRITE_CACHE_UNKNOWN;
	return flush->volatile_cache ? WRITE_CACHE_VOLATILE : WRITE_CACHE_NONE;
}

enum write_cache durable_note_device(int fd, struct file_flush *flush,
	struct probe *probe)
{
	struct file_system system;

	file_system_read(&system, fd, "");
	file_flush_open(flush, system.device, "");
	enum write_cache cache = cache_of(fd, flush);
	file_system_note(&system, probe);
	probe_note(probe, "disk", "%s",
		*system.device ? system.device : system.type);
	probe_note(probe, "write-cache", "%s", caches[cache]);
	return cache;
}

void durable_judge(const struct point *point, double flushed, bool threads,
	struct text *answer)
{
	const char *cache = point_note(point, "write-cache");
	const char *disk = point_note(point, "disk");

	if (!cache || !disk)
		return;
	text_add(answer, "%s ", disk);
	if (!strcmp(cache, caches[WRITE_CACHE_MEMORY]))
		text_add(answer,
			"is memory: no sync makes a write durable, and a loss "
			"of power loses what was written");
	else if (!strcmp(cache, caches[WRITE_CACHE_NONE]))
		text_add(answer,
			"reports no volatile write cache: it needs no flush, "
			"and a write is durable if that report is true");
	else if (!strcmp(cache, caches[WRITE_CACHE_VOLATILE]) && threads)
		text_add(answer,
			"counts the flushes of all threads together: measure "
			"threads=1 to prove that a sync flushes");
	else if (isnan(flushed))
		text_add(answer,
			"counts no flushes: whether a sync reaches the device "
			"is unknown");
	else if (flushed > .999)
		text_add(answer,
			"has a volatile write cache, and completed a flush "
			"during every durable write");
	else
		text_add(answer,
			"acknowledges without flushing: it has a volatile "
			"write cache, and %.3g %% of the durable writes ended "
			"without a flush",
			100 * (1 - flushed));
}
