/* The middle column: a histogram or the points of a sweep, and the launches. */
#include <math.h>
#include <string.h>

#include "amounts.h"
#include "digest.h"
#include "draw_histogram.h"
#include "draw_rows.h"
#include "draw_strip.h"
#include "print.h"
#include "show.h"
#include "view_lab.h"

enum {
	WIDE = 110,       /* from these columns: a result pane */
	KEYS_ROWS = 16,   /* from this many rows: the plot names its keys */
	SUMMARY_ROWS = 2, /* rows of figures without a result pane */
	PLOT_LEAST = 4,
	TITLE_FRAME = 10,     /* columns of a title used by its frame */
	CHANGED_COLUMNS = 15, /* columns of "form changed: r" */
};

void view_nothing(struct screen *screen, const struct pane *pane)
{
	struct pane words = pane_part(pane, 1, 0, -1, pane->rows);
	bool live;
	const struct results *results = screen_results(screen, &live);

	if (live)
		pane_wrap(&words, 0, ROLE_DIM,
			"The run has started. Figures follow with the first "
			"launch.");
	else if (!results)
		pane_wrap(&words, 0, ROLE_DIM, "Not measured yet.");
	else if (results->state == RUN_FAILED && results->error)
		pane_wrap(&words, 0, ROLE_TEXT, results->error);
	else
		pane_wrap(&words, 0, ROLE_DIM, "No trial to show.");
}

/* ---- a histogram ------------------------------------------------------ */

/* Adds a piece to a row, in full or not at all. */
static void add_piece(const struct pane *pane, int *column, enum role role,
	const struct text *piece)
{
	int width = text_columns(text_chars(piece));

	if (*column + width > pane->columns - 1)
		return;
	pane_chars(pane, *column, 0, role, text_chars(piece));
	*column += width + 2;
}

static void add_value(const struct pane *pane, int *column, const char *label,
	enum unit unit, double value, double like)
{
	struct text piece = { 0 };

	if (!isfinite(value))
		return;
	text_add(&piece, "%s ", label);
	figure_bare(&piece, unit, value, like);
	add_piece(pane, column, ROLE_TEXT, &piece);
	text_free(&piece);
}

static void draw_headline(const struct figures *figures,
	const struct pane *pane)
{
	const struct digest *digest = &figures->digest;
	const struct summary *summary = &digest->summary;
	enum unit unit = figures->results->metrics[0].unit;
	struct text piece = { 0 };
	int column = 1;

	if (digest->published) {
		text_add(&piece, "published, without trials: ");
		unit_show(&piece, unit, digest->headline);
		add_piece(pane, &column, ROLE_STRONG, &piece);
		text_free(&piece);
		return;
	}
	if (!isfinite(summary->median)) {
		text_add(&piece, "all excluded, median of all ");
		unit_show(&piece, unit, digest->median_all);
		add_piece(pane, &column, ROLE_STRONG, &piece);
		text_free(&piece);
		return;
	}
	text_add(&piece, "median ");
	unit_show(&piece, unit, summary->median);
	/* The interval that was judged, as the text of a run has it. */
	if (isfinite(digest_half(digest))) {
		text_add_char(&piece, ' ');
		amount_half_width(&piece, digest_half(digest), false);
		text_add(&piece, "%s", digest->by_cycles ? " in cycles" : "");
	}
	add_piece(pane, &column, ROLE_STRONG, &piece);
	text_free(&piece);
	add_value(pane, &column, "mean", unit, summary->mean, summary->median);
	add_value(pane, &column, "sd", unit, summary->sd_within,
		summary->median);
	if (summary->launches > 1)
		add_value(pane, &column, "between", unit, summary->sd_between,
			summary->median);
}

/* Draws the main figures in two rows of 80 columns; `d` shows all. */
static void draw_summary(const struct figures *figures, const struct pane *pane)
{
	enum { P90 = 5, P99 = 7 };
	const struct digest *digest = &figures->digest;
	const struct summary *summary = &digest->summary;
	enum unit unit = figures->results->metrics[0].unit;
	struct pane second = pane_part(pane, 0, 1, pane->columns, 1);
	struct text shared = { 0 }, trust = { 0 };
	int column = 1;

	draw_headline(figures, pane);
	view_trust(figures, second.columns - 4, &trust);
	if (trust.length && pane->rows < SUMMARY_ROWS) {
		pane_put(pane, 0, 0, '!', ROLE_WARN);
	} else if (trust.length) {
		pane_put(&second, 1, 0, '!', ROLE_WARN);
		struct pane words = pane_part(&second, 3, 0, -1, 1);
		pane_wrap(&words, 0, ROLE_TEXT, trust.chars);
	} else {
		add_value(&second, &column, "min", unit, summary->min,
			summary->median);
		add_value(&second, &column, "p99", unit, summary->quantile[P99],
			summary->median);
		add_value(&second, &column, "max", unit, summary->max,
			summary->median);
		text_add(&shared, "shared ");
		amount_percent(&shared, digest->shared);
		add_piece(&second, &column, ROLE_TEXT, &shared);
		add_value(&second, &column, "p90", unit, summary->quantile[P90],
			summary->median);
	}
	text_free(&shared);
	text_free(&trust);
}

