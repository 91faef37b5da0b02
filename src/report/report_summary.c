/* The table at the end: predicted and measured, operation by operation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judgement.h"
#include "memory.h"
#include "report_own.h"

enum { ALL_OF = 6, COLUMNS = 8 };

/* ---- which points stand for a run ------------------------------------- */

/* The parameters but the one the point's level follows from. */
static bool same_level(const struct point *a, const struct point *b)
{
	const char *level_a = point_note(a, "level");
	const char *level_b = point_note(b, "level");

	return level_a && level_b && !strcmp(level_a, level_b);
}

/* Is the point the middle one of those in a row that a level served? */
static bool middle_of_level(const struct results *results, size_t at)
{
	const struct point *points = results->points;
	size_t first = at, last = at;

	if (!point_note(&points[at], "level"))
		return false;
	while (first && same_level(&points[first - 1], &points[at]))
		first--;
	while (last + 1 < results->point_count &&
		same_level(&points[last + 1], &points[at]))
		last++;
	return at == (first + last) / 2;
}

static bool has_levels(const struct results *results)
{
	for (size_t i = 0; i < results->point_count; i++)
		if (point_note(&results->points[i], "level"))
			return true;
	return false;
}

/* All of few; of a sweep through levels of memory one of each, of another
 * first, middle and last. */
static bool stands_for(const struct results *results, size_t at)
{
	size_t count = results->point_count;

	if (count <= ALL_OF)
		return true;
	if (has_levels(results))
		return middle_of_level(results, at);
	return at == 0 || at == count / 2 || at == count - 1;
}

/* ---- what others published -------------------------------------------- */

/* Does every value that was published agree with the point's? */
static bool agrees(const struct results *theirs, const struct point *published,
	const struct results *ours, const struct point *point)
{
	for (size_t i = 0; i < theirs->param_count; i++) {
		const char *value =
			point_value(ours, point, theirs->param_names[i]);
		const char *wanted = published->values[i];

		/* Machines differ in what they can be asked for; what was
		 * measured must be the same. */
		if (!*wanted || !value ||
			!strcmp(theirs->param_names[i], "size"))
			continue;
		if (strcmp(value, wanted))
			return false;
	}
	const char *level = point_note(published, "level");
	const char *ours_level = point_note(point, "level");
	return !level || !ours_level || !strcmp(level, ours_level);
}

static const struct point *published_like(const struct results *theirs,
	const struct results *ours, const struct point *point, unsigned *metric)
{
	int at = ours->metric_count ?
		results_metric(theirs, ours->metrics[0].name) :
		-1;

	if (at < 0)
		return NULL;
	*metric = (unsigned)at;
	for (size_t i = 0; i < theirs->point_count; i++) {
		struct digest digest;

		if (agrees(theirs, &theirs->points[i], ours, point) &&
			digest_of(theirs, &theirs->points[i], *metric, &digest))
			return &theirs->points[i];
	}
	return NULL;
}

static void beside(struct document *document, const struct session *session,
	const struct results *ours, const struct point *point)
{
	struct text text = { 0 };

	for (size_t r = 0; r < session->run_count && !text.length; r++) {
		const struct results *theirs = session->runs[r];
		unsigned metric;
		struct digest digest;

		if (strcmp(theirs->experiment, ours->experiment))
			continue;
		const struct point *like =
			published_like(theirs, ours, point, &metric);
		if (like && digest_of(theirs, like, metric, &digest) &&
			isfinite(digest.headline))
			unit_show(&text, theirs->metrics[metric].unit,
				digest.headline);
	}
	document_cell(document, text.length ? text.chars : "not published");
	text_free(&text);
}

/* ---- rows ------------------------------------------------------------- */

/* "10 .. 26.67 ns": both ends in what fits the greater. */
static void range_cell(struct document *document, enum unit unit,
	const struct prediction *prediction, const struct range *range)
{
	struct text text = { 0 };
	double scale;

	if (prediction) {
		const char *prefix = unit_prefix(unit, range->high, &scale);

		text_add(&text, "%.4g .. %.4g %s", range->low / scale,
			range->high / scale, prefix);
	}
	document_cell(document, text.length ? text.chars : "no prediction");
	text_free(&text);
}

