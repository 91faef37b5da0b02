/* Words for the end of a run: each reason has its own, and an unknown word is
 * kept. */
#include "stop.h"

#include <string.h>

#include "check.h"

static void every_reason_comes_back(void **state)
{
	for (int reason = 0; reason < STOP_OTHER; reason++) {
		struct stop stop = { .reason = (enum stop_reason)reason };
		struct stop again;

		assert_non_null(stop_word(&stop));
		assert_true(stop_read(&again, stop_word(&stop)));
		assert_int_equal(again.reason, reason);
		assert_string_equal(stop_word(&again), stop_word(&stop));
	}
}

/* Words used in files of every version. */
static void the_words_of_files(void **state)
{
	static const struct {
		const char *word;
		enum stop_reason reason;
	} rows[] = {
		{ "", STOP_NONE },
		{ "precision", STOP_PRECISION },
		{ "budget", STOP_BUDGET },
		{ "maximum", STOP_MAXIMUM },
		{ "user", STOP_USER },
		{ "fault", STOP_FAULT },
		{ "network", STOP_NETWORK },
		{ "unavailable", STOP_UNAVAILABLE },
		{ "invalid", STOP_INVALID },
		{ "published", STOP_PUBLISHED },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct stop stop;

		assert_true(stop_read(&stop, rows[i].word));
		assert_int_equal(stop.reason, rows[i].reason);
	}
}

static void an_unknown_word_is_kept(void **state)
{
	struct stop stop;

	assert_true(stop_read(&stop, "Precision"));
	assert_int_equal(stop.reason, STOP_OTHER);
	assert_string_equal(stop_word(&stop), "Precision");
	assert_true(stop_read(&stop, "budget"));
	assert_int_equal(stop.reason, STOP_BUDGET);
	assert_true(stop_read(&stop, "twenty-three characters"));
	assert_string_equal(stop_word(&stop), "twenty-three characters");
	assert_false(stop_read(&stop, "twenty-four characters .."));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_reason_comes_back),
		cmocka_unit_test(the_words_of_files),
		cmocka_unit_test(an_unknown_word_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
