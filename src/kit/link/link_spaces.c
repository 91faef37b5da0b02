/* The namespaces of a link: created by its keeper, entered by its programs. */
#include "link_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_file(const char *path, const char *text, struct error *error)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	bool failed = file < 0 ||
		write(file, text, strlen(text)) != (ssize_t)strlen(text);
	int number = errno;

	if (file >= 0)
		close(file);
	if (!failed)
		return 0;
	return link_refuse_spaces("", number, error);
}

/* In the new user namespace this user is root, and the only user. */
static int map_user(uid_t user, gid_t group, struct error *error)
{
	char users[32], groups[32];

	snprintf(users, sizeof users, "0 %u 1", user);
	snprintf(groups, sizeof groups, "0 %u 1", group);
	if (write_file("/proc/self/setgroups", "deny", error) ||
		write_file("/proc/self/uid_map", users, error) ||
		write_file("/proc/self/gid_map", groups, error))
		return -1;
	return 0;
}

static int open_space(const char *which, struct error *error)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/self/ns/%s", which);
	int space = open(path, O_RDONLY | O_CLOEXEC);
	if (space < 0)
		error_set(error, STATUS_NETWORK,
			"cannot open %s: %s: expected /proc", path,
			strerror(errno));
	return space;
}

int link_spaces_make(struct link_spaces *spaces, struct error *error)
{
	uid_t user = geteuid();
	gid_t group = getegid();

	spaces->user = -1;
	if (!unshare(CLONE_NEWNET))
		return 0;
	if (errno != EPERM)
		return link_refuse_spaces("", errno, error);
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return link_refuse_spaces("", errno, error);
	if (map_user(user, group, error))
		return -1;
	spaces->user = open_space("user", error);
	return spaces->user < 0 ? -1 : 0;
}

int link_spaces_keep(struct link_spaces *spaces, enum link_side side,
	struct error *error)
{
	spaces->network[side] = open_space("net", error);
	return spaces->network[side] < 0 ? -1 : 0;
}

int link_go(const struct link_spaces *spaces, enum link_side side)
{
	return setns(spaces->network[side], CLONE_NEWNET);
}

/* ---- the end ---------------------------------------------------------- */

static bool lives_in(const struct link_spaces *spaces, const char *process)
{
	struct stat space, its;
	char path[64];

	snprintf(path, sizeof path, "/proc/%s/ns/net", process);
	if (stat(path, &its))
		return false;
	for (int side = 0; side < LINK_SIDES; side++)
		if (!fstat(spaces->network[side], &space) &&
			space.st_ino == its.st_ino &&
			space.st_dev == its.st_dev)
			return true;
	return false;
}

static unsigned kill_some(const struct link_spaces *spaces, pid_t owner)
{
	DIR *processes = opendir("/proc");
	unsigned killed = 0;

	for (struct dirent *entry; processes && (entry = readdir(processes));) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid > 0 && pid != owner && pid != getpid() &&
			lives_in(spaces, entry->d_name))
			killed += !kill(pid, SIGKILL);
	}
	if (processes)
		closedir(processes);
	return killed;
}

void link_spaces_empty(const struct link_spaces *spaces, pid_t owner)
{
	enum { ROUNDS = 100 };

	/* A killed process is gone when the next round finds none. */
	for (int i = 0; i < ROUNDS && kill_some(spaces, owner); i++)
		usleep(1000);
}

/* ---- refusals --------------------------------------------------------- */

/* The number in a file of /proc, or `otherwise`. */
static long setting(const char *root, const char *path, long otherwise)
{
	char name[256], text[32];

	snprintf(name, sizeof name, "%s%s", root, path);
	int file = open(name, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return otherwise;
	ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	if (length <= 0)
		return otherwise;
	text[length] = '\0';
	return strtol(text, NULL, 10);
}

int link_refuse_spaces(const char *root, int number, struct error *error)
{
	static const struct {
		const char *path;
		long closed;
		const char *cure;
	} rows[] = {
		{ "/proc/sys/user/max_user_namespaces", 0,
			"sysctl user.max_user_namespaces=1000" },
		{ "/proc/sys/user/max_net_namespaces", 0,
			"sysctl user.max_net_namespaces=1000" },
		{ "/proc/sys/kernel/unprivileged_userns_clone", 0,
			"sysctl kernel.unprivileged_userns_clone=1" },
		{ "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 1,
			"sysctl "
			"kernel.apparmor_restrict_unprivileged_userns=0" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (setting(root, rows[i].path, -1) == rows[i].closed)
			return error_set(error, STATUS_PERMISSION,
				"cannot make network namespaces for the link: "
				"not permitted for this user; `%s` permits it",
				rows[i].cure);
	return error_set(error, STATUS_PERMISSION,
		"cannot make network namespaces for the link: %s: needs root "
		"or a container with CAP_SYS_ADMIN",
		strerror(number));
}