static void draw_plot_keys(const struct screen *screen,
	const struct figures *figures, const struct pane *pane)
{
	struct text words = { 0 };

	text_add(&words, "l %s counts  L %s axis  c %s  +- bins %zu",
		screen->plot.log_count ? "linear" : "log",
		figures->histogram.logarithmic ? "linear" : "log",
		screen->plot.cumulative ? "columns" : "CDF",
		figures->histogram.bins);
	struct pane line = pane_part(pane, 1, 0, -1, 1);
	pane_wrap(&line, 0, ROLE_DIM, words.chars);
	text_free(&words);
}

void view_single(struct screen *screen, const struct figures *figures,
	const struct pane *pane)
{
	const struct results *results = figures->results;
	const struct summary *summary = &figures->digest.summary;
	struct prediction predicted = *view_predicted(results, figures->point);
	bool brief = pane->grid->columns < WIDE;
	int below = brief ? SUMMARY_ROWS : pane->rows >= KEYS_ROWS ? 1 : 0;

	/* The histogram takes precedence over a second row of figures. */
	if (brief && pane->rows == PLOT_LEAST + SUMMARY_ROWS - 1)
		below = 1;
	struct pane plot =
		pane_part(pane, 0, 0, pane->columns, pane->rows - below);
	struct pane foot =
		pane_part(pane, 0, pane->rows - below, pane->columns, below);
	predicted.set = prediction_range(&predicted, &figures->digest,
		&predicted.total);
	struct histogram_view view = {
		.histogram = &figures->histogram,
		.unit = results->metrics[0].unit,
		.prediction = &predicted,
		.interval = summary->has_interval ? &summary->interval : NULL,
		.quantile = summary->quantile,
		.log_count = screen->plot.log_count,
		.cumulative = screen->plot.cumulative,
		.sorted = figures->curve,
		.sorted_count = figures->curve_count,
	};

	if (pane->rows >= PLOT_LEAST + below)
		draw_histogram(&view, &plot);
	if (brief)
		draw_summary(figures, pane->rows > below ? &foot : pane);
	else if (below)
		draw_plot_keys(screen, figures, &foot);
}

/* ---- the panes -------------------------------------------------------- */

const struct figures *view_figures(const struct screen *screen,
	const struct results **results, bool *live)
{
	const struct figures *figures = &screen->figures;

	*results = screen_results(screen, live);
	return *results && figures->results == *results ? figures : NULL;
}

/* Writes "live  600 trials  10 launches  1.2 s". Omits the trials where the
 * text is too long for a title. */
static void say_extent(const struct figures *figures, bool live, int room,
	struct text *text)
{
	const struct results *results = figures->results;
	struct text rest = { 0 };

	text_add(&rest, "%zu launch%s", figures->launches,
		figures->launches == 1 ? "" : "es");
	if (!live) {
		text_add(&rest, "  ");
		unit_show(&rest, UNIT_NS, results->took_s * 1e9);
	}
	if (live)
		text_add(text, "live  ");
	if (figures->any)
		text_add(text, "%zu trials  ", figures->trials);
	if (text_columns(text_chars(text)) + text_columns(rest.chars) > room)
		text_clear(text);
	text_add(text, "%s", rest.chars);
	text_free(&rest);
}

/* Writes the metric and, where neither the form nor the points show them, the
 * parameters. */
static void title_of(const struct screen *screen, const struct results *results,
	bool zoomed, bool differs, int room, struct text *text)
{
	const struct metric *metric = screen_descriptor(screen)->metrics;
	size_t point = screen->figures.point;
	struct text params = { 0 };

	text_add(text, "%s",
		results ? results->metrics[0].label : metric->label);
	if (zoomed)
		point_describe(results, &results->points[point], true, &params);
	else if (results && view_is_ab(results))
		text_add(&params, "A and B in turns");
	else if (differs && results->point_count == 1)
		view_params(screen, results, point,
			room - text_columns(text->chars), &params);
	if (params.length)
		text_add(text, ", %s", params.chars);
	text_free(&params);
}

