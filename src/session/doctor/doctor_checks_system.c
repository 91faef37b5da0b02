/* Checks of the configuration of the kernel. */
#include "doctor_checks.h"

#include <stdio.h>
#include <string.h>
#include <sys/personality.h>

#include "machine.h"
#include "peek.h"

#define KERNEL "/proc/sys/kernel"

void check_realtime(const struct patient *patient, struct doctor_row *row)
{
	double runtime_us, period_us = 1e6;
	char effect[80], fair[32];

	/* Since Linux 6.8 a fair server has the same effect. */
	bool served =
		peek_line(patient->root, fair, sizeof fair,
			"/sys/kernel/debug/sched/fair_server/cpu%d/runtime",
			patient_cpu(patient)) &&
		strcmp(fair, "0") != 0;
	if (!peek_number(patient->root, &runtime_us,
		    KERNEL "/sched_rt_runtime_us")) {
		row_found(row, "unknown");
		return;
	}
	peek_number(patient->root, &period_us, KERNEL "/sched_rt_period_us");
	if (runtime_us < 0 || runtime_us >= period_us) {
		row_found(row, "no limit%s",
			served ? ", but a fair server for other work" : "");
		if (served)
			row_verdict(row, DOCTOR_NOTE,
				"long trials at priority=fifo have gaps of "
				"50 ms",
				"echo 0 | sudo tee "
				"/sys/kernel/debug/sched/fair_server/cpu*/"
				"runtime");
		return;
	}
	snprintf(effect, sizeof effect,
		"long trials at priority=fifo have gaps of %.0f ms",
		(period_us - runtime_us) / 1e3);
	row_found(row, "real-time work has %.0f ms of each %.0f ms",
		runtime_us / 1e3, period_us / 1e3);
	/* With one processor, the limit keeps the machine usable. */
	row_verdict(row, DOCTOR_NOTE, effect,
		patient->input->machine->cpus > 1 ?
			"sudo sysctl kernel.sched_rt_runtime_us=-1" :
			"");
}

void check_mitigations(const struct patient *patient, struct doctor_row *row)
{
	const struct machine *machine = patient->input->machine;

	if (!machine->mitigations[0]) {
		row_found(row, "none");
		return;
	}
	row_found(row, "%s%s",
		machine->page_table_isolation ? "page table isolation; " : "",
		machine->mitigations);
	row_verdict(row, DOCTOR_NOTE,
		"they add to the cost of entering the kernel", "");
}

void check_aslr(const struct patient *patient, struct doctor_row *row)
{
	static const char effect[] =
		"every launch has the same layout: one sample of many";
	double level;
	int person = patient->root[0] ? 0 : personality(0xffffffff);

	if (person >= 0 && person & ADDR_NO_RANDOMIZE) {
		row_found(row, "off for this process");
		row_verdict(row, DOCTOR_BAD, effect, "");
	} else if (!peek_number(patient->root, &level,
			   KERNEL "/randomize_va_space")) {
		row_found(row, "unknown");
	} else if (level >= 2) {
		row_found(row, "on");
	} else {
		row_found(row, "%s",
			level >= 1 ? "on, but not for the heap" : "off");
		row_verdict(row, level >= 1 ? DOCTOR_NOTE : DOCTOR_BAD,
			level >= 1 ? "heaps have the same layout" : effect,
			"sudo sysctl kernel.randomize_va_space=2");
	}
}

void check_watchdog(const struct patient *patient, struct doctor_row *row)
{
	double on = 0;

	if (!peek_number(patient->root, &on, KERNEL "/nmi_watchdog")) {
		row_found(row, "unknown");
		return;
	}
	row_found(row, "%s", on > 0 ? "on" : "off");
	if (on > 0)
		row_verdict(row, DOCTOR_NOTE,
			"it uses a hardware counter and sends non-maskable "
			"interrupts",
			"sudo sysctl kernel.nmi_watchdog=0");
}

/* Recorded, not judged: no preemption model is wrong, but figures of two models
 * differ. */
void check_preemption(const struct patient *patient, struct doctor_row *row)
{
	const char *version = patient->input->machine->kernel_version;
	char modes[80];

	const char *model = strstr(version, "PREEMPT_RT") ? "real-time" :
		strstr(version, "PREEMPT_DYNAMIC")        ? "dynamic" :
		strstr(version, "PREEMPT")                ? "full" :
							    "none or voluntary";
	/* "none voluntary (full)", readable by root. */
	peek_line(patient->root, modes, sizeof modes,
		"/sys/kernel/debug/sched/preempt");
	row_found(row, "%s%s%s", model, modes[0] ? ": " : "", modes);
}

void check_timer_slack(const struct patient *patient, struct doctor_row *row)
{
	double slack_ns;

	if (!peek_number(patient->root, &slack_ns, "/proc/self/timerslack_ns"))
		row_found(row, "unknown; workers use 1 ns");
	else
		row_found(row, "%.0f us here; workers use 1 ns",
			slack_ns / 1e3);
}
