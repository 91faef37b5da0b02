/* Checks of the processor and its clock. */
#include "doctor_checks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "peek.h"
#include "results.h"
#include "text.h"
#include "tick.h"

#define CPUS         "/sys/devices/system/cpu"
#define CLOCKSOURCES "/sys/devices/system/clocksource/clocksource0"
#define ZONES        "/sys/class/thermal/thermal_zone"

enum {
	RESIDUAL_TICKS_MOST = 10,
	DISAGREEMENT_PPM_MOST = 200,
	TEMPERATURE_C_MOST = 90,
	ZONES_MOST = 32,
};

/* Adds the difference between measured and stated frequency. Returns it in
 * ppm. */
static double add_difference(struct text *found, double hz, double claimed_hz,
	const char *whose)
{
	if (claimed_hz <= 0)
		return 0;
	double apart = (hz / claimed_hz - 1) * 1e6;
	text_add(found, ", %+.1f ppm from %s", apart, whose);
	return apart;
}

static void judge_counter(const struct clock_facts *clock,
	const struct machine *machine, struct doctor_row *row)
{
	double kernel_hz = clock->kernel_hz > 0 ? clock->kernel_hz :
						  machine->kernel_tick_hz;
	struct text found = { 0 };

	text_add(&found, "counter at %.6f MHz +-%.3g ppm, residual %.1f ticks",
		clock->hz / 1e6, clock->hz_error_ppm, clock->residual);
	double apart =
		add_difference(&found, clock->hz, kernel_hz, "the kernel's");
	/* Often only a nominal value, so it is shown but not judged. */
	add_difference(&found, clock->hz, machine->cpuid_tick_hz, "cpuid's");
	row_found(row, "%s", text_chars(&found));
	text_free(&found);
	if (fabs(clock->residual) > RESIDUAL_TICKS_MOST)
		row_verdict(row, DOCTOR_BAD,
			"the counter is not linear: short times are wrong", "");
	else if (fabs(apart) > DISAGREEMENT_PPM_MOST)
		row_verdict(row, DOCTOR_BAD,
			"times in ns are off by this difference, or the "
			"counter drifts: `sudo dmesg` has what the kernel "
			"found",
			"");
}

void check_clock(const struct patient *patient, struct doctor_row *row)
{
	const struct clock_facts *clock = patient->input->clock;

	if (!clock) {
		row_found(row, "not measured yet");
		row_verdict(row, DOCTOR_NOTE,
			"without the counter's frequency, times in ns are "
			"impossible",
			"");
		return;
	}
	if (clock->source != TICK_COUNTER) {
		row_found(row, "CLOCK_MONOTONIC_RAW: %s", clock->why);
		row_verdict(row, DOCTOR_NOTE,
			"a reading is slower and coarser than a reading of the "
			"counter",
			"");
		return;
	}
	judge_counter(clock, patient->input->machine, row);
}

/* Governors other than "performance", and their processors. */
struct governors {
	size_t seen;
	struct processors slow;
	char name[32];
	bool mixed;
};

static void read_governors(const struct patient *patient,
	struct governors *governors)
{
	char online[512], name[32];
	struct processors all;

	*governors = (struct governors){ 0 };
	peek_line(patient->root, online, sizeof online, CPUS "/online");
	if (!processors_read(online, &all))
		all.has[patient_cpu(patient)] = true;
	for (size_t i = 0; i < PROCESSORS_MAX; i++) {
		if (!all.has[i] ||
			!peek_line(patient->root, name, sizeof name,
				CPUS "/cpu%zu/cpufreq/scaling_governor", i))
			continue;
		governors->seen++;
		if (!strcmp(name, "performance"))
			continue;
		governors->slow.has[i] = true;
		if (governors->name[0] && strcmp(governors->name, name) != 0)
			governors->mixed = true;
		snprintf(governors->name, sizeof governors->name, "%s", name);
	}
}

