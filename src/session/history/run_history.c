/* The history of one setting. */
#include "run_history.h"

#include <math.h>
#include <stdlib.h>

#include "compare.h"
#include "memory.h"

/* Of one series: below .05, because a nightly job tests again with each run. */
static const double level = .025;
/* Of all series together, after Holm's method. */
static const double family_level = .05;
static const double least_step = .01;

/* ---- values ----------------------------------------------------------- */

static bool has_shared(const struct kept_point *point)
{
	return point->quality != QUALITY_NOT_ENOUGH &&
		point->shared.has_interval && point->shared.median > 0;
}

static bool has_alone(const struct kept_point *point)
{
	return kept_point_counts(point) && point->headline.median > 0;
}

bool history_counts(const struct history *history, size_t run)
{
	const struct kept_point *point = &history->list[run];

	return history->regime == REGIME_SHARED ? has_shared(point) :
						  has_alone(point);
}

const struct kept_figure *history_figure(const struct history *history,
	size_t run)
{
	const struct kept_point *point = &history->list[run];

	return history->regime == REGIME_SHARED && has_shared(point) ?
		&point->shared :
		&point->headline;
}

/* The runs among the first `count` that have a figure of each regime. */
static void count_regimes(const struct history *history, size_t count,
	size_t *alone, size_t *shared)
{
	*alone = *shared = 0;
	for (size_t i = 0; i < count; i++) {
		*alone += has_alone(&history->list[i]);
		*shared += has_shared(&history->list[i]);
	}
}

static enum regime choose_regime(size_t alone, size_t shared)
{
	return alone < CHANGES_LEAST && shared > alone ? REGIME_SHARED :
							 REGIME_ALONE;
}

/* ---- the regime in words ---------------------------------------------- */

/* Of the first `count` runs, in a regime. */
static const char *regime_words(const struct history *history,
	enum regime regime, size_t count)
{
	if (regime == REGIME_SHARED)
		return "beside a co-runner";
	for (size_t i = 0; i < count; i++)
		if (has_alone(&history->list[i]) &&
			history->list[i].regime == REGIME_ALONE)
			return "alone";
	return "";
}

const char *history_regime_words(const struct history *history)
{
	return regime_words(history, history->regime, history->count);
}

size_t history_regime_since(const struct history *history)
{
	size_t since = 0, alone = 0, shared = 0;

	for (size_t i = 0; i < history->count; i++) {
		enum regime before = choose_regime(alone, shared);
		bool none = !alone && !shared;

		alone += has_alone(&history->list[i]);
		shared += has_shared(&history->list[i]);
		if (!none && choose_regime(alone, shared) != before)
			since = i;
	}
	return since;
}

static void say_sentence(struct text *text)
{
	if (text->length)
		text_add_char(text, ' ');
}

void history_say_regime(const struct history *history, struct text *text)
{
	enum { DAY = 10 };
	size_t since = history_regime_since(history), alone, shared;
	size_t without = history_without_logarithm(history);
	bool is_shared = history->regime == REGIME_SHARED;

	if (history->repeated)
		text_add(text, "%zu more run%s in another file, and %s counted "
			"once.", history->repeated,
			history->repeated == 1 ? " is" : "s are",
			history->repeated == 1 ? "is" : "are");
	if (without) {
		say_sentence(text);
		text_add(text, "%zu value%s not above 0. Changes are found on "
			"logarithms, so none is looked for.", without,
			without == 1 ? " is" : "s are");
	}
	if (!since && !is_shared)
		return;
	say_sentence(text);
	count_regimes(history, history->count, &alone, &shared);
	text_add(text, "These medians are of trials %s: ",
		is_shared ? "beside a co-runner" : "alone on the core");
	if (is_shared)
		text_add(text, "%zu run%s such a median, %zu %s a median "
			"alone.", shared, shared == 1 ? " has" : "s have",
			alone, alone == 1 ? "has" : "have");
	else
		text_add(text, "%zu runs have such a median.", alone);
	if (!since)
		return;
	const char *was = regime_words(history,
		is_shared ? REGIME_ALONE : REGIME_SHARED, since);
	text_add(text, " Before run %zu (%.*s) this history had medians %s.",
		since + 1, DAY, history->list[since].started,
		*was ? was : "of all trials");
}

