/* Rows by their names, and functions for probes in a worker: emitting,
 * refusing, random numbers. */
#include "probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "splitmix.h"

const char *const placement_choices[PLACEMENTS + 1] = { "same-cpu", "smt",
	"same-llc", "other", NULL };

const struct param *param_row(const struct param *rows, const char *name)
{
	for (; rows->name; rows++)
		if (!strcmp(rows->name, name))
			return rows;
	return NULL;
}

const struct metric *metric_row(const struct metric *rows, const char *name)
{
	for (; rows->name; rows++)
		if (!strcmp(rows->name, name))
			return rows;
	return NULL;
}

const struct provision *provision_row(const struct experiment *experiment,
	enum quantity quantity)
{
	const struct provision *row = experiment ? experiment->provides : NULL;

	for (; row && row->quantity; row++)
		if (row->quantity == quantity)
			return row;
	return NULL;
}

bool experiment_sensitive(const struct experiment *experiment,
	unsigned conditions)
{
	return experiment && experiment->sensitive_to & conditions;
}

bool waits_always(const void *args)
{
	(void)args;
	return true;
}

const char *sample_flag_name(enum sample_flag flag)
{
	switch (flag) {
	case FLAG_BACKWARDS:
		return "backwards";
	case FLAG_MIGRATED:
		return "migrated";
	case FLAG_PREEMPTED:
		return "preempted";
	case FLAG_SWITCHED:
		return "switched";
	case FLAG_FAULTED:
		return "faulted";
	case FLAG_SHARED:
		return "shared";
	case FLAG_FREQUENCY:
		return "frequency";
	case FLAG_UNVERIFIED:
		return "unverified";
	case FLAG_WARMUP:
		return "warm-up";
	case FLAG_MIXED:
		return "mixed";
	}
	return "unknown";
}

static void keep_ticks(struct probe *probe, unsigned metric, uint64_t ops,
	uint64_t stop, unsigned flags)
{
	struct sample sample = {
		.kind = SAMPLE_TRIAL,
		.metric = (uint8_t)metric,
		.flags = (uint16_t)flags,
		.n = (uint32_t)ops,
		.at = probe->start,
		.ticks = stop - probe->start,
		.extra = probe->turn,
	};

	if ((int64_t)sample.ticks <= 0)
		sample.flags |= FLAG_BACKWARDS;
	if (probe->count)
		probe->count(probe, REGION_EMITTED, &sample);
	probe->spent += sample.ticks;
	probe->regions++;
	if (!probe->quiet)
		probe->put(probe, &sample);
}

void probe_keep(struct probe *probe, unsigned metric, uint64_t ops,
	uint64_t stop, bool preempted)
{
	unsigned flags = 0;

	if (preempted)
		flags |= FLAG_PREEMPTED;
	if (probe->rseq_cpu && (int)*probe->rseq_cpu != probe->cpu)
		flags |= FLAG_MIGRATED;
	keep_ticks(probe, metric, ops, stop, flags);
}

void probe_stop_slept(struct probe *probe, unsigned metric, uint64_t ops)
{
	uint64_t stop = tick_now(probe->source);

	probe_keep(probe, metric, ops, stop, false);
}

void probe_stop_at(struct probe *probe, unsigned metric, uint64_t ops,
	uint64_t stop)
{
	keep_ticks(probe, metric, ops, stop, 0);
}

void probe_stop_judged(struct probe *probe, unsigned metric, uint64_t ops,
	uint64_t stop, bool preempted)
{
	keep_ticks(probe, metric, ops, stop, preempted ? FLAG_PREEMPTED : 0);
}

void probe_took(struct probe *probe, unsigned metric, uint64_t ops,
	uint64_t ticks)
{
	probe->count = NULL;
	keep_ticks(probe, metric, ops, probe->start + ticks, 0);
}

void probe_value(struct probe *probe, unsigned metric, double value)
{
	struct sample sample = {
		.kind = SAMPLE_VALUE,
		.metric = (uint8_t)metric,
		.value = value,
		.extra = probe->turn,
	};

	if (!probe->quiet)
		probe->put(probe, &sample);
}

void probe_trace(struct probe *probe, unsigned metric, double x, double y)
{
	struct sample sample = {
		.kind = SAMPLE_TRACE,
		.metric = (uint8_t)metric,
		.value = x,
		.value2 = y,
	};

	if (!probe->quiet)
		probe->put(probe, &sample);
}

enum { SENTENCE_MAX = 480 };

static void put_text(struct probe *probe, enum sample_text what,
	const char *chars)
{
	size_t length = strlen(chars);
	struct sample head = {
		.kind = SAMPLE_TEXT,
		.metric = (uint8_t)what,
		.n = (uint32_t)length,
		.extra = probe->turn,
	};

	probe->put(probe, &head);
	for (size_t at = 0; at < length; at += sizeof(struct sample)) {
		struct sample piece;
		size_t left = length - at;

		memset(&piece, 0, sizeof piece);
		memcpy(&piece, chars + at,
			left < sizeof piece ? left : sizeof piece);
		probe->put(probe, &piece);
	}
}

void probe_note(struct probe *probe, const char *key, const char *format, ...)
{
	char line[SENTENCE_MAX];
	va_list list;

	if (probe->quiet)
		return;
	size_t used = (size_t)snprintf(line, sizeof line, "%s=", key);
	va_start(list, format);
	if (used < sizeof line)
		vsnprintf(line + used, sizeof line - used, format, list);
	va_end(list);
	put_text(probe, TEXT_NOTE, line);
}

void probe_warn(struct probe *probe, const char *format, ...)
{
	char line[SENTENCE_MAX];
	va_list list;

	va_start(list, format);
	vsnprintf(line, sizeof line, format, list);
	va_end(list);
	put_text(probe, TEXT_WARNING, line);
}

void probe_alive(struct probe *probe)
{
	probe->alive(probe);
}

__attribute__((format(printf, 3, 0))) static int refuse(struct probe *probe,
	enum sample_text what, const char *format, va_list list)
{
	char line[SENTENCE_MAX];

	vsnprintf(line, sizeof line, format, list);
	put_text(probe, what, line);
	probe->outcome = (int)what + 1;
	return -1;
}

int probe_unavailable(struct probe *probe, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	refuse(probe, TEXT_UNAVAILABLE, format, list);
	va_end(list);
	return -1;
}

int probe_placed(struct probe *probe, int placement)
{
	if (probe->place[placement] >= 0)
		return probe->place[placement];
	return probe_unavailable(probe, "no processor matches placement '%s'",
		placement_choices[placement]);
}

int probe_invalid(struct probe *probe, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	refuse(probe, TEXT_INVALID, format, list);
	va_end(list);
	return -1;
}

int probe_fail(struct probe *probe, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	refuse(probe, TEXT_FAILED, format, list);
	va_end(list);
	return -1;
}

int probe_lost(struct probe *probe, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	refuse(probe, TEXT_LOST, format, list);
	va_end(list);
	return -1;
}

uint64_t probe_random(struct probe *probe)
{
	return splitmix_next(&probe->random);
}

uint64_t probe_random_below(struct probe *probe, uint64_t limit)
{
	/* Rejecting the incomplete last range keeps the result uniform. */
	uint64_t most = UINT64_MAX - UINT64_MAX % limit;
	uint64_t drawn;

	do
		drawn = probe_random(probe);
	while (drawn >= most);
	return drawn % limit;
}
