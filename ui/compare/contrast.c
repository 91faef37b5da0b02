/* Two sessions held side by side: which, and what they come to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "view_compare.h"

enum { SIDES = 2 };

/* ---- kept ------------------------------------------------------------- */

struct contrast *contrast_of(struct screen *screen)
{
	void **kept = &screen->kept[VIEW_COMPARE];

	if (!*kept) {
		struct contrast *contrast = xcalloc(1, sizeof *contrast);

		contrast->sides[1].kind = SIDE_PRESENT;
		*kept = contrast;
	}
	return *kept;
}

static void forget_plot(struct contrast_plot *plot)
{
	for (int i = 0; i < SIDES; i++)
		histogram_free(&plot->halves[i]);
	*plot = (struct contrast_plot){ 0 };
}

void contrast_drop(struct contrast *contrast)
{
	if (contrast->made)
		compare_pair_free(&contrast->pair);
	contrast->made = false;
	free(contrast->order);
	free(contrast->in_cycles);
	contrast->order = NULL;
	contrast->in_cycles = NULL;
	forget_plot(&contrast->plot);
}

static void close_side(struct contrast_side *side)
{
	if (side->session)
		session_free(side->session);
	free(side->name);
	*side = (struct contrast_side){ 0 };
}

void compare_release(struct screen *screen)
{
	struct contrast *contrast = screen->kept[VIEW_COMPARE];

	if (!contrast)
		return;
	contrast_drop(contrast);
	for (int i = 0; i < SIDES; i++)
		close_side(&contrast->sides[i]);
	browser_free(&contrast->browser);
	free(contrast);
	screen->kept[VIEW_COMPARE] = NULL;
}

void compare_forget(struct screen *screen)
{
	struct contrast *contrast = screen->kept[VIEW_COMPARE];

	if (contrast)
		contrast_drop(contrast);
}

/* ---- sides ------------------------------------------------------------ */

const struct session *contrast_session(const struct screen *screen,
	const struct contrast *contrast, int side)
{
	switch (contrast->sides[side].kind) {
	case SIDE_PRESENT:
		return screen->lab->session;
	case SIDE_FILE:
		return contrast->sides[side].session;
	case SIDE_OPEN:
		break;
	}
	return NULL;
}

const char *contrast_name(const struct contrast *contrast, int side)
{
	const struct contrast_side *is = &contrast->sides[side];
	const char *slash = is->name ? strrchr(is->name, '/') : NULL;

	return is->kind == SIDE_OPEN     ? "not chosen" :
		is->kind == SIDE_PRESENT ? "this session" :
		slash                    ? slash + 1 :
					   is->name;
}

int contrast_choose(struct screen *screen, int side, const char *name,
	struct error *error)
{
	struct contrast *contrast = contrast_of(screen);
	struct contrast_side *is = &contrast->sides[side];
	struct session *session =
		name ? lab_open_session(screen->lab, name, error) : NULL;

	if (name && !session)
		return -1;
	contrast_drop(contrast);
	close_side(is);
	*is = (struct contrast_side){ .kind = name ? SIDE_FILE : SIDE_PRESENT,
		.name = name ? xstrdup(name) : NULL,
		.session = session };
	contrast->selected = 0;
	return 0;
}

/* ---- the pair --------------------------------------------------------- */

bool contrast_make(struct screen *screen, struct contrast *contrast)
{
	const struct session *a = contrast_session(screen, contrast, 0);
	const struct session *b = contrast_session(screen, contrast, 1);
	size_t runs = screen->lab->session->run_count;

	if (!a || !b)
		return false;
	if (contrast->made && contrast->runs == runs)
		return true;
	contrast_drop(contrast);
	compare_sessions(a, b, &contrast->pair);
	contrast->made = true;
	contrast->runs = runs;
	contrast_sort(contrast);
	return true;
}

static double median_in_cycles(const struct compare_side *side)
{
	struct digest digest;

	if (!digest_of(side->run, side->point, side->metric, &digest) ||
		!digest.has_cycles)
		return NAN;
	return digest.cycles.median;
}

