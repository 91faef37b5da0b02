/* The share of other tasks in the time of the measured processors. */
#include "others.h"

#include <math.h>
#include <sys/resource.h>

#include "cpu_times.h"
#include "tick.h"

static const double span_least_s = .5;

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static double used_s(int who)
{
	struct rusage usage = { 0 };

	getrusage(who, &usage);
	return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

static double idle_s(const struct others *others,
	const struct cpu_times *times)
{
	return times->idle_s[others->cpu] +
		(others->second < 0 ? 0 : times->idle_s[others->second]);
}

/* Returns the number of processors. */
static unsigned all_idle_s(const struct cpu_times *times, double *idle_s)
{
	unsigned cpus = 0;

	*idle_s = 0;
	for (size_t cpu = 0; cpu < CPUS_MAX; cpu++) {
		*idle_s += times->idle_s[cpu];
		cpus += cpu_times_have(times, cpu);
	}
	return cpus;
}

static double own_s(void)
{
	return used_s(RUSAGE_SELF) + used_s(RUSAGE_CHILDREN);
}

void others_begin(struct others *others, int cpu, int second)
{
	struct cpu_times times;

	if (second == cpu)
		second = -1;
	*others = (struct others){ .cpu = cpu, .second = second };
	if (cpu >= CPUS_MAX || second >= CPUS_MAX)
		return;
	cpu_times_read("/proc/stat", &times);
	others->idle_s = idle_s(others, &times);
	all_idle_s(&times, &others->all_idle_s);
	others->own_s = own_s();
	others->since_ns = tick_raw_ns();
}

/* What is neither idle nor used by this lab, of the time of `cpus`. */
static double share_of(const struct others *others, unsigned cpus,
	double idle_s)
{
	double span_s = (double)(tick_raw_ns() - others->since_ns) * 1e-9;

	if (span_s < span_least_s)
		return 0;
	double own = own_s() - others->own_s;
	double share = 1 - (idle_s + own) / (span_s * cpus);
	return share > 0 ? fmin(share, 1) : 0;
}

double others_share(const struct others *others)
{
	struct cpu_times times;

	if (!others->since_ns)
		return 0;
	cpu_times_read("/proc/stat", &times);
	double idle = idle_s(others, &times);
	if (idle <= 0) /* no /proc/stat */
		return 0;
	return share_of(others, others->second < 0 ? 1 : 2,
		idle - others->idle_s);
}

double others_share_of_all(const struct others *others)
{
	struct cpu_times times;
	double idle;

	if (!others->since_ns)
		return 0;
	cpu_times_read("/proc/stat", &times);
	unsigned cpus = all_idle_s(&times, &idle);
	return cpus ? share_of(others, cpus, idle - others->all_idle_s) : 0;
}
