/* The two chosen sessions, and the rows of their comparison. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "memory.h"
#include "view_compare.h"

enum { SIDES = 2 };

/* ---- state ------------------------------------------------------------ */

struct compare_model *model_of(struct screen *screen)
{
	void **kept = &screen->kept[VIEW_COMPARE];

	if (!*kept) {
		struct compare_model *model = xcalloc(1, sizeof *model);

		model->sides[1].kind = SIDE_PRESENT;
		*kept = model;
	}
	return *kept;
}

static void forget_plot(struct model_plot *plot)
{
	for (int i = 0; i < SIDES; i++)
		histogram_free(&plot->halves[i]);
	*plot = (struct model_plot){ 0 };
}

void model_drop(struct compare_model *model)
{
	if (model->made)
		compare_pair_free(&model->pair);
	model->made = false;
	free(model->order);
	free(model->in_cycles);
	model->order = NULL;
	model->in_cycles = NULL;
	forget_plot(&model->plot);
}

static void close_side(struct model_side *side)
{
	if (side->session)
		session_free(side->session);
	free(side->name);
	*side = (struct model_side){ 0 };
}

void compare_release(struct screen *screen)
{
	struct compare_model *model = screen->kept[VIEW_COMPARE];

	if (!model)
		return;
	model_drop(model);
	for (int i = 0; i < SIDES; i++)
		close_side(&model->sides[i]);
	browser_free(&model->browser);
	compare_fleet_free(&model->fleet);
	free(model);
	screen->kept[VIEW_COMPARE] = NULL;
}

void compare_forget(struct screen *screen)
{
	struct compare_model *model = screen->kept[VIEW_COMPARE];

	if (model)
		model_drop(model);
}

/* ---- sides ------------------------------------------------------------ */

const struct session *model_session(const struct screen *screen,
	const struct compare_model *model, int side)
{
	switch (model->sides[side].kind) {
	case SIDE_PRESENT:
		return screen->lab->session;
	case SIDE_FILE:
		return model->sides[side].session;
	case SIDE_OPEN:
		break;
	}
	return NULL;
}

const char *model_name(const struct compare_model *model, int side)
{
	const struct model_side *is = &model->sides[side];
	const char *slash = is->name ? strrchr(is->name, '/') : NULL;

	return is->kind == SIDE_OPEN     ? "not chosen" :
		is->kind == SIDE_PRESENT ? "this session" :
		slash                    ? slash + 1 :
					   is->name;
}

/* A kept session is shown by its number. */
static char *shown_name(const char *name)
{
	struct text text = { 0 };

	if (!name[strspn(name, "0123456789")])
		text_add(&text, "session ");
	text_add(&text, "%s", name);
	return text_take(&text);
}

int model_choose(struct screen *screen, int side, const char *name,
	const char *path, struct error *error)
{
	struct compare_model *model = model_of(screen);
	struct model_side *is = &model->sides[side];
	struct session *session = name ?
		lab_open_session(screen->lab, path ? path : name, error) :
		NULL;

	if (name && !session)
		return -1;
	model_drop(model);
	close_side(is);
	*is = (struct model_side){ .kind = name ? SIDE_FILE : SIDE_PRESENT,
		.name = name ? shown_name(name) : NULL,
		.session = session };
	model->selected = 0;
	return 0;
}

/* ---- the pair --------------------------------------------------------- */

