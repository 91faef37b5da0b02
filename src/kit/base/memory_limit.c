/* Memory cgroups for one process. */
#include "memory_limit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "leftover.h"
#include "memory.h"
#include "text.h"

enum { LINE_BYTES = 4096, TRIES = 50, NAP_US = 10000 };

/* The group of the process, and the folder where a new group may be created. */
struct place {
	int version;
	char *home, *parent; /* folders */
};

/* ---- finding the place ------------------------------------------------ */

static bool has_word(const char *list, const char *word, const char *gaps)
{
	size_t length = strlen(word);

	for (const char *at = list; *at; at += strspn(at, gaps)) {
		size_t part = strcspn(at, gaps);

		if (part == length && !strncmp(at, word, length))
			return true;
		at += part;
	}
	return false;
}

/* Where the hierarchy is mounted, and which group is the mount's root: "35 24
 * 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory". */
static bool read_mount(const char *root, int version, char **point, char **top)
{
	char path[LINE_BYTES], line[LINE_BYTES], at[LINE_BYTES / 2],
		group[LINE_BYTES / 2];
	const char *wanted = version == 2 ? "cgroup2" : "cgroup";
	bool found = false;

	snprintf(path, sizeof path, "%s/proc/self/mountinfo", root);
	FILE *file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof line, file)) {
		char type[32], source[LINE_BYTES / 4], options[LINE_BYTES / 4];
		const char *tail = strstr(line, " - ");

		found = tail &&
			sscanf(tail, " - %31s %1023s %1023s", type, source,
				options) == 3 &&
			!strcmp(type, wanted) &&
			(version == 2 || has_word(options, "memory", ",")) &&
			sscanf(line, "%*s %*s %*s %2047s %2047s", group, at) ==
				2;
	}
	if (file)
		fclose(file);
	if (!found)
		return false;
	*point = xstrdup(at);
	*top = xstrdup(group);
	return true;
}

/* The group of this process in the hierarchy of that version. */
static bool read_group(const char *root, int version, char *into, size_t size)
{
	char path[LINE_BYTES], line[LINE_BYTES];
	bool found = false;

	snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
	FILE *file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof line, file)) {
		char *names = strchr(line, ':');
		char *group = names ? strchr(++names, ':') : NULL;

		if (!group)
			continue;
		*group++ = '\0';
		group[strcspn(group, "\n")] = '\0';
		found = version == 2 ? !*names : has_word(names, "memory", ",");
		if (found)
			snprintf(into, size, "%s", group);
	}
	if (file)
		fclose(file);
	return found;
}

static char *group_folder(const char *root, int version)
{
	char group[LINE_BYTES];
	char *point, *top;
	struct text folder = { 0 };

	if (!read_group(root, version, group, sizeof group) ||
		!read_mount(root, version, &point, &top))
		return NULL;
	/* In a container the mount may begin at the container's group. */
	size_t length = strlen(top);
	const char *rest = length > 1 && !strncmp(group, top, length) ?
		group + length :
		group;
	text_add(&folder, "%s%s", point, strcmp(rest, "/") ? rest : "");
	free(point);
	free(top);
	return text_take(&folder);
}

static bool passes_memory_on(const char *folder)
{
	char path[LINE_BYTES + 64], line[512];

	snprintf(path, sizeof path, "%s/cgroup.subtree_control", folder);
	return !file_peek(path, line, sizeof line) &&
		has_word(line, "memory", " ");
}

/* In version 2 a parent must pass the memory controller on to its children. */
static bool find_second(const char *root, struct place *place)
{
	char *home = group_folder(root, 2);

	if (!home)
		return false;
	char *parent = xstrdup(home);
	char *slash = strrchr(parent, '/');
	if (!passes_memory_on(parent) && slash)
		*slash = '\0';
	if (passes_memory_on(parent)) {
		*place = (struct place){ 2, home, parent };
		return true;
	}
	free(home);
	free(parent);
	return false;
}

