/* The right column: figures, the prediction against them, and words. */
#include <math.h>
#include <string.h>

#include "earlier.h"
#include "print.h"
#include "view.h"

enum {
	UNIT_COLUMNS = 4,   /* at the right edge */
	NUMBER_COLUMNS = 9, /* two of them, left of the unit */
	ANY_COLUMNS = 9999, /* a sentence whole, however long */
	TITLE_ROOM = 16,    /* what "Result" and its frame leave not */
};

/* ---- numbers ---------------------------------------------------------- */

void view_bare(struct text *text, enum unit unit, double value, double like)
{
	struct text whole = { 0 };

	unit_show_like(&whole, unit, value, like);
	text_add(text, "%.*s", (int)strcspn(text_chars(&whole), " "),
		text_chars(&whole));
	text_free(&whole);
}

void view_percent(struct text *text, double part)
{
	double percent = part * 100;

	if (percent > 0 && percent < .01)
		text_add(text, "under 0.01 %%");
	else
		text_add(text, percent < 10 ? "%.2g %%" : "%.3g %%", percent);
}

void view_half_width(struct text *text, double part)
{
	text_add(text, "+-%.*g %%", text_digits(part * 100), part * 100);
}

void view_range(struct text *text, enum unit unit, const struct range *range)
{
	double scale;
	const char *word = unit_prefix(unit, range->high, &scale);

	text_add(text, "%.3g", range->low / scale);
	if (range->low < range->high)
		text_add(text, "..%.3g", range->high / scale);
	if (*word)
		text_add(text, " %s", word);
}

void view_trust(const struct figures *figures, int columns, struct text *text)
{
	const struct results *results = figures->results;
	const struct point *point = &results->points[figures->point];
	const struct digest *digest = &figures->digest;
	bool failed = results->state == RUN_FAILED && results->error;

	if (failed)
		text_add(text, "failed: %s", results->error);
	else
		say_trust(point, digest, text);
	if (text_columns(text_chars(text)) <= columns)
		return;
	text_clear(text);
	if (failed)
		text_add(text, "the run failed: d says why");
	else if (point->state == POINT_INVALID)
		text_add(text, "invalid: d says why");
	else if (digest->unusable)
		text_add(text, "disturbed: over a quarter flagged, run again");
	else if (digest->below_resolution)
		text_add(text, "below resolution: d says of what");
	else if (digest->disturbed)
		text_add(text, "disturbed: many flagged, or they sway it");
	else if (digest->unsteady)
		text_add(text, "unsteady: many launches never settled");
	else
		text_add(text, "unverified in part: d says why");
}

/* ---- rows of figures -------------------------------------------------- */

struct rows {
	struct pane pane;
	int row;
	enum unit unit;
	double like; /* all figures in the unit that fits this */
};

static void put_number(const struct rows *rows, int place, enum role role,
	enum unit unit, double value, double like)
{
	int end = rows->pane.columns - UNIT_COLUMNS - 1 -
		(place ? 0 : NUMBER_COLUMNS);
	struct pane left = pane_part(&rows->pane, 0, rows->row, end, 1);
	struct text text = { 0 };

	view_bare(&text, unit, value, like);
	pane_right(&left, 0, role, text_chars(&text));
	text_free(&text);
}

static void put_unit(const struct rows *rows, enum unit unit, double like)
{
	double scale;

	pane_chars(&rows->pane, rows->pane.columns - UNIT_COLUMNS, rows->row,
		ROLE_DIM, unit_prefix(unit, like, &scale));
}

static void one(struct rows *rows, const char *label, enum role role,
	double value)
{
	if (rows->row >= rows->pane.rows)
		return;
	pane_chars(&rows->pane, 1, rows->row, ROLE_DIM, label);
	put_number(rows, 1, role, rows->unit, value, rows->like);
	if (isfinite(value))
		put_unit(rows, rows->unit, rows->like);
	rows->row++;
}

