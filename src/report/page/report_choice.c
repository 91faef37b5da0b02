/* Chooses the points of a run that the table of predictions shows. */
#include <stdlib.h>

#include "curves.h"
#include "memory.h"
#include "memory_level.h"
#include "report_internal.h"

enum {
	ALL_OF = 6,      /* all points are shown up to this count */
	CHOICES_OF = 26, /* the same without a numeric parameter */
	LINES_OF = 6,    /* with more lines: the first and the last */
};

static bool level_changes(const struct results *results,
	const struct curve *line, size_t a, size_t b)
{
	struct serving one, other;

	return !point_serving(&results->points[line->points[a]], &one) ||
		!point_serving(&results->points[line->points[b]], &other) ||
		!serving_same(&one, &other);
}

static bool has_level(const struct results *results, const struct curve *line)
{
	for (size_t i = 0; i < line->count; i++)
		if (!point_level(&results->points[line->points[i]]))
			return false;
	return true;
}

/* Chooses the middle one of consecutive points served by one level of
 * memory. */
static void choose_levels(const struct results *results,
	const struct curve *line, bool *chosen)
{
	size_t first = 0;

	for (size_t i = 1; i <= line->count; i++) {
		if (i < line->count && !level_changes(results, line, i - 1, i))
			continue;
		chosen[line->points[(first + i - 1) / 2]] = true;
		first = i;
	}
}

static void choose_line(const struct curves *curves, const struct curve *line,
	bool *chosen)
{
	bool map = curves->line_count > LINES_OF;

	if (!map && has_level(curves->results, line)) {
		choose_levels(curves->results, line, chosen);
		return;
	}
	chosen[line->points[0]] = true;
	chosen[line->points[line->count - 1]] = true;
	if (curves->line_count == 1)
		chosen[line->points[line->count / 2]] = true;
}

bool *report_chosen(const struct experiment *experiment,
	const struct results *results)
{
	size_t count = results->point_count;
	bool *chosen = xcalloc(count + 1, sizeof *chosen);
	struct curves curves;

	curves_of(&curves, experiment, results, NULL);
	for (size_t i = 0; i < count; i++)
		chosen[i] = count <= ALL_OF ||
			(curves.across < 0 &&
				(count <= CHOICES_OF || i == 0 ||
					i == count / 2 || i == count - 1));
	for (size_t i = 0; count > ALL_OF && i < curves.line_count; i++)
		if (curves.line_count <= LINES_OF || i == 0 ||
			i == curves.line_count - 1)
			choose_line(&curves, &curves.lines[i], chosen);
	curves_free(&curves);
	return chosen;
}
