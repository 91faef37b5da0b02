/* A folder for tests with names. */
#include "file_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "file_made.h"
#include "leftover.h"
#include "memory.h"
#include "probe.h"
#include "text.h"

enum { DEPTH_MOST = 4, ENTRIES_ALIVE = 256 };
enum { OPENED = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

/* ---- removal ---------------------------------------------------------- */

static void empty(int fd, int depth, struct probe *probe);

static bool remove_entry(int fd, const char *name, int depth,
	struct probe *probe)
{
	if (!unlinkat(fd, name, 0))
		return true;
	int inside = depth < DEPTH_MOST ? openat(fd, name, OPENED) : -1;
	if (inside >= 0)
		empty(inside, depth + 1, probe);
	return !unlinkat(fd, name, AT_REMOVEDIR);
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Closes the descriptor. Repeats, because readdir() may skip entries while
 * others are removed. */
static void empty(int fd, int depth, struct probe *probe)
{
	DIR *entries = fdopendir(fd);
	bool removed = entries;
	size_t count = 0;

	while (removed) {
		removed = false;
		rewinddir(entries);
		for (struct dirent *entry; (entry = readdir(entries));) {
			if (is_dots(entry->d_name))
				continue;
			removed |= remove_entry(fd, entry->d_name, depth,
				probe);
			if (probe && ++count % ENTRIES_ALIVE == 0)
				probe_alive(probe);
		}
	}
	if (entries)
		closedir(entries);
	else
		close(fd);
}

/* True if nothing is left at that path. */
static bool remove_tree(const char *path, struct probe *probe)
{
	int fd = open(path, OPENED);

	if (fd >= 0)
		empty(fd, 0, probe);
	return !rmdir(path) || errno == ENOENT;
}

/* ---- folders of ended processes --------------------------------------- */

/* The state folder belongs to the user, but a link in it could have been copied
 * from elsewhere: it must lead to a folder of its own name. */
static bool leads_to(const char *target, const char *name)
{
	const char *slash = strrchr(target, '/');
	struct stat status;

	return slash && !strcmp(slash + 1, name) &&
		(lstat(target, &status) ||
			(S_ISDIR(status.st_mode) &&
				status.st_uid == geteuid()));
}

static void sweep_entry(int state, const char *path, const char *name)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(state, name, target, sizeof target - 1);

	if (length < 0) {
		remove_tree(path, NULL);
		return;
	}
	target[length] = '\0';
	if (leads_to(target, name) && remove_tree(target, NULL))
		unlinkat(state, name, 0);
}

void file_tree_sweep(void)
{
	char *folder = folder_state_path();
	DIR *entries = folder ? opendir(folder) : NULL;

	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		struct text path = { 0 };

		if (!leftover_is_orphan(entry->d_name))
			continue;
		text_add(&path, "%s/%s", folder, entry->d_name);
		sweep_entry(dirfd(entries), text_chars(&path), entry->d_name);
		text_free(&path);
	}
	if (entries)
		closedir(entries);
	free(folder);
}

/* ---- the folder ------------------------------------------------------- */

static bool is_same_folder(const char *a, const char *b)
{
	struct stat of_a, of_b;

	return !stat(a, &of_a) && !stat(b, &of_b) &&
		of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* Sets both paths. The link needs an absolute path. */
static int choose_paths(struct file_tree *tree, const char *folder,
	const char *state)
{
	/* Not one that leftover_create() uses in this process. */
	static unsigned number = 1u << 30;
	char *real = realpath(folder, NULL);
	struct text name = { 0 }, path = { 0 }, link = { 0 };

	if (!real)
		return -1;
	leftover_name(&name, number++);
	text_add(&path, "%s/%s", real, text_chars(&name));
	text_add(&link, "%s/%s", state, text_chars(&name));
	tree->path = xstrdup(text_chars(&path));
	if (!is_same_folder(real, state))
		tree->link = xstrdup(text_chars(&link));
	text_free(&name);
	text_free(&path);
	text_free(&link);
	free(real);
	return 0;
}

static int make_folder(struct file_tree *tree)
{
	if ((tree->link && symlink(tree->path, tree->link)) ||
		mkdir(tree->path, 0700))
		return -1;
	tree->fd = open(tree->path, OPENED);
	return tree->fd < 0 ? -1 : 0;
}

static void forget(struct file_tree *tree)
{
	if (tree->link)
		unlink(tree->link);
	free(tree->link);
	free(tree->path);
	*tree = (struct file_tree){ .fd = -1 };
}

int file_tree_make(struct file_tree *tree, const char *folder,
	struct error *error)
{
	char *state = file_folder("auto", error);

	*tree = (struct file_tree){ .fd = -1 };
	if (!state)
		return -1;
	int failed = choose_paths(tree, folder, state) || make_folder(tree);
	free(state);
	if (!failed)
		return 0;
	error_set(error, STATUS_USAGE, "cannot make a folder in %s: %s",
		text_quoted(folder).chars, strerror(errno));
	if (tree->path)
		rmdir(tree->path);
	forget(tree);
	return -1;
}

int file_tree_folders(const struct file_tree *tree, int *fds, size_t count)
{
	char name[24];

	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "d%zu", i);
		if (mkdirat(tree->fd, name, 0700))
			return -1;
		int fd = openat(tree->fd, name, OPENED);
		if (fd < 0)
			return -1;
		fds[i] = fd;
	}
	return 0;
}

void file_tree_remove(struct file_tree *tree, struct probe *probe)
{
	if (tree->fd < 0)
		return;
	close(tree->fd);
	remove_tree(tree->path, probe);
	forget(tree);
}

int64_t file_tree_entries(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	int64_t count = -2; /* "." and ".." */

	while (entries && readdir(entries))
		count++;
	if (entries)
		closedir(entries);
	else if (fd >= 0)
		close(fd);
	return count;
}
