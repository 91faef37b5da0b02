/* Remembered remote hosts. */
#include "hosts.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "memory.h"

enum { FILE_MOST = 64 * 1024 };

static char *path_of(void)
{
	char *folder = folder_config();
	struct text path = { 0 };

	if (!folder)
		return NULL;
	text_add(&path, "%s/hosts", folder);
	free(folder);
	return text_take(&path);
}

char **hosts_read(void)
{
	char **list = xcalloc(HOSTS_MOST + 1, sizeof *list);
	char *path = path_of(), *rest, *line;
	struct text content = { 0 };
	struct error error;
	size_t count = 0;

	if (path && !file_read_own(path, 0, FILE_MOST, &content, &error) &&
		content.length)
		for (line = strtok_r(content.chars, "\n", &rest);
			line && count < HOSTS_MOST;
			line = strtok_r(NULL, "\n", &rest))
			list[count++] = xstrdup(line);
	text_free(&content);
	free(path);
	return list;
}

void hosts_free(char **list)
{
	for (size_t i = 0; list[i]; i++)
		free(list[i]);
	free(list);
}

static void remember(const char *host)
{
	char **list = hosts_read();
	char *path = path_of();
	struct text content = { 0 };
	struct error ignored;

	text_add(&content, "%s\n", host);
	for (size_t i = 0; list[i] && i + 1 < HOSTS_MOST; i++)
		if (strcmp(list[i], host))
			text_add(&content, "%s\n", list[i]);
	if (path)
		file_save(path, content.chars, content.length, &ignored);
	text_free(&content);
	hosts_free(list);
	free(path);
}

void hosts_remember(const struct results *results)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const char *host = point_value(results, point, "host");

		/* Only a remote server has the note "far-end". */
		if (host && point_note(point, "far-end"))
			remember(host);
	}
}
