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

/* All time, and its part in user mode. */
struct used {
	double all_s, user_s;
};

static struct used used_by(int who)
{
	struct rusage usage = { 0 };

	getrusage(who, &usage);
	double user_s = seconds(usage.ru_utime);
	return (struct used){ user_s + seconds(usage.ru_stime), user_s };
}

/* True if the lab can run on one of these processors. */
static bool has_lab(const cpu_set_t *cpus)
{
	cpu_set_t lab;

	if (sched_getaffinity(0, sizeof lab, &lab))
		return true;
	CPU_AND(&lab, &lab, cpus);
	return CPU_COUNT(&lab) > 0;
}

/* What the children used since the beginning, and the lab if it counts. */
static struct used own_since(const struct others *others, bool with_lab)
{
	struct used own = used_by(RUSAGE_CHILDREN);
	struct used lab = used_by(RUSAGE_SELF);

	own.all_s -= others->own_s;
	own.user_s -= others->own_user_s;
	if (with_lab) {
		own.all_s += lab.all_s - others->lab_s;
		own.user_s += lab.user_s - others->lab_user_s;
	}
	return own;
}

/* Of the measured processors, and their time in user mode. */
static double idle_s(const struct others *others,
	const struct cpu_times *times, double *user_s)
{
	double idle_s = 0;

	*user_s = 0;
	for (size_t cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!CPU_ISSET(cpu, &others->cpus))
			continue;
		*user_s += times->user_s[cpu];
		idle_s += times->idle_s[cpu];
	}
	return idle_s;
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

void others_begin(struct others *others, const cpu_set_t *cpus)
{
	struct cpu_times times;

	*others = (struct others){ .cpus = *cpus };
	cpu_times_read("/proc/stat", &times);
	others->idle_s = idle_s(others, &times, &others->user_s);
	all_idle_s(&times, &others->all_idle_s);
	struct used children = used_by(RUSAGE_CHILDREN);
	struct used lab = used_by(RUSAGE_SELF);
	others->own_s = children.all_s;
	others->own_user_s = children.user_s;
	others->lab_s = lab.all_s;
	others->lab_user_s = lab.user_s;
	others->since_ns = tick_raw_ns();
}

/* The time of `cpus` since the beginning; 0 if it is too short. */
static double span_s(const struct others *others, unsigned cpus)
{
	double span = (double)(tick_raw_ns() - others->since_ns) * 1e-9;

	return span < span_least_s ? 0 : span * cpus;
}

/* What is neither idle nor used by this lab, of the time of `cpus`. */
static double share_of(const struct others *others, unsigned cpus,
	double idle_s, bool with_lab)
{
	double span = span_s(others, cpus);
	double own = own_since(others, with_lab).all_s;

	return span > 0 ? fmin(fmax(1 - (idle_s + own) / span, 0), 1) : 0;
}

static unsigned cpus_of(const struct others *others)
{
	return (unsigned)CPU_COUNT(&others->cpus);
}

double others_share(const struct others *others)
{
	struct cpu_times times;
	double user;

	if (!others->since_ns)
		return 0;
	cpu_times_read("/proc/stat", &times);
	double idle = idle_s(others, &times, &user);
	if (idle <= 0) /* no /proc/stat */
		return 0;
	return share_of(others, cpus_of(others), idle - others->idle_s,
		has_lab(&others->cpus));
}

double others_share_in_user_mode(const struct others *others)
{
	struct cpu_times times;
	double user;

	if (!others->since_ns)
		return 0;
	cpu_times_read("/proc/stat", &times);
	idle_s(others, &times, &user);
	double used = user - others->user_s -
		own_since(others, has_lab(&others->cpus)).user_s;
	double span = span_s(others, cpus_of(others));
	return span > 0 ? fmin(fmax(used / span, 0), 1) : 0;
}

double others_share_of_all(const struct others *others)
{
	struct cpu_times times;
	double idle;

	if (!others->since_ns)
		return 0;
	cpu_times_read("/proc/stat", &times);
	unsigned cpus = all_idle_s(&times, &idle);
	return cpus ? share_of(others, cpus, idle - others->all_idle_s, true) :
		      0;
}