static void two(struct rows *rows, const char *label, double first,
	double second)
{
	if (rows->row >= rows->pane.rows)
		return;
	pane_chars(&rows->pane, 1, rows->row, ROLE_DIM, label);
	put_number(rows, 0, ROLE_TEXT, rows->unit, first, rows->like);
	put_number(rows, 1, ROLE_TEXT, rows->unit, second, rows->like);
	if (isfinite(first) || isfinite(second))
		put_unit(rows, rows->unit, rows->like);
	rows->row++;
}

static void words(struct rows *rows, const char *label, enum role role,
	const char *chars)
{
	struct pane line = pane_part(&rows->pane, 0, rows->row, -1, 1);

	if (rows->row >= rows->pane.rows)
		return;
	pane_chars(&line, 1, 0, ROLE_DIM, label);
	pane_right(&line, 0, role, chars);
	rows->row++;
}

static void quantiles(struct rows *rows, const struct summary *clean)
{
	enum { P1, P5, P25, P50, P75, P90, P95, P99, P999 };
	const double *q = clean->quantile;

	two(rows, "p1, p5", q[P1], q[P5]);
	two(rows, "p25, p75", q[P25], q[P75]);
	two(rows, "p90, p95", q[P90], q[P95]);
	two(rows, "p99, p99.9", q[P99], q[P999]);
}

/* One word or two for why it ended. */
static const char *ended_by(const struct results *results, bool live)
{
	static const struct {
		const char *stopped, *words;
	} reasons[] = {
		{ "precision", "precise" },
		{ "budget", "time is up" },
		{ "maximum", "all made" },
		{ "user", "stopped by you" },
		{ "network", "far end lost" },
		{ "unavailable", "unavailable" },
		{ "invalid", "invalid" },
	};

	if (live)
		return "going on";
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (!strcmp(results->stopped, reasons[i].stopped))
			return reasons[i].words;
	return "ended by a fault";
}

static void extent(struct rows *rows, const struct figures *figures, bool live)
{
	const struct digest *digest = &figures->digest;
	const struct results *results = figures->results;
	static const char label[] = "launches";
	struct text text = { 0 }, half = { 0 };

	view_percent(&text, digest->flagged);
	words(rows, "flagged", digest->disturbed ? ROLE_WARN : ROLE_TEXT,
		text.chars);
	text_clear(&text);
	if (figures->each > 1)
		text_add(&text, "one in %zu of %zu", figures->each,
			figures->trials);
	else
		text_add(&text, "%zu of %llu op%s", digest->trials,
			(unsigned long long)(digest->ops ? digest->ops : 1),
			digest->ops > 1 ? "s" : "");
	words(rows, "trials", ROLE_TEXT, text.chars);
	text_clear(&text);
	text_add(&text, "%zu", figures->launches);
	if (!live && figures->launches < results->launch_count)
		text_add(&text, " of %zu", results->launch_count);
	text_add(&text, ", %s", ended_by(results, live));
	if (digest->clean.has_interval) {
		text_add(&half, ", ");
		view_half_width(&half, summary_half(&digest->clean));
	}
	/* The interval stands above; the label must not be cut for it. */
	if (text_columns(label) + 2 + text_columns(text.chars) +
			text_columns(text_chars(&half)) <
		rows->pane.columns)
		text_add(&text, "%s", text_chars(&half));
	words(rows, label, ROLE_TEXT, text.chars);
	text_free(&half);
	text_free(&text);
}

/* What was printed, and no more. */
static void draw_published(struct rows *rows, const struct digest *digest)
{
	const struct published *published = digest->published;

	rows->like = digest->headline;
	one(rows, published_figure_name(published->figure), ROLE_STRONG,
		digest->headline);
	words(rows, "published", ROLE_TEXT, published->printed);
	if (isfinite(published->min) || isfinite(published->max))
		two(rows, "min, max", published->min, published->max);
	one(rows, "sd within", ROLE_TEXT, published->sd_within);
	one(rows, "sd between", ROLE_TEXT, published->sd_between);
	one(rows, "max deviation", ROLE_TEXT, published->max_deviation);
	words(rows, "trials", ROLE_DIM, "none");
}

