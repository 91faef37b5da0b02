/* Formatting quantities: the exact text, that it reads back unchanged, and the
 * text for users. */
#include "quantity.h"

#include <inttypes.h>

#include "random.h"

static void test_write(void **state)
{
	static const struct {
		enum unit unit;
		double value;
		const char *text;
	} rows[] = {
		{ UNIT_BYTES, 8388608, "8M" },
		{ UNIT_BYTES, 1536, "1536" },
		{ UNIT_BYTES, 1572864, "1536K" },
		{ UNIT_BYTES, 0, "0" },
		{ UNIT_BYTES, 0x1p50, "1024T" },
		{ UNIT_BYTES, 0.5, "0.5" },
		{ UNIT_BYTES, -4096, "-4K" },
		{ UNIT_NS, 0, "0ns" },
		{ UNIT_NS, 999, "999ns" },
		{ UNIT_NS, 1500, "1.5us" },
		{ UNIT_NS, 4e7, "40ms" },
		{ UNIT_NS, 1e8, "100ms" },
		{ UNIT_NS, 1e10, "10s" },
		{ UNIT_NS, 0.1, "0.1ns" },
		{ UNIT_NS, 285.25, "285.25ns" },
		{ UNIT_CYCLES, 300, "300c" },
		{ UNIT_HZ, 2.7e9, "2.7GHz" },
		{ UNIT_HZ, 1e5, "100KHz" },
		{ UNIT_BITS_PER_S, 2e7, "20Mbit" },
		{ UNIT_BITS_PER_S, 64000, "64Kbit" },
		{ UNIT_BYTES_PER_S, 31.8e9, "31.8GB/s" },
		{ UNIT_PERCENT, 0.01, "1%" },
		{ UNIT_PERCENT, 0.013, "1.3%" },
		{ UNIT_PERCENT, 1, "100%" },
		{ UNIT_PERCENT, 0, "0%" },
		{ UNIT_PACKETS, 80, "80p" },
		{ UNIT_QUEUE, 80 * UNIT_QUEUE_PACKETS, "80p" },
		{ UNIT_QUEUE, 65536, "64K" },
		{ UNIT_QUEUE, 1500, "1500" },
		{ UNIT_PPM, 40, "40ppm" },
		{ UNIT_NONE, 0.1, "0.1" },
		{ UNIT_NONE, 1e-7, "1e-7" },
		{ UNIT_NONE, 1.25e300, "1.25e300" },
		{ UNIT_NONE, 5e-324, "4.94065645841247e-324" },
		{ UNIT_NONE, 1.0 / 3, "0.3333333333333333" },
		{ UNIT_COUNT, 9007199254740992, "9007199254740992" },
		{ UNIT_NONE, (double)NAN, "-" },
		{ UNIT_NS, (double)-INFINITY, "-" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct text text = { 0 };

		unit_write(&text, rows[i].unit, rows[i].value);
		assert_string_equal(text_chars(&text), rows[i].text);
		text_free(&text);
	}
}

static void check_round_trip(enum unit unit, double value)
{
	struct text text = { 0 };

	unit_write(&text, unit, value);
	double back = parsed(unit, text_chars(&text));
	if (back != value)
		fail_msg("%s: %.17g, not %.17g", text_chars(&text), back,
			value);
	text_free(&text);
}

static void check_whole_round_trip(enum unit unit, int64_t value)
{
	struct text text = { 0 };

	unit_write_whole(&text, unit, value);
	int64_t back = parsed_whole(unit, text_chars(&text));
	if (back != value)
		fail_msg("%s: %" PRId64 ", not %" PRId64, text_chars(&text),
			back, value);
	text_free(&text);
}

/* Values of every magnitude, with few digits or all of them. */
static void check_random(enum unit unit, uint64_t *random)
{
	uint64_t bits = next_random(random);
	int64_t whole = (int64_t)(bits >> random_below(random, 64));
	double real;

	memcpy(&real, &bits, sizeof real);
	if (isfinite(real))
		check_round_trip(unit, real);
	check_round_trip(unit, (double)(whole % 100000) / 1000);
	check_round_trip(unit, (double)whole);
	check_whole_round_trip(unit, whole);
	check_whole_round_trip(unit, whole % 1000 * 1000000);
	check_whole_round_trip(unit, whole % 1000 * 1048576);
}

static void test_round_trip(void **state)
{
	static const double limits[] = { 0, 1, 1024, 1000, 0x1p53, 0x1p63,
		0x1p-1022, 0x1p-1074, 0x1.fffffffffffffp1023, 0.1, 1e22, 1e23 };
	uint64_t random = 20;

	for (int i = 0; i < UNIT_COUNTS; i++) {
		enum unit unit = (enum unit)i;

		for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
			check_round_trip(unit, limits[k]);
		check_whole_round_trip(unit, INT64_MAX);
		check_whole_round_trip(unit, INT64_MIN);
		for (int k = 0; k < 20000; k++)
			check_random(unit, &random);
	}
}

static const struct {
	enum unit unit;
	double value;
	const char *text;
} shown[] = {
	{ UNIT_NS, 102.7, "102.7 ns" },
	{ UNIT_NS, 1783, "1.783 us" },
	{ UNIT_NS, 0, "0 ns" },
	{ UNIT_NS, -0.0, "0 ns" },
	{ UNIT_NS, -102.74, "-102.7 ns" },
	{ UNIT_NS, -1783, "-1.783 us" },
	{ UNIT_NS, 0.5, "0.5000 ns" },
	{ UNIT_NS, 0.001234, "0.001234 ns" },
	{ UNIT_NS, 1e-9, "1.000e-09 ns" },
	{ UNIT_NS, 9.9996, "10.00 ns" },
	{ UNIT_NS, 999.94, "999.9 ns" },
	{ UNIT_NS, 999.96, "1.000 us" },
	{ UNIT_NS, 1e7, "10.00 ms" },
	{ UNIT_NS, 1.5e10, "15.00 s" },
	{ UNIT_NS, 3.6e12, "3600 s" },
	{ UNIT_NS, 1e30, "1.000e+21 s" },
	{ UNIT_BYTES, 512, "512 B" },
	{ UNIT_BYTES, 0, "0 B" },
	{ UNIT_BYTES, 1023, "1023 B" },
	{ UNIT_BYTES, 1536, "1.500 KiB" },
	{ UNIT_BYTES, 8388608, "8.000 MiB" },
	{ UNIT_BYTES, 1048575, "1.000 MiB" },
	{ UNIT_BYTES, 0x1p34, "16.00 GiB" },
	{ UNIT_BYTES, 0x1p41, "2.000 TiB" },
	{ UNIT_BYTES_PER_S, 31.8e9, "31.80 GB/s" },
	{ UNIT_BYTES_PER_S, 5e8, "500.0 MB/s" },
	{ UNIT_BITS_PER_S, 2e7, "20.00 Mbit/s" },
	{ UNIT_BITS_PER_S, 1e9, "1.000 Gbit/s" },
	{ UNIT_BITS_PER_S, 64000, "64.00 Kbit/s" },
	{ UNIT_BITS_PER_S, 300, "300.0 bit/s" },
	{ UNIT_HZ, 2.7e9, "2.700 GHz" },
	{ UNIT_HZ, 250, "250.0 Hz" },
	{ UNIT_HZ, 1e5, "100.0 kHz" },
	{ UNIT_HZ, 25e6, "25.00 MHz" },
	{ UNIT_PERCENT, 0.0123, "1.23 %" },
	{ UNIT_PERCENT, 1, "100 %" },
	{ UNIT_PERCENT, 0, "0 %" },
	{ UNIT_PPM, 12.345, "12.35 ppm" },
	{ UNIT_CYCLES, 285.1, "285.1 cyc" },
	{ UNIT_TICKS, 40, "40 ticks" },
	{ UNIT_TICKS, 40.25, "40.25 ticks" },
	{ UNIT_PACKETS, 80, "80 packets" },
	{ UNIT_QUEUE, 80 * 0x1p40, "80 packets" },
	{ UNIT_QUEUE, 65536, "64 KiB" },
	{ UNIT_QUEUE, 1500, "1.5 KiB" },
	{ UNIT_COUNT, 123456, "123456" },
	{ UNIT_COUNT, 1234.5, "1234" },
	{ UNIT_COUNT, 0, "0" },
	{ UNIT_NONE, 1.0181, "1.018" },
	{ UNIT_NONE, (double)NAN, "-" },
	{ UNIT_BYTES, (double)INFINITY, "-" },
	{ UNIT_BYTES, (double)-INFINITY, "-" },
};

static void test_show(void **state)
{
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		struct text text = { 0 };

		assert_string_equal(unit_show(&text, shown[i].unit,
					    shown[i].value),
			shown[i].text);
		text_free(&text);
	}
}

