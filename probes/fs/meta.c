/* What does it cost to change or find a name in a folder? */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "basis.h"
#include "digest.h"
#include "file.h"
#include "file_content.h"
#include "file_made.h"
#include "file_source.h"
#include "file_tree.h"
#include "memory.h"
#include "party.h"
#include "probe.h"
#include "results.h"

enum op { CREATE, RENAME, UNLINK, MKDIR, STAT };
static const char *const ops[] = { "create", "rename", "unlink", "mkdir",
	"stat", NULL };

struct args {
	int op;
	int64_t files, dirs, size_bytes;
	const char *where;
};

enum { DIRS_MOST = 256, BATCH = 64, NAME_BYTES = 24, FILE_BYTES = 1024,
	SIZE_MOST = 1 << 20, PAGE_BYTES = 4096 };

static const struct param params[] = {
	{ .name = "op",
		.label = "operation",
		.help = "create: open a new file and close it; rename: to a "
			"new name, in the next folder; unlink, mkdir, stat",
		.preset = "create,rename,unlink,mkdir,stat",
		CHOICE_FIELD(struct args, op),
		.choices = ops },
	{ .name = "files",
		.label = "files",
		.help = "number of empty files that are in the folders during "
			"the operations",
		.preset = "100,1000",
		WHOLE_FIELD(struct args, files),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = 100000 },
	{ .name = "dirs",
		.label = "folders",
		.help = "number of folders over which files and operations are "
			"spread evenly",
		.preset = "1",
		WHOLE_FIELD(struct args, dirs),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = DIRS_MOST },
	{ .name = "size",
		.label = "size",
		.help = "bytes that are written into each new file",
		.preset = "0",
		WHOLE_FIELD(struct args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 0,
		.max = SIZE_MOST },
	FILE_FOLDER_ROW(struct args, where, "the folders"),
	{ .name = NULL },
};

enum { TIME, RATE };

static bool per_second(const void *context, double weight[METRICS_MAX])
{
	(void)context;
	weight[TIME] = 1;
	return true;
}

static const struct metric metrics[] = {
	[TIME] = { .name = "time",
		.label = "time per operation",
		.unit = UNIT_NS },
	[RATE] = { .name = "rate",
		.label = "operations per second",
		.unit = UNIT_HZ,
		.better = MORE_IS_BETTER,
		.kind = METRIC_DERIVED,
		.derive = per_second,
		.rate = true },
	{ .name = NULL },
};

/* The operations of a trial are on names that no earlier trial has used: the
 * kernel remembers that a removed name is absent. */
struct state {
	const struct args *args;
	struct file_tree tree;
	int dirs[DIRS_MOST];
	ino_t *inodes; /* of the files */
	uint64_t number; /* of the next name */
	char names[BATCH][NAME_BYTES];
	char others[BATCH][NAME_BYTES]; /* before a renaming */
	int in[BATCH], to[BATCH]; /* folders of the names; after a renaming */
	size_t turn;          /* of renaming */
	size_t picked[BATCH]; /* files for stat */
	struct stat found[BATCH];
	bool checked; /* in this visit */
};

static int dir_of(const struct state *s, size_t number)
{
	return s->dirs[number % (size_t)s->args->dirs];
}

/* Untimed: divisions in the operations would count. */
static void choose_dirs(struct state *s, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t number = s->args->op == STAT ? s->picked[i] :
						      i + s->turn;

		s->in[i] = dir_of(s, number);
		s->to[i] = dir_of(s, number + 1);
	}
}

/* ---- the operations --------------------------------------------------- */

static char content[SIZE_MOST];

static int create(int dir, const char *name, int64_t size_bytes)
{
	int fd = openat(dir, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
		0600);

	if (fd < 0)
		return -1;
	int failed = size_bytes &&
		file_write_all(fd, content, (size_t)size_bytes);
	return close(fd) || failed ? -1 : 0;
}

