/* cpu.noise finds a thread that takes the processor for 50 us every 10 ms. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine.h"
#include "quantile.h"
#include "unit/probe/named.h"

extern const struct experiment probe_cpu_noise;

enum { PERIOD_NS = 10000000, TAKES_NS = 50000 };

static void pin_to_place(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)place.cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

/* By the interrupter itself, of each period. */
enum { PERIODS_MOST = 6000, LATE_NS = 500000, LONG_NS = TAKES_NS + 10000 };
static struct {
	/* Processor time: 50 us and its calls, which are expensive in a
	 * guest. */
	double used_ns[PERIODS_MOST];
	unsigned periods;
	/* It woke late, because another task had the processor, or it lost the
	 * processor to another task or to the host. */
	unsigned disturbed;
} *truth;

/* Reads the clock for 50 us. True if it was interrupted for longer than by a
 * timer interrupt. */
static bool take_processor(void)
{
	uint64_t begin_ns = tick_raw_ns(), now_ns;

	do
		now_ns = tick_raw_ns();
	while (now_ns - begin_ns < TAKES_NS);
	return now_ns - begin_ns > LONG_NS;
}

static bool sleep_until(const struct timespec *next)
{
	struct timespec now;

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL);
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - next->tv_sec) * 1000000000 + now.tv_nsec -
		next->tv_nsec > LATE_NS;
}

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
	for (uint64_t used_ns = 0;;) {
		next.tv_nsec += PERIOD_NS;
		next.tv_sec += next.tv_nsec / 1000000000;
		next.tv_nsec %= 1000000000;
		bool late = sleep_until(&next);
		bool interrupted = take_processor();
		uint64_t before_ns = used_ns;
		used_ns = tick_used_ns();
		/* The first includes its start. */
		if (!before_ns || truth->periods == PERIODS_MOST)
			continue;
		truth->used_ns[truth->periods++] =
			(double)(used_ns - before_ns);
		truth->disturbed += late || interrupted;
	}
}

/* The value of a finding; NaN: there is none. */
static double found(const struct findings *findings, const char *name)
{
	const struct finding *finding = finding_named(findings, name);

	return finding ? finding->value : NAN;
}

/* Every claim below is about the typical gap, so that it holds with a few
 * others. */
static void note_others(double tasks, struct attempt *attempt)
{
	double disturbed = truth->disturbed / (double)truth->periods;

	printf("all tasks %.2f %%; %.1f %% of its %u periods disturbed\n",
		tasks * 100, disturbed * 100, truth->periods);
	/* The interrupter alone takes half a percent. */
	if (tasks > .01)
		noise(attempt, "other tasks took %.1f %% of the time",
			tasks * 100);
	if (disturbed > .05)
		noise(attempt, "the interrupter was disturbed in %.0f %% of "
			       "its periods",
			disturbed * 100);
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
	double true_ns = median_of(truth->used_ns, truth->periods);
	printf("another task: %.2f per second, %.1f us (%.1f us by itself)\n",
		rate, took_ns / 1000, true_ns / 1000);
	note_others(found(&results->findings, "task:overall"), attempt);
	if (!(fabs(rate * PERIOD_NS / 1e9 - 1) <= .02))
		wrong(attempt, "%.2f per second", rate);
	if (!(fabs(took_ns - true_ns) <= 5000))
		wrong(attempt, "%.1f us", took_ns / 1000);
	munmap(truth, sizeof *truth);
	results_free(results);
}

int main(void)
{
	const struct check checks[] = {
		{ "an interrupter is found", an_interrupter_is_found },
	};

	return run_engine_checks(checks, sizeof checks / sizeof *checks);
}
