/* Busy and idle time of processors, from /proc/stat. */
#include "cpu_times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double span_least_s = .5;

/* The first eight fields of a line; kernels before 2.6.11 had fewer. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };

static void take_line(const char *line, double tick_s, struct cpu_times *times)
{
	unsigned long long t[FIELDS] = { 0 }, busy = 0;
	unsigned cpu;

	if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &cpu,
		    &t[USER], &t[NICE], &t[SYSTEM], &t[IDLE], &t[IOWAIT],
		    &t[IRQ], &t[SOFTIRQ], &t[STEAL]) < 1 + IOWAIT ||
		cpu >= CPUS_MAX)
		return;
	for (int i = 0; i < FIELDS; i++)
		busy += i == IDLE || i == IOWAIT ? 0 : t[i];
	times->user_s[cpu] = (double)(t[USER] + t[NICE]) * tick_s;
	times->busy_s[cpu] = (double)busy * tick_s;
	times->idle_s[cpu] = (double)(t[IDLE] + t[IOWAIT]) * tick_s;
}

void cpu_times_read(const char *path, struct cpu_times *times)
{
	FILE *stat = fopen(path, "re");
	double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
	char line[512];

	*times = (struct cpu_times){ 0 };
	/* The lines of processors come first; the lines after them are long. */
	while (stat && fgets(line, sizeof line, stat) &&
		!strncmp(line, "cpu", 3))
		take_line(line, tick_s, times);
	if (stat)
		fclose(stat);
}

bool cpu_times_have(const struct cpu_times *times, size_t cpu)
{
	return cpu < CPUS_MAX && times->busy_s[cpu] + times->idle_s[cpu] > 0;
}

/* A counter that decreased counts as unchanged. */
static double grown_s(const double *before_s, const double *now_s, size_t cpu)
{
	return now_s[cpu] > before_s[cpu] ? now_s[cpu] - before_s[cpu] : 0;
}

double cpu_times_span_s(const struct cpu_times *before,
	const struct cpu_times *now, size_t cpu)
{
	if (!cpu_times_have(before, cpu) || !cpu_times_have(now, cpu))
		return 0;
	return grown_s(before->busy_s, now->busy_s, cpu) +
		grown_s(before->idle_s, now->idle_s, cpu);
}

double cpu_times_busy(const struct cpu_times *before,
	const struct cpu_times *now, size_t cpu)
{
	double span_s = cpu_times_span_s(before, now, cpu);

	return span_s >= span_least_s ?
		grown_s(before->busy_s, now->busy_s, cpu) / span_s :
		NAN;
}
