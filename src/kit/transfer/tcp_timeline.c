/* Results derived from the timeline of a transfer. */
#include "tcp_timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

void timeline_begin(struct tcp_timeline *timeline, int64_t begin_ns)
{
	timeline->count = 0;
	timeline->begin_ns = begin_ns;
	timeline->lost_ns = timeline->recovered_ns = UNKNOWN_NS;
	timeline->recover = 0;
}

void timeline_free(struct tcp_timeline *timeline)
{
	free(timeline->at);
	memset(timeline, 0, sizeof *timeline);
}

void timeline_add(struct tcp_timeline *timeline, struct timeline_point point)
{
	const struct timeline_point *last =
		timeline->count ? &timeline->at[timeline->count - 1] : NULL;

	if (last && point.t_ns < last->t_ns)
		point.t_ns = last->t_ns;
	/* Sent and acknowledged bytes never decrease. */
	if (last && point.sent < last->sent)
		point.sent = last->sent;
	if (last && point.acked < last->acked)
		point.acked = last->acked;
	if (timeline->lost_ns != UNKNOWN_NS &&
		timeline->recovered_ns == UNKNOWN_NS &&
		point.acked >= timeline->recover)
		timeline->recovered_ns = point.t_ns;
	if (timeline->count == TIMELINE_POINTS_MAX)
		return;
	if (timeline->count == timeline->room) {
		timeline->room = timeline->room ? 2 * timeline->room : 1024;
		timeline->at =
			xrealloc(timeline->at, timeline->room,
			sizeof *timeline->at);
	}
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
	timeline->at[timeline->count++] = point;
}

void timeline_lose(struct tcp_timeline *timeline, int64_t t_ns)
{
	if (timeline->lost_ns != UNKNOWN_NS || !timeline->count)
		return;
	timeline->lost_ns = t_ns;
	timeline->recover = timeline->at[timeline->count - 1].sent;
}

int64_t timeline_reached(const struct tcp_timeline *timeline,
	double bytes_per_s,
	int64_t span_ns)
{
	double wanted = bytes_per_s * (double)span_ns * 1e-9;
	size_t from = 0;
	uint64_t before = 0; /* acknowledged when the span began */

	for (size_t i = 0; i < timeline->count; i++) {
		const struct timeline_point *point = &timeline->at[i];

		while (from < i &&
			timeline->at[from].t_ns <= point->t_ns - span_ns)
			before = timeline->at[from++].acked;
		if ((double)(point->acked - before) >= wanted)
			return point->t_ns - timeline->begin_ns;
	}
	return UNKNOWN_NS;
}

int64_t timeline_recovery(const struct tcp_timeline *timeline)
{
	if (timeline->recovered_ns == UNKNOWN_NS)
		return UNKNOWN_NS;
	return timeline->recovered_ns - timeline->lost_ns;
}

unsigned rounds_until(const struct rounds *rounds, uint64_t bytes)
{
	uint64_t sent = 0;

	if (rounds->basis == ROUNDS_NONE || rounds->basis == ROUNDS_TOO_SHORT ||
		rounds->left_out)
		return 0;
	for (uint32_t i = 0; i < rounds->count; i++) {
		sent += rounds->at[i].bytes;
		if (sent >= bytes)
			return i + 1;
	}
	return 0;
}

/* Growth is computed without the last round, which is incomplete, and without
 * the round in which slow start ended, which may be cut. */
double rounds_growth(const struct rounds *rounds)
{
	uint32_t last = rounds->count ? rounds->count - 1 : 0;

	if (rounds->exit.reason != EXIT_NONE && rounds->exit.round < last + 1)
		last = rounds->exit.round - 1;
	/* If the end was inferred from growth, growth had stopped before it. */
	while (last > 2 &&
		rounds->at[last - 1].bytes * 4 < rounds->at[last - 2].bytes * 5)
		last--;
	if (last < 2 || !rounds->at[0].bytes)
		return NAN;
	return pow((double)rounds->at[last - 1].bytes /
			(double)rounds->at[0].bytes,
		1.0 / (last - 1));
}
