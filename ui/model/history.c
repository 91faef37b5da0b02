/* Reads and writes the file of typed lines. */
#include "history.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "memory.h"

enum { BYTES_MOST = 1 << 20, OWNER_ONLY = 077 };

static char *history_path(void)
{
	char *folder = folder_state();
	struct text path = { 0 };

	if (!folder)
		return NULL;
	text_add(&path, "%s/history", folder);
	free(folder);
	return text_take(&path);
}

/* Whether the user can have typed this line. */
static bool is_line(const char *line, size_t length)
{
	const struct prompt *prompt = NULL;
	struct text safe = { 0 };

	if (!length || length >= sizeof prompt->line)
		return false;
	text_add_safe(&safe, line, length);
	bool same = safe.length == length &&
		!memcmp(text_chars(&safe), line, length);
	text_free(&safe);
	return same;
}

static void take_lines(struct prompt *prompt, const char *chars, size_t length)
{
	const char *end = chars + length;

	while (chars < end) {
		const char *newline =
			memchr(chars, '\n', (size_t)(end - chars));
		size_t count = (size_t)((newline ? newline : end) - chars);

		if (is_line(chars, count)) {
			char *line = xstrndup(chars, count);

			prompt_remember(prompt, line);
			free(line);
		}
		chars += count + 1;
	}
}

static int read_into(struct prompt *prompt, const char *path,
	struct error *error)
{
	struct text content = { 0 };
	int failed = 0;

	if (!access(path, F_OK))
		failed = file_read_own(path, 0, BYTES_MOST, &content, error);
	if (!failed)
		take_lines(prompt, text_chars(&content), content.length);
	text_free(&content);
	return failed;
}

void history_load(struct prompt *prompt)
{
	char *path = history_path();
	struct error ignored;

	if (path)
		read_into(prompt, path, &ignored);
	prompt->history_kept = prompt->history_count;
	free(path);
}

static int save(const struct prompt *all, const char *path, struct error *error)
{
	struct text out = { 0 };

	for (size_t i = 0; i < all->history_count; i++)
		text_add(&out, "%s\n", all->history[i]);
	mode_t before = umask(OWNER_ONLY);
	int failed = file_save(path, text_chars(&out), out.length, error);
	umask(before);
	text_free(&out);
	return failed;
}

int history_keep(const struct prompt *prompt, struct error *error)
{
	struct prompt all = { 0 };
	size_t count = prompt->history_count;
	char *path = count > prompt->history_kept ? history_path() : NULL;
	int failed = 0;

	if (!path)
		return 0;
	failed = read_into(&all, path, error);
	for (size_t i = prompt->history_kept; i < count; i++)
		prompt_remember(&all, prompt->history[i]);
	if (!failed)
		failed = save(&all, path, error);
	prompt_free(&all);
	free(path);
	return failed;
}
