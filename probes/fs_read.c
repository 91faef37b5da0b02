/* How long does reading a block take? */
#include "file_nfs.h"
#include "file_reading.h"
#include "probe.h"
#include "results.h"

static const struct param params[] = {
	FILE_FOLDER_ROW(struct reading_args, where, "the file is"),
	READING_ROWS,
	{ .name = NULL },
};

static int setup(struct probe *probe)
{
	const struct reading_args *args = probe->args;

	if (file_nfs_is_url(args->where))
		return probe_unavailable(probe,
			"nfs:// is another machine's: expected fs.remote "
			"path=nfs://server/export/");
	return reading_setup(probe, false);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	reading_find(results, findings);
}

static void predict(const struct facts *facts, const void *args,
	struct prediction *prediction)
{
	reading_predict(facts, args, prediction);
}

const struct experiment probe_fs_read = {
	.name = "fs.read",
	.title = "Reading a file",
	.question = "How long does reading a block take?",
	.method =
		"A file of random data is written, synced, and seen to have "
		"neither holes nor unwritten extents; then it is read block by "
		"block. Cold: before each pass it is evicted from the page "
		"cache, mincore finds no page of it, and the pass is timed as "
		"a whole, what the kernel reads ahead included; of a random "
		"order at most 2048 blocks, with reading ahead switched off. "
		"Direct: each block is timed by itself, past the cache, and "
		"none of the file may be in it afterwards. Warm: all of it is "
		"in the cache, before and after. In the first launch every "
		"block is compared with what was written. What device and host "
		"keep in caches of their own is not seen from here; nobody "
		"else's pages are ever dropped.",
	.params = params,
	READING_DESCRIPTOR,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_DISK,
	PROVIDES({ QUANTITY_FILE_READ, "time", NULL }),
	.setup = setup,
	.findings = findings_of,
	.predict = predict,
};
