/* Value lists: the grammar of param.h, and its errors. */
#include "param_rows.h"

#include <string.h>

#include "memory.h"
#include "random.h"

static void expect_values(int row, const char *typed, const char *want)
{
	struct param_set set;
	struct error error = { 0 };

	param_set_init(&set, rows);
	if (param_set_values(&set, rows[row].name, typed, &error))
		fail_msg("%s: %s", typed, error.message);
	char *got = values_of(&set, row);
	assert_string_equal(got, want);
	assert_string_equal(set.values[row].typed, typed);
	free(got);
	param_set_free(&set);
}

static void expect_error(int row, const char *typed, int column,
	const char *want)
{
	struct param_set set;
	struct error error = { 0 };

	param_set_init(&set, rows);
	char *before = values_of(&set, row);
	if (!param_set_values(&set, rows[row].name, typed, &error))
		fail_msg("'%s' was read", typed);
	assert_string_equal(error.message, want);
	assert_int_equal(error.column, column);
	assert_int_equal(error.status, STATUS_USAGE);
	char *after = values_of(&set, row);
	assert_string_equal(after, before);
	assert_string_equal(set.values[row].typed, rows[row].preset);
	free(before);
	free(after);
	param_set_free(&set);
}

/* ---- the grammar ------------------------------------------------------ */

static void test_lists(void **state)
{
	expect_values(SIZE, "8388608", "8M");
	expect_values(SIZE, "4K,32KiB,1.5K", "4K 32K 1536");
	expect_values(CPU, "auto,3,1", "auto 3 1");
	expect_values(SHARE, "0.1%,auto,2%", "0.1% auto 2%");
	expect_values(CALL, "times,getpid", "times getpid");
	expect_values(PATH, "", "");
	expect_values(PATH, "/tmp/a b,../x..y,\xc3\xa9+1",
		"/tmp/a b ../x..y \xc3\xa9+1");
	expect_values(RATIO, "-1.5,3e20", "-1.5 300000000000000000000");
	expect_values(COUNT, "9223372036854775807", "9223372036854775807");
}

static void test_ranges(void **state)
{
	expect_values(SIZE, "4K..32K", "4K 8K 16K 32K");
	expect_values(SIZE, "4K..33K", "4K 8K 16K 32K");
	expect_values(SIZE, "4K..4K", "4K");
	expect_values(SIZE, "0..8", "0 1 2 4 8");
	expect_values(SIZE, "0..0", "0");
	expect_values(SIZE, "0..16K+4K", "0 4K 8K 12K 16K");
	expect_values(SIZE, "4K..64K*4", "4K 16K 64K");
	expect_values(SIZE, "512,4K..64K*4,1M", "512 4K 16K 64K 1M");
	expect_values(SIZE, "1K..2K/4", "1K 1218 1448 1722 2K");
	expect_values(COUNT, "1..5", "1 2 3 4 5");
	expect_values(COUNT, "1..6+2", "1 3 5");
	expect_values(COUNT, "0..10*2", "0 1 2 4 8");
	expect_values(COUNT, "1..8/2", "1 2 3 4 6 8");
	expect_values(COUNT, "2..20*1.5", "2 3 5 7 10 15");
	expect_values(COUNT, "9223372036854775805..9223372036854775807",
		"9223372036854775805 9223372036854775806 "
		"9223372036854775807");
	expect_values(COUNT, "4611686018427387904..9223372036854775807*2",
		"4611686018427387904");
	expect_values(TIME, "10ms..40ms", "10ms 20ms 40ms");
	expect_values(TIME, "1us..2us+250ns", "1us 1250ns 1.5us 1750ns 2us");
	expect_values(TIME, "500ms..1.5s+500ms", "500ms 1s 1.5s");
}

