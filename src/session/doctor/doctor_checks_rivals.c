/* Checks of other users of the processor: tasks, a host, a quota. */
#include "doctor_checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor_tasks.h"
#include "machine.h"
#include "peek.h"
#include "text.h"

enum {
	WAITING_PERCENT_MOST = 1,
	GROUP_PATH_BYTES = 512,
};

static const double load_most = .2;
static const double steal_percent_most = .1;
static const double lost_most = .005;

/* Fraction of the last ten seconds in which a task waited for a processor, in
 * percent; -1 if the kernel does not report it. */
static double waiting_percent(const char *root)
{
	char pressure[256];
	double percent;

	peek_line(root, pressure, sizeof pressure, "/proc/pressure/cpu");
	const char *average = strstr(pressure, "avg10=");
	if (!average || !number_read(average + strlen("avg10="), &percent))
		return -1;
	return percent;
}

void check_load(const struct patient *patient, struct doctor_row *row)
{
	struct text found = { 0 };
	double load = 0, waiting = waiting_percent(patient->root);
	bool crowded = waiting > WAITING_PERCENT_MOST, busy = false;

	bool known = peek_number(patient->root, &load, "/proc/loadavg");
	if (known)
		text_add(&found, "load %.2f", load);
	else
		text_add(&found, "load is unknown");
	if (waiting >= 0)
		text_add(&found, ", tasks waited %.1f %% of 10 s", waiting);
	if (load > load_most || crowded)
		busy = tasks_name_busy(patient->root, &found);
	row_found(row, "%s", text_chars(&found));
	text_free(&found);
	if (busy || crowded)
		row_verdict(row, DOCTOR_BAD,
			"other tasks take the processor, its caches and its "
			"frequency: `top` lists them",
			"");
	else if (load > load_most)
		row_verdict(row, DOCTOR_NOTE,
			"no task is busy now, but the load average of the last "
			"minute is high",
			"");
}

/* Percent of all processors' time since boot used by the host. */
static double stolen_percent(const char *root)
{
	enum { STEAL = 7, FIELDS = 8 };
	char stat[4096], numbers[256];
	double total = 0, steal = 0;

	peek_bytes(root, stat, sizeof stat, "/proc/stat");
	field_find(stat, "cpu", ' ', numbers, sizeof numbers);
	char *at = numbers;
	for (int i = 0; i < FIELDS; i++) {
		double ticks = (double)strtoull(at, &at, 10);

		total += ticks;
		if (i == STEAL)
			steal = ticks;
	}
	return total > 0 ? 100 * steal / total : 0;
}

void check_hypervisor(const struct patient *patient, struct doctor_row *row)
{
	double stolen = stolen_percent(patient->root);

	if (!patient->guest) {
		row_found(row, "none: bare metal");
		return;
	}
	row_found(row, "%s, %.2f %% of the time stolen since boot",
		patient->input->machine->hypervisor, stolen);
	if (stolen > steal_percent_most)
		row_verdict(row, DOCTOR_BAD,
			"the host runs other guests on this processor",
			"");
	else
		row_verdict(row, DOCTOR_NOTE,
			"exits to the host and its other guests cost time, "
			"even without stolen time",
			"");
}

static void add_decades(const struct gap_facts *gaps, struct text *found)
{
	static const char *const words[] = {
		"under 1 us",
		"of 1 to 10 us",
		"of 10 to 100 us",
		"of 0.1 to 1 ms",
		"of 1 to 10 ms",
		"over 10 ms",
	};
	const char *before = "; ";

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (!gaps->decade[i])
			continue;
		text_add(found, "%s%zu %s", before, gaps->decade[i], words[i]);
		before = ", ";
	}
}

void check_gaps(const struct patient *patient, struct doctor_row *row)
{
	const struct gap_facts *gaps = patient->input->gaps;
	struct text found = { 0 };

	if (!gaps) {
		row_found(row, "not measured yet");
		row_verdict(row, DOCTOR_NOTE,
			"the time that other work takes from this processor is "
			"unknown",
			"");
		return;
	}
	bool long_one = gaps->longest_ns >= 1e6;
	text_add(&found, "lost %.2f %% of %.1f s, longest %.1f %s",
		100 * gaps->lost, gaps->watched_s,
		gaps->longest_ns / (long_one ? 1e6 : 1e3),
		long_one ? "ms" : "us");
	add_decades(gaps, &found);
	row_found(row, "%s", text_chars(&found));
	text_free(&found);
	if (gaps->lost > lost_most)
		row_verdict(row, DOCTOR_BAD,
			"other work runs on this processor (interrupts: "
			"/proc/interrupts): choose another with cpu=, or use "
			"priority=fifo",
			"");
}

/* The tightest limits of a control group and its ancestors. */
struct quota {
	double processors; /* infinite: none */
	double throttled;  /* times */
	double run_us, of_us;
	double memory_bytes; /* infinite: no limit */
};

static void keep_tightest(struct quota *quota, double run_us, double of_us,
	const char *stat)
{
	double throttled = 0;

	if (run_us <= 0 || of_us <= 0)
		return;
	field_number(stat, "nr_throttled", ' ', &throttled);
	quota->throttled = fmax(quota->throttled, throttled);
	if (run_us / of_us >= quota->processors)
		return;
	quota->processors = run_us / of_us;
	quota->run_us = run_us;
	quota->of_us = of_us;
}

