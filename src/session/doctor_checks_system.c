/* Checks of how the kernel is set up. */
#include "doctor_checks.h"

#include <stdio.h>
#include <sys/personality.h>

#include "machine.h"
#include "peek.h"

#define KERNEL "/proc/sys/kernel"

void check_realtime(const struct patient *patient, struct doctor_row *row)
{
	double runtime_us, period_us = 1e6;
	char effect[80];

	if (!peek_number(patient->root, &runtime_us,
		    KERNEL "/sched_rt_runtime_us")) {
		row_found(row, "no limit is told");
		return;
	}
	peek_number(patient->root, &period_us, KERNEL "/sched_rt_period_us");
	if (runtime_us < 0 || runtime_us >= period_us) {
		row_found(row, "no limit");
		return;
	}
	snprintf(effect, sizeof effect,
		"long trials at priority=fifo have gaps of %.0f ms",
		(period_us - runtime_us) / 1e3);
	row_found(row, "fifo work gets %.0f ms of each %.0f ms",
		runtime_us / 1e3, period_us / 1e3);
	/* Where there is one processor, the limit is what keeps the machine
	 * alive. */
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
		"they are part of what entering the kernel costs here", "");
}

void check_aslr(const struct patient *patient, struct doctor_row *row)
{
	static const char effect[] =
		"every launch has the same layout: one figure of many";
	double level;
	int person = patient->root[0] ? 0 : personality(0xffffffff);

	if (person >= 0 && person & ADDR_NO_RANDOMIZE) {
		row_found(row, "off for this process");
		row_verdict(row, DOCTOR_BAD, effect, "");
	} else if (!peek_number(patient->root, &level,
			   KERNEL "/randomize_va_space")) {
		row_found(row, "not told");
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

void check_swap(const struct patient *patient, struct doctor_row *row)
{
	char meminfo[4096];
	double total = 0, unused = 0;

	peek_bytes(patient->root, meminfo, sizeof meminfo, "/proc/meminfo");
	bool told = field_number(meminfo, "SwapTotal", ':', &total);
	field_number(meminfo, "SwapFree", ':', &unused);
	if (total <= 0) {
		row_found(row, told ? "none" : "not told");
		return;
	}
	double used = total > unused ? total - unused : 0;
	row_found(row, "%.0f of %.0f MiB in use", used / 1024, total / 1024);
	if (used > 0)
		row_verdict(row, DOCTOR_BAD,
			"a page may come from disk in the middle of a trial",
			"sudo swapoff -a");
}
