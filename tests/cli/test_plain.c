/* The prompt for screen readers and simple terminals, and without a
 * terminal. */
#include "terminal.h"

static const char *const plain[] = { "--plain", NULL };

static size_t count_of(const struct text *text, const char *piece)
{
	size_t count = 0;

	for (const char *at = text_chars(text); (at = strstr(at, piece)); at++)
		count++;
	return count;
}

static void test_prompt(void **state)
{
	struct ran ran =
		run_on_terminal(SELFTEST, plain, ON_IN | ON_OUT | ON_ERR,
			"list cpu\n"
			"rum\n"
			"run selftest.adds launches=6 trials=20 budget=2s\n"
			"expect selftest.adds excluded < 0\n"
			"quit\n");

	/* The exit code is 0, because the user at the terminal read that a gate
	 * did not hold. */
	assert_status(ran, 0);
	assert_int_equal(count_of(&ran.err, "benchtop> "), 5);
	/* The output begins with the first steps, wrapped between words. */
	assert_int_equal(count_of(&ran.err, "`help` shows all\r\ncommands"), 1);
	assert_contains(ran.err, "cpu.syscall      What does entering");
	assert_contains(ran.err, "unknown command 'rum': did you mean 'run'?");
	assert_contains(ran.err, "Known work");
	assert_contains(ran.err, "FAIL selftest.adds");
	ran_free(&ran);
}

/* No character that a screen reader would spell out. */
static void test_plain_signs(void **state)
{
	struct ran ran = run_on_terminal(SELFTEST, plain, ON_IN | ON_OUT,
		"run selftest.adds launches=6 trials=20 budget=2s\nhelp\n"
		"show selftest.adds\nquit\n");

	assert_status(ran, 0);
	for (const char *at = text_chars(&ran.err); *at; at++)
		assert_true((*at >= ' ' && *at <= '~') || *at == '\n' ||
			*at == '\r');
	ran_free(&ran);
}

/* The end of the input leaves the lab, as quit does. */
static void test_end(void **state)
{
	struct ran ran = run_on_terminal(PROGRAM, plain, ON_IN | ON_OUT,
		"set budget=3s\n\x04");

	assert_status(ran, 0);
	assert_int_equal(count_of(&ran.err, "benchtop> "), 2);
	ran_free(&ran);
	ran = RUN(PROGRAM, "--plain");
	assert_status(ran, 0);
	ran_free(&ran);
}

/* Without a terminal the lab cannot be opened; the sentence names the
 * alternatives. */
static void test_no_terminal(void **state)
{
	static const char *const nothing[] = { NULL };
	static const unsigned on[] = { 0, ON_OUT, ON_ERR };

	for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
		struct ran ran = run_on_terminal(PROGRAM, nothing, on[i], "");
		struct text both = { 0 };

		text_add(&both, "%s%s", text_chars(&ran.out),
			text_chars(&ran.err));
		assert_status(ran, 2);
		assert_contains(both, "needs a terminal");
		assert_contains(both, "--script");
		text_free(&both);
		ran_free(&ran);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prompt),
		cmocka_unit_test(test_plain_signs),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_no_terminal),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
