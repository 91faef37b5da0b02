/* What a command may leave outside its folder. */
#include "surroundings.h"

#include <dirent.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/run.h"
#include "cli/watch.h"
#include "leftover.h"

enum { PATIENCE_MS = 5000, STEP_MS = 10 };

static const char mount_list[] = "/proc/self/mountinfo";
static const char semaphore_list[] = "/proc/sysvipc/sem";

static bool is_own;
static size_t devices, mounts, semaphores;

static size_t count_devices(void)
{
	struct if_nameindex *list = if_nameindex();
	size_t count = 0;

	while (list && list[count].if_index)
		count++;
	if_freenameindex(list);
	return count;
}

static size_t count_lines(const char *path)
{
	FILE *file = fopen(path, "re");
	size_t lines = 0;

	for (int c; file && (c = getc(file)) != EOF;)
		lines += c == '\n';
	if (file)
		fclose(file);
	return lines;
}

void surroundings_begin(bool own)
{
	is_own = own;
	devices = count_devices();
	mounts = count_lines(mount_list);
	semaphores = count_lines(semaphore_list);
}

/* Adds the names in a folder that are not allowed. */
static void judge_names(const char *path, const char *const *allowed,
	struct text *violations)
{
	DIR *entries = opendir(path);

	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		const char *const *at = allowed;

		while (*at && strcmp(*at, entry->d_name) != 0)
			at++;
		if (strcmp(entry->d_name, ".") != 0 &&
			strcmp(entry->d_name, "..") != 0 && !*at)
			text_add(violations, "leaves '%s/%s'; ", path,
				entry->d_name);
	}
	if (entries)
		closedir(entries);
}

/* Where tapes are if the runtime folder cannot be used. */
static void judge_shared_memory(struct text *violations)
{
	static const char *const none[] = { NULL };
	char path[64];
	const char *allowed[] = { strrchr(folder, '/') + 1, NULL, NULL };

	snprintf(path, sizeof path, "/dev/shm/benchtop-%u", (unsigned)getuid());
	allowed[1] = strrchr(path, '/') + 1;
	judge_names("/dev/shm", allowed, violations);
	judge_names(path, none, violations);
}

/* The kernel removes the devices of a network after its last process. */
static void judge_devices(struct text *violations)
{
	for (int ms = 0; count_devices() > devices && ms < PATIENCE_MS;
		ms += STEP_MS)
		pause_ms(STEP_MS);
	if (count_devices() > devices)
		text_add(violations, "leaves a network device; ");
}

void surroundings_judge(struct text *violations)
{
	static const char *const ours[] = { "benchtop", NULL };

	judge_names("run", ours, violations);
	judge_names("run/benchtop", ours + 1, violations);
	if (!is_own)
		return;
	judge_shared_memory(violations);
	judge_devices(violations);
	if (count_lines(mount_list) > mounts)
		text_add(violations, "leaves a mount; ");
	if (count_lines(semaphore_list) > semaphores)
		text_add(violations, "leaves a semaphore; ");
}

void surroundings_judge_groups(struct text *violations)
{
	static const char find[] = "find /sys/fs/cgroup -type d "
				   "-name 'benchtop-*' -printf '.%f\\n' "
				   "2>/dev/null";
	char name[512];
	bool found = true;

	for (int attempt = 0; found && attempt < 50; attempt++) {
		FILE *names = popen(find, "r");

		for (found = false; !found && fgets(name, sizeof name, names);)
			found = leftover_is_orphan(name);
		pclose(names);
		if (found)
			pause_ms(100);
	}
	if (found)
		text_add(violations, "leaves a memory cgroup%s; ", name);
}
