/* Counters in a worker: the counts of regions. */
#include "counters_internal.h"
#include "probe.h"
#include "quantile.h"

static bool read_group(const struct counters *counters,
	struct counter_reading *reading)
{
	size_t bytes = offsetof(struct counter_reading, values) +
		counters->count * sizeof *reading->values;

	return counters->calls->read(counters->fds[0], reading, bytes) ==
		(ssize_t)bytes;
}

static void end_region(struct counters *counters)
{
	if (!counters->ended)
		counters->ended = read_group(counters, &counters->end);
}

/* The counts of a region; false if they are not of the whole region. A
 * difference of unsigned values is right across an overflow. */
static bool take_counts(struct counters *counters)
{
	const struct counter_reading *begin = &counters->begin;
	const struct counter_reading *end = &counters->end;

	if (!counters->begun || !counters->ended) {
		counters->unread = true;
		return false;
	}
	uint64_t running_ns = end->running_ns - begin->running_ns;
	if (!running_ns || running_ns != end->enabled_ns - begin->enabled_ns) {
		counters->shared = true;
		return false;
	}
	for (unsigned i = 0; i < counters->count; i++)
		counters->counts[i] = end->values[i] - begin->values[i];
	return true;
}

static void emit(struct probe *probe, const struct sample *timed)
{
	const struct counters *counters = probe->counters;

	for (unsigned i = 0; i < counters->count; i++) {
		double count = (double)counters->counts[i] - counters->empty[i];
		struct sample sample = {
			.kind = SAMPLE_VALUE,
			.metric = (uint8_t)(counters->first + i),
			.flags = timed->flags,
			.value = count / timed->n,
			.extra = timed->extra,
		};

		probe->put(probe, &sample);
	}
}

static void count_emitted(struct probe *probe, const struct sample *timed)
{
	struct counters *counters = probe->counters;

	if (timed->metric != counters->timed)
		return;
	end_region(counters);
	bool took = take_counts(counters);
	probe->count = NULL; /* one region per trial */
	counters->taken += took;
	if (took && !counters->calibrating)
		emit(probe, timed);
}

static void count_region(struct probe *probe, enum region_event event,
	const struct sample *timed)
{
	struct counters *counters = probe->counters;

	switch (event) {
	case REGION_BEGINS:
		counters->ended = false;
		counters->begun = read_group(counters, &counters->begin);
		break;
	case REGION_ENDS:
		end_region(counters);
		break;
	case REGION_EMITTED:
		count_emitted(probe, timed);
		break;
	}
}

void counters_begin(struct counters *counters, struct probe *probe)
{
	if (!counters->count)
		return;
	counters->tried++;
	counters->begun = counters->ended = false;
	probe->counters = counters;
	probe->count = count_region;
	counters->calls->enable(counters->fds[0], true);
}

void counters_end(struct counters *counters, struct probe *probe)
{
	if (!counters->count)
		return;
	counters->calls->enable(counters->fds[0], false);
	probe->count = NULL;
}

/* The median count of an empty region. */
static void count_empty(struct counters *counters, struct probe *probe)
{
	enum { REGIONS = 101 };
	double counts[COUNTERS][REGIONS];
	bool quiet = probe->quiet;
	unsigned n = 0;

	probe->quiet = counters->calibrating = true;
	for (unsigned i = 0; i < REGIONS; i++) {
		unsigned taken = counters->taken;

		counters_begin(counters, probe);
		probe_start(probe);
		probe_stop(probe, counters->timed, 1);
		counters_end(counters, probe);
		if (counters->taken == taken)
			continue;
		for (unsigned c = 0; c < counters->count; c++)
			counts[c][n] = (double)counters->counts[c];
		n++;
	}
	probe->quiet = quiet;
	counters->calibrating = false;
	for (unsigned c = 0; n && c < counters->count; c++)
		counters->empty[c] = median_of(counts[c], n);
	counters->tried = counters->taken = 0;
}

void counters_open(struct counters *counters, const struct counter_calls *calls,
	const struct counted *counted, struct probe *probe, unsigned timed,
	unsigned first)
{
	struct text why = { 0 };
	struct refusal refusal;

	*counters = (struct counters){
		.calls = calls,
		.timed = timed,
		.first = first,
	};
	if (counters_open_group(counters, counted->mask, counted->user_only,
		    &refusal) != counted->mask) {
		counters_close_group(counters);
		counters_say_refusal(&refusal, &why);
		probe_warn(probe, "a launch counted nothing: %s", why.chars);
		text_free(&why);
	}
	if (counters->count)
		count_empty(counters, probe);
}

bool counters_in_vain(const struct counters *counters)
{
	return counters->tried && !counters->taken && !counters->shared &&
		!counters->unread;
}

void counters_close(struct counters *counters, struct probe *probe)
{
	if (counters->shared)
		probe_warn(probe,
			"counts were dropped: the processor's counters were "
			"shared with another program, and a part of a count is "
			"not scaled; end `perf` and other profilers");
	if (counters->unread)
		probe_warn(probe,
			"counts were dropped: the kernel did not return them");
	if (counters_in_vain(counters))
		probe_warn(probe,
			"nothing is counted: the experiment sums its times by "
			"itself");
	counters_close_group(counters);
}
