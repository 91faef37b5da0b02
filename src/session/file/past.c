/* The index of earlier runs. */
#include "past.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "digest.h"
#include "file.h"
#include "file_open.h"
#include "json.h"
#include "quality.h"

enum { INDEX_MOST_BYTES = 2 << 20 };

static bool index_path(struct text *path)
{
	char *folder = folder_state();

	if (folder)
		text_add(path, "%s/past.jsonl", folder);
	free(folder);
	return path->length > 0;
}

/* Adds the key of a point as quoted JSON, the same for equal points:
 * "cpu.syscall call=getppid via=raw on vm, Intel(R) ..". */
static void add_key(const struct session *session,
	const struct results *results, const struct point *point,
	struct text *key)
{
	cJSON *object = cJSON_CreateObject();
	struct text words = { 0 };

	text_add(&words, "%s", results->experiment);
	for (size_t i = 0; i < results->param_count; i++)
		if (*point->values[i])
			text_add(&words, " %s=%s", results->param_names[i],
				point->values[i]);
	text_add(&words, " on %s, %s", session->machine.hostname,
		session->machine.cpu);
	json_add_text(object, "point", words.chars);
	char *line = cJSON_PrintUnformatted(object);
	/* Remove the braces. */
	if (line)
		text_add_chars(key, line + 1, strlen(line) - 2);
	cJSON_free(line);
	cJSON_Delete(object);
	text_free(&words);
}

/* ---- writing ---------------------------------------------------------- */

static void add_line(const struct session *session,
	const struct results *results, const struct point *point,
	struct text *lines)
{
	struct digest digest;
	double *launches;

	if (point->state != POINT_OK ||
		!digest_of(results, point, 0, &digest) ||
		!isfinite(digest.headline))
		return;
	size_t count = results_launch_medians(results, point, 0, SCALE_UNIT,
		&launches, NULL);
	text_add_char(lines, '{');
	add_key(session, results, point, lines);
	text_add(lines, ",\"at\":\"%s\",\"metric\":\"%s\",\"median\":",
		results->started, results->metrics[0].name);
	json_number(lines, digest.headline);
	text_add(lines, ",\"quality\":\"%s\",\"launches\":[",
		quality_word(digest.quality));
	for (size_t i = 0; i < count && i < PAST_LAUNCHES; i++) {
		text_add(lines, "%s", i ? "," : "");
		json_number(lines, launches[i]);
	}
	text_add(lines, "]}\n");
	free(launches);
}

/* Keeps the later half of an index that is too long. */
static void trim(const char *path)
{
	struct text all = { 0 };
	struct error error;
	struct stat is;

	if (stat(path, &is) || is.st_size <= INDEX_MOST_BYTES ||
		file_read_own(path, O_NOFOLLOW, (size_t)is.st_size, &all,
			&error))
		return;
	const char *half = strchr(all.chars + all.length / 2, '\n');
	if (half)
		file_save(path, half + 1, strlen(half + 1), &error);
	text_free(&all);
}

void past_add(const struct session *session, const struct results *results)
{
	struct text path = { 0 }, lines = { 0 };
	struct error ignored;

	if (!results->metric_count || !index_path(&path)) {
		text_free(&path);
		return;
	}
	for (size_t p = 0; p < results->point_count; p++)
		add_line(session, results, &results->points[p], &lines);
	int fd = lines.length ?
		file_open_own(path.chars,
			O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, &ignored) :
		-1;
	if (fd >= 0) {
		/* A single write(), because another lab may append at the same
		 * time. */
		ssize_t written = write(fd, lines.chars, lines.length);

		(void)written;
		close(fd);
		trim(path.chars);
	}
	text_free(&lines);
	text_free(&path);
}

/* ---- reading ---------------------------------------------------------- */

static bool read_line(const char *line, size_t length,
	const struct results *results, struct past *past)
{
	cJSON *object = cJSON_ParseWithLength(line, length);
	const cJSON *at = cJSON_GetObjectItemCaseSensitive(object, "at");
	const cJSON *metric =
		cJSON_GetObjectItemCaseSensitive(object, "metric");
	const cJSON *median =
		cJSON_GetObjectItemCaseSensitive(object, "median");
	const cJSON *list =
		cJSON_GetObjectItemCaseSensitive(object, "launches");
	const cJSON *item;
	enum quality quality = quality_named(cJSON_GetStringValue(
		cJSON_GetObjectItemCaseSensitive(object, "quality")));
	/* Times of one machine can be compared as strings. */
	bool good = cJSON_IsString(at) && session_is_time(at->valuestring) &&
		strcmp(at->valuestring, results->started) < 0 &&
		cJSON_IsString(metric) &&
		!strcmp(metric->valuestring, results->metrics[0].name) &&
		cJSON_IsNumber(median) && isfinite(median->valuedouble);

	if (good) {
		*past = (struct past){
			.median = median->valuedouble,
			.quality = quality < QUALITIES ?
				quality :
				QUALITY_NOT_ENOUGH,
		};
		snprintf(past->at, sizeof past->at, "%s", at->valuestring);
		cJSON_ArrayForEach(item, list) if (cJSON_IsNumber(item) &&
			past->launch_count < PAST_LAUNCHES)
			past->launches[past->launch_count++] =
			item->valuedouble;
	}
	cJSON_Delete(object);
	return good;
}

/* Finds lines with the key, from the last line to the first. */
static size_t find_lines(const struct text *all, const struct text *key,
	const struct results *results, struct past *past, size_t most)
{
	const char *end = all->chars + all->length;
	size_t count = 0;

	while (count < most && end > all->chars) {
		const char *last = end;

		while (last > all->chars && last[-1] != '\n')
			last--;
		size_t length = (size_t)(end - last);
		if (length > key->length + 1 &&
			!memcmp(last + 1, text_chars(key), key->length) &&
			read_line(last, length, results, &past[count]))
			count++;
		end = last > all->chars ? last - 1 : last;
	}
	return count;
}

size_t past_find(const struct session *session, const struct results *results,
	size_t p, struct past *past, size_t most)
{
	struct text path = { 0 }, all = { 0 }, key = { 0 };
	struct error error;
	size_t count = 0;

	if (results->metric_count && p < results->point_count &&
		index_path(&path) &&
		!file_read_own(path.chars, O_NOFOLLOW,
			2 * (size_t)INDEX_MOST_BYTES, &all, &error)) {
		add_key(session, results, &results->points[p], &key);
		count = find_lines(&all, &key, results, past, most);
	}
	text_free(&path);
	text_free(&all);
	text_free(&key);
	return count;
}
