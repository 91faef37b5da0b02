/* Pictures by gnuplot: the lines of a report are its, with the same numbers;
 * without it, or with one that fails, they are benchtop's own. */
#include "run.h"

#include <sys/stat.h>

#include "memory.h"

static size_t count_of(const char *text, const char *what)
{
	size_t count = 0;

	for (; (text = strstr(text, what)); text++)
		count++;
	return count;
}

static struct ran report(const char *name, const char *plots)
{
	return RUN(PROGRAM, "report", "published:a", "-o", in_folder(name),
		"--plots", plots);
}

/* A program of that name which does as the line says, and no other. */
static void only_gnuplot(const char *line)
{
	struct text script = { 0 };

	mkdir(in_folder("bin"), 0700);
	text_add(&script, "#!/bin/sh\n%s\n", line);
	write_file(in_folder("bin/gnuplot"), script.chars);
	chmod(in_folder("bin/gnuplot"), 0700);
	setenv("PATH", in_folder("bin"), 1);
	text_free(&script);
}

static void test_refused(void **state)
{
	(void)state;
	struct ran ran = report("x.html", "lines");
	assert_status(ran, 2);
	assert_contains(ran.err, "expected own or gnuplot");
	ran_free(&ran);
}

static void test_without_it(void **state)
{
	static const char *const fails[] = { "exit 1", "echo no picture",
		"echo '<svg>no end'", "kill -9 $$" };
	char *path = xstrdup(getenv("PATH"));

	(void)state;
	struct ran ran = report("own.html", "own");
	assert_status(ran, 0);
	ran_free(&ran);
	char *own = read_whole(in_folder("own.html"));
	setenv("PATH", "/nowhere", 1);
	ran = report("none.html", "gnuplot");
	assert_status(ran, 0);
	assert_contains(ran.out, "gnuplot is not installed");
	ran_free(&ran);
	char *none = read_whole(in_folder("none.html"));
	assert_string_equal(none, own);
	free(none);
	for (size_t i = 0; i < sizeof fails / sizeof *fails; i++) {
		only_gnuplot(fails[i]);
		ran = report("fails.html", "gnuplot");
		assert_status(ran, 0);
		ran_free(&ran);
		char *failed = read_whole(in_folder("fails.html"));
		assert_string_equal(failed, own);
		free(failed);
	}
	setenv("PATH", path, 1);
	free(path);
	free(own);
}

static void test_with_it(void **state)
{
	(void)state;
	if (system("command -v gnuplot >/dev/null")) {
		print_message("SKIP: gnuplot is not installed\n");
		skip();
	}
	struct ran ran = report("g.html", "gnuplot");
	assert_status(ran, 0);
	ran_free(&ran);
	ran = report("own.html", "own");
	assert_status(ran, 0);
	ran_free(&ran);
	char *drawn = read_whole(in_folder("g.html"));
	char *own = read_whole(in_folder("own.html"));
	/* As many pictures and numbers, of which some are its. */
	assert_int_equal(count_of(drawn, "<figure>"),
		count_of(own, "<figure>"));
	assert_int_equal(count_of(drawn, "data-of="),
		count_of(own, "data-of="));
	assert_int_equal(count_of(own, "gnuplot"), 0);
	assert_true(count_of(drawn, "gnuplot1_") > 0);
	assert_true(count_of(drawn, "gnuplot2_") > 0);
	/* Ticks of bytes, and the name of a line. */
	assert_non_null(strstr(drawn, ">64K<"));
	assert_non_null(strstr(drawn, ">random-mixed<"));
	/* Elements of the page, and nothing that is fetched. */
	assert_null(strstr(drawn, "<?xml"));
	assert_null(strstr(drawn, "<!DOCTYPE svg"));
	assert_null(strstr(drawn, "<script"));
	free(drawn);
	free(own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_without_it),
		cmocka_unit_test(test_with_it),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
