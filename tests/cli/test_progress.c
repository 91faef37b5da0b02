/* Progress is only shown to a user: on standard error if it is a terminal, not
 * in a pipe, and never on standard output. */
#include "terminal.h"

static const char *const words[] = { "run", "selftest.adds", "links=10",
	"trials=2000", "launches=10", "budget=20s", NULL };

static void assert_clean(const struct text *out)
{
	assert_int_equal(strncmp(text_chars(out), "Known work", 10), 0);
	assert_null(strchr(text_chars(out), '\r'));
	assert_null(strchr(text_chars(out), '\x1b'));
	assert_null(strstr(text_chars(out), " left"));
}

static void test_terminal(void **state)
{
	struct ran ran = run_on_terminal(SELFTEST, words, ON_ERR, "");

	assert_status(ran, 0);
	assert_clean(&ran.out);
	/* A bar, a share, the present point, and the remaining time. */
	assert_contains(ran.err, "selftest.adds  [");
	assert_contains(ran.err, " %  ");
	assert_contains(ran.err, "s left");
	assert_contains(ran.err, "launch ");
	assert_contains(ran.err, " of 10");
	/* The progress line is erased at the end. */
	const char *last = NULL;
	for (const char *at = text_chars(&ran.err);
		(at = strstr(at, "\r\x1b[K")); at++)
		last = at;
	assert_non_null(last);
	assert_null(strstr(last, " left"));
	assert_contains(ran.out, "\nkept as session ");
	ran_free(&ran);
}

static void test_pipe(void **state)
{
	struct ran ran = run_words(SELFTEST, words);

	assert_status(ran, 0);
	assert_clean(&ran.out);
	assert_int_equal(ran.err.length, 0);
	ran_free(&ran);
}

/* If only standard output is a terminal, no progress is shown. */
static void test_results_on_terminal(void **state)
{
	struct ran ran = run_on_terminal(SELFTEST, words, ON_OUT, "");

	assert_status(ran, 0);
	assert_int_equal(ran.out.length, 0);
	assert_contains(ran.err, "Known work");
	assert_null(strstr(text_chars(&ran.err), " left"));
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_terminal),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_results_on_terminal),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
