/* Bounded reads of /proc and /sys below a root folder, without errors. */
#include "peek.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

enum { PATH_BYTES = 640, LINE_BYTES = 4096 };

__attribute__((format(printf, 3, 0))) static bool path_below(const char *root,
	char *path, const char *format, va_list list)
{
	int prefix = snprintf(path, PATH_BYTES, "%s", root);

	if (prefix < 0 || prefix >= PATH_BYTES)
		return false;
	int room = PATH_BYTES - prefix;
	int rest = vsnprintf(path + prefix, (size_t)room, format, list);
	return rest >= 0 && rest < room;
}

/* The same with the variadic arguments of the calling function. */
#define PATH_BELOW(fits, root, path, format) \
	do { \
		va_list list; \
\
		va_start(list, format); \
		(fits) = path_below((root), (path), (format), list); \
		va_end(list); \
	} while (0)

/* Non-blocking: a file that is a pipe or a device must not block the
 * program. */
static size_t read_bytes(const char *path, char *into, size_t size_bytes)
{
	size_t length = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	into[0] = '\0';
	if (fd < 0)
		return 0;
	while (length < size_bytes - 1) {
		ssize_t got = read(fd, into + length, size_bytes - 1 - length);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		length += (size_t)got;
	}
	close(fd);
	into[length] = '\0';
	return length;
}

size_t peek_bytes(const char *root, char *into, size_t size_bytes,
	const char *path_format, ...)
{
	char path[PATH_BYTES];
	bool fits;

	into[0] = '\0';
	PATH_BELOW(fits, root, path, path_format);
	return fits ? read_bytes(path, into, size_bytes) : 0;
}

static void first_line(const char *path, char *into, size_t size_bytes)
{
	char line[LINE_BYTES];

	read_bytes(path, line, sizeof line);
	line[strcspn(line, "\n")] = '\0';
	safe_copy(into, size_bytes, line);
}

bool peek_line(const char *root, char *into, size_t size_bytes,
	const char *path_format, ...)
{
	char path[PATH_BYTES];
	bool fits;

	into[0] = '\0';
	PATH_BELOW(fits, root, path, path_format);
	if (fits)
		first_line(path, into, size_bytes);
	return into[0];
}

bool number_read(const char *text, double *value)
{
	char *end;
	double number = strtod(text, &end);

	if (end == text || !isfinite(number))
		return false;
	*value = number;
	return true;
}

bool peek_number(const char *root, double *value, const char *path_format, ...)
{
	char path[PATH_BYTES], text[64];
	bool fits;

	PATH_BELOW(fits, root, path, path_format);
	if (!fits)
		return false;
	first_line(path, text, sizeof text);
	return number_read(text, value);
}

bool peek_link(const char *root, char *into, size_t size_bytes,
	const char *path_format, ...)
{
	char path[PATH_BYTES], target[LINE_BYTES];
	bool fits;

	into[0] = '\0';
	PATH_BELOW(fits, root, path, path_format);
	ssize_t length = fits ? readlink(path, target, sizeof target - 1) : -1;
	if (length <= 0)
		return false;
	target[length] = '\0';
	safe_copy(into, size_bytes, target);
	return into[0];
}

bool peek_there(const char *root, const char *path_format, ...)
{
	char path[PATH_BYTES];
	bool fits;

	PATH_BELOW(fits, root, path, path_format);
	return fits && !access(path, F_OK);
}

/* The beginning of the value if this line has the key; else NULL. */
static const char *value_in(const char *line, const char *key, char mark)
{
	size_t length = strlen(key);

	if (strncmp(line, key, length) != 0)
		return NULL;
	const char *blanks = line + length;
	const char *value = blanks + strspn(blanks, " \t");
	if (mark == ':')
		return *value == ':' ? value + 1 : NULL;
	return value > blanks ? value : NULL;
}

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : NULL;
}

bool field_find(const char *text, const char *key, char mark, char *into,
	size_t size_bytes)
{
	const char *value = NULL;

	for (const char *line = text; line && !value; line = next_line(line))
		value = value_in(line, key, mark);
	into[0] = '\0';
	if (!value)
		return false;
	char copy[LINE_BYTES];
	snprintf(copy, sizeof copy, "%.*s", (int)strcspn(value, "\n"), value);
	safe_copy(into, size_bytes, copy);
	return into[0];
}

bool field_number(const char *text, const char *key, char mark, double *value)
{
	char found[64];

	return field_find(text, key, mark, found, sizeof found) &&
		number_read(found, value);
}

bool words_have(const char *words, const char *word)
{
	size_t length = strlen(word);

	while (*words) {
		size_t size = strcspn(words, " \t\n");

		if (size == length && !strncmp(words, word, size))
			return true;
		words += size;
		words += strspn(words, " \t\n");
	}
	return false;
}

void safe_copy(char *into, size_t size_bytes, const char *from)
{
	static const char more[] = "..";
	struct text safe = { 0 };
	size_t length;

	from += strspn(from, " \t\n");
	length = strlen(from);
	while (length && isspace((unsigned char)from[length - 1]))
		length--;
	text_add_safe(&safe, from, length);
	if (safe.length >= size_bytes) {
		size_t room = size_bytes - sizeof more;

		safe.length = utf8_valid(text_chars(&safe), room);
		text_add(&safe, "%s", more);
	}
	memcpy(into, text_chars(&safe), safe.length);
	into[safe.length] = '\0';
	text_free(&safe);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

void peek_folder(const char *root, struct folder *folder,
	const char *path_format, ...)
{
	char path[PATH_BYTES];
	bool fits;

	folder->count = 0;
	PATH_BELOW(fits, root, path, path_format);
	DIR *open_folder = fits ? opendir(path) : NULL;
	if (!open_folder)
		return;
	struct dirent *entry;
	while (folder->count < FOLDER_ENTRIES &&
		(entry = readdir(open_folder))) {
		size_t length = strlen(entry->d_name);

		if (entry->d_name[0] == '.' || length >= FOLDER_NAME_BYTES)
			continue;
		memcpy(folder->name[folder->count++], entry->d_name,
			length + 1);
	}
	closedir(open_folder);
	qsort(folder->name, folder->count, FOLDER_NAME_BYTES, compare_names);
}

size_t peek_count(const char *root, const char *path_format, ...)
{
	char path[PATH_BYTES];
	const struct dirent *entry;
	size_t count = 0;
	bool fits;

	PATH_BELOW(fits, root, path, path_format);
	DIR *open_folder = fits ? opendir(path) : NULL;
	if (!open_folder)
		return 0;
	while ((entry = readdir(open_folder)))
		count += entry->d_name[0] != '.';
	closedir(open_folder);
	return count;
}

void processors_write(const struct processors *set, char *into,
	size_t size_bytes)
{
	struct text list = { 0 };

	for (size_t i = 0; i < PROCESSORS_MAX; i++) {
		size_t first = i;

		if (!set->has[i])
			continue;
		while (i + 1 < PROCESSORS_MAX && set->has[i + 1])
			i++;
		text_add(&list, "%s%zu", list.length ? "," : "", first);
		if (i > first)
			text_add(&list, "-%zu", i);
	}
	safe_copy(into, size_bytes, text_chars(&list));
	text_free(&list);
}
