/* A file in the page cache. */
#include "warm_file.h"

#include <inttypes.h>

#include "probe.h"

int warm_file_open(struct warm_file *file, struct probe *probe,
	const char *where, int64_t size_bytes, int64_t block_bytes,
	unsigned number)
{
	struct error error;

	if (size_bytes % block_bytes)
		return probe_unavailable(probe,
			"the file size, %" PRId64 " bytes, is not a multiple "
			"of the block, %" PRId64 " bytes",
			size_bytes, block_bytes);
	if (file_nfs_is_url(where))
		return probe_unavailable(probe,
			"nfs:// is not in the page cache: expected a folder");
	file->source = file_source_take(probe, where, (uint64_t)size_bytes,
		number);
	if (!file->source)
		return -1;
	if (file_reader_open(&file->reader, file->source, FILE_WARM,
		    FILE_SHUFFLED, (size_t)block_bytes, probe, &error)) {
		file_source_release(file->source);
		return file_refuse(probe, &error);
	}
	file_order_draw(&file->order, FILE_SHUFFLED,
		(size_t)(size_bytes / block_bytes), &probe->random);
	return 0;
}

void warm_file_close(struct warm_file *file)
{
	if (!file->reader.buffer)
		return;
	file_reader_close(&file->reader);
	file_order_free(&file->order);
	file_source_release(file->source);
}

bool warm_file_read(struct warm_file *file, struct probe *probe, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		uint32_t block = file_order_next(&file->order);

		if (__builtin_expect(!file_reader_get(&file->reader, block),
			    0)) {
			file_reader_failed(&file->reader, block, probe);
			return false;
		}
	}
	return true;
}