static void draw_figures(const struct figures *figures, bool live,
	const struct pane *pane)
{
	const struct digest *digest = &figures->digest;
	const struct summary *clean = &digest->clean;
	bool several = clean->launches > 1;
	struct rows rows = {
		.pane = *pane,
		.unit = figures->results->metrics[0].unit,
		.like = clean->median,
	};

	if (digest->published) {
		draw_published(&rows, digest);
		return;
	}
	if (!isfinite(clean->median)) {
		rows.like = digest->median_all;
		words(&rows, "median", ROLE_STRONG, "no clean trial");
		one(&rows, "of flagged ones", ROLE_TEXT, digest->median_all);
		extent(&rows, figures, live);
		return;
	}
	one(&rows, "median", ROLE_STRONG, clean->median);
	if (clean->has_interval)
		two(&rows, "95 % range", clean->interval.low,
			clean->interval.high);
	else
		words(&rows, "95 %", ROLE_DIM, "from 6 clean launches on");
	if (digest->has_cycles) {
		struct text text = { 0 };

		unit_show(&text, UNIT_CYCLES, digest->cycles.median);
		words(&rows, "in cycles", ROLE_TEXT, text.chars);
		text_free(&text);
	}
	one(&rows, "mean", ROLE_TEXT, clean->mean);
	two(&rows, "min, max", clean->min, clean->max);
	one(&rows, "sd within", ROLE_TEXT, clean->sd_within);
	one(&rows, "sd between", ROLE_TEXT, several ? clean->sd_between : NAN);
	one(&rows, "max deviation", ROLE_TEXT,
		several ? clean->max_deviation : NAN);
	quantiles(&rows, clean);
	extent(&rows, figures, live);
}

void view_result(struct screen *screen, const struct pane *pane)
{
	const struct results *results;
	bool live;
	const struct figures *figures = view_figures(screen, &results, &live);
	bool any = figures && figures->any;
	struct text right = { 0 };

	if (any)
		view_params(screen, results, figures->point,
			pane->columns - TITLE_ROOM, &right);
	struct pane inside = pane_frame(pane, "Result", text_chars(&right));
	text_free(&right);
	if (any)
		draw_figures(figures, live, &inside);
	else
		view_nothing(screen, &inside);
}

/* ---- the prediction --------------------------------------------------- */

static void say_outcome(const struct range *total, double measured,
	struct text *text)
{
	if (measured < total->low)
		text_add(text, "no, %.*g times less",
			text_digits(total->low / measured),
			total->low / measured);
	else if (measured > total->high)
		text_add(text, "no, %.*g times more",
			text_digits(measured / total->high),
			measured / total->high);
	else
		text_add(text, "yes");
}

/* How the run before compares, in a word that needs no proof behind it. */
static void say_change(const struct change *change, struct text *text)
{
	double percent = (change->comparison.ratio - 1) * 100;

	if (change->verdict == VERDICT_INCONCLUSIVE)
		text_add(text, "no proof");
	else if (change->verdict == VERDICT_EQUIVALENT)
		text_add(text, "the same");
	else
		text_add(text, "%+.*g %%", text_digits(percent), percent);
}

static const char *said_by(const struct prediction *said)
{
	if (strcmp(said->by, "user"))
		return "model says";
	return said->post_hoc ? "said afterwards" : "you said";
}

static void draw_said(struct rows *rows, const struct prediction *said)
{
	const struct range *total = &said->total;
	double scale, like = total->high;
	struct text text = { 0 };

	unit_prefix(rows->unit, like, &scale);
	text_add(&text, "%.3g", total->low / scale);
	if (total->low < total->high)
		text_add(&text, "..%.3g", total->high / scale);
	struct pane left = pane_part(&rows->pane, 0, rows->row,
		rows->pane.columns - UNIT_COLUMNS - 1, 1);
	pane_chars(&left, 1, 0, ROLE_DIM, said_by(said));
	pane_right(&left, 0, ROLE_PREDICTED, text.chars);
	put_unit(rows, rows->unit, like);
	rows->row++;
	text_free(&text);
}

