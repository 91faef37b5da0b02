/* Reading off the course of a transfer. */
#include "course.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

void course_begin(struct course *course, int64_t begin_ns)
{
	course->count = 0;
	course->begin_ns = begin_ns;
	course->lost_ns = course->recovered_ns = UNKNOWN_NS;
	course->recover = 0;
}

void course_free(struct course *course)
{
	free(course->at);
	memset(course, 0, sizeof *course);
}

void course_add(struct course *course, struct course_point point)
{
	const struct course_point *last =
		course->count ? &course->at[course->count - 1] : NULL;

	if (last && point.t_ns < last->t_ns)
		point.t_ns = last->t_ns;
	/* What is known of either direction does not go back. */
	if (last && point.sent < last->sent)
		point.sent = last->sent;
	if (last && point.acked < last->acked)
		point.acked = last->acked;
	if (course->lost_ns != UNKNOWN_NS &&
		course->recovered_ns == UNKNOWN_NS &&
		point.acked >= course->recover)
		course->recovered_ns = point.t_ns;
	if (course->count == COURSE_POINTS_MAX)
		return;
	if (course->count == course->room) {
		course->room = course->room ? 2 * course->room : 1024;
		course->at =
			xrealloc(course->at, course->room, sizeof *course->at);
	}
	course->at[course->count++] = point;
}

void course_lose(struct course *course, int64_t t_ns)
{
	if (course->lost_ns != UNKNOWN_NS || !course->count)
		return;
	course->lost_ns = t_ns;
	course->recover = course->at[course->count - 1].sent;
}

int64_t course_reached(const struct course *course, double bytes_per_s,
	int64_t span_ns)
{
	double wanted = bytes_per_s * (double)span_ns * 1e-9;
	size_t from = 0;
	uint64_t before = 0; /* acknowledged when the span began */

	for (size_t i = 0; i < course->count; i++) {
		const struct course_point *point = &course->at[i];

		while (from < i &&
			course->at[from].t_ns <= point->t_ns - span_ns)
			before = course->at[from++].acked;
		if ((double)(point->acked - before) >= wanted)
			return point->t_ns - course->begin_ns;
	}
	return UNKNOWN_NS;
}

int64_t course_recovery(const struct course *course)
{
	if (course->recovered_ns == UNKNOWN_NS)
		return UNKNOWN_NS;
	return course->recovered_ns - course->lost_ns;
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

/* The last round is still open, and the one in which slow start ended may be
 * cut: neither says how the others grew. */
double rounds_growth(const struct rounds *rounds)
{
	uint32_t last = rounds->count ? rounds->count - 1 : 0;

	if (rounds->exit.reason != EXIT_NONE && rounds->exit.round < last + 1)
		last = rounds->exit.round - 1;
	/* Where growth itself showed the end, it had stopped before that. */
	while (last > 2 &&
		rounds->at[last - 1].bytes * 4 < rounds->at[last - 2].bytes * 5)
		last--;
	if (last < 2 || !rounds->at[0].bytes)
		return NAN;
	return pow((double)rounds->at[last - 1].bytes /
			(double)rounds->at[0].bytes,
		1.0 / (last - 1));
}