static void test_show_like(void **state)
{
	struct text text = { 0 };
	double scale;

	unit_show_like(&text, UNIT_NS, 102.7, 1783);
	text_add(&text, "|");
	unit_show_like(&text, UNIT_NS, 0, 1783);
	text_add(&text, "|");
	unit_show_like(&text, UNIT_BYTES, 1024, 1);
	text_add(&text, "|");
	/* Without a reference value: formatted by itself. */
	unit_show_like(&text, UNIT_NS, 1783, (double)NAN);
	text_add(&text, "|");
	assert_string_equal(unit_show_like(&text, UNIT_NS, 1783, 0),
		"0.1027 us|0 us|1024 B|1.783 us|1.783 us");
	text_free(&text);

	assert_string_equal(unit_prefix(UNIT_NS, 1783, &scale), "us");
	assert_true(scale == 1000);
	assert_string_equal(unit_prefix(UNIT_BYTES, 8388608, &scale), "MiB");
	assert_true(scale == 1048576);
	assert_string_equal(unit_prefix(UNIT_PERCENT, 0.5, &scale), "%");
	assert_near(scale, 0.01);
	assert_string_equal(unit_prefix(UNIT_COUNT, 5e9, &scale), "");
	assert_true(scale == 1);
	assert_string_equal(unit_prefix(UNIT_NS, (double)NAN, &scale), "ns");
}

static void test_show_beside(void **state)
{
	struct text text = { 0 };

	unit_show_beside(&text, UNIT_NS, 102.7, 1783);
	text_add(&text, "|");
	/* A ten-thousandth is still shown, less is shown as 0. */
	unit_show_beside(&text, UNIT_HZ, 2e5, 2e9);
	text_add(&text, "|");
	unit_show_beside(&text, UNIT_HZ, 1.9e5, 2e9);
	text_add(&text, "|");
	unit_show_beside(&text, UNIT_HZ, -4, -4e9);
	text_add(&text, "|");
	unit_show_beside(&text, UNIT_HZ, 0, 4e9);
	text_add(&text, "|");
	assert_string_equal(unit_show_beside(&text, UNIT_HZ, 4, (double)NAN),
		"0.1027 us|0.0002000 GHz|190.0 kHz|-4.000 Hz|0 GHz|4.000 Hz");
	text_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_show),
		cmocka_unit_test(test_show_like),
		cmocka_unit_test(test_show_beside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
