/* The first table: every run's headline; then the main findings. */
#include <math.h>

#include "digest.h"
#include "judgement.h"
#include "print.h"
#include "print_findings.h"
#include "quality.h"
#include "report_internal.h"

/* A summary of all points of a run. */
struct overview {
	size_t figures, published; /* valid points with a figure */
	size_t invalid;            /* points */
	size_t trials;             /* behind the headlines */
	size_t quality[QUALITIES];
	double low, high; /* of the headlines */
	double half;      /* of the widest interval, relative; NaN: none */
	bool all;         /* every figure has an interval */
};

static struct overview overview_of(const struct results *results)
{
	struct overview all = { .low = INFINITY,
		.high = -INFINITY,
		.half = NAN,
		.all = true };

	for (size_t p = 0; results->metric_count && p < results->point_count;
		p++) {
		const struct point *point = &results->points[p];
		struct digest digest;

		all.invalid += point->state == POINT_INVALID;
		if (point->state != POINT_OK ||
			!digest_of(results, point, 0, &digest))
			continue;
		all.figures++;
		all.published += digest.published != NULL;
		all.trials += digest.published ? 0 : digest.summary.trials;
		all.quality[digest.quality]++;
		all.half = fmax(all.half, digest_half(&digest));
		all.all &= digest.summary.has_interval;
		all.low = fmin(all.low, digest.headline);
		all.high = fmax(all.high, digest.headline);
	}
	return all;
}

/* ---- cells ------------------------------------------------------------ */

static void name_cell(struct document *document, const struct session *session,
	size_t r)
{
	const struct results *results = session->runs[r];
	struct text anchor = { 0 }, title = { 0 }, label = { 0 };

	text_add(&anchor, "run-%zu", r);
	text_add(&title, "%s", results->title);
	report_distinction(session, results, &title);
	if (results->metric_count)
		text_add(&label, ": %s", results->metrics[0].label);
	document_link(document, anchor.chars, text_chars(&title),
		text_chars(&label));
	text_free(&anchor);
	text_free(&title);
	text_free(&label);
}

/* "1.29 ns .. 100 ns": the least and the largest headline of a sweep. */
static void span_cell(struct document *document, size_t r,
	const struct results *results, const struct overview *all)
{
	enum unit unit = results->metrics[0].unit;
	struct text text = { 0 }, where = { 0 };

	if (all->low <= all->high) {
		unit_show(&text, unit, all->low);
		if (all->low < all->high) {
			text_add(&text, " .. ");
			unit_show(&text, unit, all->high);
		}
		text_add(&where, "%zu/*/%s/span", r, results->metrics[0].name);
	}
	document_number(document, text.length ? text.chars : "-",
		text_chars(&where));
	text_free(&text);
	text_free(&where);
}

static void worst_cell(struct document *document, size_t r,
	const struct results *results, const struct overview *all)
{
	struct text text = { 0 }, where = { 0 };
	double half = all->half * 100;

	if (all->all && isfinite(half)) {
		text_add(&text, "+-%.*g %%", text_digits(half), half);
		text_add(&where, "%zu/*/%s/half", r, results->metrics[0].name);
	}
	document_number(document, text.length ? text.chars : "-",
		text_chars(&where));
	text_free(&text);
	text_free(&where);
}

static void figure_cells(struct document *document, size_t r,
	const struct results *results, const struct overview *all)
{
	struct text of = { 0 };
	struct digest digest;

	if (!all->figures) {
		document_cell(document, "no figure");
		document_cell(document, "-");
		return;
	}
	if (results->point_count > 1) {
		span_cell(document, r, results, all);
		worst_cell(document, r, results, all);
		return;
	}
	digest_of(results, results->points, 0, &digest);
	text_add(&of, "%zu/0/%s", r, results->metrics[0].name);
	report_headline(document, of.chars, results->metrics[0].unit, &digest);
	if (digest.summary.has_interval) {
		const struct interval *interval = &digest.summary.interval;
		struct range ends = { interval->low, interval->high };

		report_range_cell(document, of.chars, "ci",
			results->metrics[0].unit, &ends);
	} else {
		document_cell(document, "-");
	}
	text_free(&of);
}

static void add_verdict(struct text *text, size_t count, const char *word)
{
	if (count)
		text_add(text, "%s%zu %s", text->length ? ", " : "", count,
			word);
}

/* "good"; "11 good, 3 rough" where the points of a sweep differ. */
static void verdict_cell(struct document *document, const struct overview *all)
{
	struct text text = { 0 };

	if (!all->figures)
		text_add(&text, all->invalid ? "invalid" : "not measured");
	else if (all->published == all->figures)
		text_add(&text, "published");
	for (unsigned q = 0; q < QUALITIES && !text.length; q++)
		if (all->quality[q] == all->figures && !all->invalid)
			text_add(&text, "%s", quality_word((enum quality)q));
	if (!text.length) {
		for (unsigned q = 0; q < QUALITIES; q++)
			add_verdict(&text, all->quality[q],
				quality_word((enum quality)q));
		add_verdict(&text, all->invalid, "invalid");
	}
	document_cell(document, text.chars);
	text_free(&text);
}

