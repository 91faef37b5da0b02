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

bool alongside(struct probe *probe, void (*work)(void *context), void *context,
	unsigned most_s)
{
	struct errand *errand = xmalloc(sizeof *errand);
	struct timespec until;
	pthread_t id;

	*errand = (struct errand){ work, context };
	if (pthread_create(&id, NULL, run, errand)) {
		run(errand);
		return true;
	}
	clock_gettime(CLOCK_MONOTONIC, &until);
	for (unsigned waited_s = 0; !most_s || waited_s < most_s; waited_s++) {
		if (probe)
			probe_alive(probe);
		until.tv_sec++;
		if (!pthread_clockjoin_np(id, NULL, CLOCK_MONOTONIC, &until))
			return true;
	}
	pthread_detach(id);
	return false;
}
