#include "alongside.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "memory.h"

struct errand {
	void (*work)(void *context);
	void *context;
};

static void *run(void *passed)
{
	struct errand errand = *(struct errand *)passed;

	free(passed);
	errand.work(errand.context);
	return NULL;
}

/* Waits at most a second. musl can wait by the time of day only. */
static bool ends_within_a_second(pthread_t id)
{
#ifdef __GLIBC__
	const clockid_t clock = CLOCK_MONOTONIC;
#else
	const clockid_t clock = CLOCK_REALTIME;
#endif
	struct timespec until;

	clock_gettime(clock, &until);
	until.tv_sec++;
#ifdef __GLIBC__
	return !pthread_clockjoin_np(id, NULL, clock, &until);
#else
	return !pthread_timedjoin_np(id, NULL, &until);
#endif
}

bool alongside(struct probe *probe, void (*work)(void *context), void *context,
	unsigned most_s)
{
	struct errand *errand = xmalloc(sizeof *errand);
	pthread_t id;

	*errand = (struct errand){ work, context };
	if (pthread_create(&id, NULL, run, errand)) {
		run(errand);
		return true;
	}
	for (unsigned waited_s = 0; !most_s || waited_s < most_s; waited_s++) {
		if (probe)
			probe_alive(probe);
		if (ends_within_a_second(id))
			return true;
	}
	pthread_detach(id);
	return false;
}
