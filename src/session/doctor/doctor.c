/* The doctor: a table of checks, each of which fills in one row. */
#include "doctor_checks.h"

#include <stdio.h>
#include <stdlib.h>

#include "machine.h"
#include "memory.h"

static const struct {
	const char *name, *touches;
	void (*check)(const struct patient *, struct doctor_row *);
} checks[] = {
	{ "clock", "all timing", check_clock },
	{ "frequency", "all timing", check_frequency },
	{ "turbo", "all timing in ns", check_turbo },
	{ "smt", "cpu.call cpu.loop mem.*", check_smt },
	{ "core-types", "all timing", check_core_types },
	{ "isolation", "all timing", check_isolation },
	{ "tick", "all timing", check_tick },
	{ "interrupts", "all timing, net.*", check_interrupts },
	{ "idle-states", "cpu.switch cpu.thread net.*", check_idle_states },
	{ "load", "all timing", check_load },
	{ "hypervisor", "cpu.syscall cpu.switch mem.* net.*",
		check_hypervisor },
	{ "gaps", "all timing", check_gaps },
	{ "noise", "all timing", check_noise },
	{ "quota", "all timing", check_quota },
	{ "memory-limit", "mem.* fs.*", check_memory_limit },
	{ "real-time", "priority=fifo", check_realtime },
	{ "mitigations", "cpu.syscall cpu.switch mem.fault",
		check_mitigations },
	{ "aslr", "cpu.call cpu.loop mem.*", check_aslr },
	{ "clocksource", "all timing", check_clocksource },
	{ "watchdog", "all timing", check_watchdog },
	{ "preemption", "cpu.switch cpu.process cpu.thread", check_preemption },
	{ "timer-slack", "cpu.switch", check_timer_slack },
	{ "huge-pages", "mem.*", check_huge_pages },
	{ "memory-work", "mem.*", check_memory_work },
	{ "numa", "mem.*", check_numa },
	{ "swap", "mem.* fs.*", check_swap },
	{ "disk", "fs.* mem.fault", check_disk },
	{ "network", "net.*", check_network },
	{ "coalescing", "net.rtt net.connect host=NAME", check_coalescing },
	{ "congestion", "net.bandwidth net.slowstart", check_congestion },
	{ "tcp-metrics", "net.slowstart net.bandwidth", check_tcp_metrics },
	{ "ports", "net.connect", check_ports },
	{ "remote", "host=NAME", check_remote },
	{ "link", "host=link, net.slowstart", check_link },
	{ "battery", "all timing", check_battery },
	{ "thermal", "all timing", check_thermal },
	{ "priority", "priority=fifo", check_priority },
	{ "memory-lock", "mem.*", check_memory_lock },
	{ "counters", "figures in cycles", check_counters },
	{ "capture", "net.* with capture", check_capture },
	{ "icmp", "net.rtt", check_icmp },
	{ "filters", "cpu.syscall cpu.switch", check_filters },
	{ "tracing", "all timing", check_tracing },
	{ "build", "all", check_build },
};

void doctor_examine_at(const char *root, const struct doctor_input *input,
	struct doctor *doctor)
{
	struct patient patient = {
		.root = root,
		.input = input,
		.guest = input->machine->hypervisor[0],
	};

	doctor->count = sizeof checks / sizeof checks[0];
	doctor->rows = xcalloc(doctor->count, sizeof *doctor->rows);
	for (size_t i = 0; i < doctor->count; i++) {
		struct doctor_row *row = &doctor->rows[i];

		row->check = checks[i].name;
		snprintf(row->touches, sizeof row->touches, "%s",
			checks[i].touches);
		checks[i].check(&patient, row);
	}
}

void doctor_examine(const struct doctor_input *input, struct doctor *doctor)
{
	doctor_examine_at("", input, doctor);
}

void doctor_free(struct doctor *doctor)
{
	free(doctor->rows);
	*doctor = (struct doctor){ 0 };
}

const char *doctor_verdict_word(enum doctor_verdict verdict)
{
	static const char *const words[] = { "ok", "note", "bad" };

	return words[verdict];
}
