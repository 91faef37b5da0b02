/* Lists earlier results of an experiment. */
#include "earlier.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compare_sessions.h"
#include "digest.h"
#include "memory.h"
#include "past.h"

/* A session with one run on the same machine, for compare_sessions(). */
static struct session of_one(const struct session *session,
	struct results **run)
{
	return (struct session){ .machine = session->machine,
		.runs = run,
		.run_count = 1 };
}

static void say_row(const struct results *run, const struct compare_row *row,
	struct text *text)
{
	enum unit unit = run->metrics[row->first.metric].unit;
	double change = row->second.figure / row->first.figure - 1;

	if (*run->started) {
		text_add(text, "  ");
		text_add_minute(text, run->started);
		text_add(text, "  ");
	}
	unit_show(text, unit, row->first.figure);
	if (isfinite(change))
		text_add(text, "  since then %+.1f %%", change * 100);
	if (row->basis == COMPARE_LAUNCHES)
		text_add(text, ", ratio %.3f [%.3f, %.3f]", row->time.ratio,
			row->time.ratio_low, row->time.ratio_high);
	text_add(text, ", %s\n", compare_row_word(row));
}

/* The row of the point's headline metric, or NULL. */
static const struct compare_row *find_row(const struct compare_pair *pair,
	const struct point *point)
{
	for (size_t i = 0; i < pair->row_count; i++)
		if (pair->rows[i].second.point == point &&
			!pair->rows[i].second.metric)
			return &pair->rows[i];
	return NULL;
}

void say_ago(const char *at, struct text *text)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = { { 86400, "day" }, { 3600, "hour" }, { 60, "minute" } };
	struct tm then = { 0 };
	const char *zone = strptime(at, "%Y-%m-%dT%H:%M:%S", &then);
	int hours = 0, minutes = 0;

	if (!zone || sscanf(zone, "%3d%2d", &hours, &minutes) != 2) {
		text_add(text, "before");
		return;
	}
	long east_s = hours * 3600L + (hours < 0 ? -60L : 60L) * minutes;
	double ago = difftime(time(NULL), timegm(&then) - east_s);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		double count = floor(ago / units[i].seconds);

		if (count < 1)
			continue;
		text_add(text, "%.0f %s%s ago", count, units[i].name,
			count > 1 ? "s" : "");
		return;
	}
	text_add(text, "just now");
}

/* Appends the runs of earlier sessions. */
static void say_past(const struct session *session,
	const struct results *results, size_t p, struct text *text)
{
	enum { PAST_MOST = 10 };
	struct past *past = xcalloc(PAST_MOST, sizeof *past);
	size_t count = past_find(session, results, p, past, PAST_MOST);
	const struct metric_info *metric = &results->metrics[0];
	double *now, median;
	size_t launches = results_launch_medians(results, &results->points[p],
		0, SCALE_UNIT, &now, NULL);

	if (!results_median(results, &results->points[p], 0, &median))
		count = 0;
	text_add(text, "%s", count ? "\nin sessions before\n" : "");
	for (size_t i = 0; i < count; i++) {
		struct comparison found;

		text_add(text, "  ");
		text_add_minute(text, past[i].at);
		text_add(text, "  ");
		unit_show(text, metric->unit, past[i].median);
		text_add(text, "  since then %+.1f %%",
			(median / past[i].median - 1) * 100);
		if (compare_samples(past[i].launches, past[i].launch_count, now,
			    launches, &found)) {
			if (metric->better == MORE_IS_BETTER)
				comparison_invert(&found);
			text_add(text, ", ratio %.3f [%.3f, %.3f]", found.ratio,
				found.ratio_low, found.ratio_high);
		}
		text_add_char(text, '\n');
	}
	free(now);
	free(past);
}

void say_earlier(const struct session *session, const struct results *results,
	size_t point, struct text *text)
{
	struct results *last = NULL;
	bool any = false;

	for (size_t i = session->run_count; i-- > 0;) {
		struct results *run = session->runs[i];

		if (run == results)
			last = run;
		if (!last || run == results ||
			strcmp(run->experiment, results->experiment))
			continue;
		struct session before = of_one(session, &run);
		struct session after = of_one(session, &last);
		struct compare_pair pair;
		compare_sessions(&before, &after, &pair);
		const struct compare_row *row =
			find_row(&pair, &results->points[point]);
		if (row && !any)
			text_add(text, "\nearlier runs of the same\n");
		if (row)
			say_row(run, row, text);
		any |= row != NULL;
		compare_pair_free(&pair);
	}
	if (!results_published(results))
		say_past(session, results, point, text);
}
