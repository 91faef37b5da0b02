/* The kept ratio of an unshared core: a calibration that was never alone uses
 * it, one that was alone does not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "text.h"

static const char *described; /* of every processor; NULL: not described */

static void made_up_design(int cpu, struct text *text)
{
	if (described)
		text_add(text, "%s", described);
}

/* Included to give it a simulated processor. */
#define cpuinfo_design made_up_design
#include "canary_known.c"
#undef cpuinfo_design

static const char zen[] = "AuthenticAMD 26 2 AMD EPYC 1";

static char folder[64], path[96];

static int open_folder(void **unused)
{
	(void)unused;
	described = zen;
	snprintf(folder, sizeof folder, "/tmp/benchtop-canary-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/canary", folder);
	return 0;
}

static int close_folder(void **unused)
{
	(void)unused;
	unlink(path);
	return rmdir(folder);
}

/* The ratio that a calibration with this one uses. */
static double recalled(int cpu, enum canary_kind kind, double ratio)
{
	struct clock_facts facts = { .canary_kind = kind,
		.canary_alone = ratio };

	canary_recall(path, cpu, &facts);
	if (facts.canary_alone == ratio)
		assert_int_equal(facts.canary_kind, kind);
	else
		assert_int_equal(facts.canary_kind, CANARY_NOPS);
	return facts.canary_alone;
}

static void assert_file(const char *expected)
{
	struct text content = { 0 };
	struct error error;

	assert_int_equal(file_read(path, 4096, &content, &error), 0);
	assert_string_equal(text_chars(&content), expected);
	text_free(&content);
}

static void a_calibration_that_was_never_alone(void **state)
{
	assert_near(recalled(1, CANARY_NOPS, .714), .714);
	assert_near(recalled(1, CANARY_NOPS, 1.062), .714);
	/* Within the step a calibration keeps its own ratio. */
	assert_near(recalled(1, CANARY_NOPS, .8), .8);
	assert_near(recalled(1, CANARY_NOPS, .694), .694);
	assert_near(recalled(1, CANARY_NOPS, 1.062), .694);
	assert_file("0.6940 cpu 1 AuthenticAMD 26 2 AMD EPYC 1\n");
}

static void the_least_ratio_is_found_later(void **state)
{
	assert_near(recalled(1, CANARY_NOPS, 1.062), 1.062);
	assert_near(recalled(1, CANARY_NOPS, .694), .694);
	assert_near(recalled(1, CANARY_NOPS, 1.062), .694);
}

/* Most samples of a calibration were shared by the loop, so it was chosen; a
 * calibration before that chose the nops. */
static void the_nops_are_known_to_be_better(void **state)
{
	assert_near(recalled(1, CANARY_LOOP, 1.02), 1.02);
	assert_int_equal(access(path, F_OK), -1);
	assert_near(recalled(1, CANARY_NOPS, .694), .694);
	assert_near(recalled(1, CANARY_LOOP, 1), .694);
	assert_near(recalled(0, CANARY_LOOP, 1), 1);
	assert_file("0.6940 cpu 1 AuthenticAMD 26 2 AMD EPYC 1\n");
}

static void processors_are_kept_apart(void **state)
{
	assert_near(recalled(0, CANARY_NOPS, .694), .694);
	assert_near(recalled(1, CANARY_NOPS, 1.33), 1.33);
	described = "0x41 0xd40";
	assert_near(recalled(0, CANARY_NOPS, 2.5), 2.5);
	assert_file("0.6940 cpu 0 AuthenticAMD 26 2 AMD EPYC 1\n"
		    "1.3300 cpu 1 AuthenticAMD 26 2 AMD EPYC 1\n"
		    "2.5000 cpu 0 0x41 0xd40\n");
	assert_near(recalled(0, CANARY_NOPS, 4), 2.5);
}

static void nothing_is_known_of_the_processor(void **state)
{
	struct clock_facts facts = { .canary_kind = CANARY_NOPS,
		.canary_alone = 1 };

	described = NULL;
	assert_near(recalled(1, CANARY_NOPS, .9), .9);
	assert_int_equal(access(path, F_OK), -1);
	described = zen;
	canary_recall(NULL, 1, &facts);
	assert_near(facts.canary_alone, 1);
}

static void a_damaged_file_is_no_ratio(void **state)
{
	static const char *const damaged[] = {
		"",
		"\n\n",
		"0.6",
		"0.6 ",
		"x cpu 1 AuthenticAMD 26 2 AMD EPYC 1\n",
		"-1 cpu 1 AuthenticAMD 26 2 AMD EPYC 1\n",
		"nan cpu 1 AuthenticAMD 26 2 AMD EPYC 1\n",
		"0.6 cpu 1 AuthenticAMD 26 2 AMD EPYC 17\n",
	};

	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
		FILE *file = fopen(path, "w");

		fputs(damaged[i], file);
		fclose(file);
		assert_near(recalled(1, CANARY_NOPS, 1.062), 1.062);
		assert_near(recalled(1, CANARY_NOPS, 1.4), 1.062);
	}
}

/* A file that is too large is left as it is: it has lines of others. */
static void an_unreadable_file_is_kept(void **state)
{
	static char large[(1 << 20) + 2];
	struct stat is;
	FILE *file = fopen(path, "w");

	memset(large, '\n', sizeof large - 1);
	fputs(large, file);
	fclose(file);
	assert_near(recalled(1, CANARY_NOPS, .694), .694);
	assert_int_equal(stat(path, &is), 0);
	assert_int_equal(is.st_size, sizeof large - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_calibration_that_was_never_alone, open_folder,
			close_folder),
		cmocka_unit_test_setup_teardown(the_least_ratio_is_found_later,
			open_folder, close_folder),
		cmocka_unit_test_setup_teardown(the_nops_are_known_to_be_better,
			open_folder, close_folder),
		cmocka_unit_test_setup_teardown(processors_are_kept_apart,
			open_folder, close_folder),
		cmocka_unit_test_setup_teardown(
			nothing_is_known_of_the_processor, open_folder,
			close_folder),
		cmocka_unit_test_setup_teardown(a_damaged_file_is_no_ratio,
			open_folder, close_folder),
		cmocka_unit_test_setup_teardown(an_unreadable_file_is_kept,
			open_folder, close_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
