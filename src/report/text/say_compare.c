/* Explanations for the rows of a comparison. */
#include "say_compare.h"

#include <math.h>

#include "compare_row.h"
#include "digest.h"
#include "quality.h"

enum { MORE_SENSIBLE = 1000 };

void say_compare_ratio(double ratio, struct text *text)
{
	if (!isfinite(ratio))
		text_add_char(text, '-');
	else if (ratio < 10)
		text_add(text, "%.3f", ratio);
	else
		text_add(text, "%.4g", ratio);
}

static void add_interval(struct text *text, const struct comparison *test)
{
	text_add_char(text, '[');
	say_compare_ratio(test->ratio_low, text);
	text_add(text, ", ");
	say_compare_ratio(test->ratio_high, text);
	text_add_char(text, ']');
}

void say_compare_change(double ratio, struct text *text)
{
	double more = fmax(ratio, 1 / ratio);

	if (more >= 2)
		text_add(text, "%.3g x", more);
	else
		text_add(text, "%.*f %%", fabs(ratio - 1) < .001 ? 2 : 1,
			fabs(ratio - 1) * 100);
}

static void say_cycles(const struct compare_row *row, struct text *note)
{
	if (!row->has_cycles ||
		(row->cycles_verdict == row->verdict && !row->by_clock))
		return;
	if (row->by_clock)
		text_add(note, "explained by the clock: ");
	text_add(note, "in cycles ");
	say_compare_ratio(row->cycles.ratio, note);
	text_add_char(note, ' ');
	add_interval(note, &row->cycles);
	text_add(note, ", %s. ", verdict_word(row->cycles_verdict));
}

/* States the uncorrected ratio and the memory ruler's ratio that corrected
 * it. */
static void say_ruler(const struct compare_row *row, struct text *note)
{
	text_add(note, "uncorrected ");
	say_compare_ratio(row->measured.ratio, note);
	text_add_char(note, ' ');
	add_interval(note, &row->measured);
	text_add(note, "; the memory ruler of B reads ");
	say_compare_ratio(row->ruled.ratio, note);
	text_add(note, " times that of A. ");
}

/* States the ratio beside a co-runner; for pairs whose regimes disagree. */
static void say_shared_ratio(const struct compare_row *row, struct text *note)
{
	const struct signed_rank *shared = &row->pairs.by_regime[REGIME_SHARED];
	struct comparison test = { .ratio = exp(shared->centre),
		.ratio_low = exp(shared->low),
		.ratio_high = exp(shared->high) };

	if (row->second.run->metrics[row->second.metric].better ==
		MORE_IS_BETTER)
		comparison_invert(&test);
	text_add(note, "beside a co-runner the ratio is ");
	say_compare_ratio(test.ratio, note);
	text_add_char(note, ' ');
	add_interval(note, &test);
	text_add(note, ". ");
}

static void add_shares(const struct compare_side *first, const char *a,
	const struct compare_side *second, const char *b, struct text *note)
{
	struct compare_shares shares = compare_shares_of(first, second);

	text_add(note, "%s %.0f %% of the %s of %s, %.0f %% of %s",
		shares.others ? "other tasks used" : "core shared in",
		shares.first * 100, shares.others ? "processors" : "trials", a,
		shares.second * 100, b);
}

/* "today (2 launches)", "today (interval +-7.1 %)". */
static void add_side(const struct compare_side *side, const char *name,
	struct text *note)
{
	text_add(note, "%s (", name);
	if (isfinite(side->half))
		text_add(note, "interval +-%.3g %%)", side->half * 100);
	else if (side->figure == 0)
		text_add(note, "median 0)");
	else
		text_add(note, "%zu launch%s)", side->launches,
			side->launches == 1 ? "" : "es");
}

static void add_few(const struct compare_side *first, const char *a,
	const struct compare_side *second, const char *b, struct text *note)
{
	bool both = first->quality == second->quality;

	text_add(note, "not enough data: ");
	if (first->quality == QUALITY_NOT_ENOUGH)
		add_side(first, a, note);
	text_add(note, "%s", both ? ", " : "");
	if (second->quality == QUALITY_NOT_ENOUGH)
		add_side(second, b, note);
}

static void say_undecided(const struct compare_side *first, const char *a,
	const struct compare_side *second, const char *b, struct text *note)
{
	bool shared = first->quality == QUALITY_SHARED_CORE ||
		second->quality == QUALITY_SHARED_CORE;

	if (shared)
		add_shares(first, a, second, b, note);
	else
		add_few(first, a, second, b, note);
}

void say_compare_undecided(const struct compare_side *first,
	const struct compare_side *second, struct text *note)
{
	say_undecided(first, "A", second, "B", note);
}

/* Paired tests need more launches: signed_rank.h. */
void say_few_launches(const struct compare_row *row, struct text *note)
{
	if (row->paired)
		text_add(note, "%zu launches with pairs: the test needs %d",
			pairs_result(&row->pairs)->n, SIGNED_RANK_LEAST);
	else
		text_add(note, "%zu and %zu launches: the test needs 4 of each",
			row->first.launches, row->second.launches);
}

