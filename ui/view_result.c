/* The results: a histogram, a sweep's points, figures, and words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"
#include "view.h"

enum { BARS = 14 };

static void add_figure(struct text *text, const char *label, enum unit unit,
	double value, double like)
{
	text_add(text, "%s ", label);
	unit_show_like(text, unit, value, like);
	text_add(text, "  ");
}

/* Three lines under the plot: all that matters at 80 columns. */
static void draw_summary(const struct figures *figures, const struct pane *pane)
{
	const struct digest *digest = &figures->digest;
	const struct summary *clean = &digest->clean;
	enum unit unit = figures->results->metrics[0].unit;
	double like = clean->median;
	struct text line = { 0 };

	add_figure(&line, "median", unit, clean->median, like);
	if (clean->has_interval)
		text_add(&line, "+-%.2g %%  ",
			(clean->interval.high - clean->interval.low) / 2 /
				fabs(clean->median) * 100);
	if (digest->has_cycles)
		add_figure(&line, "=", UNIT_CYCLES, digest->cycles.median, 0);
	pane_chars(pane, 1, 0, ROLE_STRONG, line.chars);
	text_clear(&line);
	add_figure(&line, "min", unit, clean->min, like);
	add_figure(&line, "mean", unit, clean->mean, like);
	add_figure(&line, "sd within", unit, clean->sd_within, like);
	add_figure(&line, "between", unit, clean->sd_between, like);
	pane_chars(pane, 1, 1, ROLE_TEXT, line.chars);
	text_clear(&line);
	text_add(&line, "%llu ops x %zu trials, %zu launches, ",
		(unsigned long long)(digest->ops ? digest->ops : 1),
		digest->trials, clean->launches);
	say_flags(digest, &line);
	pane_chars(pane, 1, 2, digest->disturbed ? ROLE_WARN : ROLE_DIM,
		line.chars);
	text_free(&line);
}

static void draw_single(struct screen *screen, const struct results *results,
	const struct pane *pane)
{
	struct pane plot = pane_part(pane, 0, 0, pane->columns, -4);
	struct pane summary =
		pane_part(pane, 0, pane->rows - 4, pane->columns, 4);
	int columns = plot.columns - 12;
	const struct figures *figures = screen_figures(screen, columns);

	if (!figures || !figures->any) {
		pane_wrap(&plot, 0, ROLE_DIM,
			results->points[0].why ? results->points[0].why :
						 "no trial yet");
		return;
	}
	draw_histogram(&figures->histogram, results->metrics[0].unit,
		&results->prediction, &plot);
	draw_summary(figures, &summary);
	struct text trust = { 0 };
	say_trust(&results->points[figures->point], &figures->digest, &trust);
	pane_chars(&summary, 1, 3, ROLE_WARN, text_chars(&trust));
	text_free(&trust);
}

static double largest_median(const struct results *results, double *medians)
{
	double most = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		double *launches, *at_s;
		size_t n = results_launch_medians(results, &results->points[i],
			0, SCALE_UNIT, &launches, &at_s);
		double sum = 0;

		for (size_t k = 0; k < n; k++)
			sum += launches[k];
		medians[i] = n ? sum / (double)n : NAN;
		most = fmax(most, isnan(medians[i]) ? 0 : medians[i]);
		free(launches);
		free(at_s);
	}
	return most;
}

static void draw_bar(const struct pane *pane, double share)
{
	int columns = (int)round(share * BARS);

	for (int i = 0; i < columns; i++)
		pane_glyph(pane, i, 0, GLYPH_FULL, ROLE_SERIES);
}

void view_points(struct screen *screen, const struct results *results,
	const struct pane *pane)
{
	double *medians = xcalloc(results->point_count, sizeof *medians);
	double most = largest_median(results, medians);
	size_t rows = pane->rows > 0 ? (size_t)pane->rows : 0;

	(void)screen;
	for (size_t i = 0; i < results->point_count && i < rows; i++) {
		const struct point *point = &results->points[i];
		struct pane line =
			pane_part(pane, 1, (int)i, pane->columns - 1, 1);
		struct text name = { 0 }, value = { 0 };

		if (i + 1 == rows && results->point_count > rows) {
			pane_text(&line, 0, 0, ROLE_DIM, "and %zu more",
				results->point_count - i);
			break;
		}
		point_describe(results, point, true, &name);
		pane_chars(&line, 0, 0, ROLE_TEXT, text_chars(&name));
		unit_show(&value, results->metrics[0].unit, medians[i]);
		struct pane figure =
			pane_part(&line, 0, 0, line.columns - BARS - 2, 1);
		pane_right(&figure, 0, ROLE_STRONG,
			point->state == POINT_UNAVAILABLE ? "unavailable" :
							    text_chars(&value));
		struct pane bar =
			pane_part(&line, line.columns - BARS - 1, 0, BARS, 1);
		if (most > 0 && isfinite(medians[i]))
			draw_bar(&bar, medians[i] / most);
		text_free(&name);
		text_free(&value);
	}
	free(medians);
}

