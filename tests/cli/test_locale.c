/* A locale with a decimal comma does not affect numbers that are read or
 * written. */
#include "locales.h"
#include "schema.h"

static const char *comma_locale;

static bool has_comma(const char *name)
{
	bool has = setlocale(LC_ALL, name) &&
		!strcmp(localeconv()->decimal_point, ",");

	setlocale(LC_ALL, "C");
	return has;
}

/* An installed locale, or one compiled in the folder of this test. */
static void find_locale(void)
{
	static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8",
		"es_ES.UTF-8", "pt_BR.UTF-8" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (has_comma(names[i])) {
			comma_locale = names[i];
			return;
		}
	if (make_locale("de_DE") && has_comma("de_DE.UTF-8"))
		comma_locale = "de_DE.UTF-8";
}

/* Runs the program in a locale with a decimal point, or with a decimal comma;
 * both use UTF-8. */
static struct ran run_in(bool comma, const char *line)
{
	setenv("LC_ALL", comma ? comma_locale : "C.UTF-8", 1);
	struct ran ran = RUN(SELFTEST, "-c", line);
	unsetenv("LC_ALL");
	return ran;
}

/* The same file gives the same output in both locales. */
static void test_printed(void **state)
{
	static const char *const lines[] = {
		"load it.json -v",
		"load it.json; export csv",
		"load it.json; export jsonl",
		"load it.json; export csv --trials",
		"show selftest.adds precision=0.25% budget=2.5s",
		"set precision=0.25%; set",
		"verify it.json",
		"load it.json; expect selftest.adds median < 1.5ms",
	};

	struct ran ran = run_in(true,
		"run selftest.adds links=10,100 launches=6 trials=20 "
		"budget=2.5s precision=0.5%; save it.json");
	assert_status(ran, 0);
	ran_free(&ran);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct ran plain = run_in(false, lines[i]);
		struct ran comma = run_in(true, lines[i]);

		/* The gate is undecided if there are not enough data. */
		if (i + 1 < sizeof lines / sizeof *lines)
			assert_status(plain, 0);
		assert_status(comma, plain.status);
		assert_string_equal(text_chars(&plain.out),
			text_chars(&comma.out));
		ran_free(&plain);
		ran_free(&comma);
	}
}

/* A file written in a locale with a comma equals one written without. */
static void test_written(void **state)
{
	struct ran ran = run_in(true, "load it.json; save comma.json");

	assert_status(ran, 0);
	ran_free(&ran);
	ran = run_in(false, "load it.json; save plain.json");
	assert_status(ran, 0);
	ran_free(&ran);
	char *comma = read_whole("comma.json"),
	     *plain = read_whole("plain.json");
	assert_string_equal(comma, plain);
	struct text text = { 0 };
	text_add(&text, "%s", comma);
	assert_json(&text, "comma.json");
	text_free(&text);
	free(comma);
	free(plain);
}

/* A point remains the decimal point, and a comma separates values. */
static void test_read(void **state)
{
	struct ran ran = run_in(true, "set precision=0,5%");

	assert_status(ran, 2);
	assert_contains(ran.err, "precision:");
	ran_free(&ran);
	ran = run_in(true, "set precision=0.5% budget=1.5s; set");
	assert_status(ran, 0);
	assert_contains(ran.out, "0.5%");
	assert_contains(ran.out, "1.5s");
	ran_free(&ran);
}

static int prepare(void **state)
{
	if (make_folder(state) || chdir(folder))
		return -1;
	find_locale();
	return 0;
}

static void test_found(void **state)
{
	if (comma_locale)
		return;
	print_message("SKIP: no locale with a decimal comma here\n");
	exit(remove_folder(state) ? 1 : 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_printed),
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
