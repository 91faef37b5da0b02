/* File names as candidates for the last word. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "complete.h"
#include "memory.h"
#include "text.h"
#include "words.h"

static bool is_folder(const char *path)
{
	struct stat is;

	return !stat(path, &is) && S_ISDIR(is.st_mode);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Removes the quotes from a partly typed word. */
static char *unquoted(const char *word)
{
	struct text plain = { 0 };
	char quote = '\0';

	for (; *word; word++) {
		if (quote == '"' && *word == '\\' && word[1])
			text_add_char(&plain, *++word);
		else if (quote ? *word == quote : *word == '"' || *word == '\'')
			quote = quote ? '\0' : *word;
		else
			text_add_char(&plain, *word);
	}
	return text_chars(&plain)[0] ? text_take(&plain) : xstrdup("");
}

/* A folder's name stays open (no closing quote), because more can follow. */
static void offer(struct completion *completion, const char *path, bool folder)
{
	struct text word = { 0 };

	words_quote(&word, path);
	if (folder && word.chars[word.length - 1] == '"')
		word.chars[--word.length] = '\0';
	ARRAY_GROW(completion->list, completion->count);
	completion->list[completion->count++] = text_take(&word);
}

/* `head` is the typed part up to the last /, `begun` the part after it. */
static void offer_files(struct completion *completion, const char *head,
	const char *begun)
{
	DIR *dir = opendir(*head ? head : ".");

	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		const char *name = entry->d_name;
		struct text path = { 0 };

		if ((*name == '.' && *begun != '.') ||
			strncmp(name, begun, strlen(begun)) ||
			!strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		text_add(&path, "%s%s", head, name);
		bool folder = is_folder(path.chars);
		if (folder)
			text_add_char(&path, '/');
		offer(completion, path.chars, folder);
		text_free(&path);
	}
	if (dir)
		closedir(dir);
}

void complete_files(const char *line, struct completion *completion)
{
	size_t others = completion->count;

	if (!completion->files)
		return;
	char *typed = unquoted(line + completion->from);
	const char *slash = strrchr(typed, '/');
	size_t length = slash ? (size_t)(slash + 1 - typed) : 0;
	char *head = xstrndup(typed, length);
	offer_files(completion, head, typed + length);
	free(head);
	free(typed);
	if (completion->count > others)
		qsort(completion->list + others, completion->count - others,
			sizeof *completion->list, compare_names);
}