double history_value(const struct history *history, enum history_what what,
	size_t run)
{
	const struct kept_point *point = &history->list[run];

	if (what == HISTORY_CANARY)
		return point->canary_ns;
	if (what == HISTORY_RULER)
		return point->ruler_ns;
	return history_counts(history, run) ?
		history_figure(history, run)->median :
		NAN;
}

size_t history_without_logarithm(const struct history *history)
{
	size_t count = 0;

	for (size_t i = 0; i < history->count; i++)
		count += kept_point_counts(&history->list[i]) &&
			history->list[i].headline.median <= 0;
	return count;
}

static void gather(const struct history *history, enum history_what what,
	struct history_series *series)
{
	series->runs = xcalloc(history->count + 1, sizeof *series->runs);
	series->logs = xcalloc(history->count + 1, sizeof *series->logs);
	for (size_t i = 0; i < history->count; i++) {
		double value = history_value(history, what, i);

		if (!(value > 0))
			continue;
		series->runs[series->count] = i;
		series->logs[series->count++] = log(value);
	}
}

/* ---- changes ---------------------------------------------------------- */

static void find(struct history *history)
{
	for (int i = 0; i < HISTORY_SERIES; i++) {
		struct history_series *series = &history->series[i];

		series->p = NAN;
		/* fmax() ignores the NaN of a single run. */
		series->floor = fmax(log1p(least_step),
			changes_noise(series->logs, series->count));
		if (series->count < CHANGES_LEAST ||
			(i == HISTORY_FIGURE &&
				history_without_logarithm(history)))
			continue;
		changes_find(series->logs, series->count, series->floor, level,
			&series->changes);
		series->p = series->changes.p;
	}
}

static void adjust(struct history *history)
{
	double p[HISTORY_SERIES];

	for (int i = 0; i < HISTORY_SERIES; i++)
		p[i] = history->series[i].p;
	holm_adjust(p, HISTORY_SERIES);
	for (int i = 0; i < HISTORY_SERIES; i++) {
		history->series[i].p = p[i];
		if (!(p[i] < family_level))
			changes_free(&history->series[i].changes);
	}
}

void history_make(const char *experiment, const struct kept_point *list,
	size_t count, struct history *history)
{
	size_t alone, shared;

	*history = (struct history){ .experiment = experiment,
		.list = list,
		.count = count };
	count_regimes(history, count, &alone, &shared);
	history->regime = choose_regime(alone, shared);
	for (int i = 0; i < HISTORY_SERIES; i++)
		gather(history, (enum history_what)i, &history->series[i]);
	find(history);
	adjust(history);
}

void history_own(struct history *history, struct kept_point *list,
	const struct kept_points *points)
{
	history->owned = list;
	history->points = *points;
}

void history_free(struct history *history)
{
	kept_points_free(&history->points);
	free(history->owned);
	for (int i = 0; i < HISTORY_SERIES; i++) {
		free(history->series[i].runs);
		free(history->series[i].logs);
		changes_free(&history->series[i].changes);
	}
}

/* The change nearest to a run, at most `reach` runs away. */
static const struct change *nearest(const struct history_series *series,
	size_t run, size_t reach)
{
	const struct change *found = NULL;
	size_t least = reach + 1;

	for (size_t i = 0; i < series->changes.count; i++) {
		size_t at = series->runs[series->changes.list[i].at];
		size_t away = at > run ? at - run : run - at;

		if (away < least) {
			least = away;
			found = &series->changes.list[i];
		}
	}
	return found;
}

const struct change *history_change(const struct history *history,
	enum history_what what, size_t run)
{
	return nearest(&history->series[what], run, 0);
}

const struct change *history_near(const struct history *history,
	enum history_what what, size_t run)
{
	return nearest(&history->series[what], run, CHANGES_SIDE);
}

const struct change *history_nearest(const struct history *history,
	enum history_what what, size_t run)
{
	return nearest(&history->series[what], run, history->count);
}

const struct change *history_last(const struct history *history,
	enum history_what what)
{
	const struct changes *changes = &history->series[what].changes;

	return changes->count ? &changes->list[changes->count - 1] : NULL;
}

double history_level(const struct history *history, enum history_what what)
{
	const struct history_series *series = &history->series[what];
	const struct change *last = history_last(history, what);
	double sum = 0;

	for (size_t i = 0; i < series->count; i++)
		sum += series->logs[i];
	return exp(last ? last->after : sum / (double)series->count);
}

