/* The files that are part of the program, and the folder of the program. */
#include "assets.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "memory.h"

const struct asset *asset_find(const char *name)
{
	const struct asset *asset = assets;

	while (asset->name && strcmp(asset->name, name) != 0)
		asset++;
	return asset->name ? asset : NULL;
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
