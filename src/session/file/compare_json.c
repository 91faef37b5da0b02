/* A comparison as JSON. */
#include <math.h>

#include "compare_sessions.h"
#include "digest.h"
#include "quality.h"
#include "session_internal.h"

static void write_test(const struct comparison *test, cJSON *object)
{
	json_add_number(object, "ratio", test->ratio);
	session_write_range(object, "ci", true, test->ratio_low,
		test->ratio_high);
}

static void write_side(const struct compare_side *side, const char *name,
	cJSON *row)
{
	cJSON *object = json_add_object(row, name);

	json_add_number(object, "figure", side->figure);
	json_add_whole(object, "launches", side->launches);
	json_add_bool(object, "published", side->published);
	json_add_text(object, "regime", regime_name(side->regime));
	json_add_text(object, "quality", quality_word(side->quality));
	json_add_number(object, "shared", side->shared);
}

static void write_ruler(const struct compare_row *row, cJSON *object)
{
	if (!row->ruled.applies)
		return;
	cJSON *ruler = json_add_object(object, "memory_ruler");
	json_add_number(ruler, "ratio", row->ruled.ratio);
	json_add_number(ruler, "beta", row->ruled.beta);
	session_write_range(ruler, "beta_ci", true, row->ruled.low,
		row->ruled.high);
	write_test(&row->measured, json_add_object(object, "measured"));
}

static void write_cycles(const struct compare_row *row, cJSON *object)
{
	if (!row->has_cycles) {
		json_add_null(object, "cycles");
		return;
	}
	cJSON *cycles = json_add_object(object, "cycles");
	write_test(&row->cycles, cycles);
	json_add_number(cycles, "p", row->cycles.p);
	json_add_text(cycles, "verdict", verdict_word(row->cycles_verdict));
	json_add_bool(object, "explained_by_clock", row->by_clock);
}

static void write_row(const struct compare_row *row, cJSON *rows)
{
	const struct compare_side *second = &row->second;
	const struct metric_info *info = &second->run->metrics[second->metric];
	cJSON *object = json_add_object(rows, NULL);
	struct text values = { 0 };

	point_describe(second->run, second->point, false, &values);
	json_add_text(object, "experiment", second->run->experiment);
	session_add_text(object, "parameters", text_chars(&values), "");
	json_add_text(object, "metric", info->name);
	json_add_text(object, "unit", unit_name(info->unit));
	text_free(&values);
	write_side(&row->first, "first", object);
	write_side(second, "second", object);
	json_add_text(object, "verdict", compare_row_word(row));
	if (row->basis != COMPARE_LAUNCHES) {
		json_add_number(object, "ratio", row->ratio);
		json_add_null(object, "ci");
		return;
	}
	write_test(&row->time, object);
	write_ruler(row, object);
	json_add_number(object, "p", row->time.p);
	json_add_number(object, "p_holm", row->p_holm);
	json_add_bool(object, "holds", row->holds);
	json_add_number(object, "threshold", row->delta);
	json_add_number(object, "visible", row->visible);
	json_add_number(object, "more_launches",
		row->more ? (double)row->more : NAN);
	json_add_bool(object, "explained_by_host", row->by_host);
	write_cycles(row, object);
}

static void write_surroundings(const struct compare_pair *pair, cJSON *object)
{
	cJSON *list = json_add_array(object, "differences");

	for (size_t i = 0; i < pair->difference_count; i++) {
		const struct compare_difference *difference =
			&pair->differences[i];
		cJSON *item = json_add_object(list, NULL);

		session_add_text(item, "what", difference->what, "");
		session_add_text(item, "first", difference->first, "");
		session_add_text(item, "second", difference->second, "");
	}
	json_add_bool(object, "same_processor", pair->same_processor);
	json_add_number(object, "canary_drift", pair->drift);
}

void compare_write(const struct compare_pair *pair, cJSON *object)
{
	if (pair->first)
		write_surroundings(pair, object);
	json_add_number(object, "threshold", pair->delta);
	cJSON *rows = json_add_array(object, "rows");
	for (size_t i = 0; i < pair->row_count; i++)
		write_row(&pair->rows[i], rows);
}
