/* Finding the files that are installed with the program. */
#include "assets.h"

#include <dirent.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

/* Relative to the folder of the program: installed; in build/PRESET; for a test
 * program in build/PRESET/tests. */
static const char *const beside[] = { "../share/benchtop", "../../assets",
	"../../../assets" };

static char *joined(const char *folder, const char *name)
{
	struct text path = { 0 };

	text_add(&path, "%s/%s", folder, name);
	return text_take(&path);
}

static bool is_there(const char *folder, const char *name)
{
	char *path = joined(folder, name);
	bool there = !access(path, R_OK);

	free(path);
	return there;
}

/* Where /proc is not mounted, the path of execve(). */
char *program_folder(void)
{
	const char *started = (const char *)getauxval(AT_EXECFN);
	char program[PATH_MAX];
	ssize_t length =
		readlink("/proc/self/exe", program, sizeof program - 1);

	if (length >= 0)
		program[length] = '\0';
	else if (!started || !realpath(started, program))
		return NULL;
	return xstrdup(dirname(program));
}

/* The folder of all assets, to be freed, or NULL. */
static char *assets_folder(void)
{
	const char *told = getenv("BENCHTOP_ASSETS");

	if (told && *told)
		return xstrdup(told);
	char *folder = program_folder();
	char *found = NULL;
	for (size_t i = 0;
		folder && !found && i < sizeof beside / sizeof *beside; i++) {
		found = joined(folder, beside[i]);
		if (!is_there(found, "session.schema.json")) {
			free(found);
			found = NULL;
		}
	}
	free(folder);
	return found;
}

char *asset_find(const char *name)
{
	char *folder = assets_folder();
	char *path = NULL;

	if (folder && is_there(folder, name))
		path = joined(folder, name);
	char *real = path ? realpath(path, NULL) : NULL;
	free(path);
	free(folder);
	return real;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t asset_names(const char *folder, char ***names)
{
	char *path = asset_find(folder);
	DIR *dir = path ? opendir(path) : NULL;
	size_t count = 0;

	*names = NULL;
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		if (entry->d_name[0] == '.')
			continue;
		ARRAY_GROW(*names, count);
		(*names)[count++] = xstrdup(entry->d_name);
	}
	if (dir)
		closedir(dir);
	free(path);
	if (count)
		qsort(*names, count, sizeof **names, compare);
	return count;
}
