/* Loading a session while the present one is not saved to a file of the user
 * loses nothing, whatever is measured afterwards. */
#include "run.h"

#define SMALL " launches=6 trials=20 budget=2s"

static int prepare(void **state)
{
	if (make_folder(state) || chdir(folder))
		return -1;
	struct ran ran = RUN(SELFTEST, "-c", "note other; save other.json");
	int failed = ran.status;
	ran_free(&ran);
	return failed;
}

/* The file that the reply names for the unsaved data; the caller frees it. */
static char *set_aside(const struct ran *ran, const char *what)
{
	struct text words = { 0 };

	text_add(&words, "%s not saved by name, kept in '", what);
	const char *at = strstr(text_chars(&ran->out), words.chars);
	if (!at)
		fail_msg("no '%s' in: %s%s", words.chars, text_chars(&ran->out),
			text_chars(&ran->err));
	at += words.length;
	text_free(&words);
	char *path = strndup(at, strcspn(at, "'"));
	assert_non_null(path);
	return path;
}

/* The number of times that words occur in a file. */
static size_t count_in(const char *path, const char *words)
{
	char *content = read_whole(path);
	size_t count = 0;

	for (const char *at = content; (at = strstr(at, words)); at++)
		count++;
	free(content);
	return count;
}

static void test_run_then_load(void **state)
{
	struct ran ran = RUN(SELFTEST, "-c",
		"run selftest.adds links=10" SMALL
		"; load other.json; run selftest.adds links=100" SMALL
		"; load other.json; run selftest.adds links=1000" SMALL
		"; save third.json; load other.json");
	char *first = set_aside(&ran, "1 run");
	const char *later = strstr(ran.out.chars, first) + strlen(first);
	struct ran rest = { .out = { 0 } };

	assert_status(ran, 0);
	text_add(&rest.out, "%s", later);
	char *second = set_aside(&rest, "1 run");
	assert_string_not_equal(first, second);
	assert_int_equal(count_in(first, "\"links\":\"10\""), 1);
	assert_int_equal(count_in(first, "\"links\":\"100\""), 0);
	assert_int_equal(count_in(second, "\"links\":\"100\""), 1);
	assert_int_equal(count_in(second, "\"links\":\"1000\""), 0);
	assert_int_equal(count_in("third.json", "\"links\":\"1000\""), 1);
	/* A saved session is not saved a second time. */
	text_clear(&rest.out);
	text_add(&rest.out, "%s", strstr(later, second) + strlen(second));
	assert_null(strstr(text_chars(&rest.out), "not saved by name, kept"));
	free(first);
	free(second);
	ran_free(&ran);
	ran_free(&rest);
}

static void test_notes_too(void **state)
{
	struct ran ran = RUN(SELFTEST, "-c",
		"note mine; load other.json; note more; save more.json");
	char *path = set_aside(&ran, "notes");

	assert_status(ran, 0);
	assert_int_equal(count_in(path, "mine"), 1);
	assert_int_equal(count_in(path, "other"), 0);
	free(path);
	ran_free(&ran);
}

/* If nothing can be autosaved, a session that is in no file is not replaced. */
static void test_refused_where_it_is_in_no_file(void **state)
{
	char state_home[300];

	snprintf(state_home, sizeof state_home, "XDG_STATE_HOME=%s/other.json",
		folder);
	struct ran ran = RUN("/usr/bin/env", state_home, SELFTEST, "-c",
		"note mine; load other.json");
	assert_status(ran, 74);
	assert_contains(ran.err, "this session is not saved (");
	assert_contains(ran.err, "save it first");
	ran_free(&ran);
	ran = RUN("/usr/bin/env", state_home, SELFTEST, "-c",
		"note mine; save mine.json; load other.json");
	assert_status(ran, 0);
	ran_free(&ran);
}

/* The doctor's findings are stored with the session of this machine, in the
 * file named when another is loaded. A session of another machine keeps its own
 * findings. */
static void test_doctor(void **state)
{
	struct ran ran = RUN(SELFTEST, "-c",
		"run selftest.adds" SMALL "; save mine.json; doctor fixes"
		"; load published:a; doctor fixes; save a.json"
		"; load other.json");
	char *path = set_aside(&ran, "1 run");

	assert_status(ran, 0);
	assert_int_equal(count_in("mine.json", "\"check\":\"clock\""), 0);
	assert_int_equal(count_in(path, "\"check\":\"clock\""), 1);
	assert_int_equal(count_in("a.json", "\"check\":\"clock\""), 0);
	const char *later = strstr(ran.out.chars, path) + strlen(path);
	assert_null(strstr(later, "not saved by name, kept"));
	free(path);
	ran_free(&ran);
}

/* A second lab with the same folder may use the same second and number; the two
 * files must differ. */
static void test_file_of_another_lab(void **state)
{
	static const char line[] =
		"export XDG_STATE_HOME=$PWD/fresh; "
		"d=fresh/benchtop/sessions; mkdir -p $d; "
		"for s in 0 1 2 3 4 5; do cp other.json "
		"$d/$(date -d +${s}sec +%Y%m%d-%H%M%S)-$$.json; done; "
		"exec \"$0\" run selftest.adds links=1000" SMALL;
	static const char count[] =
		"cd fresh/benchtop/sessions; "
		"echo $(grep -l '\"other\"' *.json | wc -l) "
		"$(grep -l '\"links\":\"1000\"' *.json | wc -l)";
	struct ran ran = RUN("/bin/sh", "-c", line, SELFTEST);

	assert_status(ran, 0);
	ran_free(&ran);
	ran = RUN("/bin/sh", "-c", count);
	assert_contains(ran.out, " 1\n");
	assert_int_equal(strtol(ran.out.chars, NULL, 10), 6);
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run_then_load),
		cmocka_unit_test(test_notes_too),
		cmocka_unit_test(test_refused_where_it_is_in_no_file),
		cmocka_unit_test(test_doctor),
		cmocka_unit_test(test_file_of_another_lab),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