static void say_one_outcome(const struct results *results, struct text *text)
{
	struct judgement judgement = judge(results, results->points);
	const struct range *total;

	if (judgement.judged == JUDGED_NOT)
		return;
	total = &judgement.prediction->total;
	if (judgement.judged == JUDGED_WITHIN) {
		text_add(text, "inside ");
	} else {
		say_outside(judgement.measured, total, text);
		text_add(text, " of ");
	}
	report_range(text, judgement.unit, total);
}

static void say_outcomes(const struct results *results, struct text *text)
{
	struct tally tally = judge_points(results);
	size_t judged = tally.within + tally.below + tally.above;

	if (!judged)
		return;
	text_add(text, "%zu inside", tally.within);
	if (tally.below)
		text_add(text, ", %zu below", tally.below);
	if (tally.above)
		text_add(text, ", %zu above", tally.above);
}

static void outcome_cell(struct document *document,
	const struct results *results)
{
	struct text text = { 0 };

	if (results->point_count == 1)
		say_one_outcome(results, &text);
	else
		say_outcomes(results, &text);
	document_cell(document, text.length ? text.chars : "no prediction");
	text_free(&text);
}

/* Points, trials and launches. */
static void count_cells(struct document *document, size_t r,
	const struct results *results, const struct overview *all)
{
	struct text text = { 0 }, where = { 0 };

	text_add(&text, "%zu", results->point_count);
	document_number(document, text.chars, "");
	text_clear(&text);
	if (all->trials) {
		text_add(&text, "%zu", all->trials);
		text_add(&where, "%zu/*/%s/trials", r,
			results->metrics[0].name);
	}
	document_number(document, text.length ? text.chars : "-",
		text_chars(&where));
	text_clear(&text);
	if (results->launch_count)
		text_add(&text, "%zu", results->launch_count);
	document_number(document, text.length ? text.chars : "-", "");
	text_free(&text);
	text_free(&where);
}

static void row(struct document *document, const struct session *session,
	size_t r)
{
	const struct results *results = session->runs[r];
	struct overview all = overview_of(results);

	name_cell(document, session, r);
	figure_cells(document, r, results, &all);
	verdict_cell(document, &all);
	outcome_cell(document, results);
	count_cells(document, r, results, &all);
}

/* ---- findings --------------------------------------------------------- */

/* Experiments put the most important finding first. */
enum { FINDINGS_IN_SHORT = 2 };

/* The first finding from the i-th on that is listed; NULL: none. */
static const struct finding *next_short(const struct results *results,
	size_t i)
{
	for (; i < results->findings.count; i++) {
		const struct finding *finding = &results->findings.list[i];

		if (!finding->uncertain && finding_is_said(results, finding))
			return finding;
	}
	return NULL;
}

static void short_findings(struct document *document,
	const struct session *session, size_t r)
{
	const struct results *results = session->runs[r];
	struct text anchor = { 0 }, title = { 0 }, text = { 0 };
	size_t stated = 0;

	text_add(&anchor, "run-%zu", r);
	text_add(&title, "%s", results->title);
	report_distinction(session, results, &title);
	const struct finding *finding = next_short(results, 0);
	while (finding && stated < FINDINGS_IN_SHORT) {
		text_add(&text, "%s%s", stated++ ? "; " : ": ",
			finding->sentence);
		finding = next_short(results,
			(size_t)(finding - results->findings.list) + 1);
	}
	if (text.length) {
		text_add_char(&text, '.');
		document_item_behind(document, anchor.chars, text_chars(&title),
			text.chars);
	}
	text_free(&anchor);
	text_free(&title);
	text_free(&text);
}

static bool any_findings(const struct session *session)
{
	for (size_t r = 0; r < session->run_count; r++)
		if (next_short(session->runs[r], 0))
			return true;
	return false;
}

/* ---- the whole -------------------------------------------------------- */

typedef void each_run(struct document *, const struct session *, size_t r);

/* Calls `write` for each run, in the order of the report's sections. */
static void in_order(struct document *document, const struct session *session,
	each_run *write)
{
	for (size_t g = 0; g < report_groups(); g++)
		for (size_t r = 0; r < session->run_count; r++)
			if (report_group(session->runs[r]->experiment) == g)
				write(document, session, r);
}

void report_summary(struct document *document, const struct report_input *input)
{
	static const struct column_head heads[] = {
		{ "experiment", false, true },
		{ "figure", true, false },
		{ "95 % interval", true, false },
		{ "verdict", false, false },
		{ "prediction", false, true },
		{ "points", true, false },
		{ "trials", true, false },
		{ "launches", true, false },
	};

	document_heading(document, 2, "summary", "Summary");
	document_table_begin(document,
		"The headline of every experiment. Of a sweep: its least and "
		"its largest figure, and the widest interval; in cycles "
		"where these are judged.",
		heads, sizeof heads / sizeof *heads);
	in_order(document, input->session, row);
	document_table_end(document);
	if (!any_findings(input->session))
		return;
	document_heading(document, 3, NULL, "Findings in short");
	document_list_begin(document);
	in_order(document, input->session, short_findings);
	document_list_end(document);
}
