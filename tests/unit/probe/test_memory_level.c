/* The level that serves a point: formatted and parsed; unknown words give no
 * level. */
#include "memory_level.h"

#include <string.h>

#include "check.h"
#include "results.h"

static void assert_written(struct serving serving, const char *words)
{
	struct text text = { 0 };

	serving_write(&serving, &text);
	assert_string_equal(text_chars(&text), words);
	text_free(&text);
	const struct serving again = serving_read(words);
	assert_true(serving_same(&serving, &again));
}

/* The words in sessions of every version. */
static void the_words_of_files(void **state)
{
	assert_written((struct serving){ .level = LEVEL_UNKNOWN }, "?");
	assert_written((struct serving){ .level = LEVEL_L1 }, "L1d");
	assert_written((struct serving){ .level = LEVEL_L2 }, "L2");
	assert_written((struct serving){ .level = LEVEL_L3 }, "L3");
	assert_written((struct serving){ .level = LEVEL_L4 }, "L4");
	assert_written((struct serving){ .level = LEVEL_MEMORY }, "memory");
	assert_written((struct serving){ LEVEL_L1, LEVEL_L2, false },
		"L1d and L2");
	assert_written((struct serving){ LEVEL_L3, LEVEL_MEMORY, false },
		"L3 and memory");
	assert_written((struct serving){ .level = LEVEL_L2, .each = true },
		"fits L2 of each core");
	assert_written((struct serving){ .level = LEVEL_LAST },
		"fits the last-level cache");
	assert_written((struct serving){ LEVEL_LAST, LEVEL_MEMORY, false },
		"memory, and in part the last-level cache");
}

static void every_level_comes_back(void **state)
{
	for (int i = LEVEL_L1; i < MEMORY_LEVELS; i++) {
		enum memory_level level = (enum memory_level)i;
		struct serving serving = { .level = level };
		struct text text = { 0 };

		assert_int_equal(memory_level_named(memory_level_name(level)),
			level);
		serving_write(&serving, &text);
		assert_int_equal(serving_read(text.chars).level, level);
		text_free(&text);
	}
}

static void unknown_words_name_no_level(void **state)
{
	static const char *const words[] = { "", "?",
		"unknown: no cache is known", "L", "L9", "L1", "l2", "L2 ",
		"L2 and", "L2 and ", "L2 and L9", "L2 and L3 and memory",
		"fits ", "fits L2 of each", "memory, and in part ", "and L2" };
	const struct serving none = { .level = LEVEL_UNKNOWN };

	assert_int_equal(memory_level_named("L9"), LEVEL_UNKNOWN);
	assert_int_equal(memory_level_named("?"), LEVEL_UNKNOWN);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const struct serving read = serving_read(words[i]);

		assert_true(serving_same(&read, &none));
	}
}

static struct point *noted(struct results *results, const char *words)
{
	struct point *point = results_add_point(results);

	if (words)
		point_add_note(point, "level", words);
	return point;
}

static void of_a_point(void **state)
{
	struct results *results = results_new("mem.latency");
	struct serving serving;

	assert_false(point_serving(noted(results, NULL), &serving));
	assert_true(point_serving(noted(results, "L2 and L3"), &serving));
	assert_int_equal(serving.level, LEVEL_L2);
	assert_int_equal(serving.also, LEVEL_L3);
	assert_true(point_served_by(noted(results, "L2"), LEVEL_L2));
	assert_false(point_served_by(noted(results, "L2"), LEVEL_L3));
	assert_false(point_served_by(noted(results, "L2 and L3"), LEVEL_L2));
	assert_false(point_served_by(noted(results, "fits L2 of each core"),
		LEVEL_L2));
	assert_false(point_served_by(noted(results, "?"), LEVEL_UNKNOWN));
	assert_false(point_served_by(noted(results, NULL), LEVEL_MEMORY));
	assert_string_equal(point_level(noted(results, "L2 and L3")),
		"L2 and L3");
	assert_null(point_level(noted(results, "?")));
	assert_null(point_level(noted(results, "unknown: no cache")));
	assert_null(point_level(noted(results, NULL)));
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_words_of_files),
		cmocka_unit_test(every_level_comes_back),
		cmocka_unit_test(unknown_words_name_no_level),
		cmocka_unit_test(of_a_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
