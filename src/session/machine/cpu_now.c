/* Frequencies and busy shares, from sysfs and /proc. */
#include "cpu_now.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peek.h"
#include "text.h"
#include "tick.h"

enum { ASKING_NS = 50000000 };

/* Returns true if it has read some processors but not all. */
static bool ask_cpufreq(const char *root, struct cpu_now *now)
{
	uint64_t until_ns = tick_raw_ns() + ASKING_NS;
	bool any = false, all = true;
	double khz;

	for (size_t i = 0; i < CPUS_MAX; i++) {
		if (!cpu_times_have(&now->times, i))
			continue;
		if (tick_raw_ns() > until_ns)
			return any;
		if (peek_number(root, &khz,
			    "/sys/devices/system/cpu/cpu%zu/cpufreq/"
			    "scaling_cur_freq",
			    i) &&
			khz > 0) {
			now->hz[i] = khz * 1e3;
			any = true;
		} else {
			all = false;
		}
	}
	return any && !all;
}

/* "cpu MHz : 2600.000" after "processor : 0", for processors that
 * cpufreq left out. */
static void take_line(const char *line, size_t *cpu, struct cpu_now *now)
{
	static const char number[] = "processor", hz[] = "cpu MHz";
	const char *colon = strchr(line, ':');
	double mhz;

	if (!colon)
		return;
	if (!strncmp(line, number, sizeof number - 1))
		*cpu = strtoul(colon + 1, NULL, 10);
	else if (!strncmp(line, hz, sizeof hz - 1) &&
		cpu_times_have(&now->times, *cpu) && !(now->hz[*cpu] > 0) &&
		number_read(colon + 1, &mhz) && mhz > 0)
		now->hz[*cpu] = mhz * 1e6;
}

static void ask_cpuinfo(const char *root, struct cpu_now *now)
{
	struct text path = { 0 };
	char line[256];
	size_t cpu = CPUS_MAX;

	text_add(&path, "%s/proc/cpuinfo", root);
	FILE *file = fopen(path.chars, "re");
	while (file && fgets(line, sizeof line, file))
		take_line(line, &cpu, now);
	if (file)
		fclose(file);
	text_free(&path);
}

void cpu_now_forget(struct cpu_now *now)
{
	for (size_t i = 0; i < CPUS_MAX; i++) {
		now->hz[i] = 0;
		now->busy[i] = NAN;
	}
	now->span_s = 0;
}

void cpu_now_look(const char *root, struct cpu_now *now)
{
	struct cpu_times before = now->times;
	struct text path = { 0 };

	cpu_now_forget(now);
	text_add(&path, "%s/proc/stat", root);
	cpu_times_read(path.chars, &now->times);
	text_free(&path);
	for (size_t i = 0; i < CPUS_MAX; i++) {
		now->busy[i] = cpu_times_busy(&before, &now->times, i);
		if (!isnan(now->busy[i]))
			now->span_s = fmax(now->span_s,
				cpu_times_span_s(&before, &now->times, i));
	}
	if (ask_cpufreq(root, now))
		ask_cpuinfo(root, now);
}
