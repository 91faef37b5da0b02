/* Real servers for tests. */
#include "servers.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

char top[512];
bool isolated;
static pid_t servers[4];
static size_t server_count;

const char *in_top(const char *name)
{
	static char paths[8][600];
	static int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", top, name);
	return path;
}

bool is_here(const char *program)
{
	char command[256];

	snprintf(command, sizeof command, "command -v %s >/dev/null", program);
	return !system(command);
}

pid_t serve(const char *const *words)
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

struct sockaddr_in here(int port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

int dial(int port)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in to = here(port);

	if (!connect(fd, (struct sockaddr *)&to, sizeof to))
		return fd;
	close(fd);
	return -1;
}

bool await_port(int port, pid_t server)
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

void shell(const char *command)
{
	if (system(command))
		fail_msg("%s", command);
}

struct running start_run(const char *const *words)
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

struct ran end_run(const struct running *running)
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

void lost_its_server(struct ran *ran)
{
	assert_status(*ran, 6);
	assert_contains(ran->err, "benchtop: fs.remote: ");
	assert_contains(ran->out, "ended: the remote end failed");
	assert_int_equal(lines_beginning(&ran->err, "benchtop:"), 1);
	ran_free(ran);
}

int make_servers(void **state)
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

int end_servers(void **state)
{
	char command[600];

	for (size_t i = 0; i < server_count; i++) {
		kill(servers[i], SIGKILL);
		waitpid(servers[i], NULL, 0);
	}
	snprintf(command, sizeof command, "rm -rf %s", top);
	return system(command) || remove_folder(state);
}
