/* Parsing quantities: accepted forms, refusals and their errors. */
#include "quantity.h"

#include <locale.h>

#include "random.h"

static struct error refused(enum unit unit, const char *text)
{
	struct error error = { 0 };
	double value = 7;
	int64_t whole = 7;

	if (!unit_parse_whole(unit, text, strlen(text), &whole, &error))
		fail_msg("'%s' was read as a whole value", text);
	assert_true(whole == 7);
	if (!unit_parse(unit, text, strlen(text), &value, &error))
		fail_msg("'%s' was read", text);
	assert_true(value == 7);
	assert_int_equal(error.status, STATUS_USAGE);
	assert_true(error.column >= 1);
	return error;
}

static void test_forms(void **state)
{
	static const struct {
		enum unit unit;
		const char *text;
		double value;
	} rows[] = {
		{ UNIT_NONE, "12", 12 },
		{ UNIT_NONE, "0.5", 0.5 },
		{ UNIT_NONE, "1e-3", 0.001 },
		{ UNIT_NONE, "2E6", 2e6 },
		{ UNIT_NONE, "-3.25", -3.25 },
		{ UNIT_NONE, "007", 7 },
		{ UNIT_BYTES, "512", 512 },
		{ UNIT_BYTES, "512B", 512 },
		{ UNIT_BYTES, "4K", 4096 },
		{ UNIT_BYTES, "4KiB", 4096 },
		{ UNIT_BYTES, "1.5M", 1572864 },
		{ UNIT_BYTES, "1.5MiB", 1572864 },
		{ UNIT_BYTES, "2G", 2147483648.0 },
		{ UNIT_BYTES, "2GiB", 2147483648.0 },
		{ UNIT_BYTES, "1T", 1099511627776.0 },
		{ UNIT_BYTES, "1TiB", 1099511627776.0 },
		{ UNIT_NS, "80", 80 },
		{ UNIT_NS, "80ns", 80 },
		{ UNIT_NS, "1.5us", 1500 },
		{ UNIT_NS, "40ms", 4e7 },
		{ UNIT_NS, "10s", 1e10 },
		{ UNIT_CYCLES, "300c", 300 },
		{ UNIT_CYCLES, "300", 300 },
		{ UNIT_TICKS, "300", 300 },
		{ UNIT_HZ, "50Hz", 50 },
		{ UNIT_HZ, "100KHz", 1e5 },
		{ UNIT_HZ, "100kHz", 1e5 },
		{ UNIT_HZ, "3MHz", 3e6 },
		{ UNIT_HZ, "2.7GHz", 2.7e9 },
		{ UNIT_BITS_PER_S, "9600", 9600 },
		{ UNIT_BITS_PER_S, "9600bit", 9600 },
		{ UNIT_BITS_PER_S, "64Kbit", 64000 },
		{ UNIT_BITS_PER_S, "20Mbit", 2e7 },
		{ UNIT_BITS_PER_S, "1Gbit", 1e9 },
		{ UNIT_BITS_PER_S, "20Mbit/s", 2e7 },
		{ UNIT_BYTES_PER_S, "31.8GB/s", 31.8e9 },
		{ UNIT_BYTES_PER_S, "1GiB/s", 1073741824.0 },
		{ UNIT_PERCENT, "1", 0.01 },
		{ UNIT_PERCENT, "1%", 0.01 },
		{ UNIT_PERCENT, "0.1%", 0.001 },
		{ UNIT_PERCENT, "1.3%", 0.013 },
		{ UNIT_PERCENT, "100%", 1 },
		{ UNIT_PPM, "40ppm", 40 },
		{ UNIT_PACKETS, "80p", 80 },
		{ UNIT_PACKETS, "80", 80 },
		{ UNIT_QUEUE, "80p", 80 * 0x1p40 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (parsed(rows[i].unit, rows[i].text) != rows[i].value)
			fail_msg("%s", rows[i].text);
}

/* In the format of other programs. */
static void test_other_forms(void **state)
{
	static const struct {
		enum unit unit;
		const char *text;
		double value;
	} rows[] = {
		{ UNIT_QUEUE, "64KB", 65536 },
		{ UNIT_BYTES, "4k", 4096 },
		{ UNIT_BYTES, "4KB", 4096 },
		{ UNIT_BYTES, "10m", 10485760 },
		{ UNIT_NS, "2min", 1.2e11 },
		{ UNIT_NS, "1.5min", 9e10 },
		{ UNIT_BITS_PER_S, "10Mbps", 1e7 },
		{ UNIT_BITS_PER_S, "10kbit/s", 1e4 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (parsed(rows[i].unit, rows[i].text) != rows[i].value)
			fail_msg("%s", rows[i].text);
}

static void test_whole(void **state)
{
	static const struct {
		enum unit unit;
		const char *text;
		int64_t value;
	} rows[] = {
		{ UNIT_BYTES, "1.5K", 1536 },
		{ UNIT_BYTES, "0.5K", 512 },
		{ UNIT_BYTES, "1000000.25T", 1099511902653906944 },
		{ UNIT_BYTES, "4.000000000000000000000000000000000000000000K",
			4096 },
		{ UNIT_BYTES, "0.0000000000009094947017729282379150390625T",
			1 },
		{ UNIT_BYTES, "0.0K", 0 },
		{ UNIT_COUNT, "0e9999", 0 },
		{ UNIT_COUNT, "1.3e1", 13 },
		{ UNIT_COUNT, "120e-1", 12 },
		{ UNIT_COUNT, "9007199254740993", 9007199254740993 },
		{ UNIT_COUNT, "9223372036854775807", INT64_MAX },
		{ UNIT_COUNT, "-9223372036854775808", INT64_MIN },
		{ UNIT_NS, "9223372036.854775807s", INT64_MAX },
		{ UNIT_NS, "0.000000001s", 1 },
		{ UNIT_PERCENT, "300%", 3 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (parsed_whole(rows[i].unit, rows[i].text) != rows[i].value)
			fail_msg("%s", rows[i].text);
}

static void test_not_whole(void **state)
{
	static const struct {
		enum unit unit;
		const char *text, *why;
	} rows[] = {
		{ UNIT_COUNT, "1.3", "is not whole" },
		{ UNIT_COUNT, "1e-1", "is not whole" },
		{ UNIT_BYTES, "1.3K", "is not whole" },
		{ UNIT_NS, "0.5ns", "is not whole" },
		{ UNIT_PERCENT, "1%", "is not whole" },
		{ UNIT_COUNT, "1.0000000000000000000000000000000000000000001",
			"is not whole" },
		{ UNIT_COUNT, "9223372036854775808", "is too large" },
		{ UNIT_COUNT, "-9223372036854775809", "is too large" },
		{ UNIT_COUNT, "18446744073709551616", "is too large" },
		{ UNIT_COUNT, "340282366920938463463374607431768211456",
			"is too large" },
		{ UNIT_COUNT, "1e9999999999999", "is too large" },
		{ UNIT_BYTES, "8388608T", "is too large" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error error = { 0 };
		const char *text = rows[i].text;
		int64_t value = 7;

		assert_int_equal(unit_parse_whole(rows[i].unit, text,
					 strlen(text), &value, &error),
			-1);
		assert_true(value == 7);
		if (!strstr(error.message, rows[i].why))
			fail_msg("%s: %s", text, error.message);
		assert_int_equal(error.column, 1);
	}
}

static void test_refused(void **state)
{
	static const struct {
		enum unit unit;
		int column;
		const char *text;
	} rows[] = {
		{ UNIT_BYTES, 1, "" },
		{ UNIT_BYTES, 1, " 4K" },
		{ UNIT_BYTES, 2, "4K " },
		{ UNIT_BYTES, 2, "4 K" },
		{ UNIT_BYTES, 2, "4Kx" },
		{ UNIT_BYTES, 2, "0x10" },
		{ UNIT_BYTES, 1, "K" },
		{ UNIT_BYTES, 1, "+4K" },
		{ UNIT_BYTES, 2, "--4" },
		{ UNIT_BYTES, 1, ".5K" },
		{ UNIT_BYTES, 2, "5.K" },
		{ UNIT_BYTES, 2, "1,5K" },
		{ UNIT_BYTES, 4, "1.5.5" },
		{ UNIT_BYTES, 3, "20Mbit" },
		{ UNIT_BYTES, 2, "4Kb" },
		{ UNIT_BITS_PER_S, 2, "4K" },
		{ UNIT_BITS_PER_S, 2, "4MB/s" },
		{ UNIT_NONE, 1, "inf" },
		{ UNIT_NONE, 1, "nan" },
		{ UNIT_NONE, 2, "-" },
		{ UNIT_NONE, 2, "1e" },
		{ UNIT_NONE, 2, "1e-" },
		{ UNIT_NONE, 2, "1e+3" },
		{ UNIT_NONE, 1, "1e999" },
		{ UNIT_COUNT, 2, "4K" },
		{ UNIT_NS, 2, "4\xc2\xb5s" },
		{ UNIT_NS, 2, "4m" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error error = refused(rows[i].unit, rows[i].text);

		if (error.column != rows[i].column)
			fail_msg("%s: %d", error.message, error.column);
	}
}

static void test_sentences(void **state)
{
	static const struct {
		enum unit unit;
		const char *text, *sentence;
	} rows[] = {
		{ UNIT_BYTES, "4Kx",
			"'4Kx' is not valid from character 2 on: expected bytes, "
			"such as 512, 4K or 1.5M" },
		{ UNIT_BYTES, "4kib",
			"'4kib' is not valid from character 2 on (did you mean "
			"'KiB'?): "
			"expected bytes, such as 512, 4K or 1.5M" },
		{ UNIT_NS, "4MS",
			"'4MS' is not valid from character 2 on (did you mean 'ms'?)"
			": expected a time, such as 80ns, 1.5us, 40ms or 10s" },
		{ UNIT_NS, "10m",
			"'10m' is not valid from character 3 on (did you mean 'min' "
			"or 'ms'?): expected a time, such as 80ns, 1.5us, 40ms "
			"or 10s" },
		{ UNIT_BITS_PER_S, "",
			"'' is empty: expected a rate, such as 64Kbit, 20Mbit "
			"or 1Gbit" },
		{ UNIT_PERCENT, "9e999%",
			"'9e999%' is too large: expected a percentage, such "
			"as 1% or 0.1%" },
		{ UNIT_PACKETS, "\x1b[2J",
			"'\\x1b[2J' is not valid: expected "
			"packets, such as 80p" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error error = refused(rows[i].unit, rows[i].text);

		assert_string_equal(error.message, rows[i].sentence);
	}
}

static void test_only_the_length(void **state)
{
	struct error error;
	double value;

	assert_int_equal(unit_parse(UNIT_BYTES, "4K,8K", 2, &value, &error), 0);
	assert_true(value == 4096);
	assert_int_equal(unit_parse(UNIT_BYTES, "123", 1, &value, &error), 0);
	assert_true(value == 1);
}

static void test_quote(void **state)
{
	struct text text = { 0 };

	unit_quote(&text, "4Kx", 2);
	assert_string_equal(text_chars(&text), "'4K'");
	text_clear(&text);
	unit_quote(&text, "a\n\xff", 3);
	assert_string_equal(text_chars(&text), "'a\\x0a\\xff'");
	text_clear(&text);
	/* The forty-first byte would split a character. */
	unit_quote(&text, "123456789012345678901234567890123456789\xc3\xa9 ",
		42);
	assert_string_equal(text_chars(&text),
		"'123456789012345678901234567890123456789..'");
	text_free(&text);
}

static void test_names(void **state)
{
	for (int unit = 0; unit < UNIT_COUNTS; unit++)
		assert_int_equal(unit_named(unit_name((enum unit)unit)), unit);
	assert_string_equal(unit_name(UNIT_NONE), "");
	assert_string_equal(unit_name(UNIT_NS), "ns");
	assert_string_equal(unit_name(UNIT_BYTES), "bytes");
	assert_string_equal(unit_name(UNIT_BITS_PER_S), "bit/s");
	assert_int_equal(unit_named("furlong"), UNIT_NONE);
}

/* A point remains the decimal point in a locale with a comma. */
static void test_locale(void **state)
{
	struct text text = { 0 };

	if (!set_comma_locale())
		skip_because("no locale with a decimal comma here");
	assert_true(parsed(UNIT_NS, "1.5us") == 1500);
	refused(UNIT_NS, "1,5us");
	unit_write(&text, UNIT_NS, 1234.5);
	text_add(&text, "|");
	unit_show(&text, UNIT_NS, 1234.5);
	setlocale(LC_ALL, "C");
	assert_string_equal(text_chars(&text), "1234.5ns|1.234 us");
	text_free(&text);
}

/* Mostly characters of quantities, some arbitrary. */
static void make_garbage(char *text, size_t length, uint64_t *random)
{
	static const char alphabet[] = "0123456789..--+eE KMGTiBbits/nus%pcHz";

	for (size_t i = 0; i < length; i++) {
		text[i] = (char)next_random(random);
		if (random_below(random, 16))
			text[i] = alphabet[random_below(random,
				sizeof alphabet - 1)];
	}
}

/* Any bytes are parsed, or refused with a place within them. */
static void test_garbage(void **state)
{
	uint64_t random = 20;

	for (int i = 0; i < 100000; i++) {
		char text[16];
		size_t length = random_below(&random, sizeof text);
		enum unit unit = (enum unit)random_below(&random, UNIT_COUNTS);
		struct error error = { 0 };
		double value;
		int64_t whole;

		make_garbage(text, length, &random);
		if (!unit_parse(unit, text, length, &value, &error)) {
			assert_true(isfinite(value));
			unit_parse_whole(unit, text, length, &whole, &error);
			continue;
		}
		assert_true(error.message[0]);
		assert_in_range(error.column, 1, length + 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_other_forms),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_not_whole),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_sentences),
		cmocka_unit_test(test_only_the_length),
		cmocka_unit_test(test_quote),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_locale),
		cmocka_unit_test(test_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