#define EACH(call) \
	for (size_t i = 0; i < count; i++) \
		if (call) \
			return -1;

static int operate(struct state *s, size_t count)
{
	switch ((enum op)s->args->op) {
	case CREATE:
		EACH(create(s->in[i], s->names[i], s->args->size_bytes));
		break;
	case RENAME:
		EACH(renameat(s->in[i], s->others[i], s->to[i], s->names[i]));
		break;
	case UNLINK:
		EACH(unlinkat(s->in[i], s->names[i], 0));
		break;
	case MKDIR:
		EACH(mkdirat(s->in[i], s->names[i], 0700));
		break;
	case STAT:
		EACH(fstatat(s->in[i], s->names[i], &s->found[i], 0));
		break;
	}
	return 0;
}

/* Untimed, before the operations. */
static int prepare(struct probe *probe, struct state *s, size_t count)
{
	int op = s->args->op;

	if (op == RENAME)
		memcpy(s->others, s->names, sizeof s->names);
	for (size_t i = 0; i < count && op != STAT; i++)
		snprintf(s->names[i], NAME_BYTES, "n%" PRIu64, s->number++);
	for (size_t i = 0; i < count && op == STAT; i++) {
		s->picked[i] = (size_t)probe_random_below(probe,
			(uint64_t)s->args->files);
		snprintf(s->names[i], NAME_BYTES, "f%zu", s->picked[i]);
	}
	memset(s->found, 0, sizeof s->found);
	choose_dirs(s, count);
	if (op == UNLINK)
		EACH(create(s->in[i], s->names[i], s->args->size_bytes));
	return 0;
}

/* Untimed, after the operations. */
static int undo(struct state *s, size_t count)
{
	int op = s->args->op;

	if (op == CREATE || op == MKDIR)
		EACH(unlinkat(s->in[i], s->names[i],
			op == MKDIR ? AT_REMOVEDIR : 0));
	s->turn += op == RENAME;
	return 0;
}

/* ---- verification ----------------------------------------------------- */

/* After the first operations of a visit, before they are undone. */
static void verify(struct probe *probe, struct state *s, size_t count)
{
	int op = s->args->op;
	int64_t expected = s->args->files, entries = 0;

	if (op == CREATE || op == MKDIR || op == RENAME)
		expected += (int64_t)count;
	for (size_t i = 0; i < (size_t)s->args->dirs; i++)
		entries += file_tree_entries(s->dirs[i]);
	if (entries != expected)
		probe_invalid(probe,
			"the folders have %" PRId64 " entries after the "
			"operations, expected %" PRId64,
			entries, expected);
	for (size_t i = 0; op == STAT && i < count; i++)
		if (s->found[i].st_ino != s->inodes[s->picked[i]])
			probe_invalid(probe, "stat found another file");
	s->checked = true;
}

static void failed_call(struct probe *probe)
{
	const struct args *args = probe->args;

	if (errno == ENOSPC || errno == EDQUOT)
		probe_unavailable(probe,
			"%s failed in %s beside %" PRId64 " files: %s: "
			"expected fewer, or another folder",
			ops[args->op], file_folder_quoted(args->where).chars,
			args->files, strerror(errno));
	else
		probe_fail(probe, "%s failed in %s: %s", ops[args->op],
			file_folder_quoted(args->where).chars, strerror(errno));
}

/* An operation may wait, for the journal or a server. Then other tasks run by
 * design; otherwise a switch is a disturbance. */
static bool disturbed(uint64_t sleeps, uint64_t preemptions)
{
	return party_preemptions() > preemptions && party_sleeps() == sleeps;
}

static void trial(struct probe *probe, uint64_t ops_wanted)
{
	struct state *s = probe->state;

	(void)ops_wanted;
	if (prepare(probe, s, BATCH)) {
		failed_call(probe);
		return;
	}
	uint64_t sleeps = party_sleeps();
	uint64_t preemptions = party_preemptions();

	probe_start(probe);
	int failed = operate(s, BATCH);
	uint64_t end = probe_end(probe);
	if (!failed)
		probe_stop_judged(probe, TIME, BATCH, end,
			disturbed(sleeps, preemptions));
	if (!failed && !s->checked)
		verify(probe, s, BATCH);
	if (failed || undo(s, BATCH))
		failed_call(probe);
}

