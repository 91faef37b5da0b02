/* Sessions: one child per client. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptors.h"
#include "die_with.h"
#include "serve_internal.h"
#include "text.h"

/* The descriptors of a child. */
enum { CONTROL = 3, VERDICT, OTHERS };
enum { ABOVE = 100 };
/* Added to a session's time limit. */
#define GRACE_NS UINT64_C(2000000000)

size_t served_count(const struct serve *serve)
{
	size_t count = 0;

	for (size_t i = 0; i < SERVE_SESSIONS; i++)
		count += serve->served[i].pid != 0;
	return count;
}

size_t served_left(const struct serve *serve, const struct guest *guest)
{
	size_t most = serve->settings.sessions, own = 0;
	size_t left = most - served_count(serve);

	for (size_t i = 0; i < SERVE_SESSIONS; i++) {
		const struct served *session = &serve->served[i];
		struct origin origin = origin_of(&session->from);

		own += session->pid && origin_same(&origin, &guest->origin);
	}
	return own && own == most - 1 ? 0 : left;
}

static struct served *free_place(struct serve *serve)
{
	for (size_t i = 0; i < SERVE_SESSIONS; i++)
		if (!serve->served[i].pid)
			return &serve->served[i];
	return NULL;
}

/* ---- the child -------------------------------------------------------- */

static void become_child(pid_t parent, int control, int verdict)
{
	const struct rlimit no_core = { 0, 0 };
	sigset_t none;

	die_with(parent, SIGKILL);
	setrlimit(RLIMIT_CORE, &no_core);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Closes the descriptors of other clients. The two own descriptors are
	 * moved through numbers above both targets. */
	control = fcntl(control, F_DUPFD, ABOVE);
	verdict = fcntl(verdict, F_DUPFD, ABOVE);
	if (dup2(control, CONTROL) < 0 || dup2(verdict, VERDICT) < 0)
		_exit(1);
	descriptors_close(OTHERS, INT_MAX);
}

static _Noreturn void serve_guest(const struct serve *serve,
	const struct guest *guest)
{
	struct wire wire = guest->wire;
	struct peer_session session = {
		.wire = &wire,
		.experiments = serve->settings.experiments,
		.limits = serve->settings.limits,
	};
	socklen_t length = sizeof session.address;
	char verdict[256];

	wire.fd = CONTROL;
	if (getsockname(CONTROL, (struct sockaddr *)&session.address, &length))
		_exit(1);
	int failed = peer_session(&session, verdict, sizeof verdict);
	if (write(VERDICT, verdict, strlen(verdict)) < 0)
		failed = 1;
	_exit(failed ? 1 : 0);
}

/* ---- the parent ------------------------------------------------------- */

static void keep(struct serve *serve, struct served *session, pid_t pid,
	int pipe, const struct guest *guest)
{
	uint64_t duration_ns = serve->settings.limits.duration_ns;

	*session = (struct served){
		.pid = pid,
		.pipe = pipe,
		.from = guest->from,
		.number = ++serve->number,
	};
	if (duration_ns)
		session->deadline_ns = tick_raw_ns() + duration_ns + GRACE_NS;
	serve_log_client(serve, LOG_SESSION, &session->from, "session %u begins",
		session->number);
}

void served_begin(struct serve *serve, struct guest *guest)
{
	struct served *session = free_place(serve);
	pid_t parent = getpid();
	int ends[2];

	if (!session || pipe2(ends, O_CLOEXEC | O_NONBLOCK)) {
		wire_refuse(&guest->wire, WIRE_BUSY, "it has no memory for a "
			"session");
		return;
	}
	pid_t pid = fork();
	if (!pid) {
		become_child(parent, guest->fd, ends[1]);
		serve_guest(serve, guest);
	}
	close(ends[1]);
	if (pid > 0) {
		keep(serve, session, pid, ends[0], guest);
		return;
	}
	close(ends[0]);
	wire_refuse(&guest->wire, WIRE_BUSY, "it cannot fork");
	serve_log_client(serve, LOG_SESSION, &guest->from, "cannot fork: %s",
		strerror(errno));
}

void served_end(struct serve *serve, struct served *session)
{
	char verdict[256];
	ssize_t length = read(session->pipe, verdict, sizeof verdict);
	struct text safe = { 0 };

	if (length < 0)
		return;
	text_add_safe(&safe, verdict, (size_t)length);
	if (!length)
		text_add(&safe, "ended without a message");
	close(session->pipe);
	/* Nothing that the child still does is needed. */
	kill(session->pid, SIGKILL);
	waitpid(session->pid, NULL, 0);
	serve_log_client(serve, LOG_SESSION, &session->from, "session %u: %s",
		session->number, text_chars(&safe));
	text_free(&safe);
	session->pid = 0;
}

void served_expire(struct serve *serve)
{
	uint64_t now_ns = tick_raw_ns();

	for (size_t i = 0; i < SERVE_SESSIONS; i++) {
		struct served *session = &serve->served[i];

		if (session->pid && session->deadline_ns &&
			now_ns > session->deadline_ns)
			kill(session->pid, SIGKILL);
	}
}

void served_kill(struct serve *serve)
{
	for (size_t i = 0; i < SERVE_SESSIONS; i++)
		if (serve->served[i].pid) {
			kill(serve->served[i].pid, SIGKILL);
			waitpid(serve->served[i].pid, NULL, 0);
			close(serve->served[i].pipe);
			serve->served[i].pid = 0;
		}
}