static bool find(const char *root, struct place *place)
{
	char *home = group_folder(root, 1);

	if (!home)
		return find_second(root, place);
	*place = (struct place){ 1, home, xstrdup(home) };
	return true;
}

static void release(struct place *place)
{
	free(place->home);
	free(place->parent);
}

/* ---- the group of the process ----------------------------------------- */

static int write_to(const char *folder, const char *name, uint64_t number)
{
	char digits[32];
	struct text path = { 0 };

	text_add(&path, "%s/%s", folder, name);
	int fd = open(path.chars, O_WRONLY | O_CLOEXEC);
	int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
	int failed = fd < 0 || write(fd, digits, (size_t)length) != length;
	int number_of_error = errno;
	if (fd >= 0)
		close(fd);
	text_free(&path);
	errno = number_of_error;
	return failed;
}

static int refuse(const char *what, const char *where, struct error *error)
{
	int number = errno;
	bool denied = number == EACCES || number == EPERM || number == EROFS;

	return error_set(error, denied ? STATUS_PERMISSION : STATUS_USAGE,
		"cannot %s a memory cgroup in %s: %s%s", what,
		text_quoted(where).chars, strerror(number),
		denied ? "; needs root or 'systemd-run --user --scope -p "
			"Delegate=yes'; limit=none works without a memory "
			"cgroup" :
			 "");
}

static void sweep(const char *parent)
{
	DIR *entries = opendir(parent);

	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		struct text name = { 0 };

		text_add(&name, ".%s", entry->d_name);
		if (leftover_is_orphan(text_chars(&name)))
			unlinkat(dirfd(entries), entry->d_name, AT_REMOVEDIR);
		text_free(&name);
	}
	if (entries)
		closedir(entries);
}

void memory_limit_sweep(const char *root)
{
	struct place place;

	if (!find(root, &place))
		return;
	sweep(place.parent);
	release(&place);
}

static int make(struct memory_limit *limit, const struct place *place,
	uint64_t bytes, struct error *error)
{
	static unsigned number;
	struct text folder = { 0 }, name = { 0 };

	leftover_name(&name, number++);
	text_add(&folder, "%s/%s", place->parent, name.chars + 1);
	text_free(&name);
	if (mkdir(folder.chars, 0755)) {
		text_free(&folder);
		return refuse("make", place->parent, error);
	}
	*limit = (struct memory_limit){ place->version, xstrdup(place->home),
		text_take(&folder) };
	int failed = write_to(limit->folder,
		place->version == 1 ? "memory.limit_in_bytes" : "memory.max",
		bytes);
	if (failed)
		refuse("limit", place->parent, error);
	else if ((failed = write_to(limit->folder, "cgroup.procs",
			  (uint64_t)getpid())))
		refuse("move into", place->parent, error);
	if (failed)
		memory_limit_leave(limit);
	return failed ? -1 : 0;
}

int memory_limit_enter(struct memory_limit *limit, const char *root,
	uint64_t bytes, struct error *error)
{
	struct place place;

	*limit = (struct memory_limit){ 0 };
	if (!find(root, &place))
		return error_set(error, STATUS_USAGE,
			"cannot make a memory cgroup: the controller is not "
			"mounted or not delegated to this group; limit=none "
			"works without a memory cgroup");
	sweep(place.parent);
	int failed = make(limit, &place, bytes, error);
	release(&place);
	return failed;
}

void memory_limit_leave(struct memory_limit *limit)
{
	if (!limit->version)
		return;
	write_to(limit->home, "cgroup.procs", (uint64_t)getpid());
	/* The kernel may still be releasing the group's processes. */
	for (int i = 0; i < TRIES && rmdir(limit->folder); i++) {
		if (errno != EBUSY)
			break;
		usleep(NAP_US);
	}
	free(limit->home);
	free(limit->folder);
	*limit = (struct memory_limit){ 0 };
}