/* Proven to differ, by however little. */
static bool is_change(const struct compare_row *row)
{
	return row->basis == COMPARE_LAUNCHES &&
		row->verdict != VERDICT_EQUIVALENT &&
		row->verdict != VERDICT_INCONCLUSIVE;
}

/* The trials of both alternated beside a co-runner or other tasks. */
static void say_beside(const struct compare_row *row, struct text *note)
{
	if (!row->paired || row->basis != COMPARE_LAUNCHES ||
		(!row->first.beside && !row->second.beside))
		return;
	text_add(note, "%s: alone, the ratio may differ. ",
		quality_crowded(row->first.run) ? "other tasks were busy" :
						  "shared core");
}

void say_compare_row(const struct compare_row *row, struct text *note)
{
	say_beside(row, note);
	if (row->basis == COMPARE_TOO_FEW)
		say_few_launches(row, note);
	if (row->basis == COMPARE_TOO_FEW)
		text_add(note, ". ");
	if (row->by_host)
		text_add(note, "other guests of the host may have caused it. ");
	else if (row->basis == COMPARE_LAUNCHES &&
		row->verdict == VERDICT_INCONCLUSIVE &&
		row->more <= MORE_SENSIBLE)
		text_add(note, "about %zu more launch%s of each may decide. ",
			row->more, row->more == 1 ? "" : "es");
	else if (row->basis == COMPARE_LAUNCHES &&
		row->verdict == VERDICT_INCONCLUSIVE)
		text_add(note, "no practical number of launches can decide. ");
	if (row->basis == COMPARE_LAUNCHES)
		say_cycles(row, note);
	if (row->basis == COMPARE_LAUNCHES && row->ruled.applies)
		say_ruler(row, note);
	if (row->basis == COMPARE_LAUNCHES && row->paired &&
		row->pairs.disagree)
		say_shared_ratio(row, note);
	if (is_change(row) && !row->holds)
		text_add(note,
			"p %.2g alone, %.2g corrected for all tests: may be "
			"chance. ",
			row->time.p, row->p_holm);
	if (row->basis == COMPARE_UNDECIDED) {
		say_compare_undecided(&row->first, &row->second, note);
		text_add(note, ". ");
	}
}

void say_compare_cure(const struct compare_row *row, struct text *note)
{
	if (row->basis == COMPARE_UNDECIDED)
		text_add(note, "%s",
			compare_row_shared(row) ?
				"Measure again" :
				"Raise budget= and measure again");
}

void say_compare_short(const struct compare_row *row, const char *first,
	const char *second, struct text *note)
{
	if (row->basis == COMPARE_UNDECIDED) {
		say_undecided(&row->first, first, &row->second, second, note);
		text_add(note, ". ");
		say_compare_cure(row, note);
	} else if (row->basis == COMPARE_TOO_FEW) {
		say_few_launches(row, note);
	} else if (row->basis == COMPARE_NO_RATIO) {
		text_add(note, "a value is not above 0");
	} else if (row->by_clock) {
		text_add(note, "explained by the clock: in cycles ");
		say_compare_ratio(row->cycles.ratio, note);
		text_add(note, ", equivalent");
	} else if (is_change(row) && !row->holds) {
		text_add(note, "may be chance: p %.2g corrected for all tests",
			row->p_holm);
	}
}

void say_compare_thresholds(const struct compare_pair *pair, struct text *text)
{
	struct range range = compare_thresholds(pair);

	bool several = range.high - range.low > .005;

	text_add(text, "the threshold%s, ", several ? " of its row" : "");
	if (several)
		text_add(text, "%.3g to ", range.low * 100);
	text_add(text, "%.3g %%", range.high * 100);
}

void say_compare_gate(const struct compare_row *row, double fails_at,
	struct text *note)
{
	if (row->basis != COMPARE_LAUNCHES || row->ratio < fails_at ||
		compare_row_metric(row)->better == NEITHER_IS_BETTER)
		return;
	text_add(note, "%s: the interval begins at ",
		compare_row_fails(row, fails_at - 1) ? "fails" :
						       "does not fail");
	say_compare_ratio(row->time.ratio_low, note);
	text_add(note, ", the threshold is ");
	say_compare_ratio(1 + row->delta, note);
	text_add(note, ". ");
}

enum text_style say_compare_style(const struct compare_row *row)
{
	const struct metric_info *info =
		&row->second.run->metrics[row->second.metric];

	if (row->basis == COMPARE_UNDECIDED)
		return STYLE_ROUGH;
	if (row->basis != COMPARE_LAUNCHES || !row->holds ||
		info->better == NEITHER_IS_BETTER)
		return STYLE_PLAIN;
	return row->verdict == VERDICT_FASTER  ? STYLE_GOOD :
		row->verdict == VERDICT_SLOWER ? STYLE_BAD :
						 STYLE_PLAIN;
}
