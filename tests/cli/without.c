/* Runs of a program without one system call. */
#include "without.h"

#include "forbid.h"

struct forbidden {
	unsigned number;
	int with;
};

static int forbid_one(const void *context)
{
	const struct forbidden *call = context;

	return forbid(call->number, call->with);
}

struct ran run_without(unsigned number, int with, const char *program,
	const char *const *words)
{
	const struct forbidden call = { number, with };

	return run_after(forbid_one, &call, program, words);
}