/* Control groups version 2: "50000 100000" or "max 100000". */
static void look_in_group(const char *root, const char *path,
	struct quota *quota)
{
	char limit[64], stat[1024];
	double run_us, of_us, bytes;

	peek_line(root, limit, sizeof limit, "/sys/fs/cgroup%s/cpu.max", path);
	peek_bytes(root, stat, sizeof stat, "/sys/fs/cgroup%s/cpu.stat", path);
	if (peek_number(root, &bytes, "/sys/fs/cgroup%s/memory.max", path))
		quota->memory_bytes = fmin(quota->memory_bytes, bytes);
	const char *period = strchr(limit, ' ');
	if (period && number_read(limit, &run_us) &&
		number_read(period, &of_us))
		keep_tightest(quota, run_us, of_us, stat);
}

/* Version 1: two files, with -1 for no limit. */
static void look_in_old_group(const char *root, const char *path,
	struct quota *quota)
{
	char stat[1024];
	double run_us, of_us;

	peek_bytes(root, stat, sizeof stat, "/sys/fs/cgroup/cpu%s/cpu.stat",
		path);
	if (peek_number(root, &run_us, "/sys/fs/cgroup/cpu%s/cpu.cfs_quota_us",
		    path) &&
		peek_number(root, &of_us,
			"/sys/fs/cgroup/cpu%s/cpu.cfs_period_us", path))
		keep_tightest(quota, run_us, of_us, stat);
}

/* The same for memory; no limit is slightly less than 2^63. */
static void look_in_old_memory(const char *root, const char *path,
	struct quota *quota)
{
	double bytes;

	if (peek_number(root, &bytes,
		    "/sys/fs/cgroup/memory%s/memory.limit_in_bytes", path) &&
		bytes < 0x1p62)
		quota->memory_bytes = fmin(quota->memory_bytes, bytes);
}

/* Finds the path of the group with this controller in lines like
 * "0::/user.slice" and "3:cpu,cpuacct:/user.slice" ("" for version 2). */
static bool group_path(const char *lines, const char *controller,
	char path[GROUP_PATH_BYTES])
{
	for (size_t length; *lines; lines += length) {
		char line[GROUP_PATH_BYTES];

		length = strcspn(lines, "\n");
		snprintf(line, sizeof line, "%.*s", (int)length, lines);
		length += lines[length] == '\n';
		char *names = strchr(line, ':');
		char *where = names ? strchr(names + 1, ':') : NULL;
		if (!where)
			continue;
		*names++ = *where++ = '\0';
		for (char *comma = names; (comma = strchr(comma, ','));)
			*comma = ' ';
		if (controller[0] ? words_have(names, controller) : !names[0]) {
			snprintf(path, GROUP_PATH_BYTES, "%s", where);
			return true;
		}
	}
	return false;
}

static void look_upwards(const char *root, char *path,
	void (*look)(const char *root, const char *path, struct quota *),
	struct quota *quota)
{
	/* Outside this process's view: only the root group is visible. */
	if (strstr(path, "..") || !strcmp(path, "/"))
		path[0] = '\0';
	for (;;) {
		char *last;

		look(root, path, quota);
		last = strrchr(path, '/');
		if (!last)
			return;
		*last = '\0';
	}
}

static void read_quota(const char *root, struct quota *quota)
{
	char lines[4096], path[GROUP_PATH_BYTES];

	*quota = (struct quota){ .processors = INFINITY,
		.memory_bytes = INFINITY };
	peek_bytes(root, lines, sizeof lines, "/proc/self/cgroup");
	if (group_path(lines, "", path))
		look_upwards(root, path, look_in_group, quota);
	if (group_path(lines, "cpu", path))
		look_upwards(root, path, look_in_old_group, quota);
	if (group_path(lines, "memory", path))
		look_upwards(root, path, look_in_old_memory, quota);
}

void check_quota(const struct patient *patient, struct doctor_row *row)
{
	struct quota quota;

	read_quota(patient->root, &quota);
	if (!isfinite(quota.processors)) {
		row_found(row, "none found");
		return;
	}
	row_found(row, "%.2f cpus (%.0f ms in %.0f ms), throttled %.0f times",
		quota.processors, quota.run_us / 1e3, quota.of_us / 1e3,
		quota.throttled);
	/* One processor measures, another one draws the screen. */
	bool bites = quota.processors < 2 || quota.throttled > 0;
	row_verdict(row, bites ? DOCTOR_BAD : DOCTOR_NOTE,
		"the kernel stops a group that exceeds its quota, for tens of "
		"milliseconds",
		"sudo systemd-run --scope benchtop");
}

void check_memory_limit(const struct patient *patient, struct doctor_row *row)
{
	struct quota quota;
	double memory = patient->input->machine->memory_bytes;

	read_quota(patient->root, &quota);
	if (!isfinite(quota.memory_bytes) ||
		(memory > 0 && quota.memory_bytes >= memory)) {
		row_found(row, "none found");
		return;
	}
	row_found(row, "%.0f MiB for this control group",
		quota.memory_bytes / (1 << 20));
	row_verdict(row, DOCTOR_NOTE,
		"larger arrays are killed, and the file cache is limited",
		"sudo systemd-run --scope benchtop");
}
