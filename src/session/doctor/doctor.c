/* The doctor: a table of checks, each of which fills in one row. */
#include "doctor_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "memory.h"
#include "text.h"

/* The experiments that a condition distorts: those that are sensitive to it,
 * followed by a text. For a condition that distorts all, only the text. */
static const struct {
	const char *name;
	unsigned sensitive;
	const char *words;
	void (*check)(const struct patient *, struct doctor_row *);
} checks[] = {
	{ "clock", 0, "all timing", check_clock },
	{ "frequency", 0, "all timing", check_frequency },
	{ "turbo", 0, "all timing in ns", check_turbo },
	{ "smt", SENSITIVE_CODE | SENSITIVE_MEMORY, "", check_smt },
	{ "core-types", 0, "all timing", check_core_types },
	{ "isolation", 0, "all timing", check_isolation },
	{ "tick", 0, "all timing", check_tick },
	{ "interrupts", 0, "all timing", check_interrupts },
	{ "idle-states", SENSITIVE_IDLE | SENSITIVE_NETWORK,
		"", check_idle_states },
	{ "load", 0, "all timing", check_load },
	{ "hypervisor", SENSITIVE_CALLS | SENSITIVE_MEMORY | SENSITIVE_NETWORK,
		"", check_hypervisor },
	{ "gaps", 0, "all timing", check_gaps },
	{ "noise", 0, "all timing", check_noise },
	{ "quota", 0, "all timing", check_quota },
	{ "memory-limit", SENSITIVE_MEMORY | SENSITIVE_DISK,
		"", check_memory_limit },
	{ "real-time", 0, "priority=fifo", check_realtime },
	{ "mitigations", SENSITIVE_KERNEL, "", check_mitigations },
	{ "aslr", SENSITIVE_CODE | SENSITIVE_MEMORY, "", check_aslr },
	{ "clocksource", 0, "all timing", check_clocksource },
	{ "watchdog", 0, "all timing", check_watchdog },
	{ "preemption", SENSITIVE_SCHEDULER, "", check_preemption },
	{ "timer-slack", SENSITIVE_TIMER_SLACK, "", check_timer_slack },
	{ "huge-pages", SENSITIVE_MEMORY, "", check_huge_pages },
	{ "memory-work", SENSITIVE_MEMORY, "", check_memory_work },
	{ "numa", SENSITIVE_MEMORY, "", check_numa },
	{ "swap", SENSITIVE_MEMORY | SENSITIVE_DISK, "", check_swap },
	{ "disk", SENSITIVE_DISK, "", check_disk },
	{ "network", SENSITIVE_NETWORK, "", check_network },
	{ "coalescing", SENSITIVE_COALESCING, "host=NAME", check_coalescing },
	{ "congestion", SENSITIVE_CONGESTION, "", check_congestion },
	{ "tcp-metrics", SENSITIVE_CONGESTION, "", check_tcp_metrics },
	{ "ports", SENSITIVE_PORTS, "", check_ports },
	{ "remote", 0, "host=NAME", check_remote },
	{ "link", SENSITIVE_LINK, "host=link", check_link },
	{ "battery", 0, "all timing", check_battery },
	{ "thermal", 0, "all timing", check_thermal },
	{ "priority", 0, "priority=fifo", check_priority },
	{ "memory-lock", SENSITIVE_MEMORY, "", check_memory_lock },
	{ "counters", 0, "figures in cycles", check_counters },
	{ "capture", SENSITIVE_NETWORK, "with capture", check_capture },
	{ "icmp", SENSITIVE_ICMP, "", check_icmp },
	{ "filters", SENSITIVE_CALLS, "", check_filters },
	{ "tracing", 0, "all timing", check_tracing },
	{ "build", 0, "all", check_build },
};

static const char *gap(const struct text *text)
{
	return text->length ? " " : "";
}

/* The number of members of the first group in a sorted list, and how many of
 * them are sensitive. */
static size_t count_group(const struct experiment *const *list,
	unsigned sensitive, size_t *touched)
{
	size_t length = strcspn((*list)->name, ".") + 1, count = 0;

	*touched = 0;
	while (list[count] &&
		!strncmp(list[count]->name, (*list)->name, length))
		*touched += experiment_sensitive(list[count++], sensitive);
	return count;
}

/* Adds "cpu.switch mem.*": the whole group if all its members are sensitive. */
static void list_sensitive(const struct experiment *const *list,
	unsigned sensitive, struct text *text)
{
	size_t count, touched;

	for (; list && *list; list += count) {
		count = count_group(list, sensitive, &touched);
		if (touched == count && count > 1) {
			text_add(text, "%s%.*s.*", gap(text),
				(int)strcspn((*list)->name, "."),
				(*list)->name);
			continue;
		}
		for (size_t i = 0; i < count; i++)
			if (experiment_sensitive(list[i], sensitive))
				text_add(text, "%s%s", gap(text),
					list[i]->name);
	}
}

static void say_touches(const struct experiment *const *experiments, size_t i,
	struct doctor_row *row)
{
	struct text text = { 0 };

	list_sensitive(experiments, checks[i].sensitive, &text);
	if (*checks[i].words)
		text_add(&text, "%s%s", gap(&text), checks[i].words);
	snprintf(row->touches, sizeof row->touches, "%s",
		text.length ? text.chars : "no experiment");
	text_free(&text);
}

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
		say_touches(input->experiments, i, row);
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