static void test_real_ranges(void **state)
{
	expect_values(SHARE, "0%..1%+0.1%",
		"0% 0.1% 0.2% 0.3% 0.4% 0.5% 0.6% 0.7% 0.8% 0.9% 1%");
	expect_values(SHARE, "1%..3%", "1% 2% 3%");
	expect_values(SHARE, "0..8%*2", "0% 1% 2% 4% 8%");
	expect_values(SHARE, "0.1%..0.8%*2", "0.1% 0.2% 0.4% 0.8%");
	expect_values(SHARE, "1%..2%/1,4%", "1% 2% 4%");
	expect_values(RATIO, "-1..1+0.5", "-1 -0.5 0 0.5 1");
	expect_values(RATIO, "1e-3..1*10", "0.001 0.01 0.1 1");
	expect_values(RATIO, "1..2/2", "1 1.41421356237 2");
}

static void test_quarter_octaves(void **state)
{
	struct param_set set;
	struct error error;

	param_set_init(&set, rows);
	assert_int_equal(param_set_values(&set, "size", "1K..1G/4", &error), 0);
	assert_int_equal(param_set_points(&set), 81);
	for (int i = 0; i < 81; i++) {
		double exact = 1024 * pow(2, i / 4.0);

		assert_true(fabs((double)set.values[SIZE].list[i].whole -
				    exact) <= 0.5);
	}
	assert_int_equal(set.values[SIZE].list[80].whole, 1 << 30);
	param_set_free(&set);
}

/* ---- errors ----------------------------------------------------------- */

static void test_wrong_numbers(void **state)
{
	expect_error(SIZE, "", 1,
		"size: '' is empty: expected bytes, such as 512, 4K or 1.5M");
	expect_error(SIZE, "4K,", 3,
		"size: '' is empty: expected bytes, such as 512, 4K or 1.5M");
	expect_error(SIZE, ",4K", 1,
		"size: '' is empty: expected bytes, such as 512, 4K or 1.5M");
	expect_error(SIZE, "4K,8Kx", 4,
		"size: '8Kx' is not valid from character 2 on: expected bytes, such "
		"as 512, 4K or 1.5M");
	expect_error(SIZE, "1mib", 1,
		"size: '1mib' is not valid from character 2 on (did you mean 'MiB'?): "
		"expected bytes, such as 512, 4K or 1.5M");
	expect_error(SIZE, "-5", 1, "size: '-5' is outside 0..1T");
	expect_error(SIZE, "-0", 1, "size: '-0' is outside 0..1T");
	expect_error(SIZE, "1,2T", 3, "size: '2T' is outside 0..1T");
	expect_error(SIZE, "auto", 1,
		"size: 'auto' is not valid: expected bytes, such "
		"as 512, 4K or 1.5M");
	expect_error(CPU, "1.3", 1,
		"cpu: '1.3' is not whole: expected a whole number, such as 0, "
		"1 or 100, or auto");
	expect_error(CPU, "0", 1, "cpu: '0' is outside 1..1023");
	expect_error(CPU, "AUTO", 1,
		"cpu: 'AUTO' is not valid: expected a whole "
		"number, such as 0, 1 or 100, or auto");
	expect_error(COUNT, "9223372036854775808", 1,
		"count: '9223372036854775808' is too large: expected a whole "
		"number, such as 0, 1 or 100");
	expect_error(SHARE, "101%", 1, "share: '101%' is outside 0%..100%");
	expect_error(RATIO, "-11", 1, "ratio: '-11' is outside -10..");
}

