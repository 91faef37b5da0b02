/* The right column: figures and text. */
#include <math.h>

#include "amounts.h"
#include "digest.h"
#include "draw_rows.h"
#include "print.h"
#include "quality.h"
#include "view_lab.h"

enum {
	ANY_COLUMNS = 9999, /* room for a sentence of any length */
	TITLE_ROOM = 16,    /* columns that "Result" and its frame take */
};

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
		text_add(text, "the run failed: see d");
	else if (point->state == POINT_INVALID)
		text_add(text, "invalid: see d");
	else if (point->why)
		text_add(text, "unverified in part: see d");
	else if (digest->below_resolution)
		text_add(text, "below resolution: see d");
	else
		text_add(text, "%s", quality_word(digest->quality));
}

/* ---- the figures ------------------------------------------------------ */

static void quantiles(struct figure_rows *rows, const struct summary *summary)
{
	enum { P1, P5, P25, P50, P75, P90, P95, P99, P999 };
	const double *q = summary->quantile;

	rows_two(rows, "p1, p5", q[P1], q[P5]);
	rows_two(rows, "p25, p75", q[P25], q[P75]);
	rows_two(rows, "p90, p95", q[P90], q[P95]);
	rows_two(rows, "p99, p99.9", q[P99], q[P999]);
}

/* One or two words for the reason the run ended. */
static const char *ended_by(const struct results *results, bool live)
{
	static const char *const words[STOP_REASONS] = {
		[STOP_NONE] = "not ended",
		[STOP_PRECISION] = "precise",
		[STOP_BUDGET] = "budget used",
		[STOP_MAXIMUM] = "launch limit",
		[STOP_USER] = "stopped",
		[STOP_FAULT] = "ended by a fault",
		[STOP_NETWORK] = "server lost",
		[STOP_UNAVAILABLE] = "unavailable",
		[STOP_INVALID] = "invalid",
		[STOP_PUBLISHED] = "published",
		[STOP_OTHER] = "unknown reason",
	};

	return live ? "running" : words[results->stopped.reason];
}

static void extent(struct figure_rows *rows, const struct figures *figures,
	bool live)
{
	const struct digest *digest = &figures->digest;
	const struct results *results = figures->results;
	enum { FRAME = 4 }; /* columns for the lines and blanks around a row */
	static const char label[] = "launches";
	struct text text = { 0 }, half = { 0 };

	rows_words(rows, "quality",
		digest->quality == QUALITY_GOOD ? ROLE_TEXT : ROLE_WARN,
		quality_of_scale(digest));
	amount_percent(&text, digest->shared);
	text_add(&text, ", excluded ");
	amount_percent(&text, digest->excluded);
	rows_words(rows, "shared", ROLE_TEXT, text.chars);
	text_clear(&text);
	if (figures->each > 1)
		text_add(&text, "one in %zu of %zu", figures->each,
			figures->trials);
	else
		text_add(&text, "%zu, %llu op%s each", digest->trials,
			(unsigned long long)(digest->ops ? digest->ops : 1),
			digest->ops > 1 ? "s" : "");
	rows_words(rows, "trials", ROLE_TEXT, text.chars);
	text_clear(&text);
	text_add(&text, "%zu", figures->launches);
	if (!live && figures->launches < results->launch_count)
		text_add(&text, " of %zu", results->launch_count);
	text_add(&text, ", %s", ended_by(results, live));
	if (isfinite(digest_half(digest))) {
		text_add(&half, ", ");
		amount_half_width(&half, digest_half(digest),
			digest->by_cycles);
	}
	/* The interval is already shown above, so it is dropped before a word
	 * is cut. */
	if (FRAME + text_columns(label) + 1 + text_columns(text.chars) +
			text_columns(text_chars(&half)) <=
		rows->pane.columns)
		text_add(&text, "%s", text_chars(&half));
	rows_words(rows, label, ROLE_TEXT, text.chars);
	text_free(&half);
	text_free(&text);
}

/* Draws published figures only: there are no trials. */
static void draw_published(struct figure_rows *rows,
	const struct digest *digest)
{
	const struct published *published = digest->published;

	rows->like = digest->headline;
	rows_one(rows, published_figure_name(published->figure), ROLE_STRONG,
		digest->headline);
	rows_words(rows, "published", ROLE_TEXT, published->printed);
	if (isfinite(published->min) || isfinite(published->max))
		rows_two(rows, "min, max", published->min, published->max);
	rows_one(rows, "sd within", ROLE_TEXT, published->sd_within);
	rows_one(rows, "sd between", ROLE_TEXT, published->sd_between);
	rows_one(rows, "max deviation", ROLE_TEXT, published->max_deviation);
	rows_words(rows, "trials", ROLE_DIM, "none");
}

/* Draws the shared-core median where the headline is of an unshared core. */
static void draw_co_runner(struct figure_rows *rows,
	const struct digest *digest)
{
	const struct regime_figures *shared = &digest->by_regime[REGIME_SHARED];

	if (digest->regime == REGIME_ALONE && shared->launches)
		rows_one(rows, "if shared", ROLE_TEXT, shared->median);
}

static void draw_figures(const struct figures *figures, bool live,
	const struct pane *pane)
{
	const struct digest *digest = &figures->digest;
	const struct summary *summary = &digest->summary;
	bool several = summary->launches > 1;
	struct text cycles = { 0 };
	struct figure_rows rows = {
		.pane = *pane,
		.unit = figures->results->metrics[0].unit,
		.like = summary->median,
	};

	if (digest->published) {
		draw_published(&rows, digest);
		return;
	}
	if (!isfinite(summary->median)) {
		rows.like = digest->median_all;
		rows_words(&rows, "median", ROLE_STRONG, "all excluded");
		rows_one(&rows, "of all", ROLE_TEXT, digest->median_all);
		extent(&rows, figures, live);
		return;
	}
	rows_one(&rows, "median", ROLE_STRONG, summary->median);
	draw_co_runner(&rows, digest);
	if (summary->has_interval)
		rows_two(&rows, "95 % range", summary->interval.low,
			summary->interval.high);
	else
		rows_words(&rows, "95 %", ROLE_DIM, "from 6 launches on");
	say_cycles(figures->results, digest, &cycles);
	if (cycles.length)
		rows_words(&rows, digest->has_cycles ? "in cycles" : "core",
			ROLE_TEXT, cycles.chars);
	text_free(&cycles);
	rows_one(&rows, "mean", ROLE_TEXT, summary->mean);
	rows_two(&rows, "min, max", summary->min, summary->max);
	rows_one(&rows, "sd within", ROLE_TEXT, summary->sd_within);
	rows_one(&rows, "sd between", ROLE_TEXT,
		several ? summary->sd_between : NAN);
	rows_one(&rows, "max deviation", ROLE_TEXT,
		several ? summary->max_deviation : NAN);
	quantiles(&rows, summary);
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

/* ---- text ------------------------------------------------------------- */

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
		findings ? "What follows" : "What is this?", "i shows all");
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
