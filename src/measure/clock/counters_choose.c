/* Opening a group of counters, and why that fails. */
#include "counters_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "file.h"

/* ---- the kernel ------------------------------------------------------- */

static int open_event(const struct perf_event_attr *attr, int group)
{
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, group,
		PERF_FLAG_FD_CLOEXEC);
}

static int enable_event(int fd, bool on)
{
	return ioctl(fd,
		on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

const struct counter_calls counter_calls = { open_event, read, enable_event,
	close };

#define DATA_TLB_LOAD_MISSES \
	(PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_READ << 8 | \
		PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

static const struct {
	uint32_t type;
	uint64_t config;
} events[COUNTERS] = {
	[COUNTER_INSTRUCTIONS] = { PERF_TYPE_HARDWARE,
		PERF_COUNT_HW_INSTRUCTIONS },
	[COUNTER_CYCLES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	[COUNTER_CACHE_MISSES] = { PERF_TYPE_HARDWARE,
		PERF_COUNT_HW_CACHE_MISSES },
	[COUNTER_TLB_MISSES] = { PERF_TYPE_HW_CACHE, DATA_TLB_LOAD_MISSES },
	[COUNTER_PAGE_FAULTS] = { PERF_TYPE_SOFTWARE,
		PERF_COUNT_SW_PAGE_FAULTS },
	[COUNTER_SWITCHES] = { PERF_TYPE_SOFTWARE,
		PERF_COUNT_SW_CONTEXT_SWITCHES },
	[COUNTER_MIGRATIONS] = { PERF_TYPE_SOFTWARE,
		PERF_COUNT_SW_CPU_MIGRATIONS },
};

/* The first of a group is disabled, and the others with it. */
static int open_counter(const struct counter_calls *calls, unsigned counter,
	int group, bool user_only)
{
	const struct perf_event_attr attr = {
		.type = events[counter].type,
		.size = sizeof attr,
		.config = events[counter].config,
		.read_format = PERF_FORMAT_GROUP |
			PERF_FORMAT_TOTAL_TIME_ENABLED |
			PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = group < 0,
		.exclude_kernel = user_only,
		.exclude_hv = user_only,
	};

	errno = EACCES;
	if (user_only && COUNTERS_IN_KERNEL & 1 << counter)
		return -1;
	return calls->open(&attr, group);
}

/* ---- a group ---------------------------------------------------------- */

/* A counter that opens alone but not in the group does not fit. */
static int open_failure(const struct counter_calls *calls, unsigned counter,
	int group, bool user_only)
{
	int number = errno;

	if (number != EINVAL || group < 0)
		return number;
	int alone = open_counter(calls, counter, -1, user_only);
	if (alone < 0)
		return number;
	calls->close(alone);
	return ENOSPC;
}

void counters_close_group(struct counters *group)
{
	while (group->count)
		group->calls->close(group->fds[--group->count]);
}

unsigned counters_open_group(struct counters *group, unsigned mask,
	bool user_only, struct refusal *refusal)
{
	unsigned opened = 0;

	*refusal = (struct refusal){ 0 };
	group->count = 0;
	for (unsigned i = 0; i < COUNTERS; i++) {
		int first = group->count ? group->fds[0] : -1;

		if (!(mask & 1 << i))
			continue;
		int fd = open_counter(group->calls, i, first, user_only);
		if (fd >= 0) {
			group->fds[group->count++] = fd;
			opened |= 1u << i;
		} else if (!refusal->number) {
			refusal->number = open_failure(group->calls, i, first,
				user_only);
			refusal->counter = i;
			refusal->user_only = user_only &&
				!(COUNTERS_IN_KERNEL & 1 << i);
			refusal->fits = (unsigned)__builtin_popcount(
				opened & COUNTERS_HARDWARE);
		}
	}
	return opened;
}

/* ---- sentences -------------------------------------------------------- */

static void say_forbidden(const struct refusal *refusal, struct text *text)
{
	long limit = refusal->user_only ? 2 : 1, level;
	char line[32];

	if (file_peek("/proc/sys/kernel/perf_event_paranoid", line,
		    sizeof line))
		snprintf(line, sizeof line, "%ld", limit);
	level = strtol(line, NULL, 10);
	if (level > limit)
		text_add(text,
			"kernel.perf_event_paranoid is %ld: lower it to %ld "
			"with sysctl, or add CAP_PERFMON",
			level, limit);
	else
		text_add(text,
			"perf_event_open is forbidden by a container or "
			"security module: allow the call, or add CAP_PERFMON");
}

void counters_say_refusal(const struct refusal *refusal, struct text *text)
{
	switch (refusal->number) {
	case EACCES:
	case EPERM:
		say_forbidden(refusal, text);
		return;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		text_add(text,
			"hidden by the hypervisor, or not in this processor; a "
			"guest needs a virtual PMU");
		return;
	case ENOSYS:
		text_add(text,
			"no perf_event_open: expected a kernel with "
			"CONFIG_PERF_EVENTS, and no seccomp filter against the "
			"call");
		return;
	case EMFILE:
	case ENFILE:
		text_add(text,
			"too many open files: expected a higher `ulimit -n`");
		return;
	case EBUSY:
		text_add(text,
			"another program has reserved the counters: end it");
		return;
	case ENOSPC:
		text_add(text,
			"it does not fit into one group, which holds %u "
			"counter%s of the processor here: name fewer",
			refusal->fits, refusal->fits == 1 ? "" : "s");
		return;
	}
	text_add(text, "%s", strerror(refusal->number));
}

static void add_sentence(struct text *note, const char *what,
	const struct refusal *refusal, const char *end)
{
	text_add(note, "%s%s: ", note->length ? "; " : "", what);
	counters_say_refusal(refusal, note);
	text_add(note, "%s", end);
}

/* ---- before a run ----------------------------------------------------- */

struct attempt {
	struct counted counted;
	struct refusal refusal;   /* of the first counter that is missing */
	struct refusal forbidden; /* why the kernel's work is not counted */
};

static void try_mode(const struct counter_calls *calls, unsigned mask,
	bool user_only, struct attempt *attempt)
{
	struct counters group = { .calls = calls };

	attempt->counted.mask =
		counters_open_group(&group, mask, user_only, &attempt->refusal);
	attempt->counted.user_only = user_only;
	counters_close_group(&group);
}

/* Counts the kernel's work too, if that is permitted. */
static struct attempt try_counters(const struct counter_calls *calls,
	unsigned mask)
{
	struct attempt attempt = { .refusal = { 0 } };

	try_mode(calls, mask, false, &attempt);
	if (attempt.refusal.number != EACCES && attempt.refusal.number != EPERM)
		return attempt;
	attempt.forbidden = attempt.refusal;
	try_mode(calls, mask, true, &attempt);
	return attempt;
}

static void say_limits(const struct attempt *attempt, struct text *note)
{
	const struct refusal *refusal = &attempt->refusal;
	bool in_kernel = refusal->number &&
		COUNTERS_IN_KERNEL & 1 << refusal->counter;

	if (attempt->counted.user_only)
		add_sentence(note,
			in_kernel ? "counters are of user mode only, without "
				    "context switches and migrations" :
				    "counters are of user mode only",
			&attempt->forbidden, "");
	if (refusal->number && !(attempt->counted.user_only && in_kernel))
		add_sentence(note, counter_metrics[refusal->counter].label,
			refusal, "");
}

static int choose_named(const struct counter_calls *calls, unsigned mask,
	struct counted *counted, struct text *note, struct error *error)
{
	struct attempt attempt = try_counters(calls, mask);
	const struct refusal *refusal = &attempt.refusal;
	struct text why = { 0 };

	if (attempt.counted.mask == mask) {
		*counted = attempt.counted;
		say_limits(&attempt, note);
		return 0;
	}
	counters_say_refusal(refusal, &why);
	error_set(error,
		refusal->number == ENOSPC ? STATUS_USAGE : STATUS_PERMISSION,
		"counters: cannot count %s: %s",
		counter_metrics[refusal->counter].name, why.chars);
	text_free(&why);
	return -1;
}

static void choose_usual(const struct counter_calls *calls,
	struct counted *counted, struct text *note)
{
	struct attempt attempt = try_counters(calls, COUNTERS_HARDWARE);

	if (!attempt.counted.mask) {
		add_sentence(note, "hardware counters are missing",
			&attempt.refusal,
			"; the kernel's events are counted instead");
		attempt = try_counters(calls, COUNTERS_SOFTWARE);
	}
	if (!attempt.counted.mask) {
		text_clear(note);
		add_sentence(note, "nothing is counted", &attempt.refusal, "");
		return;
	}
	*counted = attempt.counted;
	say_limits(&attempt, note);
}

int counters_choose(const struct counter_calls *calls, unsigned asked,
	struct counted *counted, struct text *note, struct error *error)
{
	unsigned named = asked >> COUNT_NAMED;

	*counted = (struct counted){ 0 };
	if (named)
		return choose_named(calls, named, counted, note, error);
	if (asked & 1 << COUNT_AUTO)
		choose_usual(calls, counted, note);
	return 0;
}
