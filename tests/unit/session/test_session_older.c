/* Sessions of minor versions below 3: one half of each canary, and flags judged
 * by another rule. */
#include "session.h"

#include <string.h>

#include "check.h"
#include "digest.h"
#include "edited_session.h"
#include "json.h"
#include "quality.h"
#include "session_folder.h"

static void delete_all(cJSON *object, const char *const *names)
{
	for (; *names; names++)
		cJSON_DeleteItemFromObjectCaseSensitive(object, *names);
}

static cJSON *member(cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* These versions used the word "contended" for a shared core. */
static void age_metric(cJSON *metric)
{
	static const char *const names[] = { "quality", "regime", "shared",
		"excluded", "regimes", "slowdown", NULL };
	cJSON *flags = member(metric, "flags_by");

	if (!member(metric, "quality"))
		return;
	delete_all(metric, names);
	cJSON_AddNumberToObject(metric, "flagged", .25);
	cJSON_AddBoolToObject(metric, "disturbed", true);
	cJSON_AddBoolToObject(metric, "unusable", false);
	cJSON *shared =
		cJSON_DetachItemFromObjectCaseSensitive(flags, "shared");
	cJSON_AddNumberToObject(flags, "contended",
		shared ? shared->valuedouble : 0);
	cJSON_Delete(shared);
}

static void age_run(cJSON *run)
{
	static const char *const of_clock[] = { "cycles_assumed", NULL };
	static const char *const of_metric[] = { "steady", "user_only",
		NULL };
	cJSON *item, *metric;

	delete_all(member(run, "clock"), of_clock);
	cJSON_AddNumberToObject(member(run, "clock"), "canary_ratio", 1.9);
	cJSON_ArrayForEach(item, member(run, "metrics"))
		delete_all(item, of_metric);
	cJSON_ArrayForEach(item, member(run, "points"))
		cJSON_ArrayForEach(metric, member(item, "metrics"))
			age_metric(metric);
}

/* The checksum of a point covers all canary halves. */
static void forget_throughputs(struct results *run)
{
	run->sharing = (struct sharing){ 0 };
	for (size_t p = 0; p < run->point_count; p++) {
		struct canary *canaries = run->points[p].canary.data;

		for (size_t i = 0; i < run->points[p].canary.count; i++)
			canaries[i].throughput = 0;
	}
}

/* cJSON prints 15 digits where the 16th changes little. The checksum of a point
 * covers every bit. */
static void keep_digits(cJSON *item)
{
	char digits[32];
	cJSON *child;

	cJSON_ArrayForEach(child, item) keep_digits(child);
	if (!cJSON_IsNumber(item))
		return;
	snprintf(digits, sizeof digits, "%.17g", item->valuedouble);
	item->type = cJSON_Raw | (item->type & ~0xff);
	item->valuestring = strdup(digits);
	assert_non_null(item->valuestring);
}

/* The sample session as minor version 2 would have written it. */
static struct text older_text(void)
{
	struct session *session = sample_session();
	struct text text = { 0 };
	cJSON *run;

	forget_throughputs(session->runs[0]);
	struct text sample = written(session);
	session_free(session);
	cJSON *root = cJSON_ParseWithLength(sample.chars, sample.length);
	assert_non_null(root);
	text_free(&sample);
	cJSON_SetNumberValue(cJSON_GetArrayItem(member(root, "schema"), 1), 2);
	cJSON_ArrayForEach(run, member(root, "runs")) age_run(run);
	keep_digits(root);
	char *printed = cJSON_PrintUnformatted(root);
	text_add_chars(&text, printed, strlen(printed));
	cJSON_free(printed);
	cJSON_Delete(root);
	return text;
}

/* Every member is known, and the stored half of each canary is loaded. */
static void it_loads(void **state)
{
	struct text text = older_text();
	struct session *session = read_text(&text);
	struct session *sample = sample_session();
	const struct results *run = session->runs[0];
	const struct column *a = &run->points[0].canary;
	const struct column *b = &sample->runs[0]->points[0].canary;

	assert_int_equal(session->minor, 2);
	assert_int_equal(session->unknown_count, 0);
	assert_false(session->newer);
	assert_true(run->sharing.cut == 0);
	assert_false(run->clock.cycles_assumed);
	assert_false(run->metrics[4].steady);
	assert_false(run->metrics[4].user_only);
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		const struct canary *x = a->data, *y = b->data;

		assert_int_equal(x[i].latency, y[i].latency);
		assert_int_equal(x[i].throughput, 0);
	}
	session_free(sample);
	session_free(session);
	text_free(&text);
}

