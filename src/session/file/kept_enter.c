/* Gives a new session its name among the kept sessions. */
#include "kept.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "memory.h"

/* The beginning of a name: local time, then the process. */
static const char stamp[] = "%Y%m%d-%H%M%S-";

/* False: a user gave this name, or it is hidden. */
static bool read_stamp(const char *name, time_t *at)
{
	struct tm local = { .tm_isdst = -1 };

	if (!strptime(name, stamp, &local))
		return false;
	*at = mktime(&local);
	return *at != (time_t)-1;
}

/* The last name of the folder that has a time; NULL: none. */
static char *last_name(const char *folder)
{
	DIR *dir = opendir(folder);
	char *last = NULL;
	time_t at;

	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		const char *name = entry->d_name;

		if (!kept_is_named(name) || !read_stamp(name, &at) ||
			(last && kept_order(name, last) < 0))
			continue;
		free(last);
		last = xstrdup(name);
	}
	if (dir)
		closedir(dir);
	return last;
}

static void add_name(struct text *name, time_t at)
{
	char chars[40] = "";
	struct tm local;

	localtime_r(&at, &local);
	strftime(chars, sizeof chars, stamp, &local);
	text_add(name, "%s%d.json", chars, (int)getpid());
}

/* Adds a name of the time `*at`, or of the first later time that puts it behind
 * the last name. The clock, and local time in autumn, may have gone back. */
static void add_later_name(struct text *name, const char *last, time_t *at)
{
	enum { SECONDS_MOST = 7200 };
	time_t latest;

	if (last && read_stamp(last, &latest) && latest > *at)
		*at = latest;
	for (int i = 0; i < SECONDS_MOST; i++) {
		text_clear(name);
		add_name(name, *at);
		if (!last || kept_order(name->chars, last) > 0)
			return;
		++*at;
	}
}

/* Never replaces a file, on file systems that have links. */
static int move(const char *from, const char *to)
{
	if (!link(from, to)) {
		unlink(from); /* else the next lab removes it */
		return 0;
	}
	return errno == EEXIST ? -1 : rename(from, to);
}

static char *enter(const char *path, const char *folder)
{
	enum { TRIES = 100 };
	char *last = last_name(folder);
	struct text name = { 0 }, whole = { 0 };
	time_t at = time(NULL);
	int failed = -1;

	/* Without the lock, another lab may take the name in between. */
	for (int i = 0; i < TRIES && failed; i++) {
		add_later_name(&name, last, &at);
		text_clear(&whole);
		text_add(&whole, "%s/%s", folder, name.chars);
		failed = move(path, whole.chars);
		if (failed && errno != EEXIST)
			break;
		at++;
	}
	int why = errno;
	free(last);
	text_free(&name);
	if (!failed)
		return text_take(&whole);
	text_free(&whole);
	errno = why;
	return NULL;
}

int kept_enter(const char *path, char **entered, struct error *error)
{
	const char *slash = strrchr(path, '/');
	char *folder = xstrndup(path, (size_t)(slash - path));
	/* Two labs must not choose their names at the same time. Without the
	 * lock, two sessions of one second may exchange their numbers once. */
	int fd = file_lock_folder(folder);
	int failed;

	*entered = enter(path, folder);
	if (fd >= 0)
		close(fd); /* releases the lock */
	failed = *entered ? file_sync_folder(folder, *entered, error) :
			    error_set(error, STATUS_OUTPUT,
				    "cannot name a session in '%s': %s", folder,
				    strerror(errno));
	free(folder);
	return failed;
}