static void measured_cells(struct document *document,
	const struct results *results, size_t r, size_t p,
	const struct judgement *judgement)
{
	struct text text = { 0 }, of = { 0 };

	if (isfinite(judgement->measured)) {
		unit_show(&text, results->metrics[0].unit, judgement->measured);
		text_add(&of, "%zu/%zu/%s/median", r, p,
			results->metrics[0].name);
	}
	document_number(document, text.length ? text.chars : "no figure",
		text_chars(&of));
	text_clear(&text);
	if (isfinite(judgement->ratio))
		text_add(&text, "%.3g", judgement->ratio);
	document_cell(document, text.length ? text.chars : "none");
	text_free(&text);
	text_free(&of);
}

static void summary_row(struct document *document,
	const struct report_input *input, size_t r, size_t p)
{
	static const struct range nothing;
	const struct results *results = input->session->runs[r];
	const struct point *point = &results->points[p];
	struct judgement judgement = judge(results, point);
	const struct prediction *prediction = judgement.prediction;
	enum unit unit =
		results->metric_count ? results->metrics[0].unit : UNIT_NONE;
	struct text text = { 0 };

	document_cell(document, report_category(results->experiment));
	text_add(&text, "%s ", results->title);
	if (results->point_count > 1)
		point_describe(results, point, true, &text);
	document_cell(document, text.chars);
	range_cell(document, unit, prediction,
		prediction ? &prediction->hardware : &nothing);
	range_cell(document, unit, prediction,
		prediction ? &prediction->software : &nothing);
	range_cell(document, unit, prediction,
		prediction ? &prediction->total : &nothing);
	measured_cells(document, results, r, p, &judgement);
	text_clear(&text);
	say_reason(results, point, &input->session->machine, &text);
	document_cell(document, text.chars);
	for (size_t i = 0; i < input->beside_count; i++)
		beside(document, input->beside[i].session, results, point);
	text_free(&text);
}

static bool was_run(const struct session *session, const char *experiment)
{
	return session_last(session, experiment) != NULL;
}

/* An experiment that this session did not run: its row says so. */
static void absent_row(struct document *document,
	const struct report_input *input, const struct experiment *experiment)
{
	document_cell(document, report_category(experiment->name));
	document_cell(document, experiment->title);
	for (size_t i = 2; i < COLUMNS - 1; i++)
		document_cell(document, "not run");
	document_cell(document, "not run in this session");
	for (size_t i = 0; i < input->beside_count; i++)
		document_cell(document, "-");
}

static struct column_head *heads_of(const struct report_input *input)
{
	static const struct column_head fixed[COLUMNS] = {
		{ "category", false, false },
		{ "operation", false, false },
		{ "base hardware", true, false },
		{ "software overhead", true, false },
		{ "predicted", true, false },
		{ "measured", true, false },
		{ "ratio", true, false },
		{ "reason", false, true },
	};
	struct column_head *heads =
		xcalloc(COLUMNS + input->beside_count, sizeof *heads);

	memcpy(heads, fixed, sizeof fixed);
	for (size_t i = 0; i < input->beside_count; i++)
		heads[COLUMNS + i] =
			(struct column_head){ input->beside[i].name, true,
				false };
	return heads;
}

void report_summary(struct document *document, const struct report_input *input)
{
	const struct session *session = input->session;
	struct column_head *heads = heads_of(input);

	document_heading(document, 2, "summary", "Summary");
	document_paragraph(document,
		"Base hardware performance and estimated software overhead add "
		"up to what was predicted; the ratio is what was measured over "
		"the middle of the prediction.");
	document_table_begin(document, heads, COLUMNS + input->beside_count);
	for (size_t r = 0; r < session->run_count; r++)
		for (size_t p = 0; p < session->runs[r]->point_count; p++)
			if (stands_for(session->runs[r], p))
				summary_row(document, input, r, p);
	for (size_t i = 0; i < input->experiment_count; i++)
		if (!was_run(session, input->experiments[i]->name))
			absent_row(document, input, input->experiments[i]);
	document_table_end(document);
	free(heads);
}
