#include "name.h"

#include "alongside.h"
#include "resolve.h"

struct question {
	const char *name, *port;
	const struct addrinfo *hints;
	struct addrinfo **found;
	int failed;
};

static void ask(void *context)
{
	struct question *question = context;

	question->failed = resolve(question->name, question->port,
		question->hints, question->found);
}

int name_find(struct probe *probe, const char *name, const char *port,
	const struct addrinfo *hints, struct addrinfo **found)
{
	struct question question = { name, port, hints, found, EAI_AGAIN };

	alongside(probe, ask, &question, 0);
	return question.failed;
}