static void test_wrong_ranges(void **state)
{
	expect_error(SIZE, "1,8K..4K", 3,
		"size: '8K..4K' descends: its start, 8K, is larger than its "
		"end, 4K");
	expect_error(SIZE, "1K..1Gx/4", 5,
		"size: '1Gx' is not valid from character 2 on: expected bytes, such "
		"as 512, 4K or 1.5M");
	expect_error(SIZE, "..4K", 1,
		"size: '' is empty: expected bytes, such as 512, 4K or 1.5M");
	expect_error(SIZE, "4K..", 4,
		"size: '' is empty: expected bytes, such as 512, 4K or 1.5M");
	expect_error(SIZE, "4K..2T", 5, "size: '2T' is outside 0..1T");
	expect_error(SIZE, "0..8+0", 6,
		"size: '0' is not a step: expected more than 0");
	expect_error(SIZE, "0..8+", 5,
		"size: '' is empty: expected bytes, such as 512, 4K or 1.5M");
	expect_error(SIZE, "1..8*1", 6,
		"size: '1' is not a factor: expected 1.01 or more, such as 2");
	expect_error(SIZE, "1..8*2K", 6,
		"size: '2K' is not a factor: expected 1.01 or more, such as 2");
	expect_error(SIZE, "1..8/0", 6,
		"size: '0' is not a number of steps per doubling: expected "
		"1..64");
	expect_error(SIZE, "1..8/1.5", 6,
		"size: '1.5' is not a number of steps per doubling: expected "
		"1..64");
	expect_error(CPU, "1..auto", 4,
		"cpu: 'auto' cannot be an end of a range: expected a value");
	expect_error(RATIO, "-1..1*2", 1,
		"ratio: '-1..1*2' starts below 0: expected a step with +");
}

static void test_ranges_to_auto(void **state)
{
	expect_values(REACH, "1K..auto", "1K 2K 4K 8K");
	expect_values(REACH, "4K..auto/2", "4K 5793 8K");
	expect_values(REACH, "512,1000..auto*3", "512 1000 3000 9000");
	expect_values(REACH, "8000..auto+500", "8000 8500 9000");
	expect_values(REACH, "9000..auto", "9000");
	expect_error(REACH, "10K..auto", 1,
		"reach: '10K..auto' descends: its start, 10K, is larger than "
		"its end, 9000");
	expect_error(REACH, "auto..4K", 1,
		"reach: 'auto' cannot be an end of a range: expected a value");
	expect_error(REACH, "auto", 1,
		"reach: 'auto' is not valid: expected bytes, such "
		"as 512, 4K or 1.5M");
}

static void test_wrong_lists(void **state)
{
	expect_error(SIZE, "4K,8K,4096", 7,
		"size: '4096' repeats the value '4K'");
	expect_error(SIZE, "4K,1K..8K", 4,
		"size: '1K..8K' repeats the value '4K'");
	expect_error(CPU, "auto,auto", 6,
		"cpu: 'auto' repeats the value 'auto'");
	expect_error(SHARE, "0.3%,0.1%..0.5%+0.1%", 6,
		"share: '0.1%..0.5%+0.1%' repeats the value '0.3%'");
	expect_error(PATH, "a,a", 3, "path: 'a' repeats the value 'a'");
	expect_error(COUNT, "1..513", 1,
		"count: '1..513' makes more than 512 values, the limit");
	expect_error(COUNT, "1..512,513", 8,
		"count: '513' makes more than 512 values, the limit");
	expect_error(COUNT, "0..9223372036854775807+1", 1,
		"count: '0..9223372036854775807+1' makes more than 512 values, "
		"the limit");
	expect_error(RATIO, "1..2+1e-30", 1,
		"ratio: '1..2+1e-30' makes more than 512 values, the limit");
}

