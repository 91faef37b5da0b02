/* What the log of serve leaves out. */
#include <arpa/inet.h>
#include <string.h>

#include "check.h"
#include "log_quota.h"

enum { LINE = 90 };

static struct log_quota quota;

/* 198.18.0.0/15 is reserved for tests of networks (RFC 2544). */
static struct origin origin_number(unsigned number)
{
	struct sockaddr_storage at = { .ss_family = AF_INET };

	((struct sockaddr_in *)&at)->sin_addr.s_addr =
		htonl(0xc6120000 + number);
	return origin_of(&at);
}

/* The lines that were written of `lines` about one origin. */
static size_t written(unsigned number, enum log_kind kind, size_t lines)
{
	struct origin origin = origin_number(number);
	size_t count = 0;

	while (lines--)
		count += log_quota_has(&quota, &origin, kind, LINE);
	return count;
}

static int begin(void **state)
{
	struct text ignored = { 0 };

	log_quota_next(&quota, &ignored);
	text_free(&ignored);
	return 0;
}

static void test_few_lines_are_all_written(void **state)
{
	struct text text = { 0 };

	assert_int_equal(written(1, LOG_GREETING, 20), 20);
	assert_int_equal(written(2, LOG_SESSION, 200), 200);
	assert_false(log_quota_next(&quota, &text));
	assert_int_equal(text.length, 0);
}

static void test_what_is_left_out_is_counted(void **state)
{
	struct text text = { 0 };
	size_t lines = written(1, LOG_GREETING, 3000);

	assert_int_equal(lines, LOG_GREETING_EACH / LINE);
	assert_int_equal(written(2, LOG_GREETING, 5), 5);
	assert_int_equal(written(2, LOG_GREETING, 95), lines - 5);
	assert_true(log_quota_next(&quota, &text));
	assert_string_equal(text.chars,
		"left out 3012 lines in a minute, 2956 of them about "
		"198.18.0.1");
	text_free(&text);
	/* The next minute has its own quota. */
	assert_int_equal(written(1, LOG_GREETING, 3000), lines);
}

/* However many strangers are refused, sessions have their lines. */
static void test_strangers_hide_no_session(void **state)
{
	struct text text = { 0 };
	size_t lines = 0;

	for (unsigned number = 10; number < 1000; number++)
		lines += written(number, LOG_GREETING, 10);
	assert_int_equal(lines, LOG_GREETING_ALL / LINE);
	assert_int_equal(written(1, LOG_SESSION, 100), 100);
	assert_true(log_quota_next(&quota, &text));
	assert_non_null(strstr(text.chars, "about other addresses"));
	text_free(&text);
}

/* The promise: at most 1 MB in ten minutes, whoever does what. The ten minutes
 * touch eleven. */
static void test_ten_minutes_are_at_most_a_megabyte(void **state)
{
	size_t bytes = 0;

	for (int minute = 0; minute < 11; minute++) {
		struct text text = { 0 };

		for (unsigned number = 0; number < 200; number++) {
			bytes += LINE * written(number, LOG_GREETING, 500);
			bytes += LINE * written(number, LOG_SESSION, 500);
		}
		assert_true(log_quota_next(&quota, &text));
		/* With the time in front and the line break. */
		bytes += text.length + sizeof "2026-11-21T20:00:00Z - ";
		text_free(&text);
	}
	assert_in_range(bytes, 900000, 1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_few_lines_are_all_written, begin),
		cmocka_unit_test_setup(test_what_is_left_out_is_counted, begin),
		cmocka_unit_test_setup(test_strangers_hide_no_session, begin),
		cmocka_unit_test_setup(test_ten_minutes_are_at_most_a_megabyte,
			begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
