/* Measures hosts over ssh, by the scripts of assets/ssh. */
#include "fleet_hosts.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assets.h"
#include "file.h"
#include "text.h"

enum { WAIT_MS = 100 };

/* Where fleet.sh finds the others. */
static const char *const folders[] = { "ssh", "slurm" };
static const char *const scripts[] = { "ssh/fleet.sh", "ssh/host.sh",
	"slurm/node.sh" };
enum {
	FOLDERS = sizeof folders / sizeof *folders,
	SCRIPTS = sizeof scripts / sizeof *scripts,
};

static char *path_of(const char *place, const char *name)
{
	struct text path = { 0 };

	text_add(&path, "%s/%s", place, name);
	return text_take(&path);
}

/* ---- the scripts as files --------------------------------------------- */

static int write_scripts(const char *place, struct error *error)
{
	for (size_t i = 0; i < FOLDERS; i++) {
		char *path = path_of(place, folders[i]);
		int failed = mkdir(path, 0700);

		free(path);
		if (failed)
			return error_set(error, STATUS_OUTPUT,
				"cannot make a folder in %s: %s", place,
				strerror(errno));
	}
	for (size_t i = 0; i < SCRIPTS; i++) {
		const struct asset *script = asset_find(scripts[i]);
		char *path = path_of(place, scripts[i]);
		int failed = file_save(path, script->text,
			(size_t)(script->end - script->text), error);

		free(path);
		if (failed)
			return -1;
	}
	return 0;
}

static void remove_scripts(const char *place)
{
	for (size_t i = 0; i < SCRIPTS; i++) {
		char *path = path_of(place, scripts[i]);

		unlink(path);
		free(path);
	}
	for (size_t i = 0; i < FOLDERS; i++) {
		char *path = path_of(place, folders[i]);

		rmdir(path);
		free(path);
	}
	rmdir(place);
}

/* ---- the process ------------------------------------------------------ */

/* In a group of its own, with the signals that the lab blocks. */
static int start(const char *const *words, pid_t *pid, struct error *error)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO,
		STDOUT_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes,
		POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	/* posix_spawnp() does not modify the words. */
	int failed = posix_spawnp(pid, words[0], &actions, &attributes,
		(char *const *)(uintptr_t)words, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (!failed)
		return 0;
	return error_set(error, STATUS_PERMISSION, "cannot start %s: %s",
		words[0], strerror(failed));
}

static bool is_ending(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGINT) == 1 ||
		sigismember(&pending, SIGTERM) == 1 ||
		sigismember(&pending, SIGHUP) == 1;
}

/* Returns the status of waitpid(). */
static int await(pid_t pid)
{
	int status = 0;

	while (!waitpid(pid, &status, WNOHANG)) {
		if (is_ending())
			kill(-pid, SIGTERM);
		poll(NULL, 0, WAIT_MS);
	}
	return status;
}

static int measure(const char *place, const char *const *of,
	struct error *error)
{
	char *program = path_of(place, scripts[0]);
	const char *const words[] = { "sh", program, of[0], of[1], of[2],
		NULL };
	pid_t pid;
	int failed = start(words, &pid, error);

	free(program);
	if (failed)
		return -1;
	int status = await(pid);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return error_set(error, STATUS_AGAIN,
		"a host of %s has no session in %s: the same command "
		"continues",
		text_quoted(of[2]).chars, text_quoted(of[0]).chars);
}

/* ---- checks before anything is made ----------------------------------- */

/* Why the scripts cannot read a file, which they do several times; NULL: they
 * can. */
static const char *unreadable(const char *path)
{
	struct stat is;

	if (stat(path, &is) || access(path, R_OK))
		return strerror(errno);
	return S_ISREG(is.st_mode) ? NULL : "not a regular file";
}

/* A misspelt name would otherwise fail on each host. */
static int check_script(const char *script, struct error *error)
{
	char *name = path_of("scripts", script);
	bool is_own = asset_find(name) != NULL;
	const char *why = is_own ? NULL : unreadable(script);

	free(name);
	if (!why)
		return 0;
	return error_set(error, STATUS_INPUT,
		"cannot read script %s: %s, and no script of benchtop has this "
		"name",
		text_quoted(script).chars, why);
}

/* Has the list more than blanks and comments, as fleet.sh reads it? */
static bool has_host(const struct text *list)
{
	bool comment = false;

	for (size_t i = 0; i < list->length; i++) {
		char c = list->chars[i];

		comment = c != '\n' && (comment || c == '#');
		if (!comment && !isspace((unsigned char)c))
			return true;
	}
	return false;
}

static int check_hosts(const char *hosts, struct error *error)
{
	enum { LIST_BYTES = 16 << 20 };
	const char *why = unreadable(hosts);
	struct text list = { 0 };

	if (why)
		return error_set(error, STATUS_INPUT, "cannot read %s: %s",
			text_quoted(hosts).chars, why);
	int failed = file_read(hosts, LIST_BYTES, &list, error);
	if (!failed && !has_host(&list))
		failed = error_set(error, STATUS_INPUT,
			"%s names no host: expected one per line",
			text_quoted(hosts).chars);
	text_free(&list);
	return failed;
}

int fleet_measure(const char *folder, const char *script, const char *hosts,
	struct error *error)
{
	const char *const of[] = { folder, script, hosts };
	const char *temporary = getenv("TMPDIR");
	struct text place = { 0 };

	if (check_hosts(hosts, error) || check_script(script, error))
		return -1;
	text_add(&place, "%s/benchtop-fleet-XXXXXX",
		temporary && *temporary ? temporary : "/tmp");
	if (!mkdtemp(place.chars)) {
		text_free(&place);
		return error_set(error, STATUS_OUTPUT,
			"cannot make a temporary folder: %s", strerror(errno));
	}
	int failed = write_scripts(place.chars, error) ||
		measure(place.chars, of, error);
	remove_scripts(place.chars);
	text_free(&place);
	return failed ? -1 : 0;
}
