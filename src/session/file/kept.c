/* Lists the kept sessions and finds one by a word. */
#include "kept.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "memory.h"

static const char ending[] = ".json";

static bool is_kept(const char *path)
{
	struct stat is;

	return text_ends(path, ending) && !stat(path, &is) &&
		S_ISREG(is.st_mode) && is.st_size > 0;
}

void kept_name(const char *path, struct text *name)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	text_add_chars(name, base, strlen(base) - (sizeof ending - 1));
}

bool kept_is_named(const char *name)
{
	return *name != '.' && text_ends(name, ending);
}

/* Compares names without their ending, so that TIME-PID precedes TIME-PID-1.
 * Numbers are compared by value, because process ids differ in length. */
int kept_order(const char *a, const char *b)
{
	struct text first = { 0 }, second = { 0 };

	kept_name(a, &first);
	kept_name(b, &second);
	int order = strverscmp(text_chars(&first), text_chars(&second));
	text_free(&first);
	text_free(&second);
	return order;
}

static int by_name(const void *a, const void *b)
{
	return kept_order(*(char *const *)a, *(char *const *)b);
}

static char *kept_folder(void)
{
	char *state = folder_state_path();
	struct text path = { 0 };

	if (state)
		text_add(&path, "%s/sessions", state);
	free(state);
	return state ? text_take(&path) : NULL;
}

void kept_list_read(struct kept_list *list)
{
	char *folder = kept_folder();
	DIR *dir = folder ? opendir(folder) : NULL;

	*list = (struct kept_list){ 0 };
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		struct text path = { 0 };

		text_add(&path, "%s/%s", folder, entry->d_name);
		if (entry->d_name[0] != '.' && is_kept(path.chars)) {
			ARRAY_GROW(list->paths, list->count);
			list->paths[list->count++] = text_take(&path);
		}
		text_free(&path);
	}
	if (dir)
		closedir(dir);
	free(folder);
	if (list->count)
		qsort(list->paths, list->count, sizeof *list->paths, by_name);
}

void kept_list_free(struct kept_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->paths[i]);
	free(list->paths);
	*list = (struct kept_list){ 0 };
}

size_t kept_number(const char *path)
{
	struct kept_list list;
	size_t number = 0;

	if (!path)
		return 0;
	kept_list_read(&list);
	for (size_t i = 0; i < list.count && !number; i++)
		number = strcmp(list.paths[i], path) ? 0 : i + 1;
	kept_list_free(&list);
	return number;
}

/* ---- words ------------------------------------------------------------ */

static bool is_number(const char *word)
{
	return *word && !word[strspn(word, "0123456789")];
}

static char *numbered_path(const char *word, struct error *error)
{
	struct kept_list list;
	char *path = NULL;

	kept_list_read(&list);
	bool last = !strcmp(word, "last");
	unsigned long number = last ? list.count : strtoul(word, NULL, 10);
	if (number && number <= list.count)
		path = xstrdup(list.paths[number - 1]);
	else if (!list.count)
		error_set(error, STATUS_INPUT,
			"no session %s: none is kept yet, expected `run` "
			"before",
			text_quoted(word).chars);
	else
		error_set(error, STATUS_INPUT,
			"no session %s: expected 1 to %zu, see `sessions`",
			text_quoted(word).chars, list.count);
	kept_list_free(&list);
	return path;
}

/* The path of a kept session by its name; NULL: no session has this name. */
static char *named_path(const char *word)
{
	char *folder = strchr(word, '/') ? NULL : kept_folder();
	struct text path = { 0 };

	if (folder)
		text_add(&path, "%s/%s%s", folder, word,
			text_ends(word, ending) ? "" : ending);
	free(folder);
	if (folder && is_kept(path.chars))
		return text_take(&path);
	text_free(&path);
	return NULL;
}

char *kept_path(const char *word, struct error *error)
{
	static const char *const words[] = { "last", NULL };
	char *path = NULL;

	if (!strcmp(word, words[0]) || is_number(word))
		return numbered_path(word, error);
	bool missing = strcmp(word, "-") != 0 && access(word, F_OK);
	if (missing)
		path = named_path(word);
	if (missing && !path && text_nearest(word, words)) {
		error_set(error, STATUS_INPUT,
			"no file and no session %s: did you mean '%s'?",
			text_quoted(word).chars, words[0]);
		return NULL;
	}
	return path ? path : xstrdup(word);
}
