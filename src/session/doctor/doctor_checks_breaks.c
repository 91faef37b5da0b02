/* Checks of interruptions of the measured processor, and its idle states. */
#include "doctor_checks.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "peek.h"
#include "text.h"

#define CPUS "/sys/devices/system/cpu"

enum { STATES_MOST = 16, INTERRUPTS_BYTES = 1 << 18, NAMED_MOST = 3 };

static const double tick_share_most = .005;
/* Duration of a timer interrupt with the kernel's work in it: measured in a
 * guest; a few microseconds on bare metal. */
static const double tick_us = 3, tick_in_guest_us = 26;
static const double wake_us_most = 20;

static bool is_among(const char *root, const char *file, int cpu)
{
	char list[256];
	struct processors set;

	peek_line(root, list, sizeof list, CPUS "/%s", file);
	processors_read(list, &set);
	return set.has[cpu];
}

void check_isolation(const struct patient *patient, struct doctor_row *row)
{
	int cpu = patient_cpu(patient);
	bool isolated = is_among(patient->root, "isolated", cpu);
	bool tickless = is_among(patient->root, "nohz_full", cpu);
	char fix[sizeof row->fix];

	if (isolated && tickless) {
		row_found(row, "cpu %d is isolated and has no tick", cpu);
		return;
	}
	row_found(row, "cpu %d is %s", cpu,
		isolated         ? "isolated, but has a tick" :
			tickless ? "without a tick, but not isolated" :
				   "not isolated from other work");
	snprintf(fix, sizeof fix,
		"echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX' "
		"isolcpus=managed_irq,domain,%d nohz_full=%d rcu_nocbs=%d "
		"'irqaffinity=0\"' | sudo tee /etc/default/grub.d/benchtop.cfg "
		"&& sudo update-grub",
		cpu, cpu, cpu);
	/* One processor must do all other work. In a guest the boot parameters
	 * work, but the host still schedules the processor. */
	bool can = patient->input->machine->cpus > 1 && cpu > 0 &&
		!patient->guest;
	row_verdict(row, DOCTOR_NOTE,
		patient->guest ?
			"other tasks interrupt trials; interrupted trials are "
			"excluded; priority=fifo helps against tasks of this "
			"guest; only the host can dedicate a processor" :
			"other tasks and kernel work interrupt trials; "
			"interrupted trials are excluded",
		can ? fix : "");
}

void check_tick(const struct patient *patient, struct doctor_row *row)
{
	const struct clock_facts *clock = patient->input->clock;
	double hz = clock ? clock->timer_hz : 0;
	double us = patient->guest ? tick_in_guest_us : tick_us;
	double share = hz * us / 1e6;

	if (is_among(patient->root, "nohz_full", patient_cpu(patient))) {
		row_found(row, "no tick while one task runs on the processor");
		return;
	}
	if (hz <= 0) {
		row_found(row, "unknown rate");
		return;
	}
	row_found(row, "%.0f a second, about %.0f us each: %.2f %% of the time",
		hz, us, 100 * share);
	if (share > tick_share_most)
		row_verdict(row, DOCTOR_NOTE,
			"trials interrupted by a tick are excluded; short "
			"trials are rarely hit",
			"");
}

/* ---- interrupts ------------------------------------------------------- */

struct interrupts {
	char numbers[96]; /* "24 25": numbers of interrupts on this processor */
	struct text names;
	size_t devices;
};

/* The column of a processor in " CPU0 CPU1"; -1: none. */
static int column_of(const char *head, int cpu)
{
	char *end;
	int column = 0;

	for (const char *at = strstr(head, "CPU"); at;
		at = strstr(end, "CPU"), column++)
		if (strtol(at + 3, &end, 10) == cpu)
			return column;
	return -1;
}

/* " 26:          0         14  IO-APIC   4-edge      ttyS0" */
static void add_interrupt(const char *line, int column,
	struct interrupts *interrupts)
{
	char *at;
	unsigned long number = strtoul(line, &at, 10);
	unsigned long long count = 0;

	/* NMI, LOC and similar are not device interrupts. */
	if (at == line || *at++ != ':')
		return;
	for (int i = 0; i <= column; i++)
		count = strtoull(at, &at, 10);
	if (!count)
		return;
	size_t used = strlen(interrupts->numbers);
	size_t room = sizeof interrupts->numbers - used;
	/* A truncated number would be that of another interrupt. */
	if ((size_t)snprintf(interrupts->numbers + used, room, "%s%lu",
		    used ? " " : "", number) >= room)
		interrupts->numbers[used] = '\0';
	const char *name = strrchr(line, ' ');
	if (interrupts->devices++ < NAMED_MOST && name)
		text_add(&interrupts->names, "%s%s",
			interrupts->names.length ? ", " : "", name + 1);
}

static void read_interrupts(const char *root, int cpu,
	struct interrupts *interrupts)
{
	char *all = xcalloc(1, INTERRUPTS_BYTES), *rest = NULL;

