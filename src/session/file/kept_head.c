/* What a list shows of a kept session, found without parsing its trials. */
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
#include "memory.h"

struct line {
	const char *at;
	size_t length;
};

/* Moves `at` behind the first occurrence of `piece` in the line. No text of a
 * string looks like a member: its quotes are escaped. */
static bool skip_to(struct line *line, const char *piece)
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

/* Is the line the member `begin`, with its indentation? What follows is left.
 */
static bool is_member(struct line *line, const char *begin)
{
	size_t length = strlen(begin);

	if (line->length < length || memcmp(line->at, begin, length) != 0)
		return false;
	line->at += length;
	line->length -= length;
	return true;
}

/* The text that begins at its quote; to be freed, NULL: none. */
static char *read_text(const struct line *line)
{
	cJSON *item = cJSON_ParseWithLength(line->at, line->length);
	char *text = cJSON_IsString(item) ? xstrdup(item->valuestring) : NULL;

	cJSON_Delete(item);
	return text;
}

static void take_time(const struct line *line, struct kept_head *head)
{
	char *text = *head->at ? NULL : read_text(line);

	if (text && session_is_time(text))
		snprintf(head->at, sizeof head->at, "%s", text);
	free(text);
}

static void take_experiment(const struct line *line, struct kept_head *head)
{
	char *name = read_text(line);

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

/* {"time":{"unit":"ns","median":89.4, */
static void take_median(struct line *line, struct kept_head *head)
{
	char *unit;

	if (!isnan(head->median) || !skip_to(line, "\"unit\":"))
		return;
	unit = read_text(line);
	if (unit && skip_to(line, "\"median\":")) {
		cJSON *number = cJSON_ParseWithLength(line->at, line->length);

		if (cJSON_IsNumber(number)) {
			head->median = number->valuedouble;
			head->unit = unit_named(unit);
		}
		cJSON_Delete(number);
	}
	free(unit);
}

static void read_line(struct line line, struct kept_head *head)
{
	if (is_member(&line, "   \"experiment\":"))
		take_experiment(&line, head);
	else if (is_member(&line, "   \"started\":") ||
		is_member(&line, "   \"at\":"))
		take_time(&line, head);
	else if (is_member(&line, "     \"metrics\":"))
		take_median(&line, head);
	else if (!head->note && is_member(&line, "   \"text\":"))
		head->note = read_text(&line);
}

static void read_lines(const char *chars, size_t length,
	struct kept_head *head)
{
	const char *end = chars + length;

	while (chars < end) {
		size_t left = (size_t)(end - chars);
		const char *newline = memchr(chars, '\n', left);
		size_t width =
			newline ? (size_t)(newline - chars) : left;

		read_line((struct line){ chars, width }, head);
		chars += width + 1;
	}
}

void kept_head_read(const char *path, struct kept_head *head)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat is;

	*head = (struct kept_head){ .median = NAN };
	if (fd < 0)
		return;
	if (!fstat(fd, &is) && S_ISREG(is.st_mode) && is.st_size > 0) {
		size_t length = (size_t)is.st_size;
		/* A saved file is replaced, never cut. */
		void *chars = mmap(NULL, length, PROT_READ,
			MAP_PRIVATE | MAP_POPULATE, fd, 0);

		if (chars != MAP_FAILED) {
			read_lines(chars, length, head);
			munmap(chars, length);
		}
	}
	close(fd);
}

void kept_head_free(struct kept_head *head)
{
	for (size_t i = 0; i < head->experiment_count; i++)
		free(head->experiments[i]);
	free(head->experiments);
	free(head->note);
	*head = (struct kept_head){ 0 };
}