/* Writes the longest warning that fits. The extent follows only if room is
 * left. */
static void say_differs(const struct figures *figures, int room,
	struct text *text)
{
	static const char *const sayings[] = { "form changed, r measures it",
		"form changed: r", "changed", NULL };
	struct text extent = { 0 };

	say_extent(figures, false, room, &extent);
	for (size_t i = 0; sayings[i] && !text->length; i++)
		if (text_columns(sayings[i]) <= room)
			text_add(text, "%s", sayings[i]);
	if (text_columns(text_chars(text)) + 2 + text_columns(extent.chars) <=
		room)
		text_add(text, "  %s", extent.chars);
	text_free(&extent);
}

/* Draws as much of the method as there is room for, and the key that shows all
 * of it. */
static void draw_method(const char *method, const struct pane *words, int row)
{
	const char *at = method;
	size_t length;
	int rows = 0;

	while (text_line(&at, words->columns, &length))
		rows++;
	struct pane room = *words;
	if (rows > words->rows - row) {
		room.rows--;
		pane_chars(words, 0, room.rows, ROLE_TEXT, "i shows "
			"everything");
	}
	if (row < room.rows)
		pane_wrap(&room, row, ROLE_DIM, method);
}

/* Drawn before any measurement: the question, the expected duration, and the
 * method where no other pane shows it. */
static void draw_question(struct screen *screen, const struct pane *pane)
{
	const struct experiment *experiment = screen_descriptor(screen);
	const struct form *form = screen_form(screen);
	struct pane words = pane_part(pane, 1, 1, -1, -1);
	struct text text = { 0 };
	struct common common;
	int row = pane_wrap(&words, 0, ROLE_STRONG, experiment->question) + 1;

	common_values(&form->common, &common);
	text_add(&text, "r measures it, in about ");
	show_expected(experiment, &form->args, &common, form->budget_asked,
		&text);
	text_add_char(&text, '.');
	row += pane_wrap(&words, row, ROLE_TEXT, text.chars) + 1;
	text_free(&text);
	if (pane->grid->columns < WIDE && row < words.rows)
		draw_method(experiment->method, &words, row);
}

void view_plot(struct screen *screen, const struct pane *pane)
{
	const struct results *results;
	bool live;
	const struct figures *figures = view_figures(screen, &results, &live);
	bool sweep = figures && results->point_count > 1;
	bool zoomed = sweep && screen_form(screen)->zoomed;
	/* The form holds one value of each parameter, and r does not repeat an
	 * `ab`: a comparison with the form has no meaning. */
	bool ab = figures && view_is_ab(results);
	bool differs = figures && !live && !ab &&
		view_form_differs(screen, results);
	struct text title = { 0 }, right = { 0 };

	title_of(screen, figures ? results : NULL, zoomed, differs,
		pane->columns - TITLE_FRAME - CHANGED_COLUMNS, &title);
	int room = pane->columns - TITLE_FRAME - text_columns(title.chars);
	if (differs)
		say_differs(figures, room, &right);
	else if (figures)
		say_extent(figures, live, room, &right);
	struct pane inside = pane_frame(pane, title.chars, text_chars(&right));
	text_free(&title);
	text_free(&right);
	if (figures && sweep && !zoomed)
		view_points(screen, figures, &inside);
	else if (figures && figures->any)
		view_single(screen, figures, &inside);
	else if (figures && results->points[figures->point].why)
		pane_wrap(&inside, 0, ROLE_TEXT,
			results->points[figures->point].why);
	else if (!results && !live)
		draw_question(screen, &inside);
	else
		view_nothing(screen, &inside);
	if (screen->focus[VIEW_LAB] == FOCUS_PLOT && !sweep)
		pane_cursor(&inside, 0, 0);
}

void view_strip(struct screen *screen, const struct pane *pane)
{
	const struct results *results;
	bool live;
	const struct figures *figures = view_figures(screen, &results, &live);
	struct text right = { 0 };
	struct strip_view view = { 0 };

	if (figures)
		view = (struct strip_view){ figures->medians, figures->at_s,
			figures->launches, results->metrics[0].unit };
	if (view.n)
		say_drift(&view, &right);
	struct pane inside = pane_frame(pane, "launch medians over time",
		text_chars(&right));
	text_free(&right);
	if (view.n)
		draw_strip(&view, &inside);
	else
		view_nothing(screen, &inside);
}