static void test_wrong_words(void **state)
{
	char long_text[1200];

	expect_error(CALL, "getppid,gtpid", 9,
		"call: 'gtpid' is not a choice (did you mean 'getpid'?): "
		"expected one of getppid, getpid, times");
	expect_error(CALL, "zzzzzzzz", 1,
		"call: 'zzzzzzzz' is not a choice: expected one of getppid, "
		"getpid, times");
	expect_error(CALL, "getpid..times", 1,
		"call: 'getpid..times' is a range, and choices have none: "
		"list them");
	expect_error(CALL, "getpid,getpid", 8,
		"call: 'getpid' repeats the value 'getpid'");
	expect_error(PATH, "a,,b", 3,
		"path: '' is empty: expected text on both sides of a comma");
	expect_error(PATH, "a,b\n", 3,
		"path: 'b\\x0a' has a control character: expected plain text");
	expect_error(PATH, "\xc2\x85", 1,
		"path: '\\xc2\\x85' has a control character: expected plain "
		"text");
	expect_error(PATH, "a\xff", 1,
		"path: 'a\\xff' is not valid UTF-8: expected plain text");

	memset(long_text, 'a', sizeof long_text);
	long_text[1024] = '\0';
	expect_values(PATH, long_text, long_text);
	long_text[1024] = 'a';
	long_text[1025] = '\0';
	expect_error(PATH, long_text, 1,
		"path: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..' is too "
		"long: expected at most 1024 bytes");
}

/* ---- properties ------------------------------------------------------- */

/* Any bytes at all. */
static void make_noise(char text[64], uint64_t *random)
{
	size_t length = random_below(random, 40);

	for (size_t i = 0; i < length; i++)
		text[i] = (char)(1 + random_below(random, 255));
	text[length] = '\0';
}

/* Characters of the grammar, in any order. */
static void make_jumble(char text[64], uint64_t *random)
{
	static const char *const pieces[] = { "..", ",", "+", "*", "/", "-",
		"auto", "4", "0", "1", "2.5", "K", "M", "ms", "%", "getpid",
		"times", "1e9", "T", " ", "0x", "nan", "64", "s", "9" };
	const size_t count = sizeof pieces / sizeof *pieces;

	for (size_t n = random_below(random, 10); n; n--) {
		const char *piece = pieces[random_below(random, count)];

		while (*piece)
			*text++ = *piece++;
	}
	*text = '\0';
}

/* Accepted values are within limits and unique, and their text parses to the
 * same values. */
static void check_values(const struct param_set *set, int row,
	const char *typed)
{
	struct error error = { 0 };
	char *list = values_of(set, row);

	assert_string_equal(set->values[row].typed, typed);
	assert_in_range(set->values[row].count, 1, PARAM_VALUES_MAX);
	for (char *at = list; *at; at++)
		if (*at == ' ')
			*at = ',';
	if (rows[row].type != PARAM_TEXT &&
		param_check(&rows[row], list, &error))
		fail_msg("%s: %s", typed, error.message);
	free(list);
}

static void check_refused(const char *typed, const struct error *error)
{
	assert_true(error->message[0]);
	assert_int_equal(error->status, STATUS_USAGE);
	assert_in_range(error->column, 1, typed[0] ? strlen(typed) : 1);
}

static void test_garbage(void **state)
{
	struct param_set set;
	uint64_t random = 7;
	size_t accepted = 0;

	param_set_init(&set, rows);
	for (int i = 0; i < 100000; i++) {
		char typed[64];
		struct error error = { 0 };
		int row = (int)random_below(&random, ROWS);
		struct param_values before = set.values[row];
		char *copy = xstrdup(before.typed);

		if (random_below(&random, 2))
			make_noise(typed, &random);
		else
			make_jumble(typed, &random);
		if (!param_set_values(&set, rows[row].name, typed, &error)) {
			accepted++;
			check_values(&set, row, typed);
		} else {
			check_refused(typed, &error);
			assert_memory_equal(&before, &set.values[row],
				sizeof before);
			assert_string_equal(copy, set.values[row].typed);
		}
		free(copy);
	}
	assert_true(accepted > 1000);
	param_set_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_real_ranges),
		cmocka_unit_test(test_quarter_octaves),
		cmocka_unit_test(test_wrong_numbers),
		cmocka_unit_test(test_wrong_ranges),
		cmocka_unit_test(test_ranges_to_auto),
		cmocka_unit_test(test_wrong_lists),
		cmocka_unit_test(test_wrong_words),
		cmocka_unit_test(test_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