/* Stored flags are kept, and figures by regime follow from them. */
static void its_flags_make_regimes(void **state)
{
	struct text text = older_text();
	struct session *session = read_text(&text);
	struct session *sample = sample_session();

	for (unsigned m = 0; m < 4; m++) {
		const struct results *old = session->runs[0];
		const struct results *new = sample->runs[0];
		struct digest a, b;

		assert_true(digest_of(old, &old->points[0], m, &a));
		assert_true(digest_of(new, &new->points[0], m, &b));
		assert_int_equal(a.regime, REGIME_ALONE);
		assert_int_equal(a.by_flag[5], b.by_flag[5]);
		assert_true(a.by_flag[5] > 0);
		assert_true(a.shared == b.shared);
		assert_true(a.excluded == b.excluded);
		assert_true(a.summary.median == b.summary.median);
		assert_true(a.slowdown.factor == b.slowdown.factor);
		/* With one half it is unknown which canaries had a co-runner,
		 * so all of them show the frequency. */
		assert_within(a.core_hz, b.core_hz, .002);
	}
	session_free(sample);
	session_free(session);
	text_free(&text);
}

/* Computed texts use the present words, whatever words the file has. */
static void its_state_has_todays_words(void **state)
{
	static const char *const words[] = { "disturbed", "flagged", "unusable",
		"contended" };
	struct text text = older_text();
	struct session *session = read_text(&text);
	struct text again = written(session);
	struct digest digest;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		assert_non_null(strstr(text.chars, words[i]));
		assert_null(strstr(again.chars, words[i]));
	}
	assert_true(digest_of(session->runs[0], &session->runs[0]->points[0], 0,
		&digest));
	assert_non_null(strstr(again.chars, quality_word(digest.quality)));
	assert_string_equal(sample_flag_name(FLAG_SHARED), "shared");
	text_free(&again);
	session_free(session);
	text_free(&text);
}

/* Its figures were computed by older rules, so only the data behind them is
 * compared. Saved again, everything can be verified. A half that was not
 * measured is left out. */
static void it_is_verified(void **state)
{
	struct text text = older_text();
	struct error error = { .message = "" };
	size_t checked, all;

	write_file(in_folder("old.json"), text.chars, text.length);
	text_free(&text);
	session_verify(in_folder("old.json"), &checked, &error);
	assert_string_equal(error.message, "");
	struct session *session = session_load(in_folder("old.json"), &error);
	assert_non_null(session);
	assert_int_equal(session_save(session, in_folder("new.json"), false,
				 &error),
		0);
	struct text again = written(session);
	assert_null(strstr(again.chars, "canary_throughput"));
	assert_null(strstr(again.chars, "\"sharing\""));
	assert_non_null(strstr(again.chars, "\"schema\":[1,8]"));
	text_free(&again);
	session_free(session);
	error = (struct error){ .message = "" };
	assert_int_equal(session_verify(in_folder("new.json"), &all, &error),
		0);
	assert_true(all > checked);
	assert_string_equal(error.message, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_loads),
		cmocka_unit_test(its_flags_make_regimes),
		cmocka_unit_test(its_state_has_todays_words),
		cmocka_unit_test(it_is_verified),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
