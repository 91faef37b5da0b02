/* Do other machines answer? */
#include "reach.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hosts.h"
#include "network.h"
#include "tick.h"

enum { CONNECT_MS = 1000 };
static const uint64_t longest_ns = 4000000000;

static int connect_within(const struct addrinfo *to)
{
	int fd = socket(to->ai_family,
		to->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct pollfd made = { .fd = fd, .events = POLLOUT };
	int failed = 0;
	socklen_t length = sizeof failed;

	if (fd < 0)
		return errno;
	if (connect(fd, to->ai_addr, to->ai_addrlen))
		failed = errno;
	if (failed == EINPROGRESS) {
		failed = ETIMEDOUT;
		if (poll(&made, 1, CONNECT_MS) > 0)
			getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &length);
	}
	close(fd);
	return failed;
}

static void ask(struct reach_facts *facts)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *list;
	struct network_host host;
	struct error error;

	if (network_host(facts->host, &host, &error)) {
		snprintf(facts->why, sizeof facts->why, "is no name of a host");
		return;
	}
	int failed = getaddrinfo(host.name, host.port, &hints, &list);
	if (failed) {
		snprintf(facts->why, sizeof facts->why, "%s",
			gai_strerror(failed));
		return;
	}
	uint64_t began_ns = tick_raw_ns();
	failed = connect_within(list);
	facts->took_ns = (double)(tick_raw_ns() - began_ns);
	freeaddrinfo(list);
	snprintf(facts->why, sizeof facts->why, "%s",
		failed ? strerror(failed) : "");
	facts->reached = !failed;
}

static int reach_body(void *context)
{
	struct reach_job *job = context;

	for (size_t i = 0; i < job->count; i++)
		ask(&job->shared[i]);
	return 0;
}

bool reach_start(struct reach_job *job)
{
	char **hosts = hosts_read();
	struct error error;

	*job = (struct reach_job){ .began_ns = tick_raw_ns() };
	job->shared = shared_map(REACH_MOST * sizeof *job->shared);
	for (; hosts[job->count] && job->count < REACH_MOST; job->count++) {
		struct reach_facts *facts = &job->shared[job->count];

		snprintf(facts->host, sizeof facts->host, "%s",
			hosts[job->count]);
		snprintf(facts->why, sizeof facts->why, "not within %.0f s",
			(double)longest_ns / 1e9);
	}
	hosts_free(hosts);
	if (job->count &&
		!child_start(&job->child, reach_body, job, CHILD_ANY_CPU,
			&error))
		return true;
	shared_unmap(job->shared, REACH_MOST * sizeof *job->shared);
	job->shared = NULL;
	job->count = 0;
	return false;
}

bool reach_step(struct reach_job *job, struct reach_facts facts[REACH_MOST])
{
	int status;

	if (!child_reap(&job->child, &status)) {
		if (tick_raw_ns() - job->began_ns > longest_ns)
			child_kill(&job->child);
		return false;
	}
	memcpy(facts, job->shared, REACH_MOST * sizeof *facts);
	shared_unmap(job->shared, REACH_MOST * sizeof *job->shared);
	job->shared = NULL;
	return true;
}

void reach_abandon(struct reach_job *job)
{
	child_kill(&job->child);
	if (job->child.pid)
		child_wait(&job->child, -1);
	if (job->shared)
		shared_unmap(job->shared, REACH_MOST * sizeof *job->shared);
	job->shared = NULL;
}
