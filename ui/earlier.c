/* What an experiment came to before. */
#include "earlier.h"

#include <math.h>
#include <string.h>

#include "compare_sessions.h"

/* A session of one run, on the same machine: for comparing. */
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

	if (strlen(run->started) >= 16)
		text_add(text, "  %.10s %.5s  ", run->started,
			run->started + 11);
	unit_show(text, unit, row->first.figure);
	if (isfinite(change))
		text_add(text, "  since then %+.1f %%", change * 100);
	if (row->basis == COMPARE_LAUNCHES)
		text_add(text, ", ratio %.3f [%.3f, %.3f]", row->time.ratio,
			row->time.ratio_low, row->time.ratio_high);
	text_add(text, ", %s\n", compare_row_word(row));
}

/* The row of the point, of the headline; NULL. */
static const struct compare_row *find_row(const struct compare_pair *pair,
	const struct point *point)
{
	for (size_t i = 0; i < pair->row_count; i++)
		if (pair->rows[i].second.point == point &&
			!pair->rows[i].second.metric)
			return &pair->rows[i];
	return NULL;
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
}