void check_frequency(const struct patient *patient, struct doctor_row *row)
{
	struct governors governors;
	char where[80], preference[48];
	int cpu = patient_cpu(patient);

	read_governors(patient, &governors);
	if (!governors.seen) {
		row_found(row, "no governor: the %s sets the frequency",
			patient->guest ? "host" : "firmware");
		row_verdict(row, DOCTOR_NOTE,
			"times in ns may follow the frequency, cycles do not",
			"");
		return;
	}
	peek_line(patient->root, preference, sizeof preference,
		CPUS "/cpu%d/cpufreq/energy_performance_preference", cpu);
	if (!governors.name[0]) {
		bool saves = strstr(preference, "power") != NULL;

		row_found(row, "performance on all cpus%s%s",
			saves ? ", but preference " : "",
			saves ? preference : "");
		if (saves)
			row_verdict(row, DOCTOR_NOTE,
				"the processor may choose a lower frequency",
				"echo performance | sudo tee " CPUS
				"/cpu*/cpufreq/energy_performance_preference");
		return;
	}
	processors_write(&governors.slow, where, sizeof where);
	row_found(row, "%s%s on cpu %s%s%s", governors.name,
		governors.mixed ? " and others" : "", where,
		preference[0] ? ", preference " : "", preference);
	row_verdict(row, governors.slow.has[cpu] ? DOCTOR_BAD : DOCTOR_NOTE,
		"figures change as the frequency ramps up",
		"echo performance | sudo tee " CPUS
		"/cpu*/cpufreq/scaling_governor");
}

void check_turbo(const struct patient *patient, struct doctor_row *row)
{
	static const struct {
		const char *path;
		double on;
		const char *fix;
	} switches[] = {
		{ CPUS "/intel_pstate/no_turbo", 0,
			"echo 1 | sudo tee " CPUS "/intel_pstate/no_turbo" },
		{ CPUS "/cpufreq/boost", 1,
			"echo 0 | sudo tee " CPUS "/cpufreq/boost" },
	};
	double is;

	for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
		if (!peek_number(patient->root, &is, "%s", switches[i].path))
			continue;
		bool on = is == switches[i].on;
		row_found(row, "%s", on ? "on" : "off");
		if (on)
			row_verdict(row, DOCTOR_NOTE,
				"the frequency depends on heat and load: times "
				"in ns follow it, cycles do not",
				switches[i].fix);
		return;
	}
	row_found(row, "no switch %s",
		patient->guest ? "in a guest" : "here");
}

static const char sibling_slows[] =
	"work on the sibling slows most operations, by up to a factor of two";

/* In a guest the kernel lists what the hypervisor declares. */
static void judge_found(const struct sibling *sibling, int cpu,
	struct doctor_row *row)
{
	switch (sibling->answer) {
	case SIBLING_FOUND:
		row_found(row, "cpu %d shares its core with cpu %d (measured)",
			cpu, sibling->cpu);
		row_verdict(row, DOCTOR_NOTE, sibling_slows, "");
		return;
	case SIBLING_NONE:
		row_found(row,
			"cpu %d has no sibling in this guest now (measured; "
			"the host may move its processors)",
			cpu);
		return;
	case SIBLING_UNKNOWN:
		row_found(row, "cpu %d: unknown, another task shares its core "
			"now",
			cpu);
		row_verdict(row, DOCTOR_NOTE, sibling_slows, "");
	}
}

static void judge_listed(const struct patient *patient,
	struct processors *siblings, int cpu, struct doctor_row *row)
{
	const struct sibling *sibling = patient->input->sibling;
	char others[80];

	siblings->has[cpu] = false;
	if (!processors_count(siblings)) {
		row_found(row, "cpu %d has no sibling%s", cpu,
			patient->guest ? " listed by the kernel" : "");
		return;
	}
	processors_write(siblings, others, sizeof others);
	row_found(row, "cpu %d shares its core with cpu %s%s", cpu, others,
		sibling && sibling->answer == SIBLING_NONE ?
			", which the measurement does not confirm" :
			"");
	row_verdict(row, DOCTOR_NOTE, sibling_slows,
		"echo off | sudo tee " CPUS "/smt/control");
}

void check_smt(const struct patient *patient, struct doctor_row *row)
{
	const struct sibling *sibling = patient->input->sibling;
	char list[256];
	struct processors siblings;
	int cpu = patient_cpu(patient);

	if (patient->guest && sibling) {
		judge_found(sibling, cpu, row);
		return;
	}
	peek_line(patient->root, list, sizeof list,
		CPUS "/cpu%d/topology/thread_siblings_list", cpu);
	if (processors_read(list, &siblings))
		judge_listed(patient, &siblings, cpu, row);
	else
		row_found(row, "the siblings of cpu %d are unknown", cpu);
}

