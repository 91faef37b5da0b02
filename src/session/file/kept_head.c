/* The head of a kept session for a list, found without parsing its trials. */
#include "kept.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json.h"
#include "json_gzip.h"
#include "json_internal.h"
#include "kept_scan.h"
#include "memory.h"

/* ---- lines ------------------------------------------------------------ */

bool kept_skip_to(struct kept_line *line, const char *piece)
{
	const char *found =
		memmem(line->at, line->length, piece, strlen(piece));

	if (!found)
		return false;
	found += strlen(piece);
	line->length -= (size_t)(found - line->at);
	line->at = found;
	return true;
}

bool kept_is_member(struct kept_line *line, const char *begin)
{
	size_t length = strlen(begin);

	if (line->length < length || memcmp(line->at, begin, length) != 0)
		return false;
	line->at += length;
	line->length -= length;
	return true;
}

char *kept_text(const struct kept_line *line)
{
	cJSON *item = cJSON_ParseWithLength(line->at, line->length);
	char *text = cJSON_IsString(item) ? xstrdup(item->valuestring) : NULL;

	cJSON_Delete(item);
	return text;
}

char *kept_safe_text(const struct kept_line *line)
{
	struct text safe = { 0 };
	char *text = kept_text(line);

	if (!text)
		return NULL;
	text_add_safe(&safe, text, strlen(text));
	free(text);
	return text_take(&safe);
}

static void scan_lines(const char *chars, size_t length,
	void (*each)(struct kept_line *, void *context), void *context)
{
	const char *end = chars + length;

	while (chars < end) {
		size_t left = (size_t)(end - chars);
		const char *newline = memchr(chars, '\n', left);
		size_t width = newline ? (size_t)(newline - chars) : left;
		struct kept_line line = { chars, width };

		each(&line, context);
		chars += width + 1;
	}
}

/* Does the text end as json_print() ends an object? Half a file does not. */
static bool is_whole(const char *chars, size_t length)
{
	while (length && chars[length - 1] == '\n')
		length--;
	return length > 2 && !memcmp(chars + length - 2, "\n}", 2);
}

/* Scans a session of another layout, such as another program's, as json_print()
 * would write it. Members in another order are no session here. */
static void scan_other(const char *path, const char *chars, size_t length,
	void (*each)(struct kept_line *, void *context), void *context)
{
	struct text text = { 0 };
	struct error error;
	cJSON *tree = json_parse(chars, length, path, &error);

	if (tree && tree->child && tree->child->string &&
		!strcmp(tree->child->string, "format")) {
		json_print(tree, &text);
		scan_lines(text_chars(&text), text.length, each, context);
	}
	cJSON_Delete(tree);
	text_free(&text);
}

static void scan_plain(const char *path, const char *chars, size_t length,
	void (*each)(struct kept_line *, void *context), void *context)
{
	static const char begin[] =
		"{\n \"format\":\"benchtop-session\",\n \"schema\":[1,";

	if (length < sizeof begin || memcmp(chars, begin, sizeof begin - 1))
		scan_other(path, chars, length, each, context);
	else if (is_whole(chars, length))
		scan_lines(chars, length, each, context);
}

static void scan_text(const char *path, const char *chars, size_t length,
	void (*each)(struct kept_line *, void *context), void *context)
{
	struct text text = { 0 };
	struct error error;

	if (!json_is_gzip(chars, length))
		scan_plain(path, chars, length, each, context);
	else if (!json_gunzip(chars, length, path, &text, &error))
		scan_plain(path, text_chars(&text), text.length, each, context);
	text_free(&text);
}

bool kept_scan(const char *path,
	void (*each)(struct kept_line *, void *context), void *context)
{
	/* A named pipe would wait for a writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	bool was_read = false;
	struct stat is;

	if (fd < 0)
		return false;
	/* Else a line that libcjson has no memory for would be left out. */
	json_use_memory();
	/* A larger file is not a session, and mapping its pages takes long. */
	if (!fstat(fd, &is) && S_ISREG(is.st_mode) && is.st_size > 0 &&
		is.st_size <= JSON_BYTES_MAX) {
		size_t length = (size_t)is.st_size;
		/* Saving replaces a file and never truncates it, so the mapping
		 * stays valid. */
		void *chars = mmap(NULL, length, PROT_READ,
			MAP_PRIVATE | MAP_POPULATE, fd, 0);

		if (chars != MAP_FAILED) {
			scan_text(path, chars, length, each, context);
			munmap(chars, length);
			was_read = true;
		}
	}
	close(fd);
	return was_read;
}

/* ---- the head --------------------------------------------------------- */

static void take_time(const struct kept_line *line, struct kept_head *head)
{
	char *text = *head->at ? NULL : kept_text(line);

	if (text && session_is_time(text))
		snprintf(head->at, sizeof head->at, "%s", text);
	free(text);
}

static void take_experiment(const struct kept_line *line,
	struct kept_head *head)
{
	char *name = kept_text(line);

	for (size_t i = 0; name && i < head->experiment_count; i++)
		if (!strcmp(name, head->experiments[i])) {
			free(name);
			name = NULL;
		}
	if (!name)
		return;
	ARRAY_GROW(head->experiments, head->experiment_count);
	head->experiments[head->experiment_count++] = name;
}

/* Finds unit and median in {"time":{"unit":"ns","median":89.4, */
static void take_median(struct kept_line *line, struct kept_head *head)
{
	char *unit;

	if (!isnan(head->median) || !kept_skip_to(line, "\"unit\":"))
		return;
	unit = kept_text(line);
	if (unit && kept_skip_to(line, "\"median\":")) {
		cJSON *number = cJSON_ParseWithLength(line->at, line->length);

		if (cJSON_IsNumber(number)) {
			head->median = number->valuedouble;
			head->unit = unit_named(unit);
		}
		cJSON_Delete(number);
	}
	free(unit);
}

static void read_line(struct kept_line *line, void *context)
{
	struct kept_head *head = context;

	if (kept_is_member(line, "   \"experiment\":"))
		take_experiment(line, head);
	else if (kept_is_member(line, "   \"started\":") ||
		kept_is_member(line, "   \"at\":"))
		take_time(line, head);
	else if (kept_is_member(line, "     \"metrics\":"))
		take_median(line, head);
	else if (!head->note && kept_is_member(line, "   \"text\":"))
		head->note = kept_text(line);
}

bool kept_head_read(const char *path, struct kept_head *head)
{
	*head = (struct kept_head){ .median = NAN };
	return kept_scan(path, read_line, head);
}

void kept_head_free(struct kept_head *head)
{
	for (size_t i = 0; i < head->experiment_count; i++)
		free(head->experiments[i]);
	free(head->experiments);
	free(head->note);
	*head = (struct kept_head){ 0 };
}
