/* Draws the medians of launches over time. */
#include "draw_strip.h"

#include <math.h>
#include <stdlib.h>

#include "draw_line.h"
#include "memory.h"
#include "trend.h"

enum { LAUNCHES_JUDGED = 6 };
#define SURE .05 /* significance level of a drift */
#define ROOM .08 /* margin above and below, relative to the range of the
		  * medians */

void draw_strip(const struct strip_view *view, const struct pane *pane)
{
	double *at_ns = xcalloc(view->n + 1, sizeof *at_ns);
	double low = INFINITY, high = -INFINITY, last_ns = 0;

	for (size_t i = 0; i < view->n; i++) {
		at_ns[i] = view->at_s[i] * 1e9;
		last_ns = fmax(last_ns, at_ns[i]);
		if (!isfinite(view->medians[i]))
			continue;
		low = fmin(low, view->medians[i]);
		high = fmax(high, view->medians[i]);
	}
	double room = (high - low) * ROOM;
	struct line_series series = {
		.x = at_ns,
		.y = view->medians,
		.n = view->n,
		.role = ROLE_SERIES,
	};
	struct line_view line = {
		.series = &series,
		.count = 1,
		.across = axis_over(0, last_ns > 0 ? last_ns : 1e9, false,
			UNIT_NS),
		.up = axis_over(low - room, high + room, false, view->unit),
	};
	if (view->n)
		draw_line(&line, pane);
	free(at_ns);
}

void say_drift(const struct strip_view *view, struct text *text)
{
	double *kept = xcalloc(view->n + 1, sizeof *kept);
	size_t n = 0;
	double sum = 0;

	for (size_t i = 0; i < view->n; i++)
		if (isfinite(view->medians[i])) {
			kept[n++] = view->medians[i];
			sum += view->medians[i];
		}
	if (n >= LAUNCHES_JUDGED) {
		struct drift drift = drift_of(kept, n);

		if (drift.p >= SURE)
			text_add(text, "no drift");
		else
			text_add(text, "drift %+.2g %%/launch",
				drift.slope / (sum / (double)n) * 100);
	}
	if (n < view->n)
		text_add(text, "%sx: no clean trial", text->length ? "  " : "");
	free(kept);
}
