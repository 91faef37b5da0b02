/* Reports of the mouse, byte by byte. */
#include "mouse.h"

#include "check.h"

static const uint64_t long_ns = 400000000;

/* The step after the last byte; the others must be within the report. */
static enum mouse_step add(struct mouse_report *report, const char *bytes,
	uint64_t now_ns)
{
	enum mouse_step step = MOUSE_WITHIN;

	for (; *bytes; bytes++) {
		assert_int_equal(step, MOUSE_WITHIN);
		step = mouse_add(report, (unsigned char)*bytes, now_ns);
		assert_true(step == MOUSE_WITHIN || !report->format);
	}
	return step;
}

static enum mouse_step read_report(struct mouse_report *report,
	enum mouse_format format, const char *bytes)
{
	mouse_begin(report, format, 0);
	return add(report, bytes, 0);
}

static void test_complete(void **state)
{
	static const struct {
		enum mouse_format format;
		const char *bytes;
		bool pressed;
		int button, column, row;
	} read[] = {
		{ MOUSE_SGR, "0;1;1M", true, MOUSE_BUTTON_1, 0, 0 },
		{ MOUSE_SGR, "0;290;55m", false, MOUSE_BUTTON_1, 289, 54 },
		{ MOUSE_SGR, "28;0;0M", true, MOUSE_BUTTON_1, 0, 0 },
		{ MOUSE_SGR, "64;3;4M", true, MOUSE_WHEEL_UP, 2, 3 },
		{ MOUSE_SGR, "69;3;4M", true, MOUSE_WHEEL_DOWN, 2, 3 },
		{ MOUSE_SGR, "2;;M", true, 2, 0, 0 },
		{ MOUSE_BYTES, " !!", true, MOUSE_BUTTON_1, 0, 0 },
		{ MOUSE_BYTES, "#!!", false, 3, 0, 0 },
		{ MOUSE_BYTES, "a\377#", true, MOUSE_WHEEL_DOWN, 222, 2 },
	};

	for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
		struct mouse_report report;

		assert_int_equal(
			read_report(&report, read[i].format, read[i].bytes),
			MOUSE_COMPLETE);
		assert_int_equal(report.pressed, read[i].pressed);
		assert_int_equal(report.button, read[i].button);
		assert_int_equal(report.column, read[i].column);
		assert_int_equal(report.row, read[i].row);
	}
}

/* The last byte does not belong to the report. */
static void test_truncated(void **state)
{
	static const char *const sgr[] = { "j", "0;1q", "0;1;1\033", "0M",
		"0;1m", "0;1;1;", "\303" };
	static const char *const bytes[] = { "\r", " \033", " !\001" };
	struct mouse_report report;

	for (size_t i = 0; i < sizeof sgr / sizeof *sgr; i++)
		assert_int_equal(read_report(&report, MOUSE_SGR, sgr[i]),
			MOUSE_TRUNCATED);
	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
		assert_int_equal(read_report(&report, MOUSE_BYTES, bytes[i]),
			MOUSE_TRUNCATED);
	mouse_begin(&report, MOUSE_BYTES, 0);
	assert_int_equal(mouse_add(&report, 0x102, 0), MOUSE_TRUNCATED);
}

/* Pieces of a report come shortly after each other; a digit later is a key. */
static void test_late(void **state)
{
	struct mouse_report report;

	assert_int_equal(read_report(&report, MOUSE_SGR, "0;12"), MOUSE_WITHIN);
	assert_int_equal(add(&report, "3;4", long_ns / 2), MOUSE_WITHIN);
	assert_int_equal(add(&report, "5M", long_ns), MOUSE_COMPLETE);
	assert_int_equal(report.column, 122);
	assert_int_equal(read_report(&report, MOUSE_SGR, "0;12"), MOUSE_WITHIN);
	assert_int_equal(add(&report, "3", long_ns), MOUSE_TRUNCATED);
	assert_int_equal(read_report(&report, MOUSE_BYTES, " "), MOUSE_WITHIN);
	assert_int_equal(add(&report, "j", long_ns), MOUSE_TRUNCATED);
}

/* Any number of digits. */
static void test_large(void **state)
{
	struct mouse_report report;

	mouse_begin(&report, MOUSE_SGR, 0);
	for (int i = 0; i < 100; i++)
		assert_int_equal(mouse_add(&report, '9', 0), MOUSE_WITHIN);
	assert_int_equal(add(&report, ";9;9M", 0), MOUSE_COMPLETE);
	assert_true(report.button > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_complete),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
