/* Saves and loads the file of a session. */
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "published.h"
#include "session_internal.h"

static bool same_file(const char *one, const char *other)
{
	struct stat a, b;

	return one && !stat(one, &a) && !stat(other, &b) &&
		a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int refuse_loss(const struct session *session, const char *path,
	struct error *error)
{
	size_t others = session->unknown_count;

	if (!others)
		return error_set(error, STATUS_OUTPUT,
			"will not overwrite '%s': a newer benchtop wrote it; "
			"save under another name",
			json_name_shown(path));
	return error_set(error, STATUS_OUTPUT,
		"will not overwrite '%s': %s%s would be lost; save under "
		"another name",
		json_name_shown(path), session->unknown[0],
		others > 1 ? " and more" : "");
}

/* Reads the beginning of a regular file, without blanks, up to the buffer's
 * size. */
static size_t read_head(const char *path, char *head, size_t size)
{
	struct stat is;
	bool regular = !stat(path, &is) && S_ISREG(is.st_mode);
	FILE *file = regular ? fopen(path, "re") : NULL;
	size_t length = 0;
	int c;

	while (file && length + 1 < size && (c = fgetc(file)) != EOF)
		if (!c || !strchr(" \t\r\n", c))
			head[length++] = (char)c;
	if (file)
		fclose(file);
	head[length] = '\0';
	return length;
}

/* Refuses to overwrite a file of another format or of a newer benchtop, as its
 * first members show. */
static int check_target(const char *path, struct error *error)
{
	static const char ours[] = "\"format\":\"benchtop-session\"";
	static const char schema[] = "\"schema\":[";
	char head[512];

	/* An empty file, such as one from mktemp, may be overwritten. A path
	 * that is not a regular file fails when it is written. */
	if (!read_head(path, head, sizeof head))
		return 0;
	const char *version = strstr(head, schema);
	unsigned major, minor;
	if (!strstr(head, ours) || !version ||
		sscanf(version + sizeof schema - 1, "%u,%u", &major, &minor) !=
			2)
		return error_set(error, STATUS_OUTPUT,
			"will not overwrite '%s': not a session file; save "
			"under another name, or with --force",
			json_name_shown(path));
	if (major > SESSION_MAJOR ||
		(major == SESSION_MAJOR && minor > SESSION_MINOR))
		return error_set(error, STATUS_OUTPUT,
			"will not overwrite '%s': a newer benchtop wrote it; "
			"save under another name, or with --force",
			json_name_shown(path));
	return 0;
}

static size_t count_samples(const struct results *results)
{
	size_t samples = 0;

	for (size_t p = 0; p < results->point_count; p++)
		for (size_t m = 0; m < results->metric_count; m++) {
			const struct series *series =
				&results->points[p].series[m];

			samples += series->raw.count + series->trace.count;
		}
	return samples;
}

/* Refuses to write a file that could not be loaded again. */
static int check_size(const struct session *session, const char *path,
	const struct text *text, struct error *error)
{
	struct error why;
	size_t values;

	for (size_t i = 0; i < session->run_count; i++)
		if (count_samples(session->runs[i]) > SESSION_SAMPLES_MAX)
			return error_set(error, STATUS_OUTPUT,
				"cannot save '%s': run %zu has more than %d "
				"trials",
				json_name_shown(path), i, SESSION_SAMPLES_MAX);
	if (!json_check(text->chars, text->length, "it", &values, &why))
		return 0;
	if (text->length > JSON_BYTES_MAX || values > JSON_VALUES_MAX)
		return error_set(error, STATUS_OUTPUT,
			"cannot save '%s': the session is larger than %d MiB "
			"or %d values; leave this lab, then `benchtop recover` "
			"saves its unsaved runs",
			json_name_shown(path), JSON_BYTES_MAX >> 20,
			JSON_VALUES_MAX);
	return error_set(error, STATUS_OUTPUT,
		"cannot save '%s': could not be loaded again: %s",
		json_name_shown(path), why.message);
}

static void remember_path(struct session *session, const char *path)
{
	char *copy = xstrdup(path);

	free(session->path);
	session->path = copy;
}

static int write_file(const struct session *session, const char *path,
	struct error *error)
{
	struct text text = { 0 };

	session_write(session, &text);
	int failed = check_size(session, path, &text, error);
	if (!failed)
		failed = file_save(path, text.chars, text.length, error);
	text_free(&text);
	return failed;
}

int session_save_copy(const struct session *session, const char *path,
	struct error *error)
{
	return check_target(path, error) ? -1 :
					   write_file(session, path, error);
}

int session_save(struct session *session, const char *path, bool force,
	struct error *error)
{
	if (!force && (session->newer || session->unknown_count) &&
		same_file(session->path, path))
		return refuse_loss(session, path, error);
	if (!force && check_target(path, error))
		return -1;
	if (write_file(session, path, error))
		return -1;
	file_mark_take(&session->mark, path);
	remember_path(session, path);
	session_forget_unknown(session);
	session->changed = false;
	return 0;
}

struct session *session_load(const char *path, struct error *error)
{
	struct text text = { 0 };
	struct session *session = NULL;
	bool input = !strcmp(path, "-");
	struct file_mark mark;

	/* Before it is read: what is written from now on is a change. */
	file_mark_take(&mark, path);
	if (!session_file_read(path, &text, error))
		session = session_read(text_chars(&text), text.length,
			input ? "standard input" : path, error);
	text_free(&text);
	if (session && !input) {
		remember_path(session, path);
		session->mark = mark;
	}
	return session;
}