void view_plot(struct screen *screen, const struct pane *pane)
{
	bool live;
	const struct results *results = screen_results(screen, &live);
	const struct experiment *experiment = screen_descriptor(screen);
	struct text right = { 0 };

	if (results) {
		text_add(&right, "%zu launch%s  %.1f s", results->launch_count,
			results->launch_count == 1 ? "" : "es",
			results->took_s);
		if (live) {
			text_clear(&right);
			text_add(&right, "live  launch %zu",
				results->launch_count);
		}
	}
	struct pane inside = pane_frame(pane,
		results ? results->metrics[0].label :
			  experiment->metrics[0].label,
		text_chars(&right));
	text_free(&right);
	if (!results) {
		struct pane words = pane_part(&inside, 1, 1, -1, -1);

		pane_wrap(&words, 0, ROLE_DIM, experiment->question);
	} else if (results->point_count > 1) {
		view_points(screen, results, &inside);
	} else {
		draw_single(screen, results, &inside);
	}
}

static void figure_line(const struct pane *pane, int *row, const char *label,
	enum unit unit, double value, double like)
{
	struct text text = { 0 };

	if (!isfinite(value))
		return;
	unit_show_like(&text, unit, value, like);
	pane_text(pane, 1, *row, ROLE_DIM, "%s", label);
	pane_chars(pane, 15, *row, ROLE_TEXT, text.chars);
	text_free(&text);
	(*row)++;
}

static void draw_figures(const struct figures *figures, const struct pane *pane)
{
	const struct digest *digest = &figures->digest;
	const struct summary *clean = &digest->clean;
	enum unit unit = figures->results->metrics[0].unit;
	double like = clean->median;
	int row = 0;

	figure_line(pane, &row, "median", unit, clean->median, like);
	if (clean->has_interval) {
		figure_line(pane, &row, "95 % from", unit, clean->interval.low,
			like);
		figure_line(pane, &row, "to", unit, clean->interval.high, like);
	}
	if (digest->has_cycles)
		figure_line(pane, &row, "in cycles", UNIT_CYCLES,
			digest->cycles.median, 0);
	figure_line(pane, &row, "min", unit, clean->min, like);
	figure_line(pane, &row, "mean", unit, clean->mean, like);
	figure_line(pane, &row, "sd within", unit, clean->sd_within, like);
	figure_line(pane, &row, "sd between", unit, clean->sd_between, like);
	figure_line(pane, &row, "max deviation", unit, clean->max_deviation,
		like);
	for (size_t i = 0; i < SUMMARY_QUANTILES; i++) {
		char label[16];

		snprintf(label, sizeof label, "p%g", summary_quantile[i] * 100);
		figure_line(pane, &row, label, unit, clean->quantile[i], like);
	}
	figure_line(pane, &row, "max", unit, clean->max, like);
	figure_line(pane, &row, "layout moves", UNIT_PERCENT, digest->layout,
		0);
}

void view_statistics(struct screen *screen, const struct pane *pane)
{
	const struct figures *figures = &screen->figures;
	bool live;
	const struct results *results = screen_results(screen, &live);
	bool current = results && figures->results == results && figures->any;
	struct pane inside = pane_frame(pane, "Figures", NULL);
	struct pane words = pane_part(&inside, 1, 0, -1, inside.rows);

	if (current)
		draw_figures(figures, &inside);
	else if (results && results->point_count > 1)
		pane_wrap(&words, 0, ROLE_DIM,
			"a sweep: its points stand on the left");
	else
		pane_wrap(&words, 0, ROLE_DIM, "nothing measured yet");
}

void view_about(struct screen *screen, const struct pane *pane)
{
	const struct experiment *experiment = screen_descriptor(screen);
	bool live;
	const struct results *results = screen_results(screen, &live);
	bool findings = results && results->findings.count && !live;
	struct pane inside =
		pane_frame(pane, findings ? "Findings" : "What is this?", NULL);
	struct pane words = pane_part(&inside, 1, 0, -1, inside.rows);

	if (!findings) {
		pane_wrap(&words, 0, ROLE_TEXT, experiment->method);
		return;
	}
	int row = 0;
	for (size_t i = 0; i < results->findings.count && row < words.rows; i++)
		row += 1 +
			pane_wrap(&words, row, ROLE_TEXT,
				results->findings.list[i].sentence);
}
