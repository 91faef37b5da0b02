/* Real servers for tests: on a loopback of the test's own where namespaces are
 * permitted, in a folder below the one the tests run in, ended with the test.
 */
#ifndef BENCHTOP_CLI_SERVERS_H
#define BENCHTOP_CLI_SERVERS_H

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <stdio.h>

#include "namespace.h"
#include "run.h"

static char top[512]; /* holds all of what follows */
static bool isolated; /* namespaces are ours */
static pid_t servers[4];
static size_t server_count;

static inline const char *in_top(const char *name)
{
	static char paths[8][600];
	static int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", top, name);
	return path;
}

static inline size_t entries_in(const char *path)
{
	DIR *entries = opendir(path);
	size_t count = 0;

	for (struct dirent *entry; entries && (entry = readdir(entries));)
		count += strcmp(entry->d_name, ".") &&
			strcmp(entry->d_name, "..");
	if (entries)
		closedir(entries);
	return count;
}

static inline bool is_here(const char *program)
{
	char command[256];

	snprintf(command, sizeof command, "command -v %s >/dev/null", program);
	return !system(command);
}

static inline pid_t serve(const char *const *words)
{
	int log = open(in_top("log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
		0600);
	pid_t pid = fork();

	if (!pid) {
		dup2(log, 1);
		dup2(log, 2);
		execvp(words[0], (char *const *)words);
		_exit(127);
	}
	close(log);
	servers[server_count++] = pid;
	return pid;
}
#define SERVE(...) serve((const char *const[]){ __VA_ARGS__, NULL })

static inline struct sockaddr_in here(int port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

/* A connection, or -1. */
static inline int dial(int port)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in to = here(port);

	if (!connect(fd, (struct sockaddr *)&to, sizeof to))
		return fd;
	close(fd);
	return -1;
}

/* Waits until somebody listens; false when `server` has ended instead. */
static inline bool await_port(int port, pid_t server)
{
	for (int i = 0; i < 3000; i++) {
		int fd = dial(port);

		if (fd >= 0) {
			close(fd);
			return true;
		}
		if (waitpid(server, NULL, WNOHANG))
			return false;
		usleep(10000);
	}
	return false;
}

static inline void shell(const char *command)
{
	if (system(command))
		fail_msg("%s", command);
}

/* A run that something happens to: started, and collected when it is over. */
struct running {
	pid_t pid;
	int out, err;
};

static inline struct running start_run(const char *const *words)
{
	struct running running;
	int out[2], err[2];

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(err, O_CLOEXEC), 0);
	running.pid = start(PROGRAM, words, out[1], err[1]);
	running.out = out[0];
	running.err = err[0];
	close(out[1]);
	close(err[1]);
	return running;
}

static inline struct ran end_run(const struct running *running)
{
	struct ran ran = { 0 };
	int status;

	collect(running->out, running->err, &ran);
	close(running->out);
	close(running->err);
	assert_int_equal(waitpid(running->pid, &status, 0), running->pid);
	ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	return ran;
}

/* The server was lost in mid-run: one sentence, the exit code of the network,
 * and what was measured is kept. */
static inline void lost_its_server(struct ran *ran)
{
	assert_status(*ran, 6);
	assert_contains(ran->err, "benchtop: fs.remote: ");
	assert_contains(ran->out, "ended: lost the remote end");
	assert_int_equal(lines_beginning(&ran->err, "benchtop:"), 1);
	ran_free(ran);
}

static inline int make_servers(void **state)
{
	char here[400];

	if (make_folder(state) || !getcwd(here, sizeof here))
		return -1;
	snprintf(top, sizeof top, "%s/remote-XXXXXX", here);
	if (!mkdtemp(top))
		return -1;
	isolated = !own_namespaces(CLONE_NEWNS | CLONE_NEWNET) &&
		!mount("none", "/run", "tmpfs", 0, NULL);
	return 0;
}

static inline int end_servers(void **state)
{
	char command[600];

	for (size_t i = 0; i < server_count; i++) {
		kill(servers[i], SIGKILL);
		waitpid(servers[i], NULL, 0);
	}
	snprintf(command, sizeof command, "rm -rf %s", top);
	return system(command) || remove_folder(state);
}

#endif
