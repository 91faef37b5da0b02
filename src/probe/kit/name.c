#include "name.h"

#include <pthread.h>
#include <time.h>

struct question {
	const char *name, *port;
	const struct addrinfo *hints;
	struct addrinfo **found;
	int failed;
};

static void *ask(void *context)
{
	struct question *question = context;

	question->failed = getaddrinfo(question->name, question->port,
		question->hints, question->found);
	return NULL;
}

int name_find(struct probe *probe, const char *name, const char *port,
	const struct addrinfo *hints, struct addrinfo **found)
{
	struct question question = { name, port, hints, found, EAI_AGAIN };
	struct timespec until;
	pthread_t id;

	if (pthread_create(&id, NULL, ask, &question)) {
		ask(&question);
		return question.failed;
	}
	do {
		probe_alive(probe);
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec++;
	} while (pthread_clockjoin_np(id, NULL, CLOCK_MONOTONIC, &until));
	return question.failed;
}
