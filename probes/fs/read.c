/* How long does reading a block take? */
#include "file_nfs.h"
#include "file_reading.h"
#include "probe.h"
#include "results.h"

static const struct param params[] = {
	FILE_FOLDER_ROW(struct reading_args, where, "the file"),
	READING_ROWS,
	{ .name = NULL },
};

static int setup(struct probe *probe)
{
	const struct reading_args *args = probe->args;

	if (file_nfs_is_url(args->where))
		return probe_unavailable(probe,
			"nfs:// is on another machine: expected fs.remote "
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
		"A file of random data is written, synced, and checked for "
		"holes and unwritten extents; then it is read block by block. "
		"Cold: before each pass the file is evicted and mincore finds "
		"no page of it. The pass is timed as a whole, read-ahead "
		"included; in random order it is at most 2048 blocks without "
		"read-ahead. Direct: each O_DIRECT read is timed by itself, "
		"and no page of the file may be cached afterwards. Warm: the "
		"whole file is cached before and after. In the first launch "
		"every block is compared with the data written. Caches of the "
		"device and of the host are not visible here. Pages of other "
		"files are never dropped.",
	.params = params,
	READING_DESCRIPTOR,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_DISK,
	PROVIDES({ QUANTITY_FILE_READ, "time", NULL }),
	.setup = setup,
	.findings = findings_of,
	.predict = predict,
};
