/* cpu.noise finds a thread that takes the processor for 50 us every 10 ms. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine.h"

extern const struct experiment probe_cpu_noise;

enum { PERIOD_NS = 10000000, TAKES_NS = 50000 };

static void pin_to_place(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)place.cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

/* By the interrupter itself: 50 us and its calls, which are expensive in a
 * guest. The first time includes its start. */
static struct {
	double first_ns, used_ns;
	unsigned times; /* after the first */
} *truth;

static pid_t start_interrupter(void)
{
	struct timespec next;
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_TIMERSLACK, 1);
	pin_to_place();
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (;;) {
		next.tv_nsec += PERIOD_NS;
		next.tv_sec += next.tv_nsec / 1000000000;
		next.tv_nsec %= 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		for (uint64_t begin_ns = tick_raw_ns();
			tick_raw_ns() - begin_ns < TAKES_NS;)
			;
		truth->used_ns = (double)tick_used_ns();
		if (truth->first_ns > 0)
			truth->times++;
		else
			truth->first_ns = truth->used_ns;
	}
}

/* The value of a finding; NaN: there is none. */
static double found(const struct findings *findings, const char *name)
{
	for (size_t i = 0; i < findings->count; i++)
		if (!strcmp(findings->list[i].name, name))
			return findings->list[i].value;
	return NAN;
}

static void an_interrupter_is_found(struct attempt *attempt)
{
	truth = mmap(NULL, sizeof *truth, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = start_interrupter();
	struct results *results = measured(&probe_cpu_noise, "", 6, 1);

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	const struct point *point = &results->points[0];
	if (point->state != POINT_OK)
		wrong(attempt, "no figure: %s", point->why);
	double rate = found(&results->findings, "task:rate");
	double took_ns = found(&results->findings, "task:typical");
	struct digest task;
	digest_of(results, point,
		(unsigned)results_metric(results, "task"), &task);
	double true_ns =
		(truth->used_ns - truth->first_ns) / truth->times;
	printf("another task: %.2f per second, %.1f us (%.1f us by itself); "
	       "all tasks %.2f %%\n",
		rate, took_ns / 1000, true_ns / 1000, task.median_all * 100);
	/* The interrupter alone takes half a percent. */
	if (task.median_all > .01)
		noise(attempt, "other tasks took %.1f %% of the time",
			task.median_all * 100);
	if (!(fabs(rate * PERIOD_NS / 1e9 - 1) <= .02))
		wrong(attempt, "%.2f per second", rate);
	if (!(fabs(took_ns - true_ns) <= 5000))
		wrong(attempt, "%.1f us", took_ns / 1000);
	results_free(results);
}

int main(void)
{
	const struct check checks[] = {
		{ "an interrupter is found", an_interrupter_is_found },
	};

	return run_engine_checks(checks, sizeof checks / sizeof *checks);
}