bool model_make(struct screen *screen, struct compare_model *model)
{
	const struct session *a = model_session(screen, model, 0);
	const struct session *b = model_session(screen, model, 1);
	size_t runs = screen->lab->session->run_count;

	if (!a || !b)
		return false;
	if (model->made && model->runs == runs)
		return true;
	model_drop(model);
	compare_sessions(a, b, &model->pair);
	model->made = true;
	model->runs = runs;
	model_sort(model);
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

/* Computes the medians in cycles. They need a pass over all trials, so they are
 * computed only when cycles are shown. */
static void look_up_cycles(struct compare_model *model)
{
	const struct compare_pair *pair = &model->pair;

	if (model->in_cycles)
		return;
	model->in_cycles =
		xcalloc(pair->row_count + 1, sizeof *model->in_cycles);
	for (size_t i = 0; i < pair->row_count; i++) {
		const struct compare_row *row = &pair->rows[i];

		if (!row->has_cycles)
			continue;
		model->in_cycles[i][0] = median_in_cycles(&row->first);
		model->in_cycles[i][1] = median_in_cycles(&row->second);
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

static double key_of(const struct compare_model *model, size_t i)
{
	const struct compare_row *row = &model->pair.rows[i];
	double ratio = model->cycles && row->has_cycles ? row->cycles.ratio :
							     row->ratio;

	if (model->by == ORDER_MEASURED)
		return (double)i;
	if (!isfinite(ratio) || !(ratio > 0))
		return INFINITY;
	return model->by == ORDER_RATIO ? ratio : -fabs(log(ratio));
}

void model_sort(struct compare_model *model)
{
	size_t count = model->pair.row_count;
	struct keyed *keys = xcalloc(count + 1, sizeof *keys);
	size_t kept = model->order && model->selected < count ?
		model->order[model->selected] :
		count;

	if (model->cycles)
		look_up_cycles(model);
	for (size_t i = 0; i < count; i++)
		keys[i] = (struct keyed){ i, key_of(model, i) };
	qsort(keys, count, sizeof *keys, by_key);
	if (!model->order)
		model->order = xcalloc(count + 1, sizeof *model->order);
	for (size_t i = 0; i < count; i++) {
		model->order[i] = keys[i].row;
		if (keys[i].row == kept)
			model->selected = i;
	}
	if (model->selected >= count)
		model->selected = count ? count - 1 : 0;
	free(keys);
}

/* ---- a row ------------------------------------------------------------ */

static const struct metric_info *info_of(const struct compare_row *row)
{
	return &row->second.run->metrics[row->second.metric];
}

static void take_cycles(const struct compare_model *model, size_t row,
	struct model_row *shown)
{
	const struct comparison *cycles = &shown->row->cycles;

	shown->cycles = true;
	shown->unit = UNIT_CYCLES;
	shown->first = model->in_cycles[row][0];
	shown->second = model->in_cycles[row][1];
	shown->ratio = cycles->ratio;
	shown->low = cycles->ratio_low;
	shown->high = cycles->ratio_high;
	shown->delta = shown->row->cycles_delta;
	shown->verdict = shown->row->cycles_verdict;
}

void model_row_at(const struct compare_model *model, size_t place,
	struct model_row *shown)
{
	size_t at = model->order[place];
	const struct compare_row *row = &model->pair.rows[at];
	bool tested = row->basis == COMPARE_LAUNCHES;

	*shown = (struct model_row){ .row = row,
		.tested = tested,
		.unit = info_of(row)->unit,
		.first = row->first.figure,
		.second = row->second.figure,
		.ratio = row->ratio,
		.low = tested ? row->time.ratio_low : NAN,
		.high = tested ? row->time.ratio_high : NAN,
		.delta = row->delta,
		.verdict = row->verdict };
	if (model->cycles && row->has_cycles && model->in_cycles)
		take_cycles(model, at, shown);
	shown->word = !tested ? compare_row_word(row) :
		info_of(row)->better == NEITHER_IS_BETTER ?
				verdict_word_neutral(shown->verdict) :
				verdict_word(shown->verdict);
}

void model_count(const struct compare_model *model,
	struct compare_counts *counts)
{
	compare_count(&model->pair, counts);
	memset(counts->verdicts, 0, sizeof counts->verdicts);
	for (size_t i = 0; i < model->pair.row_count; i++) {
		struct model_row shown;

		model_row_at(model, i, &shown);
		if (shown.tested)
			counts->verdicts[shown.verdict]++;
	}
}