void check_clocksource(const struct patient *patient, struct doctor_row *row)
{
	char now[64], available[256];

	peek_line(patient->root, now, sizeof now,
		CLOCKSOURCES "/current_clocksource");
	peek_line(patient->root, available, sizeof available,
		CLOCKSOURCES "/available_clocksource");
	row_found(row, "%s", now[0] ? now : "unknown");
	if (words_have("tsc kvm-clock hyperv_clocksource_tsc_page "
		       "arch_sys_counter",
		    now))
		return;
	if (!words_have("hpet acpi_pm jiffies refined-jiffies pit", now))
		row_verdict(row, DOCTOR_NOTE,
			"reading the time may need a system call", "");
	else
		row_verdict(row, DOCTOR_BAD,
			"reading the time is a system call of a microsecond or more",
			words_have(available, "tsc") ?
				"echo tsc | sudo tee " CLOCKSOURCES
				"/current_clocksource" :
				"");
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Temperature of the processor itself, degrees; 0 if no zone reports it. */
static double processor_temperature(const char *root)
{
	double hottest = 0;

	for (int zone = 0; zone < ZONES_MOST; zone++) {
		char type[32];
		double millidegrees;

		/* Only sensors on the chip, because firmware sensors are slow
		 * to read. */
		peek_line(root, type, sizeof type, ZONES "%d/type", zone);
		if (!begins(type, "x86_pkg") && !begins(type, "cpu") &&
			!begins(type, "soc"))
			continue;
		if (peek_number(root, &millidegrees, ZONES "%d/temp", zone))
			hottest = fmax(hottest, millidegrees / 1000);
	}
	return hottest;
}

void check_thermal(const struct patient *patient, struct doctor_row *row)
{
	int cpu = patient_cpu(patient);
	double temperature = processor_temperature(patient->root);
	double core = 0, package = 0;
	struct text found = { 0 };

	bool counted = peek_number(patient->root, &core,
		CPUS "/cpu%d/thermal_throttle/core_throttle_count", cpu);
	peek_number(patient->root, &package,
		CPUS "/cpu%d/thermal_throttle/package_throttle_count", cpu);
	if (temperature > 0)
		text_add(&found, "%.0f degrees, ", temperature);
	if (!counted)
		text_add(&found, "throttling is not counted");
	else if (core + package > 0)
		text_add(&found, "cpu %d throttled %.0f times since boot", cpu,
			core + package);
	else
		text_add(&found, "never throttled since boot");
	row_found(row, "%s", text_chars(&found));
	text_free(&found);
	if (temperature >= TEMPERATURE_C_MOST)
		row_verdict(row, DOCTOR_BAD,
			"the processor is throttled because of its temperature",
			"");
	else if (core + package > 0)
		row_verdict(row, DOCTOR_NOTE,
			"long runs may heat the processor until it is "
			"throttled",
			"");
}

void check_battery(const struct patient *patient, struct doctor_row *row)
{
	struct folder supplies;
	bool battery = false, discharging = false;

	peek_folder(patient->root, &supplies, "/sys/class/power_supply");
	for (size_t i = 0; i < supplies.count; i++) {
		const char *name = supplies.name[i];
		char type[16], scope[16], status[24];

		peek_line(patient->root, type, sizeof type,
			"/sys/class/power_supply/%s/type", name);
		/* Devices such as a mouse have a battery too. */
		peek_line(patient->root, scope, sizeof scope,
			"/sys/class/power_supply/%s/scope", name);
		if (strcmp(type, "Battery") != 0 || !strcmp(scope, "Device"))
			continue;
		battery = true;
		peek_line(patient->root, status, sizeof status,
			"/sys/class/power_supply/%s/status", name);
		discharging |= !strcmp(status, "Discharging");
	}
	row_found(row, "%s",
		discharging     ? "in use" :
			battery ? "on mains" :
				  "none");
	if (discharging)
		row_verdict(row, DOCTOR_BAD,
			"the firmware throttles the processor: connect the "
			"power supply",
			"");
}