/* Digests go through all trials: made when they are asked for. */
static void look_up_cycles(struct contrast *contrast)
{
	const struct compare_pair *pair = &contrast->pair;

	if (contrast->in_cycles)
		return;
	contrast->in_cycles =
		xcalloc(pair->row_count + 1, sizeof *contrast->in_cycles);
	for (size_t i = 0; i < pair->row_count; i++) {
		const struct compare_row *row = &pair->rows[i];

		if (!row->has_cycles)
			continue;
		contrast->in_cycles[i][0] = median_in_cycles(&row->first);
		contrast->in_cycles[i][1] = median_in_cycles(&row->second);
	}
}

struct keyed {
	size_t row;
	double key;
};

static int by_key(const void *a, const void *b)
{
	const struct keyed *one = a, *other = b;

	if (one->key != other->key)
		return one->key < other->key ? -1 : 1;
	return one->row < other->row ? -1 : one->row > other->row;
}

static double key_of(const struct contrast *contrast, size_t i)
{
	const struct compare_row *row = &contrast->pair.rows[i];
	double ratio = contrast->cycles && row->has_cycles ? row->cycles.ratio :
							     row->ratio;

	if (contrast->by == ORDER_MEASURED)
		return (double)i;
	if (!isfinite(ratio) || !(ratio > 0))
		return INFINITY;
	return contrast->by == ORDER_RATIO ? ratio : -fabs(log(ratio));
}

void contrast_sort(struct contrast *contrast)
{
	size_t count = contrast->pair.row_count;
	struct keyed *keys = xcalloc(count + 1, sizeof *keys);
	size_t kept = contrast->order && contrast->selected < count ?
		contrast->order[contrast->selected] :
		count;

	if (contrast->cycles)
		look_up_cycles(contrast);
	for (size_t i = 0; i < count; i++)
		keys[i] = (struct keyed){ i, key_of(contrast, i) };
	qsort(keys, count, sizeof *keys, by_key);
	if (!contrast->order)
		contrast->order = xcalloc(count + 1, sizeof *contrast->order);
	for (size_t i = 0; i < count; i++) {
		contrast->order[i] = keys[i].row;
		if (keys[i].row == kept)
			contrast->selected = i;
	}
	if (contrast->selected >= count)
		contrast->selected = count ? count - 1 : 0;
	free(keys);
}

/* ---- a row ------------------------------------------------------------ */

static const struct metric_info *info_of(const struct compare_row *row)
{
	return &row->second.run->metrics[row->second.metric];
}

static void take_cycles(const struct contrast *contrast, size_t row,
	struct contrast_row *shown)
{
	const struct comparison *cycles = &shown->row->cycles;

	shown->cycles = true;
	shown->unit = UNIT_CYCLES;
	shown->first = contrast->in_cycles[row][0];
	shown->second = contrast->in_cycles[row][1];
	shown->ratio = cycles->ratio;
	shown->low = cycles->ratio_low;
	shown->high = cycles->ratio_high;
	shown->verdict = shown->row->cycles_verdict;
}

void contrast_row_at(const struct contrast *contrast, size_t place,
	struct contrast_row *shown)
{
	size_t at = contrast->order[place];
	const struct compare_row *row = &contrast->pair.rows[at];
	bool tested = row->basis == COMPARE_LAUNCHES;

	*shown = (struct contrast_row){ .row = row,
		.tested = tested,
		.unit = info_of(row)->unit,
		.first = row->first.figure,
		.second = row->second.figure,
		.ratio = row->ratio,
		.low = tested ? row->time.ratio_low : NAN,
		.high = tested ? row->time.ratio_high : NAN,
		.verdict = row->verdict };
	if (contrast->cycles && row->has_cycles && contrast->in_cycles)
		take_cycles(contrast, at, shown);
	shown->word = !tested ? compare_row_word(row) :
		info_of(row)->better == NEITHER_IS_BETTER ?
				verdict_word_neutral(shown->verdict) :
				verdict_word(shown->verdict);
}

void contrast_count(const struct contrast *contrast,
	struct compare_counts *counts)
{
	compare_count(&contrast->pair, counts);
	memset(counts->verdicts, 0, sizeof counts->verdicts);
	for (size_t i = 0; i < contrast->pair.row_count; i++) {
		struct contrast_row shown;

		contrast_row_at(contrast, i, &shown);
		if (shown.tested)
			counts->verdicts[shown.verdict]++;
	}
}
