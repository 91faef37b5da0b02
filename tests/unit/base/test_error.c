/* One sentence and a status. */
#include "error.h"

#include <string.h>

#include "check.h"

static void says_what_failed(void **state)
{
	struct error error = { .line = 3, .column = 7 };

	assert_int_equal(error_set(&error, STATUS_INPUT, "cannot open '%s': %s",
				 "a.json", "no"),
		-1);
	assert_int_equal(error.status, STATUS_INPUT);
	assert_string_equal(error.message, "cannot open 'a.json': no");
	/* The caller fills in the place; error_set() does not change it. */
	assert_int_equal(error.line, 3);
	assert_int_equal(error.column, 7);
}

static void the_last_sentence_stands(void **state)
{
	struct error error = { 0 };

	error_set(&error, STATUS_USAGE, "a long first sentence");
	error_set(&error, STATUS_OUTPUT, "second");
	assert_int_equal(error.status, STATUS_OUTPUT);
	assert_string_equal(error.message, "second");
}

static void a_long_sentence_is_cut(void **state)
{
	struct error error = { 0 };
	char subject[2000];

	memset(subject, 'x', sizeof subject - 1);
	subject[sizeof subject - 1] = '\0';
	error_set(&error, STATUS_USAGE, "no experiment '%s'", subject);
	assert_int_equal(strlen(error.message), sizeof error.message - 1);
	assert_memory_equal(error.message, "no experiment 'xxx", 18);
}

static void a_sentence_is_safe(void **state)
{
	struct error error = { 0 };

	error_set(&error, STATUS_USAGE, "--listen=%s: no", "a\x1b[2J\n\xff");
	assert_string_equal(error.message, "--listen=a\\x1b[2J\\x0a\\xff: no");
	/* A character that is cut. */
	error_set(&error, STATUS_USAGE, "%.1s", "\xc3\xa4");
	assert_string_equal(error.message, "\\xc3");
}

/* Scripts rely on these numbers. */
static void statuses_are_exit_codes(void **state)
{
	assert_int_equal(STATUS_OK, 0);
	assert_int_equal(STATUS_EXPECT, 1);
	assert_int_equal(STATUS_USAGE, 2);
	assert_int_equal(STATUS_INPUT, 3);
	assert_int_equal(STATUS_PERMISSION, 4);
	assert_int_equal(STATUS_WORKER, 5);
	assert_int_equal(STATUS_NETWORK, 6);
	assert_int_equal(STATUS_INTERNAL, 70);
	assert_int_equal(STATUS_OUTPUT, 74);
	assert_int_equal(STATUS_HUNG_UP, 129);
	assert_int_equal(STATUS_INTERRUPTED, 130);
	assert_int_equal(STATUS_TERMINATED, 143);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_what_failed),
		cmocka_unit_test(the_last_sentence_stands),
		cmocka_unit_test(a_long_sentence_is_cut),
		cmocka_unit_test(a_sentence_is_safe),
		cmocka_unit_test(statuses_are_exit_codes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
