#include "resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *resolve_why(int failed)
{
	return failed == RESOLVE_NO_GETENT ?
		"this static program asks getent, which is missing here: give "
		"an address" :
		gai_strerror(failed);
}

/* musl loads no modules. */
#ifdef __GLIBC__

/* ---- the program getent ----------------------------------------------- */

enum { MISSING = 127 }; /* exit code where nothing was executed */

static int start(const char *name, int out, pid_t *pid)
{
	const char *const words[] = { "getent", "ahosts", name, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
		O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
		O_WRONLY, 0);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	/* posix_spawnp() does not modify the words. */
	int failed = posix_spawnp(pid, words[0], &actions, &attributes,
		(char *const *)(uintptr_t)words, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return failed;
}

/* Reads to the end, or as much as has room. False: it was silent too long. */
static bool hear(int fd, char *said, size_t size, int limit_ms)
{
	struct pollfd more = { .fd = fd, .events = POLLIN };
	size_t length = 0;
	ssize_t got = 1;

	said[0] = '\0';
	while (got && length + 1 < size) {
		int ready = poll(&more, 1, limit_ms);

		if (!ready)
			return false;
		got = ready < 0 ? -1 : read(fd, said + length,
						size - 1 - length);
		if (got < 0 && errno != EINTR)
			break;
		if (got > 0)
			length += (size_t)got;
		said[length] = '\0';
	}
	return true;
}

static int ask_getent(const char *name, char *said, size_t size, int limit_ms)
{
	int ends[2], status = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return EAI_SYSTEM;
	int failed = start(name, ends[1], &pid);
	close(ends[1]);
	if (failed) {
		close(ends[0]);
		return failed == EAGAIN || failed == ENOMEM ?
			EAI_AGAIN :
			RESOLVE_NO_GETENT;
	}
	bool heard = hear(ends[0], said, size, limit_ms);
	close(ends[0]);
	if (!heard)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!heard)
		return EAI_AGAIN;
	return WIFEXITED(status) && WEXITSTATUS(status) == MISSING ?
		RESOLVE_NO_GETENT :
		0;
}

/* ---- addresses -------------------------------------------------------- */

static int read_address(const char *address, const char *port,
	const struct addrinfo *hints, struct addrinfo **found)
{
	struct addrinfo numeric = { 0 };

	if (hints)
		numeric = *hints;
	numeric.ai_flags |= AI_NUMERICHOST | AI_NUMERICSERV;
	return getaddrinfo(address, port, &numeric, found);
}

/* Each line of getent begins with an address, and an address has a line for
 * each kind of socket. */
static int read_lines(char *said, const char *port,
	const struct addrinfo *hints, struct addrinfo **found)
{
	struct addrinfo **end = found;
	const char *before = "";
	char *rest, *next;

	*found = NULL;
	for (char *line = strtok_r(said, "\n", &rest); line;
		line = strtok_r(NULL, "\n", &rest)) {
		char *address = strtok_r(line, " \t", &next);

		if (!address || !strcmp(address, before) ||
			read_address(address, port, hints, end))
			continue;
		before = address;
		/* freeaddrinfo() of glibc frees each entry by itself. */
		while (*end)
			end = &(*end)->ai_next;
	}
	return *found ? 0 : EAI_NONAME;
}

int resolve_by_getent(const char *name, const char *port,
	const struct addrinfo *hints, struct addrinfo **found, int limit_ms)
{
	char said[4096];
	int failed = read_address(name, port, hints, found);

	/* A name that begins so would be an option. */
	if (failed != EAI_NONAME || *name == '-')
		return failed;
	failed = ask_getent(name, said, sizeof said, limit_ms);
	return failed ? failed : read_lines(said, port, hints, found);
}
#endif

int resolve(const char *name, const char *port, const struct addrinfo *hints,
	struct addrinfo **found)
{
#if defined __GLIBC__ && defined BENCHTOP_STATIC
	/* Three name servers, each asked twice for 5 s. */
	return resolve_by_getent(name, port, hints, found, 30000);
#else
	return getaddrinfo(name, port, hints, found);
#endif
}
