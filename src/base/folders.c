/* The folders of a user, after XDG, and the folder of tapes. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "file.h"

static char *made_folder(char *path)
{
	for (char *at = path + 1; *at; at++) {
		if (*at != '/')
			continue;
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
	struct stat is;
	if ((mkdir(path, 0700) && errno != EEXIST) || stat(path, &is) ||
		!S_ISDIR(is.st_mode) || access(path, W_OK)) {
		int why = errno;

		free(path);
		errno = why;
		return NULL;
	}
	return path;
}

/* NULL: no variable names a folder. */
static char *xdg_path(const char *variable, const char *in_home)
{
	const char *base = getenv(variable);
	const char *home = getenv("HOME");
	struct text path = { 0 };

	if (base && base[0] == '/')
		text_add(&path, "%s/benchtop", base);
	else if (home && home[0] == '/')
		text_add(&path, "%s/%s/benchtop", home, in_home);
	else
		return NULL;
	return text_take(&path);
}

char *folder_state_path(void)
{
	return xdg_path("XDG_STATE_HOME", ".local/state");
}

char *folder_state(void)
{
	char *path = folder_state_path();

	return path ? made_folder(path) : NULL;
}

char *folder_config(void)
{
	char *path = xdg_path("XDG_CONFIG_HOME", ".config");

	return path ? made_folder(path) : NULL;
}

/* linux/magic.h does not define both on every system. */
enum { MAGIC_TMPFS = 0x01021994, MAGIC_RAMFS = 0x858458f6 };

static bool is_memory(const char *path)
{
	struct statfs on;

	return !statfs(path, &on) &&
		((uint32_t)on.f_type == (uint32_t)MAGIC_TMPFS ||
			(uint32_t)on.f_type == (uint32_t)MAGIC_RAMFS);
}

/* A folder in /dev/shm may belong to another user and is then not trusted. */
static bool is_own(const char *path)
{
	struct stat is;

	return !lstat(path, &is) && is.st_uid == getuid();
}

/* $XDG_RUNTIME_DIR/benchtop; NULL: the variable names none. */
static char *named_runtime(void)
{
	const char *base = getenv("XDG_RUNTIME_DIR");
	struct text path = { 0 };

	if (!base || base[0] != '/')
		return NULL;
	text_add(&path, "%s/benchtop", base);
	return text_take(&path);
}

static char *shared_runtime(void)
{
	struct text path = { 0 };

	text_add(&path, "/dev/shm/benchtop-%u", (unsigned)getuid());
	return text_take(&path);
}

/* Takes ownership of the path. */
static char *made_in_memory(char *path)
{
	char *made = made_folder(path);

	if (!made || (is_memory(made) && is_own(made)))
		return made;
	free(made);
	return NULL;
}

char *folder_runtime(void)
{
	const char *base = getenv("XDG_RUNTIME_DIR");
	char *named = named_runtime();
	char *made = NULL;

	/* No folder is created on a disk. */
	if (base && named && (access(base, F_OK) || is_memory(base)))
		made = made_in_memory(named);
	else
		free(named);
	return made ? made : made_in_memory(shared_runtime());
}

size_t folders_runtime(char *paths[RUNTIME_FOLDERS])
{
	char *used = folder_runtime(), *named = named_runtime();
	size_t count = 0;

	if (used)
		paths[count++] = used;
	if (named && is_own(named) && (!used || strcmp(named, used) != 0))
		paths[count++] = named;
	else
		free(named);
	return count;
}
