/* Available memory: the kernel's estimate and the limits of memory groups. */
#include "available.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "file.h"
#include "unit.h"

enum { PATH_BYTES = 4096, GROUPS_DEEP = 64 };

/* Reads a file that holds one number. "max" and a missing file give false. */
static bool read_number(const char *path, uint64_t *number)
{
	char digits[32], *end;

	if (file_peek(path, digits, sizeof digits) || !digits[0])
		return false;
	*number = strtoull(digits, &end, 10);
	return end != digits && !*end;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* File pages that the kernel reclaims first. They count as used memory of a
 * group, often nearly all of it, and are no obstacle to an allocation. */
static uint64_t inactive_file(const char *folder)
{
	char path[PATH_BYTES + 64], line[256];
	uint64_t bytes = 0;

	snprintf(path, sizeof path, "%s/memory.stat", folder);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	/* In the first version the total of all groups below follows. */
	while (fgets(line, sizeof line, file)) {
		sscanf(line, "inactive_file %" SCNu64, &bytes);
		sscanf(line, "total_inactive_file %" SCNu64, &bytes);
	}
	fclose(file);
	return bytes;
}

/* What one group still allows. */
static uint64_t group_leaves(const char *folder, const char *limit_name,
	const char *used_name)
{
	char path[PATH_BYTES + 64];
	uint64_t limit, used;

	snprintf(path, sizeof path, "%s/%s", folder, limit_name);
	if (!read_number(path, &limit))
		return UINT64_MAX;
	snprintf(path, sizeof path, "%s/%s", folder, used_name);
	if (!read_number(path, &used))
		return UINT64_MAX;
	used -= least(used, inactive_file(folder));
	return used < limit ? limit - used : 0;
}

/* The minimum over the group and all its ancestors. */
static uint64_t groups_leave(const char *mount, const char *group,
	const char *limit_name, const char *used_name)
{
	char folder[PATH_BYTES];
	uint64_t leaves = UINT64_MAX;
	size_t top = strlen(mount);

	if (snprintf(folder, sizeof folder, "%s%s", mount, group) >=
		(int)sizeof folder)
		return leaves;
	for (int i = 0; i < GROUPS_DEEP; i++) {
		char *slash;

		leaves = least(leaves,
			group_leaves(folder, limit_name, used_name));
		slash = strrchr(folder, '/');
		if (!slash || (size_t)(slash - folder) < top)
			break;
		*slash = '\0';
	}
	return leaves;
}

static bool names_memory(const char *controllers)
{
	char copy[256];
	char *rest = NULL;

	snprintf(copy, sizeof copy, "%s", controllers);
	for (char *name = strtok_r(copy, ",", &rest); name;
		name = strtok_r(NULL, ",", &rest))
		if (!strcmp(name, "memory"))
			return true;
	return false;
}

/* One line of /proc/self/cgroup: number:controllers:path. */
static uint64_t line_leaves(const char *root, char *line)
{
	char mount[PATH_BYTES];
	char *controllers = strchr(line, ':');
	char *group = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!group)
		return UINT64_MAX;
	*group++ = '\0';
	group[strcspn(group, "\n")] = '\0';
	controllers++;
	if (!controllers[0]) {
		snprintf(mount, sizeof mount, "%s/sys/fs/cgroup", root);
		return groups_leave(mount, group, "memory.max",
			"memory.current");
	}
	if (!names_memory(controllers))
		return UINT64_MAX;
	snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/memory", root);
	return groups_leave(mount, group, "memory.limit_in_bytes",
		"memory.usage_in_bytes");
}

static uint64_t groups_of_process(const char *root)
{
	char path[PATH_BYTES], line[PATH_BYTES];
	uint64_t leaves = UINT64_MAX;

	snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
	FILE *file = fopen(path, "re");
	if (!file)
		return leaves;
	while (fgets(line, sizeof line, file))
		leaves = least(leaves, line_leaves(root, line));
	fclose(file);
	return leaves;
}

static uint64_t kernel_estimate(const char *root)
{
	char path[PATH_BYTES], line[256];
	uint64_t kib = 0;
	bool found = false;

	snprintf(path, sizeof path, "%s/proc/meminfo", root);
	FILE *file = fopen(path, "re");
	if (!file)
		return UINT64_MAX;
	while (!found && fgets(line, sizeof line, file))
		found = sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1;
	fclose(file);
	return found && kib < UINT64_MAX / 1024 ? kib * 1024 : UINT64_MAX;
}

uint64_t memory_available(const char *root)
{
	uint64_t bytes = least(kernel_estimate(root), groups_of_process(root));

	return bytes == UINT64_MAX ? bytes : bytes - bytes / 8;
}

uint64_t memory_quarter(void)
{
	enum { LEAST = 4 << 20 };
	static uint64_t quarter;

	if (!quarter)
		quarter = memory_available("") / 4;
	if (quarter < LEAST)
		quarter = LEAST;
	return quarter;
}

int memory_refuse(const char *what, double needed, double available,
	struct error *error)
{
	struct text a = { 0 }, b = { 0 };

	unit_show(&a, UNIT_BYTES, needed);
	unit_show(&b, UNIT_BYTES, available);
	error_set(error, STATUS_USAGE,
		"%sneeds %s of memory, %s are available: expected a smaller "
		"size",
		what, text_chars(&a), text_chars(&b));
	text_free(&a);
	text_free(&b);
	return -1;
}

static bool is_limited(void)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY;
}

int memory_refuse_map(size_t size_bytes, int number, struct error *error)
{
	struct text size = { 0 };
	bool limited = number == ENOMEM && is_limited();

	unit_show(&size, UNIT_BYTES, (double)size_bytes);
	error_set(error, STATUS_USAGE, "cannot map %s: %s%s", text_chars(&size),
		strerror(number),
		limited ? "; 'ulimit -v' limits the address space" : "");
	text_free(&size);
	return -1;
}