	peek_bytes(root, all, INTERRUPTS_BYTES, "/proc/interrupts");
	char *line = strtok_r(all, "\n", &rest);
	int column = line ? column_of(line, cpu) : -1;
	while (column >= 0 && (line = strtok_r(NULL, "\n", &rest)))
		add_interrupt(line, column, interrupts);
	free(all);
}

void check_interrupts(const struct patient *patient, struct doctor_row *row)
{
	struct interrupts interrupts = { 0 };
	int cpu = patient_cpu(patient);
	bool balanced = peek_there(patient->root, "/run/irqbalance") ||
		peek_there(patient->root, "/run/irqbalance.pid");
	char fix[sizeof row->fix];

	read_interrupts(patient->root, cpu, &interrupts);
	if (!interrupts.devices && !balanced) {
		row_found(row, "no device has interrupted cpu %d", cpu);
		text_free(&interrupts.names);
		return;
	}
	row_found(row, "%zu device%s interrupted cpu %d since boot%s%s%s%s",
		interrupts.devices, interrupts.devices == 1 ? "" : "s", cpu,
		interrupts.devices ? ": " : "", text_chars(&interrupts.names),
		interrupts.devices > NAMED_MOST ? ", .." : "",
		balanced ? "; irqbalance moves them" : "");
	text_free(&interrupts.names);
	snprintf(fix, sizeof fix,
		"%sfor i in %s; do echo %d | sudo tee "
		"/proc/irq/$i/smp_affinity_list; done",
		balanced ? "sudo systemctl stop irqbalance; " : "",
		interrupts.numbers, cpu ? 0 : 1);
	if (!interrupts.devices)
		snprintf(fix, sizeof fix, "sudo systemctl stop irqbalance");
	bool can = patient->input->machine->cpus > 1;
	row_verdict(row, DOCTOR_NOTE,
		"a device interrupt adds some microseconds to a trial",
		can ? fix : "");
}

/* ---- idle states ------------------------------------------------------ */

void check_idle_states(const struct patient *patient, struct doctor_row *row)
{
	char driver[32], deepest[32] = "";
	double worst_us = 0;
	int cpu = patient_cpu(patient);

	peek_line(patient->root, driver, sizeof driver,
		CPUS "/cpuidle/current_driver");
	for (int i = 0; i < STATES_MOST; i++) {
		double us = 0, disabled = 0;

		if (!peek_number(patient->root, &us,
			    CPUS "/cpu%d/cpuidle/state%d/latency", cpu, i))
			continue;
		peek_number(patient->root, &disabled,
			CPUS "/cpu%d/cpuidle/state%d/disable", cpu, i);
		if (disabled > 0 || us <= worst_us)
			continue;
		worst_us = us;
		peek_line(patient->root, deepest, sizeof deepest,
			CPUS "/cpu%d/cpuidle/state%d/name", cpu, i);
	}
	if (!deepest[0]) {
		row_found(row, "none%s%s%s", driver[0] ? " (driver " : "",
			driver, driver[0] ? ")" : "");
		return;
	}
	row_found(row, "%s is the deepest, %.0f us to wake up%s%s", deepest,
		worst_us, driver[0] ? ", driver " : "", driver);
	if (worst_us > wake_us_most)
		row_verdict(row, DOCTOR_NOTE,
			"waiting tasks wake late, and the first trial after a "
			"pause is slow",
			"sudo sh -c 'exec 3>/dev/cpu_dma_latency; printf "
			"\"\\0\\0\\0\\0\" >&3; exec sleep 3600' &");
}

void check_core_types(const struct patient *patient, struct doctor_row *row)
{
	char fast[80], slow[80];
	double most = 0, here = 0;

	peek_line(patient->root, fast, sizeof fast,
		"/sys/devices/cpu_core/cpus");
	peek_line(patient->root, slow, sizeof slow,
		"/sys/devices/cpu_atom/cpus");
	if (fast[0] && slow[0]) {
		row_found(row, "two: cpu %s, and slower cores, cpu %s", fast,
			slow);
		row_verdict(row, DOCTOR_NOTE,
			"figures differ between the two kinds: choose with "
			"cpu=",
			"");
		return;
	}
	for (unsigned i = 0; i < patient->input->machine->cpus; i++) {
		double capacity = 0;

		peek_number(patient->root, &capacity,
			CPUS "/cpu%u/cpu_capacity", i);
		if (capacity > most)
			most = capacity;
		if ((int)i == patient_cpu(patient))
			here = capacity;
	}
	if (here >= most) {
		row_found(row,
			most > 0 ? "cpu %d has the highest capacity" :
				   "one, as far as the kernel reports",
			patient_cpu(patient));
		return;
	}
	row_found(row, "cpu %d has %.0f %% of the highest capacity",
		patient_cpu(patient), 100 * here / most);
	row_verdict(row, DOCTOR_NOTE,
		"a faster kind of core exists: choose with cpu=", "");
}
