/* Checks of observers: tracers, filters, instrumented builds. */
#include "doctor_checks.h"

#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "memory.h"
#include "peek.h"
#include "text.h"

#define TRACING "/sys/kernel/tracing"

enum { MAPS_BYTES = 1 << 20 };

/* ---- this process ----------------------------------------------------- */

/* An emulator or checker is visible among the mapped files. */
static const char *emulator(const struct patient *patient)
{
	static const char *const marks[] = { "vgpreload", "valgrind", "libqemu",
		"librrpreload", "libpin" };
	static const char *const names[] = { "valgrind", "valgrind", "qemu",
		"rr", "pin" };
	char *maps = xcalloc(1, MAPS_BYTES);
	const char *found = NULL;

	peek_bytes(patient->root, maps, MAPS_BYTES, "/proc/self/maps");
	for (size_t i = 0; i < sizeof marks / sizeof *marks && !found; i++)
		if (strstr(maps, marks[i]))
			found = names[i];
	free(maps);
	return found;
}

void check_build(const struct patient *patient, struct doctor_row *row)
{
	static const char effect[] = "figures are not valid";
	const char *build = patient->input->machine->build;
	const char *under = emulator(patient);
	char tracer[16], name[32];

	patient_status(patient, "TracerPid", tracer, sizeof tracer);
	if (under) {
		row_found(row, "%s, under %s", build, under);
		row_verdict(row, DOCTOR_BAD, effect, "");
		return;
	}
	if (tracer[0] && strcmp(tracer, "0") != 0) {
		bool named = peek_line(patient->root, name, sizeof name,
			"/proc/%s/comm", tracer);

		row_found(row, "%s, traced by %s%spid %s%s", build,
			named ? name : "", named ? " (" : "", tracer,
			named ? ")" : "");
		row_verdict(row, DOCTOR_BAD, effect, "");
		return;
	}
	row_found(row, "%s", build);
	/* A second word lists the sanitizers. */
	if (strchr(build, ' ') || !strcmp(build, "Debug"))
		row_verdict(row, DOCTOR_BAD, effect,
			"cmake --preset release && cmake --build --preset release");
}

/* A filter runs at every system call. Containers and service managers install
 * filters. */
void check_filters(const struct patient *patient, struct doctor_row *row)
{
	char mode[8], count[16];

	patient_status(patient, "Seccomp", mode, sizeof mode);
	patient_status(patient, "Seccomp_filters", count, sizeof count);
	if (!mode[0]) {
		row_found(row, "unknown");
		return;
	}
	if (strcmp(mode, "2") != 0) {
		row_found(row, "none");
		return;
	}
	row_found(row, "%s of system calls, for this process",
		count[0] ? count : "some");
	row_verdict(row, DOCTOR_NOTE,
		"a filter runs at every system call: entering the kernel costs "
		"more",
		"");
}

/* ---- the kernel ------------------------------------------------------- */

/* Active tracing of the kernel. */
void check_tracing(const struct patient *patient, struct doctor_row *row)
{
	static const struct {
		const char *path, *name;
	} switches[] = {
		{ "/proc/sys/kernel/sched_schedstats", "schedstats" },
		{ "/proc/sys/kernel/lock_stat", "lock_stat" },
		{ "/proc/sys/kernel/bpf_stats_enabled", "bpf_stats" },
		{ "/proc/sys/kernel/task_delayacct", "delayacct" },
	};
	struct text found = { 0 };
	char tracer[32], event[80];

	bool told = peek_line(patient->root, tracer, sizeof tracer,
		TRACING "/current_tracer");
	bool traced = told && strcmp(tracer, "nop") != 0;
	if (traced)
		text_add(&found, "tracer %s", tracer);
	if (peek_line(patient->root, event, sizeof event,
		    TRACING "/set_event")) {
		text_add(&found, "%sevents, including %s",
			found.length ? ", " : "", event);
		traced = true;
	}
	for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
		double on = 0;

		if (peek_number(patient->root, &on, "%s", switches[i].path) &&
			on > 0)
			text_add(&found, "%s%s", found.length ? ", " : "",
				switches[i].name);
	}
	row_found(row, "%s",
		found.length ? found.chars :
			told ? "off" :
			       "off, as far as this user can read");
	if (traced)
		row_verdict(row, DOCTOR_BAD,
			"the kernel records events during trials",
			"echo nop | sudo tee " TRACING
			"/current_tracer; echo | sudo tee " TRACING
			"/set_event");
	else if (found.length)
		row_verdict(row, DOCTOR_NOTE,
			"counting makes switches and system calls slower",
			"sudo sysctl kernel.sched_schedstats=0 "
			"kernel.task_delayacct=0");
	text_free(&found);
}
