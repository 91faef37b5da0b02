/* Features and the design of a processor, from invented files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char *content; /* NULL: there is no such file */

static FILE *made_up_file(const char *path, const char *mode)
{
	assert_string_equal(path, "/proc/cpuinfo");
	return content ? fmemopen((char *)content, strlen(content), "r") : NULL;
}

/* Included to give it an invented file. */
#define fopen made_up_file
#include "cpuinfo.c"
#undef fopen

static const char zen[] = "processor\t: 0\n"
			  "vendor_id\t: AuthenticAMD\n"
			  "cpu family\t: 26\n"
			  "model\t\t: 2\n"
			  "model name\t: AMD EPYC\n"
			  "stepping\t: 1\n"
			  "flags\t\t: fpu tsc\n"
			  "\n"
			  "processor\t: 1\n"
			  "vendor_id\t: AuthenticAMD\n"
			  "cpu family\t: 26\n"
			  "model\t\t: 17\n"
			  "stepping\t: 0\n"
			  "flags\t\t: fpu tsc avx\n";
static const char arm[] = "processor\t: 0\n"
			  "BogoMIPS\t: 50.00\n"
			  "Features\t: fp tsc\n"
			  "CPU implementer\t: 0x41\n"
			  "CPU part\t: 0xd40\n";

static void test_flags_of_a_line(void **state)
{
	static const char line[] =
		"flags\t\t: fpu avx512fx avx2 xavx512f sse\n";

	assert_true(cpuinfo_flag_in(line, "avx2"));
	assert_true(cpuinfo_flag_in(line, "fpu"));
	assert_true(cpuinfo_flag_in(line, "sse"));
	assert_false(cpuinfo_flag_in(line, "avx512f"));
	assert_false(cpuinfo_flag_in(line, "avx"));
	assert_false(cpuinfo_flag_in("", "avx2"));
}

/* A file without flags is read again, the flags once. */
static void test_flags(void **state)
{
	content = NULL;
	assert_false(cpuinfo_has("tsc"));
	content = arm;
	assert_false(cpuinfo_has("tsc"));
	content = zen;
	assert_true(cpuinfo_has("tsc"));
	assert_false(cpuinfo_has("avx"));
	content = NULL;
	assert_true(cpuinfo_has("tsc"));
}

static void assert_design(int cpu, const char *expected)
{
	struct text text = { 0 };

	cpuinfo_design(cpu, &text);
	assert_string_equal(text_chars(&text), expected);
	text_free(&text);
}

static void test_design(void **state)
{
	content = zen;
	assert_design(0, "AuthenticAMD 26 2 AMD EPYC 1");
	assert_design(1, "AuthenticAMD 26 17 0");
	assert_design(2, "");
	content = arm;
	assert_design(0, "0x41 0xd40");
	content = NULL;
	assert_design(0, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flags_of_a_line),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_design),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
