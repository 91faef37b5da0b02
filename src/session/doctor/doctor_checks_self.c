/* Checks of the rights of this process, and of noise. */
#include "doctor_checks.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine.h"
#include "peek.h"
#include "text.h"

static const double locked_bytes_enough = 64 << 20;
static const double visible_most = .01, visible_bad = .05;

void check_priority(const struct patient *patient, struct doctor_row *row)
{
	struct rlimit limit = { 0 };
	bool may = patient_can(patient, CAP_SYS_NICE);

	getrlimit(RLIMIT_RTPRIO, &limit);
	if (patient->input->machine->allowed == 1) {
		row_found(row, "one processor: fifo would stop all other work");
		row_verdict(row, DOCTOR_NOTE, "priority=fifo is refused", "");
	} else if (may || limit.rlim_cur > 0) {
		row_found(row, "priority=fifo is permitted");
	} else {
		row_found(row, "priority=fifo is not permitted");
		row_verdict(row, DOCTOR_NOTE,
			"other work may interrupt trials; interrupted trials "
			"are excluded",
			"sudo prlimit --pid $$ --rtprio=50");
	}
}

void check_memory_lock(const struct patient *patient, struct doctor_row *row)
{
	struct rlimit limit = { 0 };

	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (patient_can(patient, CAP_IPC_LOCK) ||
		limit.rlim_cur == RLIM_INFINITY) {
		row_found(row, "no limit");
		return;
	}
	row_found(row, "%.0f MiB", (double)limit.rlim_cur / (1 << 20));
	if ((double)limit.rlim_cur < locked_bytes_enough)
		row_verdict(row, DOCTOR_NOTE,
			"larger buffers cannot be locked: a trial may include "
			"a fault",
			"sudo prlimit --pid $$ --memlock=unlimited");
}

/* Tries to open a counter of this process's cycles. Returns 0 or an errno. */
static int try_cycles(void)
{
	struct perf_event_attr attribute = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof attribute,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attribute, 0, -1, -1,
		PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close((int)fd);
	return 0;
}

/* The same estimated from files alone. */
static int guess_cycles(const char *root, double paranoid)
{
	static const char *const units[] = { "cpu", "cpu_core", "armv8_pmuv3",
		"armv8_pmuv3_0" };
	char type[16];

	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (peek_line(root, type, sizeof type,
			    "/sys/bus/event_source/devices/%s/type", units[i]))
			return paranoid > 2 ? EACCES : 0;
	return ENOENT;
}

void check_counters(const struct patient *patient, struct doctor_row *row)
{
	static const char effect[] =
		"cycles come from calibrated work only, without a cross-check";
	double paranoid = 2;

	peek_number(patient->root, &paranoid,
		"/proc/sys/kernel/perf_event_paranoid");
	int failed = patient->root[0] ? guess_cycles(patient->root, paranoid) :
					try_cycles();
	if (!failed) {
		row_found(row, "cycles can be counted");
	} else if (failed == EACCES || failed == EPERM) {
		/* Values up to 2 permit it, so something else forbids it, such
		 * as a container. */
		row_found(row, "not permitted, perf_event_paranoid is %.0f",
			paranoid);
		row_verdict(row, DOCTOR_NOTE, effect,
			paranoid > 2 ?
				"sudo sysctl kernel.perf_event_paranoid=2" :
				"");
	} else {
		row_found(row, "no hardware counters%s",
			patient->guest ? " in this guest" : "");
		row_verdict(row, DOCTOR_NOTE, effect, "");
	}
}

/* ---- noise ------------------------------------------------------------ */

static void add_noise(const struct noise_facts *noise, struct text *found)
{
	text_add(found, "%s%s ", found->length ? ", " : "", noise->experiment);
	if (noise->told_apart)
		text_add(found, "differs from itself by %.*g %%",
			text_digits(100 * fabs(noise->found)),
			100 * fabs(noise->found));
	else if (isfinite(noise->visible))
		text_add(found, "resolves changes from %.*g %%",
			text_digits(100 * noise->visible),
			100 * noise->visible);
	else
		text_add(found, "has too few clean launches");
}

void check_noise(const struct patient *patient, struct doctor_row *row)
{
	const struct doctor_input *input = patient->input;
	struct text found = { 0 };
	double worst = 0;

	if (!input->noise_count) {
		row_found(row, "not measured");
		row_verdict(row, DOCTOR_NOTE,
			"the smallest detectable change is unknown", "");
		return;
	}
	for (size_t i = 0; i < input->noise_count; i++) {
		const struct noise_facts *noise = &input->noise[i];

		add_noise(noise, &found);
		worst = noise->told_apart || !isfinite(noise->visible) ?
			INFINITY :
			fmax(worst, noise->visible);
	}
	row_found(row, "%s", text_chars(&found));
	text_free(&found);
	if (worst > visible_bad)
		row_verdict(row, DOCTOR_BAD,
			"comparing a setting with itself in turns gives a "
			"difference: small changes cannot be detected",
			"");
	else if (worst > visible_most)
		row_verdict(row, DOCTOR_NOTE,
			"smaller changes need more launches", "");
}

/* ---- other machines --------------------------------------------------- */

void check_remote(const struct patient *patient, struct doctor_row *row)
{
	const struct doctor_input *input = patient->input;
	struct text found = { 0 };
	size_t silent = 0;

	for (size_t i = 0; i < input->host_count; i++) {
		const struct host_facts *reach = &input->hosts[i];

		text_add(&found, "%s%s ", found.length ? "; " : "",
			reach->host);
		if (reach->reached)
			text_add(&found, "answers in %.*g ms",
				text_digits(reach->took_ns / 1e6),
				reach->took_ns / 1e6);
		else
			text_add(&found, "does not answer: %s", reach->why);
		silent += !reach->reached;
	}
	row_found(row, "%s",
		found.length ? found.chars :
			       "no other host was measured yet");
	text_free(&found);
	if (silent)
		row_verdict(row, DOCTOR_NOTE,
			"runs with this host end at once; run the command on "
			"that host",
			"benchtop serve --listen=0.0.0.0 --token-file=token");
}