/* ---- set-up ----------------------------------------------------------- */

static int make_files(struct probe *probe, struct state *s)
{
	struct stat status;
	char name[NAME_BYTES];

	for (size_t i = 0; i < (size_t)s->args->files; i++) {
		snprintf(name, sizeof name, "f%zu", i);
		if (create(dir_of(s, i), name, 0))
			return -1;
		if (s->args->op == STAT) {
			if (fstatat(dir_of(s, i), name, &status, 0))
				return -1;
			s->inodes[i] = status.st_ino;
		}
		if (i % 100 == 0)
			probe_alive(probe);
	}
	for (size_t i = 0; i < BATCH && s->args->op == RENAME; i++) {
		snprintf(s->names[i], NAME_BYTES, "n%" PRIu64, s->number++);
		if (create(dir_of(s, i), s->names[i], s->args->size_bytes))
			return -1;
	}
	return 0;
}

static int make_all(struct probe *probe, struct state *s, const char *folder)
{
	const struct args *args = s->args;
	struct file_system system;
	struct error error;

	uint64_t size_bytes = (uint64_t)args->files * FILE_BYTES +
		BATCH * (uint64_t)args->size_bytes;

	if (file_check_space(folder, size_bytes, &error) ||
		file_tree_make(&s->tree, folder, &error))
		return file_refuse(probe, &error);
	file_content(1, 0, content, sizeof content);
	if (file_tree_folders(&s->tree, s->dirs, (size_t)args->dirs) ||
		make_files(probe, s))
		return probe_unavailable(probe,
			"cannot make %" PRId64 " files in %s: %s: expected "
			"fewer, or another folder",
			args->files, file_folder_quoted(args->where).chars,
			strerror(errno));
	file_system_read(&system, s->tree.fd, "");
	file_system_note(&system, probe);
	return 0;
}

static void cleanup(struct probe *probe)
{
	struct state *s = probe->state;

	for (int64_t i = 0; i < s->args->dirs; i++)
		if (s->dirs[i] > 0)
			close(s->dirs[i]);
	file_tree_remove(&s->tree, probe);
	free(s->inodes);
	free(s);
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	struct error error;

	if (file_nfs_is_url(args->where))
		return probe_unavailable(probe,
			"nfs:// has no local folders: expected a folder");
	char *folder = file_folder(args->where, &error);
	if (!folder)
		return file_refuse(probe, &error);
	struct state *s = xcalloc(1, sizeof *s);
	s->inodes = xcalloc((size_t)args->files, sizeof *s->inodes);
	s->args = args;
	s->tree.fd = -1;
	probe->state = s;
	int failed = make_all(probe, s, folder);
	free(folder);
	if (failed)
		cleanup(probe);
	return failed;
}

/* ---- findings --------------------------------------------------------- */

/* The number of files at a point, or of folders. */
static int64_t number_of(const struct args *args, bool of_dirs)
{
	return of_dirs ? args->dirs : args->files;
}

/* The point with the fewest files, or with the fewest folders, that is
 * otherwise the same. */
static const struct point *fewest(const struct results *results,
	const struct args *than, bool of_dirs)
{
	const struct point *best = NULL;
	int64_t least = number_of(than, of_dirs);

	for (size_t i = 0; i < results->point_count; i++) {
		const struct args *args = results->points[i].args;

		if (!args || args->op != than->op ||
			args->size_bytes != than->size_bytes ||
			strcmp(args->where, than->where) != 0 ||
			number_of(args, !of_dirs) !=
				number_of(than, !of_dirs) ||
			number_of(args, of_dirs) >= least)
			continue;
		least = number_of(args, of_dirs);
		best = &results->points[i];
	}
	return best;
}

