/* Progress of children. */
#include "watch.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	QUIET_NS = 1000 * 1000 * 1000, /* then the process is examined */
	STUCK_S = 10,
	STUCK_TRIALS = 3,
	ENDLESS_TIMES = 10,
	PATH_BYTES = 512,
};

/* ---- the kernel's counts ---------------------------------------------- */

static bool read_line(const char *path, char *line, int size)
{
	FILE *file = fopen(path, "re");
	bool got = file && fgets(line, size, file);

	if (file)
		fclose(file);
	return got;
}

/* proc(5), stat: the name may contain any character, so the fields are counted
 * from its closing bracket. Minor faults are the tenth field, major faults the
 * twelfth. */
static bool read_faults(const char *folder, uint64_t *faults)
{
	char path[PATH_BYTES + 8], line[1024];
	uint64_t minor, major;

	snprintf(path, sizeof path, "%s/stat", folder);
	if (!read_line(path, line, sizeof line))
		return false;
	const char *rest = strrchr(line, ')');
	if (!rest ||
		sscanf(rest,
			") %*c %*d %*d %*d %*d %*d %*u %" SCNu64
			" %*u %" SCNu64,
			&minor, &major) != 2)
		return false;
	*faults = minor + major;
	return true;
}

/* The second number of schedstat, over all threads. */
static uint64_t read_waited(const char *folder)
{
	char path[PATH_BYTES + 8], line[128];
	uint64_t sum = 0;

	snprintf(path, sizeof path, "%s/task", folder);
	DIR *tasks = opendir(path);
	if (!tasks)
		return 0;
	for (struct dirent *each; (each = readdir(tasks));) {
		char file[sizeof path + sizeof each->d_name + 16];
		uint64_t waited;

		snprintf(file, sizeof file, "%s/%s/schedstat", path,
			each->d_name);
		if (each->d_name[0] != '.' &&
			read_line(file, line, sizeof line) &&
			sscanf(line, "%*u %" SCNu64, &waited) == 1)
			sum += waited;
	}
	closedir(tasks);
	return sum;
}

bool watch_read(const char *root, pid_t pid, struct watch_signs *signs)
{
	char folder[PATH_BYTES];

	snprintf(folder, sizeof folder, "%s/proc/%d", root, (int)pid);
	signs->waited_ns = read_waited(folder);
	return read_faults(folder, &signs->faults);
}

/* ---- judgement -------------------------------------------------------- */

void watch_heard(struct watch *watch, uint64_t now_ns)
{
	*watch = (struct watch){ .told_ns = now_ns,
		.limit_ns = watch->limit_ns,
		.heard_ns = now_ns };
}

bool watch_wants(const struct watch *watch, uint64_t now_ns)
{
	return now_ns - watch->heard_ns >= QUIET_NS;
}

void watch_look(struct watch *watch, const struct watch_signs *signs,
	uint64_t now_ns)
{
	struct watch_signs before = watch->seen;
	double since_ns = (double)(now_ns - watch->looked_ns);
	bool first = !watch->looked_ns;

	watch->seen = *signs;
	watch->looked_ns = now_ns;
	if (first)
		return;
	/* The sum over threads may exceed the elapsed time, and decreases when
	 * a thread ends. */
	double waited_ns = signs->waited_ns > before.waited_ns ?
		(double)(signs->waited_ns - before.waited_ns) :
		0;
	waited_ns = waited_ns < since_ns ? waited_ns : since_ns;
	watch->waited_ns += waited_ns;
	watch->excused_ns += waited_ns;
	if (signs->faults != before.faults) {
		watch->heard_ns = now_ns;
		watch->excused_ns = 0;
	}
}

enum watch_verdict watch_stuck(const struct watch *watch, double trial_ns,
	uint64_t now_ns)
{
	double patience_ns = STUCK_S * 1e9 + STUCK_TRIALS * trial_ns;
	double limit_ns = watch->limit_ns > 0 ? watch->limit_ns :
						ENDLESS_TIMES * patience_ns;

	if ((double)(now_ns - watch->heard_ns) - watch->excused_ns >=
		patience_ns)
		return WATCH_SILENT;
	if ((double)(now_ns - watch->told_ns) - watch->waited_ns >= limit_ns)
		return WATCH_ENDLESS;
	return WATCH_LIVES;
}