static void draw_comparison(const struct figures *figures,
	const struct pane *pane)
{
	const struct prediction *said =
		view_predicted(figures->results, figures->point);
	const struct change *change = &figures->change;
	double measured = figures->digest.headline;
	enum unit unit = figures->results->metrics[0].unit;
	struct rows rows = { .pane = *pane, .unit = unit, .like = measured };
	struct text text = { 0 };

	if (said->set)
		draw_said(&rows, said);
	else
		words(&rows, "you said", ROLE_DIM, "nothing");
	one(&rows, "measured", ROLE_STRONG, measured);
	if (said->set && isfinite(measured)) {
		say_outcome(&said->total, measured, &text);
		words(&rows, "held", ROLE_TEXT, text.chars);
	}
	if (change->any) {
		text_clear(&text);
		if (*change->at)
			say_ago(change->at, &text);
		one(&rows, *change->at ? text.chars : "run before", ROLE_TEXT,
			change->earlier);
		text_clear(&text);
		say_change(change, &text);
		words(&rows, "change", ROLE_TEXT, text.chars);
	}
	text_free(&text);
}

void view_prediction(struct screen *screen, const struct pane *pane)
{
	const struct results *results;
	bool live;
	const struct figures *figures = view_figures(screen, &results, &live);
	struct text right = { 0 };

	if (pane->rows < 2)
		return;
	if (!live)
		view_held(screen->lab->session, results, &right);
	struct pane inside = pane_frame(pane, "Prediction", text_chars(&right));
	struct pane paragraph = pane_part(&inside, 1, 0, -1, inside.rows);
	text_free(&right);
	if (figures && figures->any)
		draw_comparison(figures, &inside);
	else
		pane_wrap(&paragraph, 0, ROLE_DIM,
			"Say what you expect before you run: p. It is locked "
			"when the run begins, kept with it and held against "
			"what was measured.");
}

/* ---- words ------------------------------------------------------------ */

static int draw_findings(const struct results *results, const struct pane *pane)
{
	int row = 0;

	for (size_t i = 0; i < results->findings.count && row < pane->rows;
		i++) {
		const char *sentence = results->findings.list[i].sentence;

		if (*sentence)
			row += 1 + pane_wrap(pane, row, ROLE_TEXT, sentence);
	}
	return row;
}

void view_about(struct screen *screen, const struct pane *pane)
{
	const struct experiment *experiment = screen_descriptor(screen);
	const struct results *results;
	bool live;
	const struct figures *figures = view_figures(screen, &results, &live);
	struct text trust = { 0 };
	bool findings = figures && !live && results->findings.count;
	struct pane inside = pane_frame(pane,
		findings ? "What follows" : "What is this?", "i says all");
	struct pane column = pane_part(&inside, 1, 0, -1, inside.rows);
	int row = 0;

	if (figures && figures->any)
		view_trust(figures, ANY_COLUMNS, &trust);
	if (trust.length) {
		pane_put(&column, 0, 0, '!', ROLE_WARN);
		struct pane sentence = pane_part(&column, 2, 0,
			column.columns - 2, column.rows);
		row = pane_wrap(&sentence, 0, ROLE_STRONG, trust.chars) + 1;
	}
	text_free(&trust);
	struct pane rest =
		pane_part(&column, 0, row, column.columns, column.rows - row);
	if (findings) {
		row = draw_findings(results, &rest);
		rest = pane_part(&rest, 0, row, rest.columns, rest.rows - row);
	}
	if (rest.rows > 1 || !findings)
		pane_wrap(&rest, 0, findings ? ROLE_DIM : ROLE_TEXT,
			experiment->method);
}
