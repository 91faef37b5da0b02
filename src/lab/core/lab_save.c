/* Saves the session by name. Another lab may have saved the same file: its runs
 * are not overwritten. */
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "lab.h"
#include "memory.h"

static char *real_path(const char *path)
{
	char *real = realpath(path, NULL);

	return real ? real : xstrdup(path);
}

static struct saved_file *find_saved(struct lab *lab, const char *real)
{
	for (size_t i = 0; i < lab->saved_count; i++)
		if (!strcmp(lab->saved[i].path, real))
			return &lab->saved[i];
	return NULL;
}

static void keep_saved(struct lab *lab, const char *path)
{
	char *real = real_path(path);
	struct saved_file *saved = find_saved(lab, real);

	if (!saved) {
		ARRAY_GROW(lab->saved, lab->saved_count);
		saved = &lab->saved[lab->saved_count++];
		*saved = (struct saved_file){ .path = xstrdup(real) };
	}
	saved->mark = lab->session->mark;
	free(real);
}

/* The file as this lab knows it; NULL: it has neither loaded nor saved it. */
static const struct file_mark *known_mark(struct lab *lab, const char *real)
{
	const struct session *session = lab->session;
	char *own = session->path ? real_path(session->path) : NULL;
	bool is_own = own && !strcmp(own, real);
	const struct saved_file *saved = find_saved(lab, real);

	free(own);
	if (is_own && file_mark_any(&session->mark))
		return &session->mark;
	return saved ? &saved->mark : NULL;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec ||
		(a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* A file that is older than this lab was there when the user named it. */
static bool is_of_another_lab(struct lab *lab, const char *path)
{
	char *real = real_path(path);
	const struct file_mark *known = known_mark(lab, real);
	struct file_mark now;

	file_mark_take(&now, path);
	free(real);
	if (!file_mark_any(&now) || !now.size_bytes)
		return false;
	return known ? !file_mark_same(known, &now) :
		       !is_before(&now.changed, &lab->began);
}

/* The user may save to the file of the autosaves. */
static void mark_autosave(struct lab *lab)
{
	struct file_mark now;

	if (!lab->autosave_named)
		return;
	file_mark_take(&now, lab->autosave);
	if (file_mark_same(&now, &lab->session->mark))
		lab->autosave_mark = now;
}

static int save(struct lab *lab, const char *path, bool force,
	struct error *error)
{
	if (!force && is_of_another_lab(lab, path))
		return error_set(error, STATUS_OUTPUT,
			"will not overwrite %s: another process changed it "
			"while this lab was open; save under another name, or "
			"with --force",
			text_quoted(path).chars);
	if (session_save(lab->session, path, force, error))
		return -1;
	keep_saved(lab, lab->session->path);
	mark_autosave(lab);
	return 0;
}

int lab_save(struct lab *lab, const char *path, bool force,
	struct error *error)
{
	char *copy = real_path(path);
	/* Between checking the file and replacing it, another lab must not
	 * save. */
	int folder = file_lock_folder(dirname(copy));
	int failed = save(lab, path, force, error);

	if (folder >= 0)
		close(folder); /* releases the lock */
	free(copy);
	return failed;
}