size_t history_stretches(const struct history *history, enum history_what what)
{
	size_t changes = history->series[what].changes.count;

	return changes ? changes + 1 : 0;
}

struct history_stretch history_stretch(const struct history *history,
	enum history_what what, size_t i)
{
	const struct history_series *series = &history->series[what];
	const struct changes *changes = &series->changes;
	size_t first = i ? changes->list[i - 1].at : 0;
	size_t last = i < changes->count ? changes->list[i].at - 1 :
					   series->count - 1;

	return (struct history_stretch){
		.first = series->runs[first],
		.last = series->runs[last],
		.level = exp(i ? changes->list[i - 1].after :
				 changes->list[0].before),
	};
}

struct range history_range(const struct history *history,
	enum history_what what, size_t first)
{
	struct range range = { NAN, NAN };

	/* fmin() and fmax() ignore NaN. */
	for (size_t i = first; i < history->count; i++) {
		double value = history_value(history, what, i);

		range.low = fmin(range.low, value);
		range.high = fmax(range.high, value);
	}
	return range;
}

void history_say_title(const struct history *history, struct text *text)
{
	text_add(text, "%s%s%s%s%s", history->experiment,
		history->of_other ? "." : "",
		history->of_other ? history->list->metric : "",
		*history->list->setting ? " " : "", history->list->setting);
}

const struct change *history_worse(const struct history *history,
	enum direction better)
{
	const struct history_series *figure = &history->series[HISTORY_FIGURE];
	const struct change *last = history_last(history, HISTORY_FIGURE);

	for (size_t i = figure->changes.count; i-- > 0;) {
		const struct change *change = &figure->changes.list[i];
		double step = change->after - change->before;
		double lasting = last->after - change->before;

		if (change->at + CHANGES_LEAST < figure->count)
			break;
		if (better != NEITHER_IS_BETTER &&
			(step < 0) != (better == MORE_IS_BETTER))
			continue;
		if (lasting * step > 0 && fabs(lasting) > figure->floor)
			return change;
	}
	return NULL;
}

enum history_verdict history_judge(const struct history *history,
	enum direction better)
{
	const struct history_series *figure = &history->series[HISTORY_FIGURE];

	if (history_worse(history, better))
		return HISTORY_WORSE;
	return figure->count < CHANGES_LEAST ||
			!history_counts(history, history->count - 1) ?
		HISTORY_UNDECIDED :
		HISTORY_UNCHANGED;
}

const char *history_name(const struct history *history, enum history_what what)
{
	return what == HISTORY_CANARY ? "canary" :
		what == HISTORY_RULER ? "memory ruler" :
					history->list->metric;
}

enum unit history_unit(const struct history *history, enum history_what what)
{
	return what == HISTORY_FIGURE ? history->list->unit : UNIT_NS;
}

double history_step(const struct change *change)
{
	return expm1(change->after - change->before);
}

/* ---- surroundings ----------------------------------------------------- */

void history_say_differences(const struct history *history, size_t run,
	struct text *text)
{
	enum { VALUE_MOST = 60 };
	size_t begin = text->length;

	for (int i = 0; run && i < SURROUNDINGS; i++) {
		struct text a = { 0 }, b = { 0 };

		if (surrounding_differs((enum surrounding)i,
			    history->list[run - 1].surroundings,
			    history->list[run].surroundings, &a, &b)) {
			text_add(text, "%s%s ",
				text->length > begin ? "; " : "",
				surrounding_name((enum surrounding)i));
			text_add_cut(text, a.chars, VALUE_MOST);
			text_add(text, " -> ");
			text_add_cut(text, b.chars, VALUE_MOST);
		}
		text_free(&a);
		text_free(&b);
	}
}

static bool differs(const struct history *history, size_t run)
{
	struct text text = { 0 };

	if (run < history->count)
		history_say_differences(history, run, &text);
	bool is = text.length > 0;
	text_free(&text);
	return is;
}

size_t history_cause(const struct history *history, size_t run)
{
	for (size_t away = 0; away <= CHANGES_SIDE; away++) {
		if (away <= run && differs(history, run - away))
			return run - away;
		if (differs(history, run + away))
			return run + away;
	}
	return history->count;
}
