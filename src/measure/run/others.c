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

static double idle_s(const struct others *others)
{
	struct cpu_times times;

	cpu_times_read("/proc/stat", &times);
	return times.idle_s[others->cpu] +
		(others->second < 0 ? 0 : times.idle_s[others->second]);
}

static double own_s(void)
{
	return used_s(RUSAGE_SELF) + used_s(RUSAGE_CHILDREN);
}

void others_begin(struct others *others, int cpu, int second)
{
	if (second == cpu)
		second = -1;
	*others = (struct others){ .cpu = cpu, .second = second };
	if (cpu >= CPU_TIMES || second >= CPU_TIMES)
		return;
	others->idle_s = idle_s(others);
	others->own_s = own_s();
	others->since_ns = tick_raw_ns();
}

double others_share(const struct others *others)
{
	double span_s = (double)(tick_raw_ns() - others->since_ns) * 1e-9;

	if (!others->since_ns || span_s < span_least_s)
		return 0;
	double own = own_s() - others->own_s, idle = idle_s(others);
	if (idle <= 0) /* no /proc/stat */
		return 0;
	span_s *= others->second < 0 ? 1 : 2;
	double share = 1 - (idle - others->idle_s + own) / span_s;
	return share > 0 ? fmin(share, 1) : 0;
}
