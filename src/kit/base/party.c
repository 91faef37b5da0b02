/* Second parties. */
#include "party.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die_with.h"
#include "probe.h"

struct start {
	int cpu;
	void *(*body)(void *);
	void *context;
};

void party_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static void *begin(void *context)
{
	struct start start = *(struct start *)context;

	free(context);
	party_pin(start.cpu);
	return start.body(start.context);
}

static int start_process(struct party *party, struct start *start)
{
	pid_t parent = getpid();

	party->pid = fork();
	if (party->pid) {
		free(start);
		return party->pid < 0 ? -errno : 0;
	}
	die_with(parent, SIGKILL);
	begin(start);
	_exit(0);
}

int party_start(struct party *party, bool thread, int cpu,
	void *(*body)(void *context), void *context)
{
	struct start *start = malloc(sizeof *start);

	if (!start)
		return -ENOMEM;
	*start = (struct start){ cpu, body, context };
	*party = (struct party){ .thread = thread };
	if (!thread)
		return start_process(party, start);
	int failed = pthread_create(&party->id, NULL, begin, start);
	if (failed)
		free(start);
	return -failed;
}

int party_join(struct party *party)
{
	int status = 0;

	if (party->thread)
		return pthread_join(party->id, NULL) ? -1 : 0;
	while (waitpid(party->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status ? -1 : 0;
}

static struct rusage usage_of_thread(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage;
}

uint64_t party_switches(void)
{
	struct rusage usage = usage_of_thread();

	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

uint64_t party_sleeps(void)
{
	return (uint64_t)usage_of_thread().ru_nvcsw;
}

uint64_t party_preemptions(void)
{
	return (uint64_t)usage_of_thread().ru_nivcsw;
}

bool party_too_few(double counted, double least)
{
	return counted < .98 * least - 4;
}

void party_verify_switches(struct probe *probe, uint64_t round_trips,
	uint64_t switches, const char *why)
{
	double least = 2 * (double)round_trips, counted = (double)switches;

	if (party_too_few(counted, least))
		probe_invalid(probe,
			"the kernel counted %.0f switches, expected %.0f: %s",
			counted, least, why);
}

void *party_memory(size_t size_bytes)
{
	void *made = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return made == MAP_FAILED ? NULL : made;
}

void party_memory_free(void *memory, size_t size_bytes)
{
	munmap(memory, size_bytes);
}