static void find_growth(const struct results *results,
	const struct point *point, bool of_dirs, struct findings *findings)
{
	const struct args *args = point->args;
	const struct point *other = args ? fewest(results, args, of_dirs) :
					   NULL;
	double with, without;

	if (!other || !results_median(results, point, TIME, &with) ||
		!results_median(results, other, TIME, &without))
		return;
	finding_value(findings, of_dirs ? "by-folders" : "by-files",
		with / without, UNIT_NONE,
		"%s takes %.3g times as long with %" PRId64 " %s as with "
		"%" PRId64 " (%s=%" PRId64 ")",
		ops[args->op], with / without, number_of(args, of_dirs),
		of_dirs ? "folders" : "files", number_of(other->args, of_dirs),
		of_dirs ? "files" : "dirs", number_of(args, !of_dirs));
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	for (size_t i = 0; i < results->point_count; i++) {
		find_growth(results, &results->points[i], false, findings);
		find_growth(results, &results->points[i], true, findings);
	}
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	/* ns in the file system, from memory to one with a journal. */
	static const struct range work_ns[] = {
		[CREATE] = { 1000, 40000 },
		[RENAME] = { 800, 40000 },
		[UNLINK] = { 500, 40000 },
		[MKDIR] = { 1000, 80000 },
		[STAT] = { 200, 3000 },
	};
	/* ns for each page of content: to allocate it, to free it. */
	static const struct range pages_ns[STAT + 1] = {
		[CREATE] = { 50, 1500 },
		[UNLINK] = { 5, 300 },
	};
	const struct args *args = context;
	struct basis basis = { .facts = facts };
	struct range call = basis_call_ns(&basis), copy = { 0, 0 };
	const struct range *work = &work_ns[args->op];
	const struct range *page = &pages_ns[args->op];
	double pages = ceil((double)args->size_bytes / PAGE_BYTES);
	bool writes = args->op == CREATE && args->size_bytes;
	double calls = args->op == CREATE ? 2 + writes : 1;

	if (writes)
		copy = basis_copy_ns(&basis, (double)args->size_bytes);
	prediction->hardware = (struct range){ calls * call.low + copy.low,
		calls * call.high + copy.high };
	prediction->software = (struct range){ work->low + pages * page->low,
		work->high + pages * page->high };
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"%.0f system call%s; %g us in a file system in memory to %g us "
		"in one with a journal%s",
		calls, calls > 1 ? "s" : "", work->low / 1e3, work->high / 1e3,
		writes ? "; a copy, and 50 to 1500 ns for each page" :
			pages * page->high > 0 ?
			 "; 5 to 300 ns to free each page" :
			 "");
}

const struct experiment probe_fs_meta = {
	.name = "fs.meta",
	.title = "Names of files",
	.question = "What does it cost to create, rename, remove or find a "
		    "file?",
	.method =
		"The folders contain empty files. A trial makes 64 operations, "
		"each relative to an open folder, and then undoes them, "
		"untimed. create is open, write if size is not 0, and close. "
		"The names are new in each trial, because the kernel remembers "
		"that a removed name is absent. unlink removes files that were "
		"just created. stat finds random files, whose names and inodes "
		"are in the kernel's caches. With several folders the "
		"operations take one after the other, and a renamed file moves "
		"to the next. Nothing is synced: a journal is written later, "
		"sometimes during a trial, and waiting for it counts. The "
		"result of every call is checked. Once per visit the entries "
		"of the folders are counted after the operations, and stat "
		"must return the inode of the file, or the figure is invalid. "
		"lmbench's lat_fs prints the rates of create and unlink.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = BATCH },
	.traits = TRAIT_BLOCKS | TRAIT_NOISY,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_CALLS | SENSITIVE_DISK,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.tidy = file_tree_sweep,
	.findings = findings_of,
	.predict = predict,
};
