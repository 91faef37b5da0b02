/* The prediction, and the measured value compared with it. */
#include <math.h>

#include "digest.h"
#include "draw_rows.h"
#include "earlier.h"
#include "print.h"
#include "view_lab.h"

/* Writes whether the prediction held, and the distance to its nearer end if
 * not. A factor below 2 is written as a percentage. An end that is not above 0
 * has no ratio. */
static void say_outcome(const struct range *total, double measured,
	struct text *text)
{
	bool above = measured > total->high;
	double end = above ? total->high : total->low;
	double factor = above ? measured / end : end / measured;
	double percent = fabs(measured / end - 1) * 100;

	if (!above && measured >= total->low)
		text_add(text, "yes");
	else if (!(measured > 0) || !(end > 0))
		text_add(text, "no, %s", above ? "above" : "below");
	else if (factor < 1.995)
		text_add(text, "no, %.*g %% %s", text_digits(percent), percent,
			above ? "above" : "below");
	else
		text_add(text, "no, %.*g times %s", text_digits(factor), factor,
			above ? "more" : "less");
}

/* Writes the change since the run before; "no proof" if inconclusive. */
static void say_change(const struct rerun_change *change, struct text *text)
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
	if (said->by == BY_MODEL)
		return "model predicts";
	return said->post_hoc ? "you, afterwards" : "you predicted";
}

/* "1570", never "1.57e+03". */
static void add_amount(struct text *text, double amount)
{
	int digits = text_digits(amount);

	text_add(text, "%.*g", digits < 3 ? 3 : digits, amount);
}

static void draw_said(struct figure_rows *rows, const struct prediction *said)
{
	const struct range *total = &said->total;
	double scale, like = total->high;
	struct text text = { 0 };

	unit_prefix(rows->unit, like, &scale);
	add_amount(&text, total->low / scale);
	if (total->low < total->high) {
		text_add(&text, "..");
		add_amount(&text, total->high / scale);
	}
	struct pane left = pane_part(&rows->pane, 0, rows->row,
		rows->pane.columns - UNIT_COLUMNS - 1, 1);
	struct pane label = pane_part(&left, 0, 0,
		left.columns - (int)text.length - 1, 1);
	pane_chars(&label, 1, 0, ROLE_DIM, said_by(said));
	pane_right(&left, 0, ROLE_PREDICTED, text.chars);
	rows_put_unit(rows, rows->unit, like);
	rows->row++;
	text_free(&text);
}

/* The label names a shared core or busy other tasks, because a prediction is
 * for a core of its own. */
static const char *measured_label(const struct digest *digest)
{
	if (digest->crowded)
		return "measured, others busy";
	if (digest->regime == REGIME_SHARED)
		return "measured, shared core";
	return digest->quality == QUALITY_SHARED_CORE ? "measured, pooled" :
							"measured";
}

static void draw_comparison(const struct figures *figures,
	const struct pane *pane)
{
	const struct prediction *said =
		view_predicted(figures->results, figures->point);
	const struct rerun_change *change = &figures->change;
	double measured = prediction_measured(said, &figures->digest);
	double headline = figures->digest.headline;
	enum unit unit = figures->results->metrics[0].unit;
	struct figure_rows rows = { .pane = *pane,
		.unit = prediction_unit(said, unit),
		.like = measured };
	struct text text = { 0 };

	if (said->set)
		draw_said(&rows, said);
	else
		rows_words(&rows, "you predicted", ROLE_DIM, "nothing");
	if (!isfinite(measured)) {
		rows.unit = unit;
		rows.like = headline;
	}
	rows_one(&rows, measured_label(&figures->digest), ROLE_STRONG,
		isfinite(measured) ? measured : headline);
	rows.unit = unit;
	rows.like = headline;
	if (said->set && isfinite(measured)) {
		say_outcome(&said->total, measured, &text);
		rows_words(&rows, "held", ROLE_TEXT, text.chars);
	}
	if (change->any) {
		text_clear(&text);
		if (*change->at)
			say_ago(change->at, &text);
		rows_one(&rows, *change->at ? text.chars : "run before",
			ROLE_TEXT, change->earlier);
		text_clear(&text);
		say_change(change, &text);
		rows_words(&rows, "change", ROLE_TEXT, text.chars);
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
			"Predict before you run: p. The prediction is locked "
			"when the run begins, kept with the run and compared "
			"with the result.");
}
