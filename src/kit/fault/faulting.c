/* Memory that faults: opened once, prepared for each pass. */
#include "faulting.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "available.h"
#include "file_cache.h"
#include "probe.h"

enum { ALIVE_BYTES = 64 << 20 };

bool faulting_is_file(enum faulting_kind kind)
{
	return kind == FAULTING_FILE || kind == FAULTING_EVICTED;
}

uint64_t faulting_count(enum faulting_kind kind, struct faults faults)
{
	return faults.minor + (kind == FAULTING_EVICTED ? faults.major : 0);
}

static int map(struct faulting *faulting, struct error *error)
{
	size_t size_bytes = faulting->size_bytes;

	if (fresh_map(&faulting->memory, size_bytes, faulting->file.fd,
		    error))
		return -1;
	madvise(faulting->memory.start, size_bytes,
		faulting->huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	madvise(faulting->memory.start, size_bytes, faulting->advice);
	return 0;
}

/* Pages to be copied must have been written before. */
static int write_all(struct faulting *faulting, struct probe *probe,
	struct error *error)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	if (map(faulting, error))
		return -1;
	for (size_t i = 0; i < faulting->size_bytes; i += page_bytes) {
		faulting->memory.start[i] = 1;
		if (i % ALIVE_BYTES == 0)
			probe_alive(probe);
	}
	return 0;
}

/* Refuses a size that would let the kernel kill the process later. */
static int refuse_size(const struct faulting *faulting, struct error *error)
{
	uint64_t available = memory_available("");
	uint64_t needed = faulting->size_bytes;

	if (faulting->kind == FAULTING_COPIED)
		needed *= 2;
	if (needed <= available)
		return 0;
	return memory_refuse("", (double)needed, (double)available, error);
}

static int make_file(struct faulting *faulting, struct probe *probe,
	struct error *error)
{
	char *folder = file_folder("auto", error);
	int failed = !folder ||
		file_make(&faulting->file, folder, faulting->size_bytes, probe,
			error);

	free(folder);
	return failed ? -1 : 0;
}

int faulting_open(struct faulting *faulting, struct probe *probe,
	struct error *error)
{
	int failed = refuse_size(faulting, error);

	faulting->memory = (struct fresh_mapping){ 0 };
	faulting->file = (struct file_made){ .fd = -1 };
	if (faulting->kind == FAULTING_COPIED && !failed)
		failed = write_all(faulting, probe, error);
	if (faulting_is_file(faulting->kind) && !failed)
		failed = make_file(faulting, probe, error);
	if (faulting->kind == FAULTING_FILE && !failed)
		failed = file_warm(faulting->file.fd, faulting->size_bytes,
			probe, error);
	if (failed)
		faulting_close(faulting);
	return failed;
}

int faulting_prepare(struct faulting *faulting, struct error *error)
{
	if (faulting->kind == FAULTING_COPIED)
		return fresh_share(&faulting->memory, error);
	if (faulting->kind == FAULTING_EVICTED &&
		file_evict(faulting->file.fd, faulting->size_bytes, error))
		return -1;
	return map(faulting, error);
}

void faulting_dispose(struct faulting *faulting)
{
	if (faulting->kind == FAULTING_COPIED)
		fresh_unshare(&faulting->memory);
	else
		fresh_unmap(&faulting->memory);
}

void faulting_close(struct faulting *faulting)
{
	fresh_unshare(&faulting->memory);
	fresh_unmap(&faulting->memory);
	file_close(&faulting->file);
}

size_t faulting_window(const struct faulting *faulting,
	const struct touches *touches, bool in_order, size_t most,
	uint64_t *expected)
{
	size_t page_bytes = faulting->huge ? FRESH_ALIGNMENT :
					     (size_t)sysconf(_SC_PAGESIZE);
	size_t stride = touches->stride_bytes, window = touches->count;
	/* Without read-ahead each touch of a file is a separate read. */
	bool single = faulting->kind == FAULTING_EVICTED &&
		faulting->advice == MADV_RANDOM;

	*expected = 0;
	if (!faulting_is_file(faulting->kind))
		*expected = touches_pages(touches, page_bytes);
	if (*expected == touches->count)
		single = true;
	/* A huge page takes as long as hundreds of small ones. */
	if (faulting->huge)
		most = stride < page_bytes ? page_bytes / stride : 1;
	if (faulting->huge && stride < page_bytes && in_order &&
		page_bytes % stride == 0 && most < window) {
		*expected = 1;
		return most;
	}
	if (single && window > most)
		window = most;
	if (*expected == touches->count)
		*expected = window;
	return window;
}
