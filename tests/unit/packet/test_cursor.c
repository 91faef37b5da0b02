/* The cursor: truncated and invalid are different errors, and the first error
 * is kept. */
#include "cursor.h"

#include "check.h"

static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

static void test_reads(void **state)
{
	struct cursor cursor = cursor_of(bytes, 8, 8);

	assert_int_equal(cursor_u8(&cursor), 1);
	assert_int_equal(cursor_u16(&cursor), 0x0203);
	assert_int_equal(cursor_u32(&cursor), 0x04050607);
	assert_int_equal(cursor.wire, 1);
	assert_int_equal(cursor.cut, CUT_NONE);
}

static void test_truncated(void **state)
{
	struct cursor cursor = cursor_of(bytes, 3, 8);

	assert_int_equal(cursor_u32(&cursor), 0);
	assert_int_equal(cursor.cut, CUT_TRUNCATED);
	/* Later bytes are not read, because their position is unknown. */
	assert_int_equal(cursor_u8(&cursor), 0);
	cursor_skip(&cursor, 100);
	assert_int_equal(cursor.cut, CUT_TRUNCATED);
}

static void test_invalid(void **state)
{
	struct cursor cursor = cursor_of(bytes, 3, 3);

	assert_int_equal(cursor_u32(&cursor), 0);
	assert_int_equal(cursor.cut, CUT_INVALID);
	cursor = cursor_of(bytes, 3, 8);
	assert_null(cursor_bytes(&cursor, 9));
	assert_int_equal(cursor.cut, CUT_INVALID);
	assert_null(cursor_bytes(&cursor, 1));
}

/* The captured length never exceeds the length on the wire. */
static void test_ends(void **state)
{
	struct cursor cursor = cursor_of(bytes, 8, 2);

	assert_int_equal(cursor.captured, 2);
	assert_int_equal(cursor_u16(&cursor), 0x0102);
	cursor_skip(&cursor, 1);
	assert_int_equal(cursor.cut, CUT_INVALID);
}

static void test_limit(void **state)
{
	struct cursor cursor = cursor_of(bytes, 4, 8);

	cursor_limit(&cursor, 6);
	cursor_skip(&cursor, 5);
	assert_int_equal(cursor.cut, CUT_TRUNCATED);
	cursor = cursor_of(bytes, 8, 8);
	cursor_limit(&cursor, 2);
	assert_int_equal(cursor.captured, 2);
	cursor_limit(&cursor, 3);
	assert_int_equal(cursor.cut, CUT_INVALID);
	/* Sizes near the end of the number range do not wrap. */
	cursor = cursor_of(bytes, 8, UINT64_MAX);
	cursor_skip(&cursor, UINT64_MAX);
	assert_int_equal(cursor.cut, CUT_TRUNCATED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
